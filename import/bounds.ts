import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { LimitItem, Quantities, ScopedQuota } from '../crds/quota.ts';
import type { Limits, NamespaceQuota, QuotaScopeRequirement } from '../crds/types.ts';
import type { TenantClassSpec } from '../crds/tenant-class.ts';
import { isEqual, nonEmpty, pickOwnEntries } from './counting.ts';
import type { FoundObject } from './manifests.ts';
import { selectKind, type Origin, type Section } from './section.ts';

export interface QuotaObject extends KubeObject {
  readonly spec: {
    readonly hard: Quantities;
    readonly scopes?: ScopedQuota['scopes'];
    readonly scopeSelector?: { readonly matchExpressions: readonly QuotaScopeRequirement[] };
  };
}

export interface LimitRangeObject extends KubeObject {
  readonly spec: { readonly limits: readonly LimitItem[] };
}

export const selectQuotas = (objects: readonly FoundObject[]) =>
  selectKind<QuotaObject>(objects, '', 'ResourceQuota').filter(({ object }) => object.spec?.hard);
export const selectLimitRanges = (objects: readonly FoundObject[]) =>
  selectKind<LimitRangeObject>(objects, '', 'LimitRange').filter(({ object }) =>
    Array.isArray(object.spec?.limits),
  );

/** Whether a quota is about all pods of the namespace. */
export const isUnscoped = ({ spec }: QuotaObject): boolean => !spec.scopes && !spec.scopeSelector;

/** Declares ResourceQuotas: the first for all pods as `hard` or a preset, and the others as `scoped`. */
export function buildQuota(
  objects: readonly FoundObject[],
  klass: TenantClassSpec,
): Section<NamespaceQuota> {
  const quotas = selectQuotas(objects);
  const main = quotas.find(({ object }) => isUnscoped(object));
  const others = quotas.filter((one) => one !== main);
  const origins: Origin[] = others.map((found, i) => ({ path: ['scoped', i], found }));
  const scoped = others.map(({ object: { metadata, spec } }) =>
    omitUndefined<ScopedQuota>({
      name: metadata.name,
      hard: spec.hard as ScopedQuota['hard'],
      scopes: spec.scopes,
      scopeSelector: spec.scopeSelector?.matchExpressions,
    }),
  );
  const further = omitUndefined<NamespaceQuota>({ scoped: nonEmpty(scoped) });
  if (!main)
    return { value: { ...narrow(NONE, klass.defaults?.quota), ...further }, origins, unplaced: [] };
  const { hard } = main.object.spec;
  const preset = findPreset(klass.presets?.quotas, { hard });
  const own = {
    ...(preset === undefined ? { preset: 'none', hard } : { preset }),
    name: main.object.metadata.name,
  };
  return {
    value: { ...narrow(own, klass.defaults?.quota), ...further },
    origins: [{ path: [], found: main }, ...origins],
    unplaced: [],
  };
}

/** Declares the LimitRange; there is a field for one. */
export function buildLimits(
  objects: readonly FoundObject[],
  klass: TenantClassSpec,
): Section<Limits> {
  const [range, ...others] = selectLimitRanges(objects);
  const reason = 'a namespace declares one LimitRange; merge it into the other';
  const unplaced = others.map((found) => ({ found, reason }));
  if (!range) return { value: narrow(NONE, klass.defaults?.limits), origins: [], unplaced };
  const items = range.object.spec.limits;
  const preset = findPreset(klass.presets?.limits, { items });
  const own = {
    ...(preset === undefined ? { preset: 'none', items } : { preset }),
    name: range.object.metadata.name,
  };
  const value = narrow(own, klass.defaults?.limits);
  return { value, origins: [{ path: [], found: range }], unplaced };
}

const NONE = { preset: 'none' };

/** Returns the fields that the class does not set to the same value. */
function narrow(own: object, below: object | undefined): object {
  return pickOwnEntries(
    own as Record<string, unknown>,
    below as Record<string, unknown> | undefined,
  );
}

/** Returns the name of the identical preset, if there is one. */
export function findPreset(
  presets: readonly { readonly name: string }[] | undefined,
  content: object,
): string | undefined {
  return presets?.find(({ name: _name, ...rest }) => isEqual(rest, content))?.name;
}
