import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { parseQuantity } from '@tenantry/kube/quantity';
import type { PlatformSpec } from '../../../crds/platform.ts';
import type { LimitItem, Quantities } from '../../../crds/quota.ts';
import type { TenantClassSpec } from '../../../crds/tenant-class.ts';
import type { PodSecurity } from '../../../crds/workload.ts';
import type { TenantClassDeclaration } from '../../../model/declaration.ts';
import { bindingsOf, buildRoles } from './access.ts';
import { counted, entriesBeyond, frequent, same, sharedEntries, unlessEmpty } from './counting.ts';
import { groupsOf } from './groups.ts';
import { networkOf, type PolicyObject } from './network.ts';
import { objectsOf, type Original } from './originals.ts';
import { factsOf, isForeign, namespaceIn, type NamespaceFacts } from './platform.ts';
import { resourcePresets } from './presets.ts';

interface QuotaObject extends KubeObject {
  readonly spec: { readonly hard: Quantities };
}

interface LimitRangeObject extends KubeObject {
  readonly spec: { readonly limits: readonly LimitItem[] };
}

export const quotasOf = (one: Original): QuotaObject[] => objectsOf(one, 'v1', 'ResourceQuota');
export const limitsOf = (one: Original): LimitRangeObject[] => objectsOf(one, 'v1', 'LimitRange');
export const policiesOf = (one: Original): PolicyObject[] =>
  objectsOf(one, 'networking.k8s.io/v1', 'NetworkPolicy');

/** The number of namespaces with a common value that make a preset. */
const PRESET = 2;
/** The number of namespaces with a reference that allow it to every tenant of the standard class. */
const ORDINARY = 3;

/** Derives a class by counting: it limits its tenants to its own presets and allows ordinary values. */
export function classOf(
  name: string,
  originals: readonly Original[],
  platform: PlatformSpec,
): TenantClassDeclaration {
  const shared = sharedOf(originals, platform);
  const enforce = shared.defaults?.podSecurity?.enforce;
  const isolations = networksOf(originals, platform).map(({ isolation }) => isolation);
  const hard = originals.flatMap(quotasOf).map(({ spec }) => spec.hard);
  const items = originals.flatMap(limitsOf).map(({ spec }) => spec.limits);
  return {
    name,
    spec: {
      ...shared,
      ceilings: {
        namespaces: Math.max(...groupsOf(originals).map((group) => group.length)),
        quota: most(frequent(hard, PRESET)),
        limits: most(
          frequent(items, PRESET)
            .flat()
            .map((item) => ({ ...item.default, ...item.max })),
        ),
        ...(enforce && enforce !== 'none' && { podSecurity: enforce }),
        network: {
          ...(!frequent(isolations, PRESET).includes('Open') && { isolation: 'SameNamespace' }),
          ingressFrom: { anywhere: 'Deny' },
        },
      },
      allow: { ...allowOf(originals, ORDINARY), ...neighborly },
    },
  };
}

/** A quota that no team wrote would be an additional object here, so its subjects are not limited. */
const neighborly: TenantClassSpec['allow'] = {
  priorityClasses: ['*', 'system-cluster-critical', 'system-node-critical'],
  crossNamespaceAffinity: 'Allow',
  uncountedObjects: 'Allow',
};

const networksOf = (originals: readonly Original[], platform: PlatformSpec) =>
  originals.map((one) => networkOf(policiesOf(one), platform).base);

/** Derives presets by counting; the most frequent of each kind are the defaults. */
function sharedOf(originals: readonly Original[], platform: PlatformSpec) {
  const facts = originals.map((one) => factsOf(one, platform));
  const quotas = originals.flatMap(quotasOf);
  const limits = originals.flatMap(limitsOf);
  const names = (objects: readonly KubeObject[]): string =>
    counted(objects.map(({ metadata }) => metadata.name))[0]!.value;
  const roles = originals.flatMap(buildRoles).map(({ metadata, rules }) => ({
    name: metadata.name,
    rules,
  }));
  const networks = networksOf(originals, platform);
  const labels = sharedEntries(facts.map((one) => one.labels));
  const presets = {
    quotas: frequent(
      quotas.map(({ spec }) => spec.hard),
      PRESET,
    ).map((hard, i) => ({
      name: `quota-${i + 1}`,
      hard,
    })),
    limits: frequent(
      limits.map(({ spec }) => spec.limits),
      PRESET,
    ).map((items, i) => ({
      name: `limits-${i + 1}`,
      items,
    })),
    roles: frequent(roles, PRESET).map((role) => ({
      ...role,
      ...bindingNameOf(originals, role.name),
    })),
    networks: frequent(networks, PRESET).map((network, i) => ({
      name: `network-${i + 1}`,
      ...network,
    })),
    ...unlessEmpty(
      'resources',
      resourcePresets(originals.flatMap(({ objects }) => objects.filter(isForeign))),
    ),
  };
  return {
    presets,
    defaults: {
      ...unlessEmpty('labels', labels),
      ...unlessEmpty('contact', sharedEntries(facts.map(({ contact }) => contact))),
      access: { admins: bindingNameOf(originals, 'admin') },
      podSecurity: sharedEntries(facts.map((one) => ({ ...one.podSecurity }))) as PodSecurity,
      quota: { preset: presets.quotas[0]!.name, name: names(quotas) },
      limits: { preset: presets.limits[0]!.name, name: names(limits) },
      network: { preset: presets.networks[0]!.name },
    },
    environments: environmentsOf(facts, labels),
  } satisfies TenantClassSpec;
}

