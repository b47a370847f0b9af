import { omitUndefined } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { parseQuantity } from '@tenantry/kube/quantity';
import type { PlatformSpec } from '../crds/platform.ts';
import type { Quantities } from '../crds/quota.ts';
import type { Allowed, Ceilings, PodSecurity, Presets, TenantDefaults } from '../crds/types.ts';
import type { TenantClassSpec } from '../crds/tenant-class.ts';
import { levelFields, selectBindings, selectRoles } from './access.ts';
import { isUnscoped, selectLimitRanges, selectQuotas } from './bounds.ts';
import { isEqual, listFrequent, nonEmpty, pickOwnEntries, pickSharedEntries } from './counting.ts';
import {
  POD_SECURITY,
  isCustom,
  isServerKey,
  readFacts,
  type EnvironmentKey,
  type NamespaceFacts,
} from './facts.ts';
import { deriveSelfService } from './external-names.ts';
import type { FoundObject } from './manifests.ts';
import { hasField, type FoundNamespace } from './namespaces.ts';
import { buildNetwork } from './network.ts';
import { findResourcePresets } from './presets.ts';

type Kind = NonNullable<Allowed['resources']>[number];

const toKind = ({ object }: FoundObject): Kind => ({
  group: groupOf(object.apiVersion),
  kind: object.kind,
});

/** The number of namespaces with an equal value that make it a preset. */
const PRESET = 2;
/** The number of namespaces with a reference that allow it to every tenant of the class. */
const ORDINARY = 3;

/** Quotas that no team wrote would be further objects here, so what they count is not bounded. */
const WITHOUT_PLATFORM_QUOTAS: Allowed = {
  priorityClasses: ['*', 'system-cluster-critical', 'system-node-critical'],
  crossNamespaceAffinity: 'Allow',
  uncountedObjects: 'Allow',
};

/**
 * Derives a class by counting: what repeats becomes a preset, the most frequent values become defaults, presets are the
 * ceilings, and what several namespaces refer to is allowed.
 * @param most the largest number of namespaces of a tenant
 */
export function deriveClass(
  namespaces: readonly FoundNamespace[],
  platform: PlatformSpec,
  environmentKey: EnvironmentKey | undefined,
  most: number,
): TenantClassSpec {
  const facts = namespaces.map((one) => readFacts(one, platform, environmentKey));
  const presets = derivePresets(namespaces, platform);
  const labels = pickSharedEntries(facts.map((one) => one.labels));
  const defaults = deriveDefaults(namespaces, facts, presets, labels);
  return omitUndefined<TenantClassSpec>({
    description: 'Derived from the namespaces that were imported',
    presets: nonEmpty(presets),
    defaults,
    environments: nonEmpty(deriveEnvironments(facts, labels)),
    ceilings: deriveCeilings(namespaces, presets, defaults, most),
    allow: {
      ...deriveAllowed(namespaces, ORDINARY, listTrustedKeys(platform)),
      ...WITHOUT_PLATFORM_QUOTAS,
    },
    selfService: deriveSelfService(namespaces),
  });
}

function derivePresets(namespaces: readonly FoundNamespace[], platform: PlatformSpec): Presets {
  const objects = namespaces.flatMap((one) => one.objects);
  const hard = selectQuotas(objects)
    .filter(({ object }) => isUnscoped(object))
    .map(({ object }) => object.spec.hard);
  const items = selectLimitRanges(objects).map(({ object }) => object.spec.limits);
  const roles = selectRoles(objects).map(({ object }) => ({
    name: object.metadata.name,
    rules: object.rules,
  }));
  const networks = namespaces.map((one) => buildNetwork(one.objects, platform).value.base);
  const isOpen = (network: object): boolean => isEqual(network, { isolation: 'Open' });
  const named = <T>(values: readonly T[], prefix: string) =>
    values.map((value, i) => ({ name: `${prefix}-${i + 1}`, value }));
  return omitUndefined<Presets>({
    quotas: nonEmpty(
      named(listFrequent(hard, PRESET), 'quota').map(({ name, value }) => ({
        name,
        hard: value as never,
      })),
    ),
    limits: nonEmpty(
      named(listFrequent(items, PRESET), 'limits').map(({ name, value }) => ({
        name,
        items: value,
      })),
    ),
    roles: nonEmpty(
      dedupeByName(listFrequent(roles, PRESET)).map((role) =>
        omitUndefined<NonNullable<Presets['roles']>[number]>({
          ...role,
          bindingName: findBindingName(namespaces, 'Role', role.name),
        }),
      ),
    ),
    networks: nonEmpty(
      named(
        listFrequent(networks, PRESET).filter((one) => !isOpen(one)),
        'network',
      ).map(({ name, value }) => ({ name, ...value })),
    ),
    resources: nonEmpty(
      findResourcePresets(
        objects.filter(({ object }) => !hasField(object)).map(({ object }) => object),
      ),
    ),
  });
}

