import { omitUndefined } from '@tenantry/kube/mapping';
import type { PlatformSpec } from '../crds/platform.ts';
import type { ResourceEntry, NamespaceEntry } from '../crds/types.ts';
import type { TenantClassDeclaration } from '../model/declaration.ts';
import { buildAccess } from './access.ts';
import { buildLimits, buildQuota, findPreset } from './bounds.ts';
import { nonEmpty, pickOwnEntries } from './counting.ts';
import { readFacts, type EnvironmentKey } from './facts.ts';
import type { FoundObject } from './manifests.ts';
import { hasField, type FoundNamespace } from './namespaces.ts';
import { buildNetwork, type NetworkParts } from './network.ts';
import { usePreset } from './presets.ts';
import { prefixOrigins, type Origin, type Section, type Unplaced } from './section.ts';
import { buildDisruptionBudgets, buildServiceAccounts } from './workload.ts';

/** What declares a namespace: its class, its platform, and how that names environments. */
export interface ImportContext {
  readonly klass: TenantClassDeclaration;
  readonly platform: PlatformSpec;
  readonly environmentKey: EnvironmentKey | undefined;
}

/** Keys of a Namespace that are not declared: `labels/example.com/a`. */
export type DroppedKeys = ReadonlySet<string>;

/** An entry of `namespaces`, and the objects of which it was made. */
export interface NamespaceSpec {
  readonly entry: NamespaceEntry;
  /** The paths begin at the entry. */
  readonly origins: readonly Origin[];
  readonly unplaced: readonly Unplaced[];
}

/** Declares a namespace with fields where there are some: its values beyond those of the class. */
export function buildNamespaceSpec(
  found: FoundNamespace,
  { klass, platform, environmentKey }: ImportContext,
  dropped: DroppedKeys,
): NamespaceSpec {
  const { name, objects } = found;
  const { defaults = {}, environments = [] } = klass.spec;
  const facts = readFacts(found, platform, environmentKey);
  const keep = (part: string, entries: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !dropped.has(`${part}/${key}`)));
  const inherited = {
    ...defaults.labels,
    ...environments.find((one) => one.name === facts.environment)?.labels,
  };
  const quota = buildQuota(objects, klass.spec);
  const limits = buildLimits(objects, klass.spec);
  const access = buildAccess(objects, klass.spec);
  const network = narrowNetwork(buildNetwork(objects, platform), klass);
  const serviceAccounts = buildServiceAccounts(objects);
  const disruptionBudgets = buildDisruptionBudgets(objects);
  const resources = buildResources(objects, klass);
  const sections = {
    quota,
    limits,
    access,
    network,
    serviceAccounts,
    disruptionBudgets,
    resources,
  };
  const entry = omitUndefined<NamespaceEntry>({
    name,
    environment: facts.environment,
    labels: nonEmpty(keep('labels', pickOwnEntries(facts.labels, inherited))),
    annotations: nonEmpty(keep('annotations', facts.annotations)),
    contact: nonEmpty(keep('contact', pickOwnEntries(facts.contact, defaults.contact))),
    podSecurity: nonEmpty(
      keep('podSecurity', pickOwnEntries({ ...facts.podSecurity }, { ...defaults.podSecurity })),
    ),
    ...Object.fromEntries(
      Object.entries(sections).map(([field, { value }]) => [field, nonEmpty(value)]),
    ),
  });
  return {
    entry,
    origins: Object.entries(sections).flatMap(([field, { origins }]) =>
      prefixOrigins(field, origins),
    ),
    unplaced: Object.values(sections).flatMap(({ unplaced }) => unplaced),
  };
}

function narrowNetwork(
  { value: { base, further }, origins }: Section<NetworkParts>,
  { spec }: TenantClassDeclaration,
): Section<object> {
  const preset = findPreset(spec.presets?.networks, base);
  const below = spec.defaults?.network;
  if (preset !== undefined) {
    const own = preset === below?.preset ? {} : { preset };
    return { value: { ...own, ...further }, origins, unplaced: [] };
  }
  // A preset of the class decides all settings that are left out.
  const own = below?.preset ? base : pickOwnEntries<unknown>({ ...base }, { ...below });
  return { value: { ...own, ...further }, origins, unplaced: [] };
}

/** Declares the objects without a field: with a preset if one makes them. */
function buildResources(
  objects: readonly FoundObject[],
  { spec }: TenantClassDeclaration,
): Section<readonly ResourceEntry[]> {
  const presets = spec.presets?.resources ?? [];
  const left = objects.filter(({ object }) => !hasField(object));
  const value = left.map(({ object }): ResourceEntry => {
    const use = usePreset(object, presets);
    if (use) return use;
    const { namespace: _own, ...metadata } = object.metadata;
    return { manifest: { ...object, metadata } };
  });
  return { value, origins: left.map((found, i) => ({ path: [i], found })), unplaced: [] };
}
