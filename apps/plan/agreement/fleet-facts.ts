import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import {
  listRequirements,
  matchesLabels,
  matchesRequirement,
  NAME_LABEL,
  type LabelSelector,
} from '@tenantry/kube/label-selector';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { readRole, text } from '@tenantry/kube/rights/rights';
import type { Approval } from '../../../model/approval.ts';
import { ENVIRONMENT_LABEL } from '../../../model/ownership.ts';
import { TENANT_GROUP } from '../cluster-changes.ts';
import { listEndingAdmins } from './ending-agreement.ts';
import { listHosts, overlaps, readIngressClass } from './hosts.ts';
import { listNamedNamespaces, listSelectors } from './references.ts';

/** Returns what is equal for the tenants of one team; undefined if nothing is known. */
export type TeamOf = (tenant: string) => string | undefined;

/** The groups that are bound to the ClusterRole of administrators in a namespace. */
interface Admins {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/**
 * What the objects of a cluster show about its tenants. What somebody has already is read before
 * the change, so that a change cannot give itself a right.
 */
export class FleetFacts {
  readonly #approval: Approval;
  readonly #before: readonly KubeObject[];
  readonly #after: readonly KubeObject[];
  readonly #teamOf: TeamOf;
  readonly #cache = new Map<string, unknown>();

  constructor(
    approval: Approval,
    objects: { readonly before: readonly KubeObject[]; readonly after: readonly KubeObject[] },
    teamOf: TeamOf,
  ) {
    this.#approval = approval;
    this.#teamOf = teamOf;
    this.#before = objects.before;
    this.#after = objects.after;
  }

  /** The tenant that a namespace belongs to before the change; of a new one, after it. */
  tenantOf(namespace: string): string | undefined {
    const [before, after] = this.#namespaces();
    const found = before.get(namespace) ?? after.get(namespace);
    return found?.metadata.labels?.[TENANT_LABEL];
  }

  /** Whether the tenant, or another one of the same team, has namespaces before the change. */
  isKnownTeam(tenant: string): boolean {
    const [before] = this.#namespaces();
    const tenants = new Set(before.values().map(({ metadata }) => metadata.labels?.[TENANT_LABEL]));
    return [...tenants].some((one) => this.isSameTeam(one, tenant));
  }

  /** Whether two tenants are one, or belong to the same team. */
  isSameTeam(one: string | undefined, other: string | undefined): boolean {
    if (one === undefined || other === undefined) return false;
    if (one === other) return true;
    const team = this.#teamOf(one);
    return team !== undefined && team === this.#teamOf(other);
  }

  /** Whether the change adds a namespace. */
  isNew(namespace: string): boolean {
    const [before, after] = this.#namespaces();
    return !before.has(namespace) && after.has(namespace);
  }

  /** Whether a group administers a namespace of the tenant, or of its team, before the change. */
  isOwnGroup(group: string, tenant: string | undefined): boolean {
    return this.tenantsOfGroup(group).some((one) => this.isSameTeam(one, tenant));
  }

  /** The labels of a namespace before the change. */
  labelsOf(namespace: string): Readonly<Record<string, string>> | undefined {
    return this.#namespaces()[0].get(namespace)?.metadata.labels;
  }

  environmentOf(namespace: string): string | undefined {
    const [before, after] = this.#namespaces();
    const found = after.get(namespace) ?? before.get(namespace);
    return found?.metadata.labels?.[ENVIRONMENT_LABEL];
  }

  /** Whether a namespace is production before or after the change. */
  isProduction(namespace: string): boolean {
    return this.#production(namespace).includes(true);
  }

  /** Whether a tenant has a production namespace, or none that is known. */
  isTenantProduction(tenant: string | undefined): boolean {
    const [before, after] = this.#namespaces();
    const names = [...before.keys(), ...after.keys()].filter(
      (name) => this.tenantOf(name) === tenant,
    );
    return names.length === 0 || names.some((name) => this.isProduction(name));
  }

  /** Whether an existing namespace becomes production, or is not any more. */
  changesProduction(namespace: string): boolean {
    const [before, after] = this.#production(namespace);
    return before !== undefined && after !== undefined && before !== after;
  }

