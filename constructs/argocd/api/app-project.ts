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
import { named, strings } from './parts.ts';

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
  object('A role that allows actions on Applications of the project.', {
    name: required(string('Its name.')),
    description: string('What it is for.'),
    policies: list(
      'The actions that it allows, as Casbin policies.',
      string('A rule.', { example: 'p, proj:shop:deployer, applications, sync, shop/*, allow' }),
    ),
    groups: strings('Groups of users that have it.'),
    jwtTokens: jwtTokens('Tokens that have it.'),
  }),
);

const syncWindow = named(
  'SyncWindow',
  object('A time in which Applications may be synced, or may not.', {
    kind: enumOf('Whether syncs are allowed or denied.', ['allow', 'deny']),
    description: string('What it is for.'),
    schedule: string('The start, as a cron expression.', { example: '0 22 * * 1-5' }),
    duration: string('The duration.', { example: '2h' }),
    timeZone: string('The time zone.', { example: 'Europe/Berlin', absent: 'UTC' }),
    applications: strings('Applications by their names, patterns.'),
    namespaces: strings('Namespaces of destinations, patterns.'),
    clusters: strings('Clusters by their addresses or names, patterns.'),
    andOperator: boolean('Whether Applications must match all of these, not one.'),
    manualSync: boolean('Whether a person may sync at any time.'),
    syncOverrun: boolean('Whether a sync that has begun continues.'),
  }),
);

const sourceIntegrity = named(
  'SourceIntegrity',
  object('Requirements for commits.', {
    git: required(
      named(
        'SourceIntegrityGit',
        object('Requirements for commits in Git.', {
          policies: required(
            list(
              'Requirements by repository.',
              named(
                'SourceIntegrityGitPolicy',
                object('Requirements for commits of some repositories.', {
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
                      object('Signatures by GnuPG.', {
                        mode: required(
                          enumOf(
                            'Which commits must be signed: none, the synced one, or all before it too.',
                            ['none', 'head', 'strict'],
                          ),
                        ),
                        keys: required(strings('The accepted keys.')),
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
    'Repositories that objects may come from, as patterns. A pattern with `!` denies what it matches and allows all else.',
    string('One.', { example: 'https://git.example.com/shop/*' }),
  ),
  sourceNamespaces: strings("Namespaces that its Applications may be in, besides Argo CD's own."),
  destinations: list(
    'Clusters and namespaces that objects may go to.',
    destination(
      'A cluster and a namespace, as patterns. A pattern with `!` denies what it matches and allows all else.',
    ),
  ),
  permitOnlyProjectScopedClusters: boolean('Whether only clusters of the project are allowed.'),
  destinationServiceAccounts: list(
    'The service accounts that apply objects.',
    named(
      'ApplicationDestinationServiceAccount',
      object(
        'The service account that applies objects to a cluster and namespace. The first match counts.',
        {
          server: required(string('Clusters, a pattern.')),
          namespace: string('Namespaces, a pattern.'),
          defaultServiceAccount: required(
            string('The ServiceAccount, as `name` or `namespace:name`.'),
          ),
        },
      ),
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
    roles: list('Roles that allow actions on its Applications.', role),
    syncWindows: list('When its Applications may be synced.', syncWindow),
    orphanedResources: named(
      'OrphanedResourcesMonitorSettings',
      object('Reports objects in its namespaces that belong to no Application.', {
        warn: boolean('Whether Applications warn about them.'),
        ignore: list(
          'Objects that are ignored.',
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
      'Keys by which commits are signed. Deprecated: use `sourceIntegrity`.',
      named('SignatureKey', object('A key.', { keyID: required(string('Its id, of GnuPG.')) })),
    ),
  }),
);

const status = named(
  'AppProjectStatus',
  object('The status that Argo CD writes.', {
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
