import { objectRefusal } from '../../../kube/document.ts';
import { allows } from '../../../kube/clusterroles.ts';
import {
  builtinNamespaced,
  builtinScope,
  isFleeting,
  removedApi,
} from '../../../kube/builtinkinds.ts';
import { groupOf, type KubeObject } from '../../../kube/object.ts';
import { show, type Path } from '../../../kube/problem.ts';
import { byteLength, isSubdomain } from '../../../kube/names.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import type { ExtraResource } from '../layers/merged.ts';
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
 * Whether a kind is one that tenants may have without a word about it: of Kubernetes' own those
 * that its role `admin` may create (not Endpoints, CVE-2021-25740, nor certificate requests), and
 * of others those whose scope the platform knows, network policies and Argo CD's own apart.
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

/** Says that something inside one object is refused. */
type Refuse = (at: Path, message: string, rule: string) => void;

function checkResource(context: RuleContext, resource: ExtraResource): void {
  const { manifest, path } = resource;
  const refuse: Refuse = (at, message, rule) => context.report([...path, ...at], message, rule);
  const refusal = objectRefusal(manifest);
  if (refusal) {
    refuse(refusal.path, refusal.message, 'resource-object');
    return;
  }
  const kindFault = faultOfKind(context, manifest);
  if (kindFault) refuse(['kind'], kindFault.message, kindFault.rule);
  checkServed(context, manifest, refuse);
  checkSecret(manifest, refuse);
  selfServiceRules(context, manifest, path);
  checkNamespace(context, resource, refuse);
  checkMetadata(context, resource, refuse);
  const size = byteLength(JSON.stringify(manifest));
  if (size > MAX_SIZE)
    refuse([], `must be at most ${MAX_SIZE} bytes, got ${size}`, 'resource-size');
}

/** `ConfigMap`, `Deployment.apps`. */
const named = (group: string, kind: string): string => (group === '' ? kind : `${kind}.${group}`);

/** Why a tenant may not have the kind of an object. */
function faultOfKind(
  { tenant }: RuleContext,
  { apiVersion, kind }: KubeObject,
): { readonly message: string; readonly rule: string } | undefined {
  const group = groupOf(apiVersion);
  const scope = builtinScope(group, kind) ?? tenant.platform.kinds.get(`${group}/${kind}`);
  const field = fieldOf[`${group}/${kind}`];
  const got = show(named(group, kind));
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
  if (isFleeting(group, kind)) {
    const message = `must be a kind whose objects are stored, got ${got}, which can be asked for, never applied`;
    return { message, rule: 'resource-kind' };
  }
  if (isAllowed(tenant.klass, group, kind)) return undefined;
  const message = `must be a kind that class ${tenant.klass.name} allows in allow.resources, got ${got}`;
  return { message, rule: 'resource-kind' };
}

function isAllowed({ spec }: TenantClassDeclaration, group: string, kind: string): boolean {
  const allowed = spec.allow?.resources;
  const ordinary = isOrdinary(group, kind);
  if (!allowed) return ordinary;
  return allowed.some((entry) => {
    if (entry.group === group && entry.kind === kind) return true;
    const covers = [group, '*'].includes(entry.group) && [kind, '*'].includes(entry.kind);
    return covers && (ordinary || (entry.group === group && policyGroups.has(group)));
  });
}

function checkServed(
  { tenant, namespace }: RuleContext,
  { apiVersion, kind }: KubeObject,
  refuse: Refuse,
): void {
  const cluster = tenant.platform.clusters.find(({ name }) => name === namespace.cluster);
  const minor = cluster?.kubernetesVersion;
  const instead = minor && removedApi(apiVersion, kind, minor);
  if (!instead) return;
  const message = `must be ${instead}, got ${show(apiVersion)}, which Kubernetes ${minor} no longer serves`;
  refuse(['apiVersion'], message, 'removed-api');
}

function checkSecret(manifest: KubeObject, refuse: Refuse): void {
  if (manifest.kind !== 'Secret' || groupOf(manifest.apiVersion) !== '') return;
  if (!('data' in manifest) && !('stringData' in manifest)) return;
  const message = 'must not hold Secret data: Git keeps it forever; use an external secret';
  refuse([], message, 'resource-secret');
}

/** An object that names a namespace stands in the entry of that one, or where it is for all of them. */
function checkNamespace(
  { tenant, namespace }: RuleContext,
  { manifest, path }: ExtraResource,
  refuse: Refuse,
): void {
  const where = manifest.metadata.namespace;
  if (where === undefined) return;
  const at = ['metadata', 'namespace'];
  if (!tenant.namespaces.some((own) => own.name === where)) {
    const message = `must be a namespace of the tenant, got ${show(where)}`;
    refuse(at, message, 'resource-namespace');
  } else if (path[1] === 'namespaces' && where !== namespace.name) {
    const own = show(namespace.name);
    const message = `must be left out or ${own}, whose entry it is in, got ${show(where)}`;
    refuse(at, message, 'resource-namespace');
  }
}

function checkMetadata(
  { tenant, report }: RuleContext,
  { manifest: { metadata }, path }: ExtraResource,
  refuse: Refuse,
): void {
  if (!isSubdomain(metadata.name)) {
    const message = `must be a DNS subdomain, got ${show(metadata.name)}`;
    refuse(['metadata', 'name'], message, 'resource-name');
  }
  for (const key of Object.keys(metadata).filter((one) => !METADATA.includes(one))) {
    const message = `must be left out: only ${METADATA.join(', ')} may be declared`;
    refuse(['metadata', key], message, 'resource-metadata');
  }
  checkKeys(metadata, (...rest) => [...path, 'metadata', ...rest], { klass: tenant.klass, report });
}
