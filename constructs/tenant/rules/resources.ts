import { objectRefusal } from '../../../kube/document.ts';
import { allows } from '../../../kube/clusterroles.ts';
import {
  builtinNamespaced,
  builtinScope,
  isFleeting,
  removedApi,
} from '../../../kube/builtinkinds.ts';
import { groupOf } from '../../../kube/object.ts';
import { show, type Path } from '../../../kube/problem.ts';
import { byteLength, isSubdomain } from '../../../kube/names.ts';
import type { ExtraResource } from '../merged.ts';
import { checkKeys } from './keys.ts';
import type { RuleContext } from './context.ts';
import { selfServiceRules } from './selfservice.ts';

/** Kinds that have fields of their own, where ceilings are asked. */
const fieldOf: Readonly<Record<string, string>> = {
  'rbac.authorization.k8s.io/Role': 'access.roles',
  'rbac.authorization.k8s.io/RoleBinding': 'access',
  '/ResourceQuota': 'quota',
  '/LimitRange': 'limits',
  '/ServiceAccount': 'serviceAccounts',
  'networking.k8s.io/NetworkPolicy': 'network',
  'policy/PodDisruptionBudget': 'disruptionBudgets',
};

/** Groups whose policies can outrank Kubernetes' own NetworkPolicies. */
const policyGroups: ReadonlySet<string> = new Set([
  'projectcalico.org',
  'crd.projectcalico.org',
  'cilium.io',
  'crd.antrea.io',
  'k8s.ovn.org',
]);

/** They act with the rights of Argo CD. */
const argoKinds: ReadonlySet<string> = new Set([
  'argoproj.io/Application',
  'argoproj.io/ApplicationSet',
  'argoproj.io/AppProject',
]);

/**
 * Whether a kind is one that tenants may have without a word about it: of Kubernetes' own those that
 * its role `admin` may create (not Endpoints, CVE-2021-25740, nor certificate requests), and of others
 * those of which the platform knows the scope, network policies and Argo CD's own apart.
 */
function isOrdinary(group: string, kind: string): boolean {
  const id = `${group}/${kind}`;
  if (builtinScope(group, kind) === undefined)
    return !policyGroups.has(group) && !argoKinds.has(id);
  const plural = builtinNamespaced.get(id);
  return plural !== undefined && allows('admin', group, plural, 'create');
}

const METADATA = ['name', 'namespace', 'labels', 'annotations'];
const MAX_SIZE = 65536;

/** The further objects of a namespace: namespaced, small, and nothing that has its own field. */
export function resourceRules(context: RuleContext): void {
  for (const resource of context.namespace.settings.resources) checkResource(context, resource);
}

function checkResource(context: RuleContext, { manifest, path }: ExtraResource): void {
  const { tenant, namespace, report } = context;
  const error = (at: Path, message: string, rule: string): void =>
    report([...path, ...at], message, rule);
  const refusal = objectRefusal(manifest);
  if (refusal) {
    error(refusal.path, refusal.message, 'resource-object');
    return;
  }
  const { apiVersion, kind, metadata } = manifest;
  const group = groupOf(apiVersion);
  const id = `${group}/${kind}`;
  const scope = builtinScope(group, kind) ?? tenant.platform.kinds.get(id);
  const field = fieldOf[id];
  const named = group === '' ? kind : `${kind}.${group}`;
  if (scope === 'Cluster') {
    error(
      ['kind'],
      `must be a namespaced kind, got ${show(named)}, which is cluster-scoped whatever namespace it names`,
      'resource-scope',
    );
  } else if (field) {
    error(
      ['kind'],
      `must not be a ${kind}: say it in ${field}, where the ceilings of the class hold`,
      'resource-kind',
    );
  } else if (scope === undefined) {
    error(
      ['kind'],
      `must be a kind whose scope is known, got ${show(named)}: name it in kinds or crdFiles of the platform`,
      'resource-scope',
    );
  } else if (isFleeting(group, kind)) {
    error(
      ['kind'],
      `must be a kind of objects that stay, got ${show(named)}, which can be asked for and never applied`,
      'resource-kind',
    );
  } else {
    checkAllowed(context, group, kind, [...path, 'kind']);
  }
  const minor = tenant.platform.clusters.find(
    (c) => c.name === namespace.cluster,
  )?.kubernetesVersion;
  const instead = minor && removedApi(apiVersion, kind, minor);
  if (instead) {
    error(
      ['apiVersion'],
      `must be ${instead}, got ${show(apiVersion)}, which Kubernetes ${minor} no longer serves`,
      'removed-api',
    );
  }
  if (kind === 'Secret' && group === '' && ('data' in manifest || 'stringData' in manifest)) {
    error(
      [],
      'must not hold Secret data: Git keeps it for ever; use an external secret',
      'resource-secret',
    );
  }
  selfServiceRules(context, manifest, path);
  const where = metadata.namespace;
  if (where !== undefined && !tenant.namespaces.some((own) => own.name === where)) {
    error(
      ['metadata', 'namespace'],
      `must be a namespace of the tenant, got ${show(where)}`,
      'resource-namespace',
    );
  } else if (where !== undefined && path[1] === 'namespaces' && where !== namespace.name) {
    error(
      ['metadata', 'namespace'],
      `must be left out or ${show(namespace.name)}, whose entry it stands in, got ${show(where)}`,
      'resource-namespace',
    );
  }
  if (!isSubdomain(metadata.name)) {
    error(
      ['metadata', 'name'],
      `must be a DNS subdomain, got ${show(metadata.name)}`,
      'resource-name',
    );
  }
  for (const key of Object.keys(metadata)) {
    if (!METADATA.includes(key)) {
      error(
        ['metadata', key],
        `must be left out: only ${METADATA.join(', ')} may be declared`,
        'resource-metadata',
      );
    }
  }
  checkKeys(metadata, (...rest) => [...path, 'metadata', ...rest], { klass: tenant.klass, report });
  const size = byteLength(JSON.stringify(manifest));
  if (size > MAX_SIZE) error([], `must be at most ${MAX_SIZE} bytes, got ${size}`, 'resource-size');
}

function checkAllowed(
  { tenant, report }: RuleContext,
  group: string,
  kind: string,
  at: Path,
): void {
  const allowed = tenant.klass.spec.allow?.resources;
  const ordinary = isOrdinary(group, kind);
  const named = allowed?.some((entry) => {
    if (entry.group === group && entry.kind === kind) return true;
    const covers = [group, '*'].includes(entry.group) && [kind, '*'].includes(entry.kind);
    return covers && (ordinary || (entry.group === group && policyGroups.has(group)));
  });
  if (allowed ? named : ordinary) return;
  report(
    at,
    `must be a kind that class ${tenant.klass.name} allows in allow.resources, got ${show(group === '' ? kind : `${kind}.${group}`)}`,
    'resource-kind',
  );
}
