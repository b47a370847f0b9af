import {
  canHaveResourceNames,
  isVerb,
  permits,
  type AccessRule,
  type Verb,
} from '../../kube/access.ts';

/** One entry of an audit log (audit.k8s.io/v1, Event), of level Metadata or more. */
export interface AuditedRequest {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly impersonatedUser?: { readonly username: string } | undefined;
  /** Absent where the request was for no resource. */
  readonly objectRef?:
    | {
        readonly resource: string;
        readonly apiGroup?: string | undefined;
        readonly subresource?: string | undefined;
        readonly namespace?: string | undefined;
        readonly name?: string | undefined;
      }
    | undefined;
  /** Absent before there is an answer. */
  readonly responseStatus?:
    { readonly code?: number | undefined; readonly message?: string | undefined } | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Somebody's rights, and the log that shows what they were for. */
export interface AccessUseProps {
  /** Whose: `system:serviceaccount:<namespace>:<name>` for a ServiceAccount. */
  readonly user: string;
  /** What the roles were made of. */
  readonly access: readonly AccessRule[];
  /** The audit log, or the part of it that the test is about. Those of other users are left out. */
  readonly entries: Iterable<AuditedRequest>;
}

/** A request as an authorizer sees it, once however often it came. */
export interface AskedAccess {
  readonly verb: string;
  /** '' is the core group. */
  readonly group: string;
  /** `pods`, `pods/status` */
  readonly resource: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** A request that was refused, once however often it came. */
export interface RefusedAccess extends AskedAccess {
  /** In the words of the API server. */
  readonly message: string;
}

/** How what somebody may do compares with what was done. */
export interface AccessUse {
  /** What is allowed and was never done: a rule for each resource, name and namespace, with the verbs. */
  readonly unused: readonly AccessRule[];
  /** What was answered with 403, by the authorizer or later: by a quota, by an admission webhook. */
  readonly refused: readonly RefusedAccess[];
  /** What the API server allowed and no rule does: other roles are bound to the user. */
  readonly ungranted: readonly AskedAccess[];
}

/**
 * Compares what somebody may do with what the audit log of an API server says that was done: under
 * roles that are made of the same rules, nothing should be refused, and nothing unused.
 *
 * - A right is used by a request that it allows, whatever came of it: an object that is not found was
 *   read all the same.
 * - Server-side apply and updates that made an object have used `create` too.
 * - An entry is written after the answer, so a test asks until the last one is there.
 * - Nothing is said of requests for no resource, such as `/healthz`, nor of rights that the API server
 *   asks about by itself: `bind`, `escalate`, or `update` of `finalizers`, which
 *   OwnerReferencesPermissionEnforcement wants of owners. These are `unused`.
 *
 * @example
 * ```ts
 * import { allow, core } from 'tenantry/runtime';
 * import { accessUse, type AuditedRequest } from 'tenantry/testing';
 *
 * const user = 'system:serviceaccount:shop:keeper';
 * const entry = (verb: string, code: number): AuditedRequest => ({
 *   verb,
 *   user: { username: user },
 *   objectRef: { resource: 'pods', namespace: 'shop' },
 *   responseStatus: { code },
 * });
 * // In a test, the lines of the log: `text.trim().split('\n').map((line) => JSON.parse(line))`.
 * const entries = [entry('list', 200), entry('watch', 200), entry('create', 403)];
 * const access = [allow(core.Pod, 'list', 'watch', 'delete').in('shop')];
 * const { unused, refused, ungranted } = accessUse({ user, access, entries });
 * console.log(unused.map(({ resource, verbs }) => [resource, ...verbs])); // [ [ 'pods', 'delete' ] ]
 * console.log(refused.map(({ verb, resource }) => [verb, resource])); // [ [ 'create', 'pods' ] ]
 * console.log(ungranted); // []
 * ```
 */
export function accessUse({ user, access, entries }: AccessUseProps): AccessUse {
  const own = [...entries].filter((one) => (one.impersonatedUser ?? one.user).username === user);
  const allowed = distinct(own.filter(isAuthorized).flatMap(listAccessRequests));
  const refused = own.filter(({ responseStatus }) => responseStatus?.code === 403);
  return {
    unused: mergeRules(
      access.flatMap(splitRule).filter((one) => !allowed.some(isPermittedBy([one]))),
    ),
    refused: distinct(refused.flatMap((one) => toAccessRequests(one).map(withMessage(one)))),
    ungranted: allowed.filter((request) => !isPermittedBy(access)(request)),
  };
}

/** The authorizer's own word, where the log has it: admission refuses with 403 too. */
function isAuthorized({ annotations, responseStatus }: AuditedRequest): boolean {
  const decision = annotations?.['authorization.k8s.io/decision'];
  if (decision !== undefined) return decision === 'allow';
  const code = responseStatus?.code;
  return code !== undefined && code !== 401 && code !== 403;
}

/** For what the request was, as authorizers are asked: none where it was for no resource. */
function toAccessRequests({ verb, objectRef }: AuditedRequest): AskedAccess[] {
  if (!objectRef) return [];
  const { apiGroup: group = '', subresource, name, namespace } = objectRef;
  const resource = subresource ? `${objectRef.resource}/${subresource}` : objectRef.resource;
  // The log has the name of what was made, which no path had.
  const isNamed = name && (!isVerb(verb) || canHaveResourceNames(verb, resource));
  return [{ verb, group, resource, ...(isNamed && { name }), ...(namespace && { namespace }) }];
}

/** The same, and what the API server asked about besides. */
function listAccessRequests(entry: AuditedRequest): AskedAccess[] {
  const isMade = entry.responseStatus?.code === 201;
  const isMadeByWriting = isMade && (entry.verb === 'patch' || entry.verb === 'update');
  return [
    ...toAccessRequests(entry),
    ...(isMadeByWriting ? toAccessRequests({ ...entry, verb: 'create' }) : []),
  ];
}

const withMessage =
  ({ responseStatus }: AuditedRequest) =>
  (asked: AskedAccess): RefusedAccess => ({ ...asked, message: responseStatus?.message ?? '' });

const isPermittedBy =
  (rules: readonly AccessRule[]) =>
  ({ verb, ...request }: AskedAccess): boolean =>
    isVerb(verb) && permits(rules, { ...request, verb });

/** A right that cannot be taken apart. */
interface SingleVerbRule extends AccessRule {
  readonly verbs: readonly [Verb];
}

function splitRule({
  group,
  resource,
  verbs,
  resourceNames,
  namespaces,
}: AccessRule): SingleVerbRule[] {
  const names = resourceNames?.map((name) => ({ resourceNames: [name] })) ?? [{}];
  const places = namespaces?.map((namespace) => ({ namespaces: [namespace] })) ?? [{}];
  return names.flatMap((name) =>
    places.flatMap((place) =>
      verbs.map((verb): SingleVerbRule => ({ group, resource, verbs: [verb], ...name, ...place })),
    ),
  );
}

/** Of rights that differ in the verb alone, one rule; in their order. */
function mergeRules(rights: readonly SingleVerbRule[]): AccessRule[] {
  const alike = Map.groupBy(rights, (one) => JSON.stringify({ ...one, verbs: [] }));
  return [...alike.values()].flatMap((some) =>
    some.slice(0, 1).map((first) => ({
      ...first,
      verbs: [...new Set(some.flatMap(({ verbs }) => verbs))],
    })),
  );
}

function distinct<T>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
