import { isMapping, listAt } from '../mapping.ts';
import { matchesLabels, type LabelSelector } from '../label-selector.ts';
import { groupOf, type KubeObject } from '../object.ts';
import { readRules, text, type RightsRule } from '../rights/rights.ts';
import { readSubjects, type BoundSubject } from './subjects.ts';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** The kinds that an authorizer reads. */
export const policyKinds = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'] as const;

/** A rule of a role, with the object that has it: for an aggregated ClusterRole this is another one. */
export interface SourcedRule {
  readonly rule: RightsRule;
  readonly source: KubeObject;
  /** The position in the rules of the source. */
  readonly ruleIndex: number;
}

/** A role, as it is when its aggregation is done. */
export interface PolicyRole {
  readonly object: KubeObject;
  readonly rules: readonly SourcedRule[];
  /** Whether its rules are those of other ClusterRoles that match selectors. */
  readonly isAggregated: boolean;
}

/** A binding of a role to subjects. */
export interface PolicyBinding {
  readonly object: KubeObject;
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly subjects: readonly BoundSubject[];
  readonly role: RoleName;
}

/** The name of a role. */
export interface RoleName {
  readonly kind: string;
  readonly name: string;
  /** Empty for a ClusterRole. */
  readonly namespace: string;
}

/** Formats a role: `ClusterRole view`, `Role shop/deployer`. */
export function formatRole({ kind, name, namespace }: RoleName): string {
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

const isRbac = ({ apiVersion }: KubeObject): boolean => groupOf(apiVersion) === RBAC_GROUP;

/** Whether the kind and group of an object are those of a role or binding. */
export function isPolicyObject(object: KubeObject): boolean {
  return isRbac(object) && policyKinds.some((kind) => kind === object.kind);
}

export function nameRole({ kind, metadata }: KubeObject): RoleName {
  return {
    kind,
    name: metadata.name,
    namespace: kind === 'Role' ? (metadata.namespace ?? '') : '',
  };
}

export function readBinding(object: KubeObject): PolicyBinding {
  const namespace = object.kind === 'RoleBinding' ? (object.metadata.namespace ?? '') : '';
  const ref = isMapping(object['roleRef']) ? object['roleRef'] : {};
  const kind = text(ref['kind']);
  return {
    object,
    namespace,
    subjects: readSubjects(object['subjects'], namespace),
    role: { kind, name: text(ref['name']), namespace: kind === 'Role' ? namespace : '' },
  };
}

/**
 * Reads roles, by `formatRole`. With `aggregates`, an aggregated ClusterRole has the rules of the ClusterRoles that its
 * selectors match, as the controller manager writes them; otherwise those that it has.
 */
export function readRoles(
  objects: readonly KubeObject[],
  { aggregates }: { readonly aggregates: boolean },
): ReadonlyMap<string, PolicyRole> {
  const clusterRoles = objects.filter(({ kind }) => kind === 'ClusterRole');
  const roles = new Map<string, PolicyRole>();
  for (const object of objects) {
    if (object.kind !== 'Role' && object.kind !== 'ClusterRole') continue;
    const isAggregated = readSelectors(object) !== undefined;
    let rules: readonly SourcedRule[] | undefined;
    roles.set(formatRole(nameRole(object)), {
      object,
      isAggregated,
      // Most roles are not bound to the subjects of a request.
      get rules() {
        const isCollected = aggregates && isAggregated;
        rules ??= (isCollected ? collectSources(object, clusterRoles) : [object]).flatMap(
          listSourcedRules,
        );
        return rules;
      },
    });
  }
  return roles;
}

function listSourcedRules(source: KubeObject): SourcedRule[] {
  const rules = source['rules'];
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((one: unknown, index) =>
    readRules([one]).map((rule) => ({ rule, source, ruleIndex: index })),
  );
}

/** Returns the selectors of an aggregated ClusterRole; undefined for any other. */
function readSelectors(object: KubeObject): readonly LabelSelector[] | undefined {
  const aggregation = object.kind === 'ClusterRole' ? object['aggregationRule'] : undefined;
  if (!isMapping(aggregation)) return undefined;
  return listAt(aggregation, ['clusterRoleSelectors']).filter(isMapping) as LabelSelector[];
}

/** Returns the roles whose rules an aggregated role has, through further aggregated ones too. */
function collectSources(object: KubeObject, all: readonly KubeObject[]): KubeObject[] {
  const visited = new Set([object]);
  const found: KubeObject[] = [];
  const pending = [object];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    const selectors = readSelectors(one) ?? [];
    for (const other of all) {
      if (visited.has(other)) continue;
      const labels = other.metadata.labels ?? {};
      if (!selectors.some((selector) => matchesLabels(selector, labels))) continue;
      visited.add(other);
      if (readSelectors(other) === undefined) found.push(other);
      else pending.push(other);
    }
  }
  return found;
}
