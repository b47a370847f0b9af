import { show } from '@tenantry/kube/problem';
import { type AccessSubject, parseAccountUser } from '@tenantry/kube/authorization';
import { UsageError } from '../usage-error.ts';

const account = (name: string): AccessSubject | undefined => {
  const [namespace, own, ...more] = name.split('/');
  return namespace && own && more.length === 0
    ? { kind: 'ServiceAccount', name: own, namespace }
    : undefined;
};

/** The prefixes of subjects. A name without one is that of a user. */
const prefixes: Readonly<Record<string, (name: string) => AccessSubject | undefined>> = {
  user: (name) => (name === '' ? undefined : { kind: 'User', name }),
  group: (name) => (name === '' ? undefined : { kind: 'Group', name }),
  serviceaccount: account,
  sa: account,
};

/**
 * Parses a subject of the command line: `alice@example.com`, `group:payments`, `sa:shop/ci`.
 * @throws {UsageError} for anything else
 */
export function parseSubject(text: string): AccessSubject {
  const colon = text.indexOf(':');
  const parse = colon < 0 ? undefined : prefixes[text.slice(0, colon)];
  const subject = parse ? parse(text.slice(colon + 1)) : prefixes['user']!(text);
  if (subject) return parseAccountName(subject);
  throw new UsageError(
    `the subject must be a user such as alice@example.com, a group such as group:payments, or a service account such as sa:shop/ci, got ${show(text)}`,
  );
}

/** Returns the ServiceAccount that a user name is of. */
function parseAccountName(subject: AccessSubject): AccessSubject {
  return subject.kind === 'User' ? (parseAccountUser(subject.name) ?? subject) : subject;
}
