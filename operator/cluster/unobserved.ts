import { formatTime } from '@tenantry/kube/time';
import { truncate } from '@tenantry/kube/printable';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import { resourceOf, type Kind } from '@tenantry/runtime/kinds/kind';
import type { Outage } from '@tenantry/runtime/watch/failures';
import { ApiError } from '@tenantry/runtime/errors/api-error';

/** Milliseconds for which lists and watches of a kind may fail before its state counts as unknown. */
export const MAX_OUTAGE = 60_000;

/** A kind whose objects are not observed at the moment. */
interface Unobserved {
  readonly kind: Kind;
  /** Whether it was read once, so that an earlier state is known. */
  readonly isRead: boolean;
  /** Since when it is not observed, and why. */
  readonly message: string;
}

/** Returns the kinds that could not be listed or watched for long. */
export function findUnobservedKinds<K extends Kind>(
  kinds: readonly K[],
  cache: Pick<CacheView<K>, 'isRead' | 'outageOf'>,
): readonly Unobserved[] {
  return kinds.flatMap((kind) => {
    const isRead = cache.isRead(kind);
    const outage = cache.outageOf(kind);
    if (isRead && !isLongOutage(outage)) return [];
    return [{ kind, isRead, message: formatMessage(resourceOf(kind), outage) }];
  });
}

/**
 * Returns the unreadable objects that concern a tenant: its own Tenant, every class, its Namespaces and their objects.
 * Their last readable state may be known.
 */
export function findUnreadableObjects<K extends Kind>(
  kinds: readonly K[],
  { tenant, namespaces }: { readonly tenant: string; readonly namespaces: readonly string[] },
  cache: Pick<CacheView<K>, 'unreadableOf'>,
): readonly string[] {
  return kinds.flatMap((kind) =>
    cache.unreadableOf(kind).flatMap(({ metadata: { name, namespace }, error }) => {
      const isClass = kind.kind === 'TenantClass';
      const isOwn =
        kind.kind === 'Tenant' ? name === tenant : namespaces.includes(namespace ?? name);
      if (!isClass && !isOwn) return [];
      const place = namespace === undefined ? name : `${namespace}/${name}`;
      return [`${resourceOf(kind)} ${place} cannot be read: ${describeError(error)}`];
    }),
  );
}

export function isLongOutage(outage: Outage | undefined): boolean {
  return outage !== undefined && outage.until - outage.since >= MAX_OUTAGE;
}

function formatMessage(resource: string, outage: Outage | undefined): string {
  if (!outage) return `${resource} have not been listed yet`;
  const { during, began, error } = outage;
  const what = during === 'list' ? 'listed' : 'watched';
  return `${resource} cannot be ${what} since ${formatTime(began)}: ${describeError(error)}`;
}

/** The most characters of an error that a status shows. */
const MAX_ERROR_LENGTH = 240;

/** Describes an error in one line of a status: `Forbidden: networkpolicies "isolation" is forbidden: ...`. */
export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const words = error instanceof ApiError ? `${error.reason}: ${message}` : message;
  return truncate(words.replaceAll(/\s+/g, ' ').trim(), MAX_ERROR_LENGTH);
}
