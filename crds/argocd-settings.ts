import { set } from './schema-builders.ts';
import {
  dnsLabel,
  enumOf,
  object,
  objectName,
  required,
  string,
} from '@tenantry/crd/schema/language';
import { named } from './named.ts';

const REVISION = '^[A-Za-z0-9][-._/A-Za-z0-9]*$';

/** A Git revision of the whole platform or of one cluster. */
export const targetRevision = (description: string, absent: string) =>
  string(description, {
    pattern: REVISION,
    maxLength: 255,
    must: 'a branch, a tag or a commit',
    example: 'main',
    absent,
  });

const source = named(
  'ArgoCDSource',
  object(
    'Where Argo CD finds the output. With it `argocd/` is rendered: projects, Applications and ApplicationSets for all that is in `clusters/`.',
    {
      repoURL: required(
        string('The address of the Git repository, as Argo CD knows it.', {
          pattern: '^(https://|ssh://|file:///|[-_.A-Za-z0-9]+@[-.A-Za-z0-9]+:)[^\\s*?\\[\\]{}]+$',
          maxLength: 512,
          must: "the address of a Git repository, such as 'https://git.example.com/platform/tenants.git'",
          example: 'https://git.example.com/platform/tenants.git',
        }),
      ),
      targetRevision: targetRevision(
        'The branch, tag or commit that is synced.',
        'the default branch of the repository',
      ),
      path: string("The folder of the output in the repository; '.' is the top of it.", {
        pattern: '^([.]|[A-Za-z0-9_][-._A-Za-z0-9]*(/[A-Za-z0-9_][-._A-Za-z0-9]*)*)$',
        maxLength: 512,
        must: "a path of letters, digits, '-', '_' and '.', relative to the top of the repository",
        example: 'dist',
        absent: '`dist`',
      }),
    },
  ),
);

/** The part of the Platform about Argo CD. */
export const argocdSettings = named(
  'ArgoCDSettings',
  object('Argo CD.', {
    namespace: dnsLabel('Where it runs.', 'argocd'),
    serviceAccounts: set(
      'The service accounts there that apply what is in Git.',
      objectName('A service account.'),
      { minItems: 1, absent: '`argocd-application-controller`' },
    ),
    source,
    groupsPrefix: string(
      "What the API server puts before the names of a login's groups (`--oidc-groups-prefix`) and Argo CD does not. Roles in Argo CD have the names without it, and groups of `access` that lack it have none: no login has them.",
      {
        pattern: '^[\\p{L}\\p{N}\\p{P}\\p{S}]+$',
        minLength: 1,
        maxLength: 128,
        must: 'visible characters without spaces, at most 128',
        absent: 'both know groups by the same names',
        example: 'oidc:',
      },
    ),
    impersonation: enumOf(
      'Whether it syncs Applications of tenants as an account that has the rights of the tenant (`application.sync.impersonation.enabled` in `argocd-cm`), or as itself, whom no admission policy holds. There is no default: what is not switched on there holds nobody.',
      ['Enabled', 'Disabled'],
      { absent: 'no tenant may have Applications' },
    ),
    serverSideDiff: enumOf(
      'Whether it asks the API server what a sync of a tenant would change. `Enabled`: no default of a kind without a definition is a difference, and one change that the API server refuses holds up all changes of its tenant, revocations too. `Disabled`: what is refused fails alone, and an object whose kind has defaults within lists stays OutOfSync, unless `crdFiles` have its definition.',
      ['Enabled', 'Disabled'],
      { absent: '`Disabled` where `crdFiles` have the definitions of all `kinds` in namespaces' },
    ),
  }),
);

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
