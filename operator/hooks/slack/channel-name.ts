import { createHash } from 'node:crypto';
import type { TenantFacts } from '../sender.ts';

/** The most characters of a channel name. */
const LONGEST = 80;
const HASH = 8;

/**
 * Returns the name of a tenant's channel: lower-case letters, digits, `-` and `_`, at most 80 characters
 * (https://docs.slack.dev/reference/methods/conversations.create). Invalid characters are replaced, and a hash at the
 * end distinguishes names that would become equal.
 * @param pattern contains {tenant}, and may contain {cluster} and {class}
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
