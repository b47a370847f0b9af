import { listed } from '../../kube/problem.ts';

/** What is added to what the first user of a name is told: `(3 tenants name it: a, b, c)`. */
export function namedBy(users: readonly string[], who: string): string {
  return `(${users.length} ${who} name it: ${listed(users)})`;
}
