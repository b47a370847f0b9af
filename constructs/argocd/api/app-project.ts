import { uncheckedDefinition } from '../../../crds/definition.ts';
import {
  boolean,
  enumOf,
  integer,
  list,
  map,
  object,
  required,
  string,
} from '../../../schema/language.ts';
import { destination } from './application-spec.ts';
import { named } from './named.ts';
import { strings } from './parts.ts';

const clusterKinds = (description: string) =>
  list(
    description,
    named(
      'ClusterResourceRestrictionItem',
      object('A kind, or objects of it.', {
        group: required(string("Its API group; the core group is ''.")),
        kind: required(string('The kind.')),
        name: string('Names, a pattern.', { absent: 'all' }),
      }),
    ),
  );

const namespaceKinds = (description: string) =>
  list(
    description,
    named(
      'GroupKind',
      object('A kind.', {
        group: required(string("Its API group; the core group is ''.")),
        kind: required(string('The kind.')),
      }),
    ),
  );

const jwtTokens = (description: string) =>
  list(
    description,
    named(
      'JWTToken',
      object('A token that was issued.', {
        id: string('Its name.'),
        iat: required(integer('When, in seconds since 1970.', { format: 'int64' })),
        exp: integer('Until when, in seconds since 1970.', { format: 'int64', absent: 'for ever' }),
      }),
    ),
  );

const role = named(
  'ProjectRole',
  object('Who may do what with Applications of the project.', {
    name: required(string('Its name.')),
    description: string('What it is for.'),
    policies: list(
      'What it may do.',
      string('A rule.', { example: 'p, proj:shop:deployer, applications, sync, shop/*, allow' }),
    ),
    groups: strings('Groups of users that have it.'),
    jwtTokens: jwtTokens('Tokens that have it.'),
  }),
);

const syncWindow = named(
  'SyncWindow',
  object('When Applications may be synced, or may not.', {
    kind: enumOf('Which of the two.', ['allow', 'deny']),
    description: string('What it is for.'),
    schedule: string('When it begins, as cron writes it.', { example: '0 22 * * 1-5' }),
    duration: string('How long it is.', { example: '2h' }),
    timeZone: string('Where the clock is.', { example: 'Europe/Berlin', absent: 'UTC' }),
    applications: strings('Applications by their names, patterns.'),
    namespaces: strings('Namespaces of destinations, patterns.'),
    clusters: strings('Clusters by their addresses or names, patterns.'),
    andOperator: boolean('Whether Applications must match all of these, not one.'),
    manualSync: boolean('Whether a person may sync at any time.'),
    syncOverrun: boolean('Whether a sync that has begun goes on.'),
  }),
);

const sourceIntegrity = named(
  'SourceIntegrity',
  object('What is asked of commits.', {
    git: required(
      named(
        'SourceIntegrityGit',
        object('Of those of Git.', {
          policies: required(
            list(
              'What, of which repositories.',
              named(
                'SourceIntegrityGitPolicy',
                object('What is asked of commits of some repositories.', {
                  repos: required(
                    list(
                      'Which repositories.',
                      named(
                        'SourceIntegrityGitPolicyRepo',
                        object('Repositories.', { url: required(string('Addresses, a pattern.')) }),
                      ),
                    ),
                  ),
                  gpg: required(
                    named(
                      'SourceIntegrityGitPolicyGPG',
                      object('They are signed by GnuPG.', {
                        mode: required(
                          enumOf('Which: none, that which is synced, all before it, too.', [
                            'none',
                            'head',
                            'strict',
                          ]),
                        ),
                        keys: required(strings('By one of these keys.')),
                      }),
                    ),
                  ),
                }),
              ),
            ),
          ),
        }),
      ),
    ),
  }),
);

const bounds = {
  description: string('What it is for.', { maxLength: 255 }),
  sourceRepos: list(
    'Repositories that objects may come from, patterns. One with `!` keeps out what it matches, and lets in all else.',
    string('One.', { example: 'https://git.example.com/shop/*' }),
  ),
  sourceNamespaces: strings("Namespaces that its Applications may be in, besides Argo CD's own."),
  destinations: list(
    'Clusters and namespaces that objects may go to.',
    destination(
      'A cluster and a namespace, patterns. One with `!` keeps out what it matches, and lets in all else.',
    ),
  ),
  permitOnlyProjectScopedClusters: boolean('Whether only clusters of the project are.'),
  destinationServiceAccounts: list(
    'As whom objects are written.',
    named(
      'ApplicationDestinationServiceAccount',
      object('As whom objects go to a cluster and namespace. The first that matches counts.', {
        server: required(string('Clusters, a pattern.')),
        namespace: string('Namespaces, a pattern.'),
        defaultServiceAccount: required(
          string('The ServiceAccount, as `name` or `namespace:name`.'),
        ),
      }),
    ),
  ),
  clusterResourceWhitelist: clusterKinds('Kinds outside of namespaces that may be synced.'),
  clusterResourceBlacklist: clusterKinds('Kinds outside of namespaces that may not.'),
  namespaceResourceWhitelist: namespaceKinds('Kinds in namespaces that may be synced.'),
  namespaceResourceBlacklist: namespaceKinds('Kinds in namespaces that may not.'),
};

const spec = named(
  'AppProjectSpec',
  object('What Applications of the project may do.', {
    ...bounds,
    roles: list('Who may do what with its Applications.', role),
    syncWindows: list('When its Applications may be synced.', syncWindow),
    orphanedResources: named(
      'OrphanedResourcesMonitorSettings',
      object('Looks for objects in its namespaces that no Application has.', {
        warn: boolean('Whether Applications warn of them.'),
        ignore: list(
          'Which are left out.',
          named(
            'OrphanedResourceKey',
            object('Objects.', {
              group: string('Their API group, a pattern.'),
              kind: string('Their kind, a pattern.'),
              name: string('Their name, a pattern.'),
            }),
          ),
        ),
      }),
    ),
    sourceIntegrity,
    signatureKeys: list(
      'Keys by which commits are signed. Deprecated: `sourceIntegrity` says it.',
      named('SignatureKey', object('A key.', { keyID: required(string('Its id, of GnuPG.')) })),
    ),
  }),
);

const status = named(
  'AppProjectStatus',
  object('What Argo CD notes.', {
    jwtTokensByRole: map(
      'Tokens by the role that has them.',
      named('JWTTokens', object('Tokens of a role.', { items: jwtTokens('Tokens.') })),
    ),
  }),
);

/**
 * What Applications may do: their sources, destinations, kinds, sync times and users.
 * Source: https://argo-cd.readthedocs.io/en/release-3.5/operator-manual/project-specification/
 */
export const appProject = uncheckedDefinition({
  group: 'argoproj.io',
  kind: 'AppProject',
  plural: 'appprojects',
  shortNames: ['appproj', 'appprojs'],
  scope: 'Namespaced',
  versions: {
    v1alpha1: {
      schema: object('What Applications may do.', { spec: required(spec), status }),
      // Argo CD writes the status together with the object.
      subresources: { status: false },
    },
  },
});
