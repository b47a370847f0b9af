import type { Holders } from '../../crds/access.ts';

/**
 * A subject of cdk8s-plus, of any version: a User, a Group or a ServiceAccount.
 *
 * @example
 * ```ts
 * import { holdersOf, type Subject } from 'tenantry';
 *
 * const team: Subject = { toSubjectConfiguration: () => ({ kind: 'Group', name: 'payments' }) };
 * console.log(holdersOf(team).groups); // [ 'payments' ]
 * ```
 */
export interface Subject {
  toSubjectConfiguration(): {
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
  };
}

/**
 * Converts subjects of cdk8s-plus to holders of a role, for `access` of a Tenant.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { Group } from 'cdk8s-plus-28';
 * import { App, holdersOf, Tenant } from 'tenantry';
 *
 * const app = new App();
 * const team = Group.fromName(new Chart(app, 'people'), 'team', 'github:payments');
 * new Tenant(app, 'payments', { access: { admins: holdersOf(team) } });
 * console.log(holdersOf(team).groups); // [ 'github:payments' ]
 * ```
 *
 * @throws {Error} for a ServiceAccount that names no namespace, and for a subject of another kind
 */
export function holdersOf(...subjects: readonly Subject[]): Holders {
  const found = subjects.map((subject) => subject.toSubjectConfiguration());
  const named = (kind: string): string[] =>
    found.filter((subject) => subject.kind === kind).map(({ name }) => name);
  const serviceAccounts = found
    .filter(({ kind }) => kind === 'ServiceAccount')
    .map(({ name, namespace }) => {
      if (namespace !== undefined) return { name, namespace };
      throw new Error(`service account ${name} must have a namespace, got none: give it one`);
    });
  for (const { kind, name } of found) {
    if (!['User', 'Group', 'ServiceAccount'].includes(kind)) {
      throw new Error(`${name} must be a User, Group or ServiceAccount, got a ${kind}`);
    }
  }
  return { users: named('User'), groups: named('Group'), serviceAccounts };
}
