import {
  type AccessSubject,
  type AuthorizationRequest,
  formatSubject,
  isSystemSubject,
  type Requester,
  ruleAllows,
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

/**
 * Names the subjects that may do something only with objects of some names, which a request without a name does not show.
 * @param shown the subjects that may do it with every object
 */
export function explainNamedSubjects(
  { authorizer }: AccessSource,
  request: AuthorizationRequest,
  {
    allNamespaces,
    shown,
  }: { readonly allNamespaces: boolean; readonly shown: ReadonlySet<string> },
): string[] {
  if ('path' in request || request.name !== undefined) return [];
  const { namespace } = request;
  const namespaces = allNamespaces
    ? authorizer.namespaces
    : namespace === undefined
      ? []
      : [namespace];
  const memberships = [
    ...authorizer.listClusterMemberships(),
    ...namespaces.flatMap((one) => authorizer.listNamespaceMemberships(one)),
  ];
  const found = new Map<string, Set<string>>();
  for (const { subject, role } of memberships) {
    const key = formatSubject(subject);
    if (shown.has(key) || isSystemSubject(subject)) continue;
    const names = (role?.rules ?? []).flatMap(({ rule }) =>
      (rule.resourceNames ?? []).filter((name) => ruleAllows(rule, { ...request, name })),
    );
    if (names.length > 0) found.set(key, new Set([...(found.get(key) ?? []), ...names]));
  }
  const notes = [...found].map(([subject, names]) => {
    const listed = [...names].toSorted().slice(0, MAX_NAMES);
    return `${subject} may do it with objects of these names, see --name: ${formatList(listed)}`;
  });
  return notes.toSorted();
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
