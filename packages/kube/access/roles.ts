import { checkAccessRule, verbs, type AccessRule, type Verb } from './rule.ts';
import type { KubeObject } from '../object.ts';

/** One rule of a Role or ClusterRole (rbac.authorization.k8s.io/v1, PolicyRule). */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly Verb[];
  readonly resourceNames?: readonly string[];
}

/** The rules of the roles that grant some access. */
export interface AccessRoles {
  /** The rules of a ClusterRole with a ClusterRoleBinding. */
  readonly cluster: readonly PolicyRule[];
  /** The rules of a Role with a RoleBinding in each namespace, by its name. */
  readonly namespaces: ReadonlyMap<string, readonly PolicyRule[]>;
}

/**
 * Builds the rules of roles that grant exactly what the access rules declare, whatever their order and repetitions.
 * Access that is granted everywhere is not granted in a namespace again, and access for all names is not granted for a
 * single name. A rule has several resources only if they differ in nothing else.
 *
 * @example
 * ```ts
 * import { allow, apps, core, buildRoles } from '@tenantry/runtime';
 *
 * const { cluster, namespaces } = buildRoles([
 *   allow(apps.Deployment, 'get', 'list', 'watch'),
 *   allow(core.Secret, 'get').named('registry').in('shop'),
 * ]);
 * console.log(cluster.map(({ resources }) => resources)); // [ [ 'deployments' ] ]
 * console.log(namespaces.get('shop')?.[0]?.resourceNames); // [ 'registry' ]
 * ```
 *
 * @throws {Error} when a rule would grant nothing, or more than it declares
 */
export function buildRoles(rules: readonly AccessRule[]): AccessRoles {
  for (const rule of rules) checkAccessRule(rule);
  const everywhere = new Grants();
  for (const rule of rules) if (!rule.namespaces) everywhere.add(rule);
  const namespaces = new Map<string, PolicyRule[]>();
  for (const namespace of listNamespaces(rules)) {
    const grants = new Grants(everywhere);
    for (const rule of rules) if (rule.namespaces?.includes(namespace)) grants.add(rule);
    const held = grants.rules();
    if (held.length > 0) namespaces.set(namespace, held);
  }
  return { cluster: everywhere.rules(), namespaces };
}

function listNamespaces(rules: readonly AccessRule[]): string[] {
  return [...new Set(rules.flatMap(({ namespaces }) => namespaces ?? []))].toSorted();
}

/** Verbs by name of an object; those for every name are under `undefined`. */
type VerbsByName = Map<string | undefined, Set<Verb>>;

/** The access in one place. */
class Grants {
  /** The verbs by group and resource. */
  readonly #granted = new Map<string, VerbsByName>();
  readonly #wider: Grants | undefined;

  /** Leaves out what the wider grants already contain. */
  constructor(wider?: Grants) {
    this.#wider = wider;
  }

  add({ group, resource, verbs, resourceNames }: AccessRule): void {
    const key = `${group} ${resource}`;
    const byName: VerbsByName = this.#granted.get(key) ?? new Map();
    this.#granted.set(key, byName);
    for (const name of resourceNames ?? [undefined]) {
      byName.set(name, new Set([...(byName.get(name) ?? []), ...verbs]));
    }
  }

