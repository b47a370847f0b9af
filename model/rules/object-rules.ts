import { validateDocument } from '@tenantry/kube/document';
import { allows } from '@tenantry/kube/cluster-roles';
import {
  builtinNamespaced,
  builtinScope,
  isNonPersisted,
  findReplacementApi,
  type Scope,
} from '@tenantry/kube/builtin-kinds';
import type { Finding } from '@tenantry/kube/finding';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { show, type Path } from '@tenantry/kube/problem';
import { byteLength, isSubdomain } from '@tenantry/kube/names';
import { NO_SKIP_MARKER, findSkipMarker } from '@tenantry/kube/argocd-directives';
import { KUBERNETES_MINOR } from '@tenantry/crd/validation';
import type { TenantClassDeclaration } from '../declaration.ts';
import type { Aspect } from '../resource-presets/preset-objects.ts';
import type { ObjectContext, RuleReporter, RuleReportOptions } from './context.ts';
import { defineObjectCheck, type DeclaredObject } from './check.ts';
import { KEY_RULES, checkKeys, embeddedKeys } from './keys.ts';
import { neighbors, selfService } from './admission-bounds.ts';
import { allowLists, imageVersions } from './allow-lists.ts';
import { validateResourceSchema } from './resource-schema.ts';

/** Kinds with fields of their own, to which the ceilings of the class apply. */
const fieldOf: Readonly<Record<string, string>> = {
  'rbac.authorization.k8s.io/Role': 'access.roles',
  'rbac.authorization.k8s.io/RoleBinding': 'access',
  '/ResourceQuota': 'quota',
  '/LimitRange': 'limits',
  '/ServiceAccount': 'serviceAccounts',
  'networking.k8s.io/NetworkPolicy': 'network',
  'policy/PodDisruptionBudget': 'disruptionBudgets',
};

/** Groups whose policies can take precedence over Kubernetes' own NetworkPolicies. */
const policyGroups: ReadonlySet<string> = new Set([
  'projectcalico.org',
  'crd.projectcalico.org',
  'cilium.io',
  'crd.antrea.io',
  'k8s.ovn.org',
]);

/** Kinds that act with the rights of Argo CD. */
const argoKinds: ReadonlySet<string> = new Set([
  'argoproj.io/Application',
  'argoproj.io/ApplicationSet',
  'argoproj.io/AppProject',
]);

/**
 * Whether tenants may have a kind without permission of the class. Of Kubernetes' own kinds these are the ones that its
 * role `admin` may create, except Endpoints (CVE-2021-25740) and certificate requests. Of others these are the kinds
 * whose scope the platform knows, except network policies and Argo CD's own.
 */
function isOrdinaryResource(group: string, kind: string): boolean {
  const id = `${group}/${kind}`;
  if (builtinScope(group, kind) === undefined)
    return !policyGroups.has(group) && !argoKinds.has(id);
  const plural = builtinNamespaced.get(id);
  return plural !== undefined && allows('admin', group, plural, 'create');
}

const METADATA = ['name', 'namespace', 'labels', 'annotations'];
/** The maximum size of an object as JSON in bytes, unless the class sets one. */
const MAX_SIZE = 65_536;

/**
 * Validates an object as far as that does not depend on its namespace. It must be an object within the maximum size,
 * without a field of its own, and of a kind that the class allows and the clusters serve. It must contain no Secret
 * data, have metadata that takes no other owner's name, and match the schema of its kind. The rules are the same for
 * literal manifests and for rendered presets.
 * @returns whether it is an object at all; otherwise nothing else was validated
 */
export function checkDeclaredObject(
  object: DeclaredObject,
  report: RuleReporter<ObjectRule>,
): boolean {
  const { manifest } = object;
  const refused: Path[] = [];
  const refuse: RuleReporter<ObjectRule> = (at, ...more) => {
    refused.push(at);
    report(at, ...more);
  };
  const refusal = validateDocument(manifest);
  if (refusal) {
    refuse(refusal.path, refusal.message, 'resource-object');
    return false;
  }
  for (const { check } of objectChecks) check(object, refuse);
  if (!refused.some(([field]) => field === 'kind' || field === 'apiVersion')) {
    checkSchema(object, refused, report);
  }
  return true;
}

