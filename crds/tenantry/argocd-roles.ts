import { object, string } from '../../schema/language.ts';
import { set } from './bounded.ts';
import { named } from './named.ts';

/** Listed in full, because in Argo CD a `*` matches any text, including slashes. */
const ACTION =
  'action/([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?/[A-Z][A-Za-z0-9]*/[A-Za-z0-9]([-_A-Za-z0-9]*[A-Za-z0-9])?';

const roleActions = (whom: string) =>
  set(
    `What groups that are ${whom} may do with the Applications of their tenant.`,
    string('What they may do.', {
      pattern: `^(get|sync|logs|${ACTION})$`,
      maxLength: 253,
      must: "'get', 'sync', 'logs', or one action of one kind as 'action/apps/Deployment/restart' (a wildcard is refused)",
      example: 'sync',
    }),
    { maxItems: 32, absent: 'nothing' },
  );

/** The part of a class about users of Argo CD. */
export const argocdUsers = named(
  'ClassArgoCDPeople',
  object('What the people of tenants may do in Argo CD.', {
    roles: named(
      'ArgoCDRoles',
      object(
        "Roles in the AppProject of a tenant for the groups that `access` names: for all of the tenant's Applications where a group has the level in all of its namespaces, else for those of the namespace. `get` shows, `sync` syncs, `logs` reads logs of pods, `action/<group>/<kind>/<name>` runs an action. Users and service accounts have none.",
        {
          admins: roleActions('admins'),
          editors: roleActions('editors'),
          viewers: roleActions('viewers'),
        },
      ),
    ),
  }),
);
