import { createHash } from 'node:crypto';
import type { TenantFacts } from '../sender.ts';

/** Characters of a name of a channel. */
const LONGEST = 80;
const HASH = 8;

/**
 * The name of a tenant's channel: lower-case letters, digits, `-` and `_`, at most 80 characters
 * (https://docs.slack.dev/reference/methods/conversations.create). What does not fit is changed, and a hash at the
 * end keeps it apart from others that are changed to the same.
 * @param pattern has {tenant} in it, and may have {cluster} and {class}
 */
export function channelName(pattern: string, tenant: TenantFacts): string {
  const { name, cluster, className } = tenant;
  const values = new Map([
    ['tenant', name],
    ['cluster', cluster],
    ['class', className],
  ]);
  const meant = pattern.replace(/\{(\w+)\}/g, (_, key: string) => values.get(key) ?? '');
  const fits = meant.toLowerCase().replace(/[^-_a-z0-9]/g, '-');
  if (fits === meant && fits.length <= LONGEST) return fits;
  const hash = createHash('sha256').update(meant).digest('hex').slice(0, HASH);
  return `${fits.slice(0, LONGEST - HASH - 1)}-${hash}`;
}
