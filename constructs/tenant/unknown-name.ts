import { formatList } from '../../kube/problem.ts';

/** What is added to what the first user of a name is told: `(3 tenants name it: a, b, c)`. */
export function formatUsers(users: readonly string[], who: string): string {
  return `(${users.length} ${who} name it: ${formatList(users)})`;
}