/** Presets are found by their name, so of two with one name the more frequent one stays. */
function dedupeByName<T extends { readonly name: string }>(values: readonly T[]): T[] {
  return [...new Map(values.toReversed().map((one) => [one.name, one])).values()].toReversed();
}

function deriveDefaults(
  namespaces: readonly FoundNamespace[],
  facts: readonly NamespaceFacts[],
  presets: Presets,
  labels: Readonly<Record<string, string>>,
): TenantDefaults {
  const objects = namespaces.flatMap((one) => one.objects);
  const usualName = (found: readonly { readonly object: KubeObject }[]): string | undefined =>
    listFrequent(
      found.map(({ object }) => object.metadata.name),
      1,
    )[0];
  const [quota, limits, network] = [presets.quotas, presets.limits, presets.networks].map(
    (list) => list?.[0]?.name,
  );
  const podSecurity = pickSharedEntries(
    facts.map((one) => one.podSecurity as Readonly<Record<string, string>>),
  );
  const access = Object.entries(levelFields).flatMap(([role, field]) => {
    const bindingName = findBindingName(namespaces, 'ClusterRole', role);
    return bindingName === undefined ? [] : [[field, { bindingName }] as const];
  });
  return omitUndefined<TenantDefaults>({
    labels: nonEmpty(labels),
    contact: nonEmpty(pickSharedEntries(facts.map((one) => one.contact))),
    access: nonEmpty(Object.fromEntries(access)),
    podSecurity: { enforce: 'none', ...podSecurity } as PodSecurity,
    quota: omitUndefined<NonNullable<TenantDefaults['quota']>>({
      preset: quota ?? 'none',
      name: usualName(selectQuotas(objects).filter(({ object }) => isUnscoped(object))),
    }),
    limits: omitUndefined<NonNullable<TenantDefaults['limits']>>({
      preset: limits ?? 'none',
      name: usualName(selectLimitRanges(objects)),
    }),
    network: network === undefined ? { isolation: 'Open' } : { preset: network },
  });
}

/** Returns the most frequent name of a role's bindings, with a placeholder for the namespace. */
function findBindingName(
  namespaces: readonly FoundNamespace[],
  kind: 'Role' | 'ClusterRole',
  role: string,
): string | undefined {
  const names = namespaces.flatMap((one) =>
    selectBindings(one.objects)
      .filter(({ object }) => object.roleRef?.kind === kind && object.roleRef.name === role)
      .map(({ object }) => object.metadata.name.replaceAll(one.name, '{namespace}')),
  );
  return listFrequent(names, PRESET)[0];
}

/** Returns the common labels of an environment's namespaces beyond those of all namespaces. */
function deriveEnvironments(
  facts: readonly NamespaceFacts[],
  labels: Readonly<Record<string, string>>,
): NonNullable<TenantClassSpec['environments']> {
  return [...Map.groupBy(facts, ({ environment }) => environment)].flatMap(([name, members]) => {
    if (name === undefined || members.length < PRESET) return [];
    const own = pickOwnEntries(pickSharedEntries(members.map((one) => one.labels)), labels);
    return Object.keys(own).length > 0 ? [{ name, labels: own }] : [];
  });
}

