import type { RequestableRole } from '../../model/layers/break-glass.ts';
import { formatList } from '@tenantry/kube/problem';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { AccessRequest } from '../cluster/kinds.ts';

/** All reasons of the condition `Granted`, with their meaning (docs/break-glass.md contains the same table). */
export const reasons = {
  Granted: 'The access exists until `status.expires`.',
  Expired: 'Its hours are over.',
  Withdrawn: 'Somebody set `spec.withdrawn`.',
  NotDeclared:
    'The tenant does not let the user request the ClusterRole here, or no longer; the message lists what can be requested.',
  TooLong: 'More hours than the tenant allows.',
  Unavailable:
    'The operator makes no grants here: the namespace or the drift policy of the tenant does not allow it; see the message.',
  Unverified:
    'The admission policy of requests was missing or changed, so that the name of the requester is not certain. Create the request again.',
  Refused: 'The API server refuses the RoleBinding; the message contains its error.',
  NotEnded:
    'The access is over, but the API server refuses to remove it; the message contains its error.',
} as const;

/** One of the `reasons`. */
export type Reason = keyof typeof reasons;

/** What can be requested in a namespace, or why nothing can. */
export type Requestable =
  | readonly RequestableRole[]
  | {
      readonly unavailable: string;
      /** Whether a grant that exists stays until it expires. @default false */
      readonly isPassing?: true;
    };

/** What the decision about a request depends on, besides the request and the time. */
export interface RequestFacts {
  readonly requestable: Requestable;
  /** Whether the RoleBinding of the request exists as it would be made. Then the request was verified before. */
  readonly isBound: boolean;
  /** Whether the admission policy of requests was in force when this one was created. */
  readonly isVerified: boolean;
  readonly now: Date;
}

/** The decision about a request: whether its RoleBinding must exist now. */
export interface Decision {
  readonly isGranted: boolean;
  readonly reason: Reason;
  readonly message: string;
  /** When the access ends, or would end. */
  readonly expires: Date;
}

const HOUR = 3_600_000;

/** Returns when the access ends. It depends on nothing that somebody can change, so it never moves. */
export function computeExpiry({ metadata, spec }: Live<typeof AccessRequest>): Date {
  return new Date(Date.parse(metadata.creationTimestamp) + spec.hours * HOUR);
}

/** Whether the hours of a request are over. */
export function isExpired(request: Live<typeof AccessRequest>, now: Date): boolean {
  return now >= computeExpiry(request);
}

/**
 * Decides about a request. It has no memory: the same request and facts lead to the same decision, also after a restart.
 * What the declaration no longer allows is not granted, even if it was before.
 */
export function decide(request: Live<typeof AccessRequest>, facts: RequestFacts): Decision {
  const expires = computeExpiry(request);
  const refusal = findRefusal(request, facts, expires);
  if (refusal) return { isGranted: false, ...refusal, expires };
  const { user, clusterRole } = request.spec;
  const message = `${user} has ClusterRole ${clusterRole} here`;
  return { isGranted: true, reason: 'Granted', message, expires };
}

function findRefusal(
  { metadata, spec }: Live<typeof AccessRequest>,
  { requestable, isBound, isVerified, now }: RequestFacts,
  expires: Date,
): { readonly reason: Reason; readonly message: string } | undefined {
  if (now >= expires) return { reason: 'Expired', message: 'the hours of the request are over' };
  if (spec.withdrawn || metadata.deletionTimestamp !== undefined) {
    return { reason: 'Withdrawn', message: 'the request was withdrawn' };
  }
  if ('unavailable' in requestable) {
    if (requestable.isPassing && isBound) return undefined;
    return { reason: 'Unavailable', message: requestable.unavailable };
  }
  const role = requestable.find(({ clusterRole }) => clusterRole === spec.clusterRole);
  if (!role) {
    const roles = formatList(requestable.map(({ clusterRole }) => clusterRole));
    const message = `must be a ClusterRole that can be requested here (${roles || 'none'}), got ${spec.clusterRole}`;
    return { reason: 'NotDeclared', message };
  }
  // The admission policy has checked that the requester is in the group.
  const isByGroup = spec.group !== undefined && role.groups.includes(spec.group);
  if (!isByGroup && !role.users.includes(spec.user)) {
    return { reason: 'NotDeclared', message: explainUnlisted(spec, role) };
  }
  if (spec.hours > role.maxHours) {
    const message = `must be at most ${role.maxHours} hours for ${spec.clusterRole}, got ${spec.hours}`;
    return { reason: 'TooLong', message };
  }
  if (isVerified || isBound) return undefined;
  const message =
    'the admission policy that verifies requesters was missing or changed when the request was created; create it again';
  return { reason: 'Unverified', message };
}

function explainUnlisted(
  { user, group, clusterRole }: Live<typeof AccessRequest>['spec'],
  { groups, users }: RequestableRole,
): string {
  const got = group === undefined ? `${user} without spec.group` : `${user} of ${group}`;
  const listed = [...groups.map((one) => `group ${one}`), ...users];
  return `must be requested by one of those who are listed for ${clusterRole} (${formatList(listed)}), got ${got}`;
}