/** Text that Argo CD obeys. */
const steeringText = defineObjectCheck(['steering-text'], ({ manifest }, report) => {
  const steering = findSkipMarker(manifest);
  if (steering) report(steering, NO_SKIP_MARKER, 'steering-text');
});

/** The kind: one that tenants may have, in a version that clusters still serve. */
const kinds = defineObjectCheck(
  ['resource-kind', 'resource-scope', 'removed-api'],
  ({ manifest, ...world }, report) => {
    const fault = findKindFault(world, manifest);
    const gone = formatRemovedVersions(world, manifest);
    // The scope of a kind is unknown if its group is gone too.
    const isGone = gone.length > 0 && findScope(world, manifest) === undefined;
    if (fault && !isGone) report(['kind'], fault.message, fault.rule);
    else for (const message of gone) report(['apiVersion'], message, 'removed-api');
  },
);

/** Validates the schema. It drops findings about what is already refused, and about the types of what contains that. */
function checkSchema(
  { manifest, ...world }: DeclaredObject,
  refused: readonly Path[],
  report: RuleReporter<'resource-schema'>,
): void {
  const isRefused = ({ path, rule }: Finding): boolean =>
    refused.some((at) => isWithin(path, at) || (rule === 'type' && isWithin(at, path)));
  for (const finding of validateResourceSchema(manifest, world)) {
    if (isRefused(finding)) continue;
    const { path, message, severity } = finding;
    const [aspect, before] = [resolveAspect(finding), findFirstItemPath(finding)];
    const more: RuleReportOptions = {
      aspect,
      ...(before && { before }),
      ...(severity !== 'error' && { severity: 'warning' }),
    };
    report(path, message, 'resource-schema', more);
  }
}

/** Whether a path is equal to another one or lies below it. */
function isWithin(path: Path, around: Path): boolean {
  return around.length > 0 && around.every((part, i) => path[i] === part);
}

function resolveAspect({ rule, atKey }: Finding): Aspect {
  if (atKey) return 'key';
  return rule === 'type' ? 'type' : 'content';
}

/** Returns the path of the list item that another one duplicates. */
function findFirstItemPath({ path, about }: Finding): Path | undefined {
  if (about?.firstItem === undefined) return undefined;
  return path.with(
    path.findLastIndex((part) => typeof part === 'number'),
    about.firstItem,
  );
}

/** Formats a kind: `ConfigMap`, `Deployment.apps`. */
const formatKind = (group: string, kind: string): string =>
  group === '' ? kind : `${kind}.${group}`;

function findScope(
  { platform }: ObjectContext,
  { apiVersion, kind }: KubeObject,
): Scope | undefined {
  const group = groupOf(apiVersion);
  return builtinScope(group, kind) ?? platform.kinds.get(`${group}/${kind}`);
}

/** Explains why a tenant may not have the kind of an object. */
function findKindFault(
  world: ObjectContext,
  manifest: KubeObject,
): { readonly message: string; readonly rule: 'resource-kind' | 'resource-scope' } | undefined {
  const { klass } = world;
  const { apiVersion, kind } = manifest;
  const group = groupOf(apiVersion);
  const scope = findScope(world, manifest);
  const field = fieldOf[`${group}/${kind}`];
  const got = show(formatKind(group, kind));
  if (scope === 'Cluster') {
    const message = `must be a namespaced kind, got ${got}, which is cluster-scoped whatever namespace it names`;
    return { message, rule: 'resource-scope' };
  }
  if (field) {
    const message = `must not be a ${kind}: declare it in ${field}, where the ceilings of the class apply`;
    return { message, rule: 'resource-kind' };
  }
  if (scope === undefined) {
    const message = `must be a kind whose scope is known, got ${got}: name it in kinds or crdFiles of the platform`;
    return { message, rule: 'resource-scope' };
  }
  if (isNonPersisted(group, kind)) {
    const message = `must be a kind whose objects are stored, got ${got}, which can be requested but not applied`;
    return { message, rule: 'resource-kind' };
  }
  if (isAllowed(klass, group, kind)) return undefined;
  const message = `must be a kind that class ${klass.name} allows in allow.resources, got ${got}`;
  return { message, rule: 'resource-kind' };
}

