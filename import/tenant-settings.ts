import type { TenantSpec } from '../crds/types.ts';
import { desired } from '../model/desired.ts';
import { resolvePlatform } from '../model/platform.ts';
import type { ImportedFleet, ImportedTenant } from './declare.ts';
import type { TenantSetting } from './systems/translation.ts';

/** Settings of tenants that no object states. */
export interface PlacedSettings {
  /** By the name of their tenant, which accepts them. */
  readonly placed: ReadonlyMap<string, readonly TenantSetting[]>;
  /** The settings that no tenant can have, and why. */
  readonly refused: ReadonlyMap<TenantSetting, string>;
}

/** Decides which settings the tenants of a fleet can have. */
export function placeSettings(
  fleet: ImportedFleet,
  settings: readonly TenantSetting[],
): PlacedSettings {
  const refused = new Map<TenantSetting, string>();
  const placed = new Map<string, TenantSetting[]>();
  for (const setting of settings) {
    const tenant = fleet.tenants.find(({ name }) => name === setting.tenant);
    const before = placed.get(setting.tenant) ?? [];
    const reason = tenant
      ? (findMismatch(tenant, setting) ?? findReason(tenant, [...before, setting], fleet))
      : `no namespace is declared for the tenant ${setting.tenant}`;
    if (reason === undefined) placed.set(setting.tenant, [...before, setting]);
    else refused.set(setting, reason);
  }
  return { placed, refused };
}

/** Returns a spec with settings of its tenant. */
export function applySettings(
  spec: TenantSpec,
  settings: readonly TenantSetting[] = [],
): TenantSpec {
  const own = { ...spec };
  for (const { quota, argocd } of settings.map((setting) => setting.spec)) {
    if (quota) own.quota = { ...own.quota, ...quota };
    if (argocd) own.argocd = { ...own.argocd, ...argocd };
  }
  return own;
}

/** A total that other namespaces share is not the same one. */
function findMismatch(
  { name, namespaces }: ImportedTenant,
  { namespaces: wanted }: TenantSetting,
): string | undefined {
  if (!wanted) return undefined;
  const own = new Set(namespaces.map(({ found }) => found.name));
  const isSame = own.size === wanted.length && wanted.every((one) => own.has(one));
  return isSame ? undefined : `the tenant ${name} is declared with other namespaces than it has`;
}

function findReason(
  { name, spec }: ImportedTenant,
  settings: readonly TenantSetting[],
  { classes, platform }: ImportedFleet,
): string | undefined {
  const klass = classes.find((one) => one.name === spec.className) ?? classes[0]!;
  const tenant = { name, spec: applySettings(spec, settings) };
  const { findings } = desired(tenant, klass, resolvePlatform(platform));
  const error = findings.find(({ severity }) => severity === 'error');
  return error && `${error.message} (${error.rule})`;
}

/** Records at the objects of other systems what became of the fields that are settings. */
export function recordSettings(
  settings: readonly TenantSetting[],
  { refused }: PlacedSettings,
): void {
  for (const setting of settings) {
    const { spec, difference } = setting;
    const reason = refused.get(setting);
    const becomes = `\`${Object.keys(spec).join(' and ')}\` of the tenant`;
    for (const { origin, path } of [setting, ...(setting.others ?? [])]) {
      if (reason !== undefined) origin.leave(path, reason);
      else if (difference !== undefined) origin.change(path, becomes, difference);
      else origin.take(path, becomes);
    }
  }
}
