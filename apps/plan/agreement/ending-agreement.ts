import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { texts } from '@tenantry/kube/rights/rights';
import type { Settings } from '../../../crds/settings.ts';
import type { TenantSpec } from '../../../crds/tenant.ts';
import { validateTenantSpec } from '../../../model/declared-objects.ts';
import { listTenantEndings } from '../../../model/endings.ts';
import { dropEnded } from '../../../model/layers/current-layer.ts';

/**
 * Whether something in a Tenant ends later than before, or may no longer end. Other objects do not show that until the
 * end. An entry that is removed, while everything that lasts stays as it is, gives nobody more.
 */
export function extendsEnding(before: KubeObject, after: KubeObject): boolean {
  const [was, is] = [readSpec(before), readSpec(after)];
  if (!was || !is) return true;
  const endings = listTenantEndings({ spec: is });
  const missing = listTenantEndings({ spec: was }).filter(
    ({ what, until }) => !endings.some((one) => one.what === what && one.until <= until),
  );
  const isLater = missing.some(({ what }) => endings.some((one) => one.what === what));
  return isLater || (missing.length > 0 && formatLasting(was) !== formatLasting(is));
}

/** Whether something in a Tenant ends that did not end before, or ends earlier. */
export function endsEarlier(before: KubeObject | undefined, after: KubeObject): boolean {
  const [was, is] = [before && readSpec(before), readSpec(after)];
  const known = was ? listTenantEndings({ spec: was }) : [];
  const endings = is ? listTenantEndings({ spec: is }) : [];
  return endings.some(
    ({ what, until }) => !known.some((one) => one.what === what && one.until <= until),
  );
}

/**
 * Returns the groups of a Tenant or a class that administer namespaces only until a day. A group that also administers one
 * without an end is not among them.
 */
export function listEndingAdmins({ kind, spec = {} }: KubeObject): readonly string[] {
  const layers =
    kind === 'Tenant'
      ? [spec, ...listAt(spec, ['namespaces'])]
      : [valueAt(spec, ['defaults']), ...listAt(spec, ['environments'])];
  const admins = layers.map((layer) => valueAt(layer, ['access', 'admins']));
  const lasting = new Set(admins.flatMap((one) => texts(valueAt(one, ['groups']))));
  return admins
    .flatMap((one) => listAt(one, ['temporary']))
    .flatMap((one) => texts(valueAt(one, ['groups'])))
    .filter((group) => !lasting.has(group));
}

/** Returns the spec of a rendered Tenant; undefined if it does not match its schema. */
function readSpec({ metadata, spec = {} }: KubeObject): TenantSpec | undefined {
  const declared = spec as TenantSpec;
  const faults = validateTenantSpec({ name: metadata.name, spec: declared });
  return faults.length > 0 ? undefined : declared;
}

/** After every date. */
const NEVER = '9999-12-32';

/** Formats what does not end in a Tenant. */
function formatLasting({ namespaces = [], ...spec }: TenantSpec): string {
  return JSON.stringify(withoutEmpty([spec, ...namespaces].map(selectLasting)));
}

function selectLasting(declared: Settings): Settings {
  const layer = { settings: declared, byTenant: true, at: () => [] };
  const { quota, ...settings } = dropEnded(layer, NEVER).settings;
  const { temporary: _raised, ...lasting } = quota ?? {};
  return { ...settings, quota: lasting };
}

/** Removes empty lists and mappings, which declare nothing. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : value.map(withoutEmpty);
  }
  if (!isMapping(value)) return value;
  const kept = Object.entries(value)
    .map(([key, inner]) => [key, withoutEmpty(inner)] as const)
    .filter(([, inner]) => inner !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
