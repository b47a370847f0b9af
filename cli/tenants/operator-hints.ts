import { formatList } from '@tenantry/kube/problem';
import { count } from '../console-output.ts';
import { isCurrent, summarizeTenant, type LiveTenant } from './tenant-summary.ts';

/** A reason why the printed state may be outdated. */
interface Hint {
  readonly message: string;
  readonly tenants: readonly string[];
}

/** Milliseconds within which a running operator has written the status of a Tenant. */
const patience = 60_000;

/**
 * Warns that no operator seems to run. The signs are a Tenant without a status after a minute, and
 * a Tenant whose status is outdated a minute after a change.
 */
export function findOperatorHints(tenants: readonly LiveTenant[], now: Date): readonly Hint[] {
  const isLate = (time: string): boolean => now.getTime() - Date.parse(time) > patience;
  const late = tenants.filter((tenant) => isLate(changedAt(tenant)));
  const unseen = late.filter((tenant) => summarizeTenant(tenant).state === 'Unseen');
  const outdated = late.filter((tenant) => {
    const summary = summarizeTenant(tenant);
    return summary.state !== 'Unseen' && !isCurrent(summary);
  });
  return [
    hint(unseen, 'has no status', 'have no status'),
    hint(
      outdated,
      'changed over a minute ago, and its status is outdated',
      'changed over a minute ago, and their status is outdated',
    ),
  ].flat();
}

function hint(tenants: readonly LiveTenant[], one: string, several: string): readonly Hint[] {
  if (tenants.length === 0) return [];
  const names = tenants.map(({ metadata }) => metadata.name);
  const does = names.length === 1 ? one : several;
  const message = `${count(names.length, 'tenant')} ${does} (${formatList(names)}): the operator does not seem to run on this cluster`;
  return [{ message, tenants: names }];
}

/**
 * Returns when the spec was last written, according to the API server, or else when the Tenant was
 * created.
 */
function changedAt({ metadata }: LiveTenant): string {
  const written = (metadata.managedFields ?? [])
    .filter(({ subresource }) => subresource === undefined)
    .flatMap(({ time }) => time ?? []);
  return written.reduce((a, b) => (a > b ? a : b), metadata.creationTimestamp);
}
