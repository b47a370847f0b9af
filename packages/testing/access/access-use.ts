import {
  canHaveResourceNames,
  isVerb,
  permits,
  type AccessRule,
  type Verb,
} from '@tenantry/kube/access';
import { omitUndefined } from '@tenantry/kube/mapping';

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

/** A user's rights, and the audit log to compare them with. */
export interface AccessUseProps {
  /** The user: `system:serviceaccount:<namespace>:<name>` for a ServiceAccount. */
  readonly user: string;
  /** The access rules that the user's roles were built from. */
  readonly access: readonly AccessRule[];
  /** The audit log, or the part of it that the test covers. Entries of other users are ignored. */
  readonly entries: Iterable<AuditedRequest>;
}

/** A request as an authorizer sees it. Identical requests are listed once. */
export interface AskedAccess {
  readonly verb: string;
  /** '' is the core group. */
  readonly group: string;
  /** `pods`, `pods/status` */
  readonly resource: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** A request that was refused. Identical requests are listed once. */
export interface RefusedAccess extends AskedAccess {
  /** The message of the API server. */
  readonly message: string;
}

/** The difference between the rights of a user and the requests that the user sent. */
export interface AccessUse {
  /** Rights that no request used: a rule for each resource, name and namespace, with the verbs. */
  readonly unused: readonly AccessRule[];
  /**
   * Requests that were answered with 403, by the authorizer or later: by a quota or by an admission
   * webhook.
   */
  readonly refused: readonly RefusedAccess[];
  /** Requests that the API server allowed and that no rule covers: other roles are bound to the user. */
  readonly ungranted: readonly AskedAccess[];
}

/**
 * Compares the rights of a user with the requests of that user in an API server's audit log. If the
 * user's roles were built from the same rules, nothing should be refused and nothing unused.
 *
 * - A request uses the right that allows it, whatever the result: a `get` that returns 404 is a read.
 * - Server-side apply and updates that created an object also used `create`.
 * - The API server writes an entry after its answer, so a test polls until the last entry is there.
 * - Requests without a resource, such as `/healthz`, are ignored.
 * - Rights that the API server checks by itself are reported as `unused`: `bind`, `escalate`, and
 *   `update` of `finalizers`, which OwnerReferencesPermissionEnforcement requires for owners.
 *
 * @example
 * ```ts
 * import { allow, core } from '@tenantry/runtime';
 * import { accessUse, type AuditedRequest } from '@tenantry/testing';
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

/** Reads the authorizer's decision from the entry where the log has it: admission refuses with 403 too. */
function isAuthorized({ annotations, responseStatus }: AuditedRequest): boolean {
  const decision = annotations?.['authorization.k8s.io/decision'];
  if (decision !== undefined) return decision === 'allow';
  const code = responseStatus?.code;
  return code !== undefined && code !== 401 && code !== 403;
}

/** Returns the access that the authorizer checks for the request: none for a request without a resource. */
function toAccessRequests({ verb, objectRef }: AuditedRequest): AskedAccess[] {
  if (!objectRef) return [];
  const { apiGroup: group = '', subresource, name, namespace } = objectRef;
  const resource = subresource ? `${objectRef.resource}/${subresource}` : objectRef.resource;
  // The log has the name of the created object; the path of a create request has none.
  const isNamed = name && (!isVerb(verb) || canHaveResourceNames(verb, resource));
  return [
    omitUndefined({
      verb,
      group,
      resource,
      name: isNamed ? name : undefined,
      namespace: namespace || undefined,
    }),
  ];
}

/** Returns the access of `toAccessRequests` and what the API server checks in addition. */
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

/** A right with a single verb. */
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

/** Merges rights that differ only in the verb into one rule, in their order. */
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