function deriveCeilings(
  namespaces: readonly FoundNamespace[],
  presets: Presets,
  { podSecurity }: TenantDefaults,
  most: number,
): Ceilings {
  const quota = pickLargest((presets.quotas ?? []).map(({ hard }) => hard as Quantities));
  const limits = pickLargest(
    (presets.limits ?? [])
      .flatMap(({ items }) => items)
      .map((item) => ({ ...item.default, ...item.max }) as Quantities),
  );
  const isolated = (presets.networks ?? []).length > 0;
  const enforce = podSecurity?.enforce;
  return omitUndefined<Ceilings>({
    namespaces: most,
    quota: nonEmpty(quota) as Ceilings['quota'],
    limits: nonEmpty(limits) as Ceilings['limits'],
    podSecurity: enforce === 'none' ? undefined : enforce,
    network:
      isolated && namespaces.length >= 2 * PRESET
        ? { isolation: 'SameNamespace', ingressFrom: { anywhere: 'Deny' } }
        : undefined,
  });
}

/** Lists the labels by which the platform trusts namespaces: a tenant that may set one is let in. */
function listTrustedKeys({ ingressControllers = [], monitoring = [] }: PlatformSpec): string[] {
  return [...ingressControllers, ...monitoring].flatMap(({ namespaceSelector }) =>
    Object.keys(namespaceSelector?.matchLabels ?? {}),
  );
}

/**
 * Returns the references that at least this number of namespaces has.
 * @param trusted labels that no tenant may set without an exception
 */
export function deriveAllowed(
  namespaces: readonly FoundNamespace[],
  times: number,
  trusted: readonly string[] = [],
): Allowed {
  const bindings = namespaces.flatMap((one) => selectBindings(one.objects));
  const accounts = namespaces.flatMap((one) =>
    selectBindings(one.objects).flatMap(({ object: { subjects } }) =>
      (Array.isArray(subjects) ? subjects : []).flatMap(({ kind, name, namespace }) =>
        kind === 'ServiceAccount' && namespace !== undefined && namespace !== one.name
          ? [{ namespace, name }]
          : [],
      ),
    ),
  );
  const kinds = namespaces.flatMap((one) =>
    listFrequent(one.objects.filter((found) => isCustom(found)).map(toKind), 1),
  );
  const clusterRoles = bindings.flatMap(({ object: { roleRef } }) =>
    roleRef?.kind === 'ClusterRole' && !Object.hasOwn(levelFields, roleRef.name)
      ? [roleRef.name]
      : [],
  );
  return omitUndefined<Allowed>({
    clusterRoles: nonEmpty(
      listFrequent(clusterRoles, times).filter((name) => name !== 'cluster-admin'),
    ),
    serviceAccounts: nonEmpty(listFrequent(accounts, times)),
    resources: listAllowedKinds(listFrequent(kinds, times), namespaces),
    labels: nonEmpty(
      listKeys(namespaces, 'labels', times).filter(({ key }) => !trusted.includes(key)),
    ),
    annotations: nonEmpty(listKeys(namespaces, 'annotations', times)),
  });
}

/** A class that lists kinds allows no others: then the kinds of Kubernetes that occur anywhere are listed too. */
function listAllowedKinds(
  custom: readonly Kind[],
  namespaces: readonly FoundNamespace[],
): readonly Kind[] | undefined {
  if (custom.length === 0) return undefined;
  const builtin = namespaces
    .flatMap(({ objects }) => objects)
    .filter((found) => !isCustom(found) && !hasField(found.object))
    .map(toKind);
  return [...custom, ...listFrequent(builtin, 1)];
}

function listKeys(
  namespaces: readonly FoundNamespace[],
  part: 'labels' | 'annotations',
  times: number,
): { readonly key: string }[] {
  const keys = namespaces.flatMap(({ namespace }) =>
    Object.keys(namespace.object.metadata[part] ?? {}),
  );
  return listFrequent(keys, times)
    .filter((key) => !isServerKey(key) && !key.startsWith(POD_SECURITY))
    .map((key) => ({ key }));
}

/** Returns the largest amount of each key that all maps have. */
function pickLargest(maps: readonly Quantities[]): Quantities {
  const largest: Record<string, string | number> = {};
  for (const [key, value] of maps.flatMap(Object.entries<string | number>)) {
    const amount = parseQuantity(value);
    const known = largest[key] === undefined ? undefined : parseQuantity(largest[key]);
    if (amount !== undefined && (known === undefined || amount > known)) largest[key] = value;
  }
  return Object.fromEntries(
    Object.entries(largest).filter(([key]) => maps.every((map) => key in map)),
  );
}
