import { formatFinding } from '@tenantry/kube/finding';
import { formatList } from '@tenantry/kube/problem';
import { validateSpec } from '../crds/declared-kind.ts';
import { tenant as tenantKind } from '../crds/tenant.ts';
import type { ClassException, TenantSpec } from '../crds/types.ts';
import type { TenantClassDeclaration } from '../model/declaration.ts';
import { withExceptions } from './class-exceptions.ts';
import { isEqual } from './counting.ts';
import { REASON, type ExceptionParts } from './exceptions.ts';
import type { TenantSetting } from './systems/translated-parts.ts';
import type { TenantTrials } from './tenant-trials.ts';

/** Settings of tenants that no object states. */
export interface PlacedSettings {
  /** By the name of their tenant, which accepts them. */
  readonly placed: ReadonlyMap<string, readonly TenantSetting[]>;
  /** The settings that no tenant can have, and why. */
  readonly refused: ReadonlyMap<TenantSetting, string>;
  /** What the class must allow the tenants besides, for their settings. */
  readonly exceptions: ReadonlyMap<string, ClassException>;
}

/** A tenant before its settings. */
export interface TenantWithoutSettings {
  readonly name: string;
  readonly spec: TenantSpec;
  readonly namespaces: readonly string[];
  readonly exceptions: readonly ClassException[];
}

interface Surroundings {
  readonly klass: TenantClassDeclaration;
  readonly trials: TenantTrials;
}

/** Decides which settings tenants can have. What only a class has to allow, an exception allows. */
export function placeSettings(
  tenants: readonly TenantWithoutSettings[],
  settings: readonly TenantSetting[],
  surroundings: Surroundings,
): PlacedSettings {
  const refused = new Map<TenantSetting, string>();
  const placed = new Map<string, readonly TenantSetting[]>();
  const exceptions = new Map<string, ClassException>();
  const byName = new Map(tenants.map((tenant) => [tenant.name, tenant]));
  for (const setting of settings) {
    const tenant = byName.get(setting.tenant);
    const own = [...(placed.get(setting.tenant) ?? []), setting];
    const verdict = tenant
      ? tryPlacement(tenant, own, surroundings)
      : `no namespace is declared for the tenant ${setting.tenant}`;
    if (typeof verdict === 'string') refused.set(setting, verdict);
    else {
      placed.set(setting.tenant, own);
      if (verdict) exceptions.set(setting.tenant, verdict);
    }
  }
  return { placed, refused, exceptions };
}

/** Returns a spec with settings of its tenant. Lists add up. */
export function applySettings(
  spec: TenantSpec,
  settings: readonly TenantSetting[] = [],
): TenantSpec {
  const own = { ...spec };
  for (const { quota, argocd, description } of settings.map((setting) => setting.spec)) {
    if (description !== undefined) own.description = description;
    if (quota) own.quota = { ...own.quota, ...quota };
    if (argocd) own.argocd = mergeArgoCD(own.argocd ?? {}, argocd);
  }
  // A description comes first.
  return own.description === undefined ? own : { description: own.description, ...own };
}

type ArgoCD = NonNullable<TenantSpec['argocd']>;

function mergeArgoCD(below: ArgoCD, above: ArgoCD): ArgoCD {
  const lists = Object.entries(above).map(([key, value]) => {
    const before = below[key as keyof ArgoCD] as readonly unknown[] | undefined;
    const more = (value as readonly unknown[]).filter(
      (one) => !before?.some((other) => isEqual(other, one)),
    );
    return [key, [...(before ?? []), ...more]];
  });
  return { ...below, ...(Object.fromEntries(lists) as ArgoCD) };
}

/** Returns why a tenant cannot have its last setting, or what its class must allow for all of them. */
function tryPlacement(
  tenant: TenantWithoutSettings,
  settings: readonly TenantSetting[],
  { klass, trials }: Surroundings,
): string | ClassException | undefined {
  const setting = settings.at(-1)!;
  const reason = findMisfit(tenant, setting);
  if (reason !== undefined) return reason;
  if (Object.keys(setting.spec).length === 0) return buildAllowance(tenant, settings);
  const spec = applySettings(tenant.spec, settings);
  const { description } = applySettings(tenant.spec, settings.slice(0, -1));
  if (description !== undefined && description !== spec.description) {
    return `the tenant ${tenant.name} has another description already`;
  }
  if (spec.argocd && !spec.argocd.sourceRepos?.length) {
    return 'it has an effect only on repositories of the tenant, and the tenant has none';
  }
  const [fault] = validateSpec(tenantKind, spec);
  if (fault) return formatFinding({ ...fault, path: [] });
  const exception = buildAllowance(tenant, settings);
  const all = exception ? [...tenant.exceptions, exception] : tenant.exceptions;
  const own = { name: tenant.name, spec };
  const [error] = trials.findErrors(own, withExceptions(klass, all));
  return error ? `${error.message} (${error.rule})` : exception;
}

function findMisfit(
  { name, namespaces }: TenantWithoutSettings,
  { within, covers = [] }: TenantSetting,
): string | undefined {
  const beyond = within ? namespaces.filter((one) => !within.has(one)) : [];
  if (beyond.length > 0) {
    return `the tenant ${name} also has ${formatList(beyond)}, for which it is not meant`;
  }
  const own = new Set(namespaces);
  const lacking = covers.filter((one) => !own.has(one));
  return lacking.length > 0
    ? `${formatList(lacking)} is not declared for the tenant ${name}`
    : undefined;
}

/** Returns what a class must allow a tenant so that it may have what the settings name. */
function buildAllowance(
  { name }: TenantWithoutSettings,
  settings: readonly TenantSetting[],
): ClassException | undefined {
  const { argocd } = applySettings({}, settings);
  if (!argocd) return undefined;
  const { sourceRepos, namespaceResourceWhitelist, sourceNamespaces } = argocd;
  const parts: ExceptionParts = {
    allow: {
      ...(sourceRepos && { sourceRepos }),
      ...(namespaceResourceWhitelist && { namespaceResourceWhitelist }),
      ...(sourceNamespaces && { sourceNamespaces: 'Allow' }),
    },
  };
  if (Object.keys(parts.allow!).length === 0) return undefined;
  return { tenants: [name], reason: REASON, ...parts };
}

/** Records at the objects of other systems what became of the fields that are settings. */
export function recordSettings(
  settings: readonly TenantSetting[],
  { refused }: PlacedSettings,
): void {
  for (const setting of settings) {
    const { origin, path, others = [], tenant, spec, difference } = setting;
    const reason = refused.get(setting);
    const fields = Object.keys(spec).join(' and ') || 'namespaces';
    const becomes = `\`${fields}\` of the tenant ${tenant}`;
    for (const { origin: one, path: at } of [{ origin, path }, ...others]) {
      if (reason !== undefined) one.leave(at, reason);
      else if (difference !== undefined) one.change(at, becomes, difference);
      else one.take(at, becomes);
    }
  }
}
