import type { TenantStatus } from '../../crds/tenantry/tenant-status.ts';
import type { Fight } from './attempts.ts';

/** Reads the fights that a status records, even those of an earlier process. */
export function rememberedFights(status: TenantStatus | undefined, now: Date): readonly Fight[] {
  return (status?.leftAlone ?? []).map(({ object, declared, healed, until }) => ({
    key: object,
    declared,
    healed,
    left: Date.parse(until) - now.getTime(),
    message: `${nameOfKey(object)} was healed ${healed} times or more, and is changed again`,
  }));
}

/** Returns `ResourceQuota pay-prod/quota` for `/ResourceQuota pay-prod/quota`. */
function nameOfKey(key: string): string {
  return key.replace(/^[^ ]*\//, '').replace(/ \//, ' ');
}