  rules(): PolicyRule[] {
    const rules = [...this.#granted.keys()].toSorted().flatMap((key) => this.#buildRules(key));
    return joined(rules, 'resources', ({ apiGroups, verbs, resourceNames = null }) => [
      apiGroups,
      verbs,
      resourceNames,
    ]);
  }

  /** Returns the rules of one resource, that for all names first. */
  #buildRules(key: string): PolicyRule[] {
    const [group = '', resource = ''] = key.split(' ');
    const byName: VerbsByName = this.#granted.get(key) ?? new Map();
    const own = { apiGroups: [group], resources: [resource] };
    const forAll = this.#listVerbs(key, undefined);
    const named = [...byName.keys()].filter((name) => name !== undefined).toSorted();
    const held = named.map((name) => {
      return { ...own, verbs: this.#listVerbs(key, name), resourceNames: [name] };
    });
    return [
      ...notEmpty([{ ...own, verbs: forAll }]),
      ...joined(notEmpty(held), 'resourceNames', ({ verbs }) => verbs),
    ];
  }

  /** Returns the verbs for a name that are not already granted for all names, or in a wider place. */
  #listVerbs(key: string, name: string | undefined): Verb[] {
    return verbs.filter(
      (verb) =>
        this.holds(key, name, verb) &&
        !(name !== undefined && this.holds(key, undefined, verb)) &&
        !this.#wider?.holds(key, undefined, verb) &&
        !this.#wider?.holds(key, name, verb),
    );
  }

  holds(key: string, name: string | undefined, verb: Verb): boolean {
    return this.#granted.get(key)?.get(name)?.has(verb) ?? false;
  }
}

function notEmpty(rules: readonly PolicyRule[]): PolicyRule[] {
  return rules.filter(({ verbs }) => verbs.length > 0);
}

/** Joins rules that differ only in one field, and keeps their order. `restOf` returns the other fields as text. */
function joined(
  rules: readonly PolicyRule[],
  field: 'resources' | 'resourceNames',
  restOf: (rule: PolicyRule) => unknown,
): PolicyRule[] {
  return [...Map.groupBy(rules, (rule) => JSON.stringify(restOf(rule))).values()].flatMap((alike) =>
    alike.slice(0, 1).map((first) => ({
      ...first,
      [field]: alike.flatMap((rule) => rule[field] ?? []),
    })),
  );
}

/** The account that gets the roles, and their name. */
export interface RoleObjectsProps {
  /** The name of the ServiceAccount, and of each role and binding. */
  readonly name: string;
  /** The namespace of the ServiceAccount. */
  readonly namespace: string;
  readonly access: readonly AccessRule[];
}

const GROUP = 'rbac.authorization.k8s.io';

/**
 * Builds the roles that grant a ServiceAccount exactly what is declared, with their bindings: a ClusterRole for access
 * everywhere, and a Role in each namespace to which access is limited. Each object has a stable key: `cluster-role`,
 * `cluster-role-binding`, `role-<namespace>`, `rolebinding-<namespace>`.
 *
 * @example
 * ```ts
 * import { allow, core, roleObjects } from '@tenantry/runtime';
 *
 * const access = [allow(core.Pod, 'get').in('shop')];
 * const objects = roleObjects({ name: 'keeper', namespace: 'ops', access });
 * console.log(Object.keys(objects)); // [ 'role-shop', 'rolebinding-shop' ]
 * ```
 *
 * @throws {Error} when a rule would grant nothing, or more than it declares
 */
export function roleObjects(props: RoleObjectsProps): Readonly<Record<string, KubeObject>> {
  const { cluster, namespaces } = buildRoles(props.access);
  return {
    ...(cluster.length > 0 && buildRoleAndBinding(props, cluster)),
    ...Object.assign(
      {},
      ...[...namespaces].map(([one, rules]) => buildRoleAndBinding(props, rules, one)),
    ),
  };
}

/** Builds a role and its binding: of the cluster, or in a namespace. */
function buildRoleAndBinding(
  { name, namespace: home }: RoleObjectsProps,
  rules: readonly PolicyRule[],
  namespace?: string,
): Record<string, KubeObject> {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const [role, binding] =
    namespace === undefined
      ? ['cluster-role', 'cluster-role-binding']
      : [`role-${namespace}`, `rolebinding-${namespace}`];
  const own = { apiVersion: `${GROUP}/v1`, metadata: { name, ...(namespace && { namespace }) } };
  return {
    [role]: { ...own, kind, rules },
    [binding]: {
      ...own,
      kind: `${kind}Binding`,
      roleRef: { apiGroup: GROUP, kind, name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: home }],
    },
  };
}
