import type { Path } from '../../kube/problem.ts';
import type { ClusterServiceVersion } from '../bundle/cluster-service-version.ts';
import type { Decoded } from '../bundle/decoded.ts';
import { groupRights, formatRightsGroup } from './groups.ts';
import type { ObjectRight, RightsRule } from './right.ts';
import { MOST_RIGHTS, Rights } from './rights.ts';

/** A rule of `permissions` that grants more if OLM grants it in all namespaces. */
export interface WidenedRule {
  /** The path in the ClusterServiceVersion. */
  readonly path: Path;
  /** The rights of the rule, for people. */
  readonly words: string;
}

interface Harmless {
  readonly groups: readonly string[];
  readonly resource: string;
  /** The harmless verbs. @default - any, except for a star */
  readonly verbs?: readonly string[];
}

/** Rights that operators need for themselves, and that reveal almost nothing about others. */
const harmless: readonly Harmless[] = [
  { groups: ['coordination.k8s.io'], resource: 'leases' },
  { groups: ['', 'events.k8s.io'], resource: 'events' },
  // A leader election for the life of a pod checks whether the leader's pod exists.
  { groups: [''], resource: 'pods', verbs: ['get'] },
];

/**
 * Finds the rules of `permissions` that grant an operator more if it is installed for all namespaces, because OLM v0
 * and v1 then grant them in every namespace. It omits rules for named objects, rules for only Leases, Events and
 * reading a pod, and rights that `clusterPermissions` grants anyway. Returns none if the bundle does not support such
 * an installation.
 */
export function findWidenedRules({ spec }: Decoded<ClusterServiceVersion>): WidenedRule[] {
  const isForAll = ({ type, supported }: Decoded<{ type: string; supported: boolean }>): boolean =>
    type === 'AllNamespaces' && supported === true;
  if (!(spec?.installModes ?? []).some(isForAll)) return [];
  const { permissions = [], clusterPermissions = [] } = spec?.install?.spec ?? {};
  const held = Map.groupBy(clusterPermissions, ({ serviceAccountName }) => serviceAccountName);
  const lifted: WidenedRule[] = [];
  let size = 0;
  for (const [i, { serviceAccountName, rules = [] }] of permissions.entries()) {
    const everywhere = new Rights(
      (held.get(serviceAccountName) ?? []).flatMap((one) => one.rules ?? []),
    );
    for (const [j, rule] of rules.entries()) {
      if ((rule.resourceNames ?? []).length > 0) continue;
      size += sizeOf(rule);
      const path = ['spec', 'install', 'spec', 'permissions', i, 'rules', j];
      // Rules of this size are generated, so they are not expanded.
      const isTooMuch = size > MOST_RIGHTS;
      const more = isTooMuch ? [] : new Rights([rule]).objects().filter(isMore(everywhere));
      if (isTooMuch || more.length > 0) lifted.push({ path, words: wordsOf(more) });
    }
  }
  return lifted;
}

const isMore =
  (everywhere: Rights) =>
  (right: ObjectRight): boolean =>
    !isHarmless(right) && !everywhere.coversObject(right);

function isHarmless({ group, resource, verb }: ObjectRight): boolean {
  return harmless.some((one) => {
    if (one.resource !== resource || !one.groups.includes(group)) return false;
    return one.verbs === undefined || one.verbs.includes(verb);
  });
}

function sizeOf({ verbs = [], apiGroups = [], resources = [] }: RightsRule): number {
  return verbs.length * apiGroups.length * resources.length;
}

/** Describes the first group of rights; a reader of the rule finds the others there. */
function wordsOf(rights: readonly ObjectRight[]): string {
  const groups = groupRights(rights.map((right) => ({ ...right, scope: 'watched' as const })));
  const [first, ...others] = groups;
  if (!first) return 'very many rights';
  const { resources } = first;
  const words = formatRightsGroup({ ...first, resources: resources.slice(0, mostListed) });
  const isAll = others.length === 0 && resources.length <= mostListed;
  return isAll ? words : `${words} and more`;
}

const mostListed = 3;