/** Returns the most frequent name of a role's bindings, with a placeholder for the namespace. */
function bindingNameOf(originals: readonly Original[], role: string): { bindingName?: string } {
  const names = originals.flatMap((one) =>
    bindingsOf(one)
      .filter(({ roleRef }) => roleRef.name === role)
      .map(({ metadata }) => metadata.name.replaceAll(one.namespace, '{namespace}')),
  );
  const [usual] = frequent(names, PRESET);
  return usual === undefined ? {} : { bindingName: usual };
}

/** Returns the common values of an environment's namespaces beyond those of all namespaces. */
function environmentsOf(
  facts: readonly NamespaceFacts[],
  labels: Readonly<Record<string, string>>,
): NonNullable<TenantClassSpec['environments']> {
  return [...Map.groupBy(facts, ({ environment }) => environment)]
    .filter(([, of]) => of.length >= PRESET)
    .map(([name, of]) => ({
      name,
      labels: entriesBeyond(sharedEntries(of.map((one) => one.labels)), labels),
    }));
}

/** Returns the references that at least this number of namespaces has. */
export function allowOf(
  originals: readonly Original[],
  times: number,
): NonNullable<TenantClassSpec['allow']> {
  const bindings = originals.flatMap(bindingsOf);
  const outside = originals.flatMap((one) =>
    bindingsOf(one).flatMap(({ subjects = [] }) =>
      subjects.flatMap(({ kind, name, namespace }) =>
        kind === 'ServiceAccount' && namespace !== undefined && namespace !== one.namespace
          ? [{ namespace, name }]
          : [],
      ),
    ),
  );
  const kinds = originals.flatMap((one) => {
    const found = one.objects
      .filter(isForeign)
      .map(({ apiVersion, kind }) => ({ group: groupOf(apiVersion), kind }));
    return counted(found).map(({ value }) => value);
  });
  const clusterRoles = bindings.flatMap(({ roleRef }) =>
    roleRef.kind === 'ClusterRole' && !['admin', 'edit', 'view'].includes(roleRef.name)
      ? [roleRef.name]
      : [],
  );
  return {
    ...unlessEmpty('clusterRoles', frequent(clusterRoles, times)),
    ...unlessEmpty('serviceAccounts', frequent(outside, times)),
    resources: frequent(kinds, times),
    labels: keysOf(originals, 'labels', times),
    annotations: keysOf(originals, 'annotations', times),
  };
}

/** Returns the keys that at least this number of namespaces has. */
function keysOf(originals: readonly Original[], part: 'labels' | 'annotations', times: number) {
  const keys = originals.flatMap((one) => Object.keys(namespaceIn(one).metadata[part] ?? {}));
  return frequent(keys, times).map((key) => ({ key }));
}

/** Returns the largest amount for each key that all maps have. */
function most(maps: readonly Quantities[]): Quantities {
  const largest: Record<string, string | number> = {};
  for (const map of maps) {
    for (const [key, value] of Object.entries(map)) {
      const known = largest[key];
      if (known === undefined || parseQuantity(value)! > parseQuantity(known)!) {
        largest[key] = value;
      }
    }
  }
  return Object.fromEntries(
    Object.entries(largest).filter(([key]) => maps.every((map) => key in map)),
  );
}

/** Returns the name of the identical preset, if there is one. */
export function presetLike(
  presets: readonly { readonly name: string }[] | undefined,
  content: object,
): string | undefined {
  return presets?.find(({ name, ...rest }) => name !== undefined && same(rest, content))?.name;
}
