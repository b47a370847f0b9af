import type { Path } from '@tenantry/kube/problem';
import { DEFAULT_MAX_HOURS } from '../../crds/access.ts';
import type { Layer } from './layer.ts';

/** An entry of `access.breakGlass` in one layer. */
export interface BreakGlassEntry {
  readonly clusterRole: string;
  readonly users: readonly string[];
  readonly groups: readonly string[];
  /** Undefined if the layer sets no limit. */
  readonly maxHours: number | undefined;
  readonly path: Path;
}

/** A ClusterRole that somebody can request in a namespace. */
export interface RequestableRole {
  readonly clusterRole: string;
  /** Sorted, without duplicates, as the groups are. */
  readonly users: readonly string[];
  readonly groups: readonly string[];
  /** The most hours of one grant. */
  readonly maxHours: number;
}

/** Lists the entries of all layers, the lowest layer first. */
export function listBreakGlass(layers: readonly Layer[]): BreakGlassEntry[] {
  return layers.flatMap(({ settings, at }) =>
    (settings.access?.breakGlass ?? []).map(
      ({ clusterRole, users = [], groups = [], maxHours }, i) => ({
        clusterRole,
        users,
        groups,
        maxHours,
        path: at('access', 'breakGlass', i),
      }),
    ),
  );
}

/**
 * Merges entries by ClusterRole, sorted by name. Users and groups add up. The lowest limit applies, because the operator
 * does not learn by which entry somebody may request.
 */
export function mergeBreakGlass(entries: readonly BreakGlassEntry[]): readonly RequestableRole[] {
  const byRole = [...Map.groupBy(entries, ({ clusterRole }) => clusterRole)];
  return byRole
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([clusterRole, ones]) => ({
      clusterRole,
      users: sortDistinct(ones.flatMap(({ users }) => users)),
      groups: sortDistinct(ones.flatMap(({ groups }) => groups)),
      maxHours: Math.min(...ones.map(({ maxHours = DEFAULT_MAX_HOURS }) => maxHours)),
    }));
}

function sortDistinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}
