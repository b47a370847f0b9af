import { compareAccess } from '../../../apps/plan/access.ts';
import type { Risk } from '../../../apps/plan/change.ts';
import { isMapping, omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { FileChange } from './output-history.ts';
import type { OutputState } from './output-state.ts';

/** What a subject gained or lost in a namespace. */
export interface AccessChange {
  readonly cluster: string;
  /** Absent for the whole cluster. */
  readonly namespace?: string;
  readonly tenant?: string;
  readonly subject: string;
  readonly change: 'gained' | 'lost';
  /** `get secrets`, `ClusterRole admin`. */
  readonly what: string;
  /** What else the subject can do with it; absent for an ordinary right. */
  readonly power?: string;
  readonly risk: Risk;
}

/** Applies the changes of a commit to the state before it, and returns who gained and lost what. */
export function applyChanges(state: OutputState, changes: readonly FileChange[]): AccessChange[] {
  return state.groupByCluster(changes).flatMap(([cluster, some]) => {
    const old = some.flatMap(({ before }) => state.read(before));
    const now = some.flatMap(({ after }) => state.read(after));
    const isAffected = findAffected(state.list(cluster), old, now);
    const before = state.list(cluster).filter(isAffected);
    state.apply(some);
    if (old.length === 0 && now.length === 0) return [];
    return compare(cluster, before, state.list(cluster).filter(isAffected));
  });
}

/** Returns whether an object may decide on access that the changed objects affect: only these are compared. */
function findAffected(
  all: readonly KubeObject[],
  old: readonly KubeObject[],
  now: readonly KubeObject[],
): (object: KubeObject) => boolean {
  const changed = [...old, ...now];
  const namespaces = new Set(changed.map(({ metadata }) => metadata.namespace ?? ''));
  const roles = new Set(
    changed.filter(({ kind }) => kind === 'ClusterRole').map(({ metadata }) => metadata.name),
  );
  if (roles.size > 0) {
    for (const object of [...all, ...now]) {
      const { roleRef } = object as { readonly roleRef?: unknown };
      const { kind, name } = isMapping(roleRef) ? roleRef : {};
      if (kind === 'ClusterRole' && roles.has(String(name)))
        namespaces.add(object.metadata.namespace ?? '');
    }
  }
  return ({ kind, metadata }) =>
    metadata.namespace === undefined
      ? kind !== 'Namespace' || namespaces.has(metadata.name)
      : namespaces.has(metadata.namespace);
}

const lost: ReadonlySet<string> = new Set(['permission-lost', 'role-unbound']);

const beginnings = /^(may no longer|may|is no longer bound to|is bound to) /;

function compare(
  cluster: string,
  before: readonly KubeObject[],
  after: readonly KubeObject[],
): AccessChange[] {
  const found: AccessChange[] = [];
  const tenantsOfClass = (): number => 0;
  // Without pairs, the access in a new or a removed namespace is reported like any other.
  const change = {
    cluster,
    pairs: [],
    before,
    after,
    applications: new Set<string>(),
    tenantsOfClass,
  };
  compareAccess(change, ({ id, risk }, subject, message, { namespace, tenant }) => {
    const [what = '', ...power] = message.replace(beginnings, '').split(': ');
    found.push(
      omitUndefined<AccessChange>({
        cluster,
        namespace,
        tenant,
        subject,
        change: lost.has(id) ? 'lost' : 'gained',
        what,
        power: power.length > 0 ? power.join(': ') : undefined,
        risk,
      }),
    );
  });
  return found;
}