  #production(namespace: string): (boolean | undefined)[] {
    const { environments, namespaceSelector } = this.#approval.production;
    return this.#namespaces().map((all) => {
      const object = all.get(namespace);
      if (!object) return undefined;
      const { labels = {} } = object.metadata;
      const environment = labels[ENVIRONMENT_LABEL];
      return (
        (environment !== undefined && environments.includes(environment)) ||
        (namespaceSelector !== undefined && matchesLabels(namespaceSelector, labels))
      );
    });
  }

  /** Whether a class gives a ClusterRole to a level of access, or lets tenants bind it: `ClusterRole edit`. */
  isClassRole(role: string): boolean {
    const roles = this.#once('classRoles', () => new Set(this.#before.flatMap(listClassRoles)));
    return roles.has(role);
  }

  /** The groups that are administrators of a namespace. After the change those with an end date do not count. */
  adminsOf(namespace: string): Admins {
    const [before, after] = this.#admins();
    const none = new Set<string>();
    const ending = this.#endingAdmins();
    const isLasting = (group: string): boolean =>
      ![this.tenantOf(namespace) ?? '', ''].some((key) => ending.get(key)?.has(group));
    return {
      before: before.get(namespace) ?? none,
      after: new Set([...(after.get(namespace) ?? none)].filter(isLasting)),
    };
  }

  /** The groups that are administrators until a day, by tenant; those of classes under ''. */
  #endingAdmins(): GroupsByNamespace {
    return this.#once('endingAdmins', () => {
      const found = new Map<string, Set<string>>();
      for (const object of this.#after) {
        if (groupOf(object.apiVersion) !== TENANT_GROUP) continue;
        const key = object.kind === 'Tenant' ? object.metadata.name : '';
        found.set(key, new Set([...(found.get(key) ?? []), ...listEndingAdmins(object)]));
      }
      return found;
    });
  }

  /**
   * The tenants of whose namespaces a group is an administrator before the change, sorted. A group of operations is of
   * none.
   */
  tenantsOfGroup(group: string): readonly string[] {
    const byGroup = this.#once('groups', () => {
      const found = new Map<string, Set<string>>();
      for (const [namespace, groups] of this.#admins()[0]) {
        const tenant = this.tenantOf(namespace);
        if (tenant === undefined) continue;
        for (const one of groups) {
          if (this.#approval.operationsGroups.has(one)) continue;
          found.set(one, (found.get(one) ?? new Set()).add(tenant));
        }
      }
      return found;
    });
    return [...(byGroup.get(group) ?? [])].toSorted();
  }

  /** The namespaces that had a host before the change, or one that a wildcard makes the same. */
  namespacesOfHost(host: string): ReadonlySet<string> {
    const all = this.#once('hosts', () =>
      this.#before.flatMap((object) =>
        listHosts(object).map((one) => [one, object.metadata.namespace ?? ''] as const),
      ),
    );
    return new Set(all.flatMap(([one, namespace]) => (overlaps(one, host) ? [namespace] : [])));
  }

  /** Whether tenants had Ingresses of classes before the change, but none of this one. */
  isForeignIngressClass(name: string): boolean {
    const known = this.#once('ingressClasses', () => {
      const own = this.#before.filter(({ metadata }) => this.tenantOf(metadata.namespace ?? ''));
      return new Set(own.flatMap((object) => readIngressClass(object) ?? []));
    });
    return known.size > 0 && !known.has(name);
  }

  /** Whether the namespace of another tenant had an object of a kind before the change. */
  isUsedElsewhere(kind: string, tenant: string | undefined): boolean {
    const byKind = this.#once('kinds', () => {
      const found = new Map<string, Set<string>>();
      for (const object of this.#before) {
        const owner = this.tenantOf(object.metadata.namespace ?? '');
        if (owner === undefined) continue;
        const key = `${groupOf(object.apiVersion)}/${object.kind}`;
        found.set(key, (found.get(key) ?? new Set()).add(owner));
      }
      return found;
    });
    return [...(byKind.get(kind) ?? [])].some((one) => one !== tenant);
  }

  /** The tenants of other teams with an object that names a namespace or selects it, sorted. */
  tenantsThatName(namespace: string): readonly string[] {
    const own = this.tenantOf(namespace);
    const labels = { ...this.labelsOf(namespace), [NAME_LABEL]: namespace };
    const found = new Set<string>();
    for (const { object, names, selectors } of this.#references()) {
      const tenant = this.tenantOf(object.metadata.namespace ?? '');
      if (tenant === undefined || this.isSameTeam(tenant, own)) continue;
      if (names.includes(namespace) || selectors.some((one) => selects(one, labels)))
        found.add(tenant);
    }
    return [...found].toSorted();
  }

  /** An object in no namespace of a tenant that names a namespace. */
  findPlatformObjectThatNames(namespace: string): KubeObject | undefined {
    return this.#references().find(
      ({ object, names }) =>
        names.includes(namespace) && this.tenantOf(object.metadata.namespace ?? '') === undefined,
    )?.object;
  }

  /** The objects with a selector for which a label of a namespace has another value now. */
  objectsThatSelect(key: string, was: string | undefined, is: string | undefined): KubeObject[] {
    const differs = (selector: LabelSelector): boolean =>
      listRequirements(selector).some(
        (one) =>
          one.key === key &&
          matchesRequirement(one, toLabels(key, was)) !==
            matchesRequirement(one, toLabels(key, is)),
      );
    return this.#references()
      .filter(({ selectors }) => selectors.some(differs))
      .map(({ object }) => object);
  }

  #references() {
    return this.#once('references', () =>
      [...this.#before, ...this.#after].flatMap((object) => {
        const selectors = listSelectors(object);
        const names = listNamedNamespaces(object);
        return selectors.length + names.length === 0 ? [] : [{ object, selectors, names }];
      }),
    );
  }

  #namespaces(): readonly [before: Objects, after: Objects] {
    return this.#once('namespaces', () => [
      indexNamespaces(this.#before),
      indexNamespaces(this.#after),
    ]);
  }

  #admins() {
    return this.#once('admins', () => {
      const roles = new Set(['admin', 'cluster-admin', ...listAdminRoles(this.#before)]);
      return [this.#before, this.#after].map((objects) => indexAdmins(objects, roles)) as [
        GroupsByNamespace,
        GroupsByNamespace,
      ];
    });
  }

  #once<T>(key: string, compute: () => T): T {
    if (!this.#cache.has(key)) this.#cache.set(key, compute());
    return this.#cache.get(key) as T;
  }
}

