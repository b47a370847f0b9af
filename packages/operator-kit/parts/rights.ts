import {
  certificateAccess,
  electionForLifeAccess,
  leaseElectionAccess,
  type AccessRule,
} from '@tenantry/kube/access';
import { usesOwnCertificates, listCaBundleTargets } from './certificates.ts';
import { namespaceOf, webhookName, manifestOf } from './names.ts';
import type { ImagelessSpec } from './spec.ts';
import { builtinNamespaced, builtinResources, type Scope } from '@tenantry/kube/builtin-kinds';

/** The rights of an operator, by purpose. */
export interface OperatorRights {
  /** The access of its controllers, restricted to the namespaces that it watches. */
  readonly declared: readonly AccessRule[];
  /** The rights for the leader election. */
  readonly election: readonly AccessRule[];
  /** The rights to make the certificates of its webhooks itself. With OLM it needs none, because OLM makes them. */
  readonly certificates: readonly AccessRule[];
}

export function resolveRights(spec: ImagelessSpec): OperatorRights {
  const watched = watchedNamespaces(spec);
  return {
    declared: spec.access.map((rule) => restrictToWatched(watched, rule, spec)),
    election: listElectionRights(spec),
    certificates: listCertificateRights(spec),
  };
}

function listElectionRights(spec: ImagelessSpec): readonly AccessRule[] {
  const lease = { name: spec.name, namespace: namespaceOf(spec) };
  switch (spec.leaderElection ?? 'Lease') {
    case 'Lease':
      return leaseElectionAccess(lease);
    case 'ForLife':
      return electionForLifeAccess(lease);
    case 'None':
      return [];
  }
}

function listCertificateRights(spec: ImagelessSpec): readonly AccessRule[] {
  if (!spec.webhooks || !usesOwnCertificates(spec.webhooks)) return [];
  return certificateAccess({
    secret: { name: webhookName(spec), namespace: namespaceOf(spec) },
    targets: listCaBundleTargets(spec),
    mayCreate: false,
  });
}

/** Returns the namespaces that an operator watches; undefined if it watches all. */
export function watchedNamespaces(spec: ImagelessSpec): readonly string[] | undefined {
  const { watch = { mode: 'AllNamespaces' } } = spec;
  switch (watch.mode) {
    case 'AllNamespaces':
      return undefined;
    case 'OwnNamespace':
      return [namespaceOf(spec)];
    case 'SingleNamespace':
      return [watch.namespace];
    case 'MultiNamespace':
      return watch.namespaces;
  }
}

/**
 * Restricts a rule for a namespaced kind to the watched namespaces. A rule that names its
 * namespaces stays as it is.
 */
function restrictToWatched(
  watched: readonly string[] | undefined,
  rule: AccessRule,
  spec: ImagelessSpec,
): AccessRule {
  if (!watched || rule.namespaces || resolveScope(rule, spec) === 'Cluster') return rule;
  return { ...rule, namespaces: watched };
}

/** Returns the scope of a resource; undefined for kinds that the spec does not contain. */
export function resolveScope(
  { group, resource }: AccessRule,
  spec: ImagelessSpec,
): Scope | undefined {
  const [plural = ''] = resource.split('/');
  const kinds = [...(spec.owned ?? []), ...(spec.required ?? [])].map(
    (kind) => manifestOf(kind).spec,
  );
  const known = kinds.find((kind) => kind.group === group && kind.names.plural === plural);
  if (known) return known.scope;
  if (!builtinResources(group)?.has(plural)) return undefined;
  return listNamespacedResources().has(`${group}/${plural}`) ? 'Namespaced' : 'Cluster';
}

/** The namespaced resources of Kubernetes itself, as group/plural. */
let builtin: ReadonlySet<string> | undefined;

function listNamespacedResources(): ReadonlySet<string> {
  builtin ??= new Set([
    ...[...builtinNamespaced].map(
      ([kind, plural]) => `${kind.slice(0, kind.indexOf('/'))}/${plural}`,
    ),
    // Requests for these name a namespace, although nobody applies them.
    '/bindings',
    'authorization.k8s.io/localsubjectaccessreviews',
  ]);
  return builtin;
}
