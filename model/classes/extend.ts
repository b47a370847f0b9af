import { isMapping } from '@tenantry/kube/mapping';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { Path } from '@tenantry/kube/problem';
import type { TenantClassDeclaration } from '../declaration.ts';
import type { Origins } from '../origins.ts';

/**
 * Merges a class with its parent. Values of the child replace those of the parent, field by field and key by key.
 * Fields that the child leaves out keep the parent's values, so leaving one out never loosens a bound. Lists are
 * replaced as a whole, presets one by one by their names.
 *
 * Defaults and environments are not merged: those of the parent are layers below those of the child. `exceptions` stay
 * with the class that declares them, because they are about single tenants.
 * @param origins records where each value of the spec is from, except for those of presets
 */
export function extendClass(
  child: TenantClassDeclaration,
  parent: TenantClassDeclaration,
  origins?: Origins,
): TenantClassDeclaration {
  const { extends: _parent, presets, allowedTenants, ...own } = child.spec;
  const {
    presets: offered,
    allowedTenants: allowed = undefined,
    description: _description,
    exceptions: _exceptions,
    defaults: _defaults,
    environments: _environments,
    ...shared
  } = parent.spec;
  const tenants = allowedTenants ?? allowed;
  origins?.record([], ['base', 'spec']);
  const record = origins && ((at: Path) => origins.record(at, ['class', 'spec', ...at]));
  if (allowedTenants) record?.(['allowedTenants']);
  const spec: TenantClassSpec = {
    ...mergeDeep(shared, own, record),
    presets: mergePresets(offered, presets),
    // Merging the names of one class with the selector of the other would admit tenants that neither means.
    ...(tenants && { allowedTenants: tenants }),
  };
  return { ...child, base: parent, spec };
}

/** Merges mappings by key at any depth; every other value above replaces the value below. */
function mergeDeep<T extends object>(below: T, above: Partial<T>, onPlaced?: PathListener): T;
function mergeDeep(below: object, above: object, onPlaced?: PathListener): object {
  const laid = new Map<string, unknown>(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const under = laid.get(key);
    const isMerged = isMapping(under) && isMapping(value);
    const onInner = onPlaced && ((at: Path) => onPlaced([key, ...at]));
    if (!isMerged) onInner?.([]);
    laid.set(key, isMerged ? mergeDeep(under, value, onInner) : value);
  }
  return Object.fromEntries(laid);
}

/** Receives the path of each value above that replaces or adds something. */
type PathListener = (at: Path) => void;

type Presets = NonNullable<TenantClassSpec['presets']>;
type Preset = { readonly name: string };

function mergePresets(below: Presets = {}, above: Presets = {}): Presets {
  const kinds = new Map<string, readonly Preset[]>(Object.entries({ ...below }));
  for (const [kind, own] of Object.entries<readonly Preset[]>({ ...above })) {
    const names = new Set(own.map(({ name }) => name));
    const offered = (kinds.get(kind) ?? []).filter(({ name }) => !names.has(name));
    kinds.set(kind, [...offered, ...own]);
  }
  return Object.fromEntries(kinds);
}

/** Returns the position of a preset of a class in the list of the class itself, or in that of its parent. */
export function locatePreset(
  { base, spec }: TenantClassDeclaration,
  list: keyof Presets,
  preset: Preset,
): { readonly isBase: boolean; readonly index: number } {
  const offered: readonly Preset[] = base?.spec.presets?.[list] ?? [];
  const inBase = offered.indexOf(preset);
  if (inBase >= 0) return { isBase: true, index: inBase };
  const own = (spec.presets?.[list] ?? []).filter((one) => !offered.includes(one));
  return { isBase: false, index: own.findIndex((one) => one === preset) };
}

/** Returns the defaults and environments of a class, those of its parent first. */
export function listClassLayers({
  base,
  spec,
}: TenantClassDeclaration): readonly Pick<TenantClassSpec, 'defaults' | 'environments'>[] {
  return base ? [base.spec, spec] : [spec];
}
