import { formatList } from '../../kube/problem.ts';
import { count } from '../words.ts';
import { isCurrent, summarizeTenant, type LiveTenant } from './standing.ts';

/** Why what is printed may not be how it is. */
export interface Hint {
  readonly message: string;
  readonly tenants: readonly string[];
}

/** Milliseconds within which an operator that runs has said something of a Tenant. */
const patience = 60_000;

/**
 * What tells that no operator runs: a Tenant that is older than a minute and has no status, or was changed
 * over a minute ago and has a status of before.
 */
export function hintsOf(tenants: readonly LiveTenant[], now: Date): readonly Hint[] {
  const isLate = (time: string): boolean => now.getTime() - Date.parse(time) > patience;
  const late = tenants.filter((tenant) => isLate(changedAt(tenant)));
  const unseen = late.filter((tenant) => summarizeTenant(tenant).state === 'Unseen');
  const outdated = late.filter((tenant) => {
    const standing = summarizeTenant(tenant);
    return standing.state !== 'Unseen' && !isCurrent(standing);
  });
  return [
    hint(unseen, 'has no status', 'have no status'),
    hint(
      outdated,
      'has changed over a minute ago, and its status is of before',
      'have changed over a minute ago, and their status is of before',
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

/** When what is declared was written last, as far as the API server tells; else when it was made. */
function changedAt({ metadata }: LiveTenant): string {
  const written = (metadata.managedFields ?? [])
    .filter(({ subresource }) => subresource === undefined)
    .flatMap(({ time }) => time ?? []);
  return written.reduce((a, b) => (a > b ? a : b), metadata.creationTimestamp);
}
