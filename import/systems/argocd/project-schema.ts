import { boolean, integer, object, required, type Static } from '@tenantry/crd/schema';
import { list, text } from '../system-schemas.ts';

const kind = { group: required(text('An API group.')), kind: required(text('A kind.')) };
const groupKinds = (description: string) => list(description, object('A kind.', kind));
const namedKinds = (description: string) =>
  list(description, object('A kind.', { ...kind, name: text('A pattern of names.') }));
const names = (description: string) => list(description, text('An entry.'));

const destination = object('A place to deploy to.', {
  server: text('The address of a cluster.'),
  name: text('The name of a cluster.'),
  namespace: text('A namespace.'),
});

const role = object('A role in Argo CD.', {
  name: required(text('Its name.')),
  description: text('For people.'),
  policies: names('What it allows.'),
  groups: names('Who has it.'),
  jwtTokens: list(
    'Tokens of programs.',
    object('A token.', {
      iat: required(integer('When it was issued.')),
      exp: integer('When it expires.'),
      id: text('Its id.'),
    }),
  ),
});

const syncWindow = object('When syncs are allowed or denied.', {
  kind: text('`allow` or `deny`.'),
  schedule: text('When it begins.'),
  duration: text('How long it is.'),
  timeZone: text('The time zone of the schedule.'),
  manualSync: boolean('Whether a person may sync all the same.'),
  syncOverrun: boolean('Whether a running sync may end.'),
  description: text('For people.'),
  applications: names('Patterns of Applications.'),
  namespaces: names('Patterns of namespaces.'),
  clusters: names('Patterns of clusters.'),
  andOperator: boolean('Whether all three must match.'),
});

const sourceIntegrity = object('What sources must prove.', {
  git: object('Of Git repositories.', {
    policies: list(
      'Policies.',
      object('A policy.', {
        gpg: object('Of signatures.', { keys: names('Keys.'), mode: text('What is verified.') }),
        repos: list('Repositories.', object('A repository.', { url: text('A pattern.') })),
      }),
    ),
  }),
});

const spec = object('What the Applications of the project may do.', {
  description: text('For people.'),
  sourceRepos: names('Repositories.'),
  destinations: list('Clusters and namespaces.', destination),
  sourceNamespaces: names('Namespaces of Applications.'),
  clusterResourceWhitelist: namedKinds('Cluster-scoped kinds.'),
  clusterResourceBlacklist: namedKinds('Cluster-scoped kinds.'),
  namespaceResourceWhitelist: groupKinds('Namespaced kinds.'),
  namespaceResourceBlacklist: groupKinds('Namespaced kinds.'),
  roles: list('Roles.', role),
  syncWindows: list('Windows.', syncWindow),
  orphanedResources: object('Whether it reports objects that no Application has.', {
    warn: boolean('Whether it warns.'),
    ignore: list(
      'Objects without a report.',
      object('Objects.', {
        group: text('A group.'),
        kind: text('A kind.'),
        name: text('A pattern of names.'),
      }),
    ),
  }),
  signatureKeys: list('Keys.', object('A key.', { keyID: required(text('Its id.')) })),
  sourceIntegrity,
  destinationServiceAccounts: list(
    'Whom Argo CD impersonates.',
    object('An account for a destination.', {
      server: required(text('A pattern of clusters.')),
      namespace: text('A pattern of namespaces.'),
      defaultServiceAccount: required(text('The account.')),
    }),
  ),
  permitOnlyProjectScopedClusters: boolean('Whether only clusters of the project are allowed.'),
});

/** AppProject of argoproj.io/v1alpha1. */
export const appProject = object(
  'An AppProject.',
  { spec: required(spec) },
  { preserveUnknownFields: true },
);

export type AppProject = Static<typeof appProject>;
export type ProjectSpec = AppProject['spec'];
export type ProjectWindow = NonNullable<ProjectSpec['syncWindows']>[number];