function isAllowed({ spec }: TenantClassDeclaration, group: string, kind: string): boolean {
  const allowed = spec.allow?.resources;
  const ordinary = isOrdinaryResource(group, kind);
  if (!allowed) return ordinary;
  return allowed.some((entry) => {
    if (entry.group === group && entry.kind === kind) return true;
    const covers = [group, '*'].includes(entry.group) && [kind, '*'].includes(entry.kind);
    return covers && (ordinary || (entry.group === group && policyGroups.has(group)));
  });
}

/**
 * Formats removed versions by cluster. A cluster whose minor version is not declared is treated as one of the supported
 * minors.
 */
function formatRemovedVersions(
  { clusters }: ObjectContext,
  { apiVersion, kind }: KubeObject,
): string[] {
  const minors = clusters.map((one) => one.kubernetesVersion ?? KUBERNETES_MINOR);
  return [...new Set(minors)].flatMap((minor) => {
    const instead = findReplacementApi(apiVersion, kind, minor);
    if (instead === undefined) return [];
    return [
      `must be ${instead}, got ${show(apiVersion)}, which Kubernetes ${minor} no longer serves`,
    ];
  });
}

const secrets = defineObjectCheck(['resource-secret'], ({ manifest }, report) => {
  if (manifest.kind !== 'Secret' || groupOf(manifest.apiVersion) !== '') return;
  const field = ['data', 'stringData'].find((one) => one in manifest);
  if (field === undefined) return;
  const message = 'must not hold Secret data: Git keeps it forever; use an external secret';
  report([field], message, 'resource-secret');
});

const metadata = defineObjectCheck(
  [...KEY_RULES, 'resource-name', 'resource-metadata'],
  ({ manifest, klass }, report) => {
    const { name } = manifest.metadata;
    if (!isSubdomain(name)) {
      const message = `must be a DNS subdomain, got ${show(name)}`;
      report(['metadata', 'name'], message, 'resource-name');
    }
    for (const key of Object.keys(manifest.metadata).filter((one) => !METADATA.includes(one))) {
      const message = `must be left out: only ${METADATA.join(', ')} may be declared`;
      report(['metadata', key], message, 'resource-metadata');
    }
    checkKeys(manifest.metadata, (...rest) => ['metadata', ...rest], { klass, report });
  },
);

const sizes = defineObjectCheck(['resource-size'], ({ manifest, klass }, report) => {
  const size = byteLength(JSON.stringify(manifest));
  const most = klass.spec.ceilings?.resourceBytes ?? MAX_SIZE;
  if (size > most) report([], `must be at most ${most} bytes, got ${size}`, 'resource-size');
});

/** The checks of an object, in the order of their findings. The schema is checked after them. */
const objectChecks = [
  steeringText,
  kinds,
  secrets,
  selfService,
  neighbors,
  allowLists,
  imageVersions,
  metadata,
  embeddedKeys,
  sizes,
] as const;

/** The rules that `checkDeclaredObject` can report. */
export const objectRules = [
  'resource-object',
  ...objectChecks.flatMap(({ rules }): readonly CheckedRule[] => rules),
  'resource-schema',
] as const;

type CheckedRule = (typeof objectChecks)[number]['rules'][number];
export type ObjectRule = CheckedRule | 'resource-object' | 'resource-schema';
