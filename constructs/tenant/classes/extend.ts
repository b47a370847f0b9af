import { isMapping } from '../../../kube/mapping.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import type { TenantClassDeclaration } from '../declaration.ts';

/**
 * A class with what it has from the one that it extends. What the child says replaces what the
 * parent says, field by field and key by key; what it leaves out is as the parent has it, so that
 * leaving out never loosens. Lists are replaced as a whole, presets one by one, by their names.
 *
 * Defaults and environments are no part of it: those of the parent lie below those of the child as
 * layers do. What is said of single tenants stays with the class that says it: `exceptions`.
 */
export function extendClass(
  child: TenantClassDeclaration,
  parent: TenantClassDeclaration,
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
  const spec: TenantClassSpec = {
    ...mergeDeep(shared, own),
    presets: mergePresets(offered, presets),
    // Names of the one and a selector of the other would let in tenants that neither means.
    ...(tenants && { allowedTenants: tenants }),
  };
  return { ...child, base: parent, spec };
}

/** Mappings by key, at any depth; all else above takes the place of what is below. */
function mergeDeep<T extends object>(below: T, above: Partial<T>): T;
function mergeDeep(below: object, above: object): object {
  const laid = new Map<string, unknown>(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const under = laid.get(key);
    laid.set(key, isMapping(under) && isMapping(value) ? mergeDeep(under, value) : value);
  }
  return Object.fromEntries(laid);
}

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

/** The defaults and environments of a class, those of the class that it extends first. */
export function listClassLayers({
  base,
  spec,
}: TenantClassDeclaration): readonly Pick<TenantClassSpec, 'defaults' | 'environments'>[] {
  return base ? [base.spec, spec] : [spec];
}
