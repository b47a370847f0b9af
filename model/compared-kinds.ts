import { builtinVersions } from '@tenantry/kube/builtin-fields';
import { builtinNamespaced, builtinScope } from '@tenantry/kube/builtin-kinds';
import type { Finding } from '@tenantry/kube/finding';
import { errorAt } from './findings/tenant-finding.ts';
import { show } from '@tenantry/kube/problem';
import type { PlatformSpec } from '../crds/platform.ts';

/** A kind of objects in `resources` that the operator compares. */
export interface ComparedResource {
  /** The API group; '' is the core group. */
  readonly group: string;
  /** The version in which it is watched; objects are read in the version in which they are declared. */
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

/** Kinds of which tenants consist: these are always compared. */
const own: ReadonlySet<string> = new Set([
  '/Namespace',
  '/ResourceQuota',
  '/LimitRange',
  '/ServiceAccount',
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
  'networking.k8s.io/NetworkPolicy',
  'policy/PodDisruptionBudget',
]);

/** Resolves the kinds in `operator.comparedKinds` that can be compared, in their order. */
export function resolveComparedKinds(spec: PlatformSpec): readonly ComparedResource[] {
  const kinds = listRequestedKinds(spec).map((one) => resolveKind(one, spec));
  return kinds.filter((one) => typeof one === 'object');
}

/**
 * Validates `operator.comparedKinds`.
 * @param spec with the kinds of `crdFiles` among `kinds`
 */
export function validateComparedKinds(spec: PlatformSpec): Finding[] {
  const seen = new Set<string>();
  return listRequestedKinds(spec).flatMap((wish, i) => {
    const id = `${wish.group}/${wish.kind}`;
    const must = seen.has(id) ? 'must be named once' : resolveKind(wish, spec);
    seen.add(id);
    if (typeof must === 'object') return [];
    const got = show(wish.group === '' ? wish.kind : `${wish.kind}.${wish.group}`);
    const at = ['spec', 'operator', 'comparedKinds', i, 'kind'];
    return [errorAt(at, `${must}, got ${got}`, 'compared-kind')];
  });
}

interface RequestedKind {
  readonly group: string;
  readonly kind: string;
}

function listRequestedKinds({ operator }: PlatformSpec): readonly RequestedKind[] {
  return (operator?.comparedKinds ?? []).map(({ group = '', kind }) => ({ group, kind }));
}

/** Returns the kind, or the requirement that it violates. */
function resolveKind(
  { group, kind }: RequestedKind,
  spec: PlatformSpec,
): ComparedResource | string {
  const id = `${group}/${kind}`;
  if (own.has(id)) return 'must be left out: tenants consist of it, and it is compared anyway';
  if (id === '/Secret') return 'must not be Secret, which the operator never reads';
  const scope = builtinScope(group, kind);
  if (scope === undefined) return resolveCustomKind(group, kind, spec);
  const plural = builtinNamespaced.get(id);
  const [apiVersion] = builtinVersions(group, kind);
  if (plural === undefined || apiVersion === undefined) {
    return 'must be a kind whose objects lie in namespaces, and are stored';
  }
  return { group, version: apiVersion.split('/').at(-1)!, kind, plural };
}

function resolveCustomKind(
  group: string,
  kind: string,
  { kinds = [] }: PlatformSpec,
): ComparedResource | string {
  const named = kinds.filter((one) => one.group === group && one.kind === kind);
  if (named.some(({ scope }) => scope === 'Cluster')) {
    return 'must be a kind whose objects lie in namespaces';
  }
  for (const { plural, version } of named) {
    if (plural !== undefined && version !== undefined) return { group, version, kind, plural };
  }
  return 'must be a kind of which kinds has plural and version, or crdFiles the definition';
}
