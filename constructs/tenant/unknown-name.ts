import { formatList } from '../../kube/problem.ts';

/** Formats the suffix of a finding about an unknown name: `(3 tenants name it: a, b, c)`. */
export function formatUsers(users: readonly string[], who: string): string {
  return `(${users.length} ${who} name it: ${formatList(users)})`;
}