function toLabels(key: string, value: string | undefined): Readonly<Record<string, string>> {
  return value === undefined ? {} : { [key]: value };
}

/** Whether a selector is for some namespaces, and matches labels. */
function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return listRequirements(selector).length > 0 && matchesLabels(selector, labels);
}

type Objects = ReadonlyMap<string, KubeObject>;
type GroupsByNamespace = ReadonlyMap<string, ReadonlySet<string>>;

function indexNamespaces(objects: readonly KubeObject[]): Objects {
  const found = objects.filter(
    ({ kind, apiVersion }) => kind === 'Namespace' && apiVersion === 'v1',
  );
  return new Map(found.map((object) => [object.metadata.name, object]));
}

function listClassRoles(object: KubeObject): string[] {
  if (object.kind !== 'TenantClass') return [];
  const levels = valueAt(object, ['spec', 'roles']);
  const names = [
    ...(isMapping(levels) ? Object.values(levels) : []),
    ...listAt(object, ['spec', 'allow', 'clusterRoles']),
  ];
  return names.flatMap((name) => (typeof name === 'string' ? [`ClusterRole ${name}`] : []));
}

/** The ClusterRoles that classes bind to administrators. */
function listAdminRoles(objects: readonly KubeObject[]): string[] {
  return objects.flatMap((object) => {
    const role = valueAt(object, ['spec', 'roles', 'admins']);
    return object.kind === 'TenantClass' && typeof role === 'string' ? [role] : [];
  });
}

function indexAdmins(
  objects: readonly KubeObject[],
  roles: ReadonlySet<string>,
): GroupsByNamespace {
  const found = new Map<string, Set<string>>();
  for (const object of objects) {
    if (object.kind !== 'RoleBinding') continue;
    const role = readRole(object['roleRef']);
    if (!role.startsWith('ClusterRole ') || !roles.has(role.slice('ClusterRole '.length))) continue;
    const namespace = object.metadata.namespace ?? '';
    for (const subject of listAt(object, ['subjects']).filter(isMapping)) {
      const name = text(subject['name']);
      if (subject['kind'] !== 'Group') continue;
      found.set(namespace, (found.get(namespace) ?? new Set()).add(name));
    }
  }
  return found;
}
