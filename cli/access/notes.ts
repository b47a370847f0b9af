import {
  type AccessSubject,
  type AuthorizationRequest,
  formatSubject,
  type Requester,
} from '@tenantry/kube/authorization';
import { didYouMean, findNearest, formatList, show } from '@tenantry/kube/problem';
import type { AccessSource } from './access-source.ts';

/** Explains what is probably a mistake in a request: the objects have nothing in its namespace. */
export function listNotes(source: AccessSource, request: AuthorizationRequest): string[] {
  if ('path' in request || request.namespace === undefined) return [];
  const { namespace } = request;
  const known = new Set([...source.tenants.keys(), ...source.authorizer.namespaces]);
  if (known.has(namespace)) return [];
  const what = source.isLive ? 'the cluster has no' : 'the files have nothing in a';
  return [`${what} namespace ${show(namespace)}${didYouMean(findNearest(namespace, known))}`];
}

/** The number of names that are tried. */
const MAX_NAMES = 20;

/** Explains that only objects of some names are allowed; nothing if a request has a name already. */
export function explainNames(
  { authorizer }: AccessSource,
  requester: Requester,
  request: AuthorizationRequest,
): string[] {
  if ('path' in request || request.name !== undefined) return [];
  const names = new Set(
    authorizer
      .listMemberships(requester)
      .flatMap(({ role }) => role?.rules ?? [])
      .flatMap(({ rule }) => rule.resourceNames ?? []),
  );
  const allowed = [...names]
    .slice(0, MAX_NAMES)
    .filter((name) => authorizer.decide(requester, { ...request, name }).answer === 'yes');
  if (allowed.length === 0) return [];
  return [`objects of these names are allowed, see --name: ${formatList(allowed)}`];
}

/** Explains that no binding names a subject, and whether one of another kind has its name. */
export function explainSubject(source: AccessSource, subject: AccessSubject): string[] {
  const { authorizer } = source;
  if (authorizer.names(formatSubject(subject))) return [];
  const other =
    subject.kind === 'User' ? 'Group' : subject.kind === 'Group' ? ('User' as const) : undefined;
  const isOther =
    other !== undefined && authorizer.names(formatSubject({ kind: other, name: subject.name }));
  const hint = isOther ? `, but one names ${other} ${subject.name}` : '';
  return [`no binding names ${formatSubject(subject)}${hint}`];
}
