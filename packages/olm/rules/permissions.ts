import { explainIneffectiveVerbs } from '@tenantry/kube/access';
import type { Path } from '@tenantry/kube/problem';
import type { BundleFinding } from '../bundle/bundle.ts';
import type { ClusterServiceVersion, StrategyRule } from '../bundle/cluster-service-version.ts';
import type { Decoded } from '../bundle/decoded.ts';
import { decodeAs } from '../decoding/decode.ts';
import type { LoadedBundle, BundleLocation } from '../loader/loaded-bundle.ts';
import { groupRights, formatRightsGroup } from '@tenantry/kube/rights/groups';
import {
  MAX_RIGHTS,
  Rights,
  type ObjectRight,
  type RightsRule,
} from '@tenantry/kube/rights/rights';
import { locateInCsv, type BundleCheck, type BundleRule } from './rule.ts';

const permissionsEverywhere: BundleRule = {
  id: 'permissions-everywhere',
  severity: 'warning',
  validators: ['good-practices'],
  description:
    'if AllNamespaces is supported, a rule of `permissions` names its objects, grants only `leases`, `events` or `get` of `pods`, or is also granted by `clusterPermissions`: OLM grants it in all namespaces',
};

const resourceNames: BundleRule = {
  id: 'resource-names',
  severity: 'warning',
  validators: ['good-practices'],
  description:
    'no rule of `permissions`, `clusterPermissions`, a Role or a ClusterRole combines `resourceNames` with `create` or `deletecollection`: such requests carry no name, so the rule allows none',
};

/** The rules for the permissions of an operator. */
export const permissionsCheck: BundleCheck = {
  rules: [permissionsEverywhere, resourceNames],
  check(bundle, report) {
    for (const { path, message } of checkPermissions(bundle.csv)) {
      report(permissionsEverywhere, locateInCsv(bundle, ...path), message);
    }
    for (const { place, rule } of listRules(bundle)) {
      for (const message of explainIneffectiveVerbs(rule)) report(resourceNames, place, message);
    }
  },
};

/** Returns the warnings about the permissions of a ClusterServiceVersion, in every suite. */
export function checkPermissions({
  file,
  value,
}: {
  readonly file: string;
  readonly value: Decoded<ClusterServiceVersion>;
}): BundleFinding[] {
  return findWidenedRules(value).map(({ path, words }) => {
    const message = `must have resourceNames, or be declared in clusterPermissions: if installed for all namespaces, OLM grants it in all of them, got ${words}`;
    return {
      file,
      path,
      message,
      rule: permissionsEverywhere.id,
      severity: permissionsEverywhere.severity,
    };
  });
}

/** Returns the rules that a bundle grants, in its ClusterServiceVersion and in its own roles. */
function listRules(
  bundle: LoadedBundle,
): { readonly place: BundleLocation; readonly rule: Decoded<StrategyRule> }[] {
  const { permissions = [], clusterPermissions = [] } = bundle.csv.value.spec?.install?.spec ?? {};
  const ofVersion = Object.entries({ permissions, clusterPermissions }).flatMap(([field, grants]) =>
    grants.flatMap(({ rules = [] }, i) =>
      rules.map((rule, j) => ({
        place: locateInCsv(bundle, 'spec', 'install', 'spec', field, i, 'rules', j),
        rule,
      })),
    ),
  );
  const ofRoles = bundle.objects
    .filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole')
    .flatMap(({ file, value }) => {
      const { rules = [] } = decodeAs<Decoded<{ rules: StrategyRule[] }>>(ROLE, value).value;
      return rules.map((rule, i) => ({ place: { file, path: ['rules', i] }, rule }));
    });
  return [...ofVersion, ...ofRoles];
}

const ROLE = 'rbac.authorization.k8s.io/v1/Role';

/** A rule of `permissions` that grants more if OLM grants it in all namespaces. */
interface WidenedRule {
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
      size += countRights(rule);
      const path = ['spec', 'install', 'spec', 'permissions', i, 'rules', j];
      // Rules of this size are generated, so they are not expanded.
      const isTooMuch = size > MAX_RIGHTS;
      const more = isTooMuch ? [] : new Rights([rule]).objects().filter(isMore(everywhere));
      if (isTooMuch || more.length > 0) lifted.push({ path, words: formatRights(more) });
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

function countRights({ verbs = [], apiGroups = [], resources = [] }: RightsRule): number {
  return verbs.length * apiGroups.length * resources.length;
}

/** Describes the first group of rights; a reader of the rule finds the others there. */
function formatRights(rights: readonly ObjectRight[]): string {
  const groups = groupRights(rights.map((right) => ({ ...right, scope: 'watched' as const })));
  const [first, ...others] = groups;
  if (!first) return 'very many rights';
  const { resources } = first;
  const words = formatRightsGroup({ ...first, resources: resources.slice(0, mostListed) });
  const isAll = others.length === 0 && resources.length <= mostListed;
  return isAll ? words : `${words} and more`;
}

const mostListed = 3;
