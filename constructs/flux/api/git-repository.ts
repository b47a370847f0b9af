import { uncheckedDefinition } from '../../../crds/definition.ts';
import {
  boolean,
  dateTime,
  enumOf,
  integer,
  list,
  object,
  required,
  string,
} from '../../../schema/language.ts';
import {
  named,
  handled,
  interval,
  localReference,
  observedGeneration,
  readyColumns,
  statusConditions,
  strings,
  texts,
} from './parts.ts';

const include = (description: string) =>
  list(
    description,
    named(
      'GitRepositoryInclude',
      object('A folder of another one.', {
        repository: required(localReference('The GitRepository.')),
        fromPath: string('The folder in it.', { absent: 'all of it' }),
        toPath: string('Where it is put.', { absent: 'a folder of the name of the repository' }),
      }),
    ),
  );

const spec = named(
  'GitRepositorySpec',
  object(
    'What is fetched, how often, and with which credentials.',
    {
      url: required(
        string('Its address.', {
          pattern: '^(http|https|ssh)://.*$',
          example: 'https://git.example.com/platform/tenants',
        }),
      ),
      interval: required(interval('The polling interval.')),
      ref: named(
        'GitRepositoryRef',
        object('The reference to fetch; of several the last field here counts.', {
          branch: string('A branch.', { absent: '`master`' }),
          tag: string('A tag.'),
          semver: string('The newest tag of a range of versions.', { example: '>=1.0.0 <2.0.0' }),
          name: string('A reference of Git.', { example: 'refs/heads/main' }),
          commit: string('A commit.'),
        }),
      ),
      secretRef: localReference('The Secret with credentials.'),
      provider: enumOf(
        'The provider of credentials, if there is no Secret.',
        ['generic', 'azure', 'github'],
        { absent: '`generic`' },
      ),
      serviceAccountName: string('A ServiceAccount of the same namespace, for Azure.'),
      proxySecretRef: localReference('The Secret with the proxy.'),
      timeout: string('How long an operation of Git may take.', {
        pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m))+$',
        default: '60s',
      }),
      verify: named(
        'GitRepositoryVerification',
        object('The required signatures.', {
          mode: enumOf('Of what.', ['head', 'HEAD', 'Tag', 'TagAndHEAD'], { default: 'HEAD' }),
          secretRef: required(localReference('The Secret with public keys.')),
        }),
      ),
      ignore: string('The files that are left out, in the syntax of `.gitignore`.'),
      sparseCheckout: strings('The folders to fetch, if not all.'),
      recurseSubmodules: boolean('Whether submodules are fetched too.', { absent: 'false' }),
      include: include('Folders of other repositories that are copied into it.'),
      suspend: boolean('Whether it is suspended.', { absent: 'false' }),
    },
    {
      rules: [
        {
          rule: "!has(self.serviceAccountName) || (has(self.provider) && self.provider == 'azure')",
          message: "serviceAccountName can only be set when provider is 'azure'",
        },
      ],
    },
  ),
);

const artifact = named(
  'Artifact',
  object('What was fetched.', {
    url: required(string('Where it is.')),
    path: required(string('Its path there.')),
    revision: required(string('The revision.', { example: 'main@sha1:...' })),
    digest: required(
      string('Its digest.', { pattern: '^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[a-zA-Z0-9=_-]+$' }),
    ),
    lastUpdateTime: required(dateTime('When it was made.')),
    size: integer('How many bytes it has.', { format: 'int64' }),
    metadata: texts('Further metadata.'),
  }),
);

const status = named(
  'GitRepositoryStatus',
  object(
    'The status.',
    {
      conditions: statusConditions,
      artifact,
      includedArtifacts: list('The folders that were copied into it.', artifact),
      observedGeneration,
      observedIgnore: string('What was left out.'),
      observedInclude: include('The folders that were requested.'),
      observedRecurseSubmodules: boolean('Whether submodules were fetched.'),
      observedSparseCheckout: strings('Folders that were fetched alone.'),
      sourceVerificationMode: string('What was verified.'),
      lastHandledReconcileAt: handled,
    },
    { default: { observedGeneration: -1 } },
  ),
);

/**
 * A repository that Flux fetches.
 * Source: https://fluxcd.io/flux/components/source/gitrepositories/
 */
export const gitRepository = uncheckedDefinition({
  group: 'source.toolkit.fluxcd.io',
  kind: 'GitRepository',
  plural: 'gitrepositories',
  shortNames: ['gitrepo'],
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A repository that Flux fetches.', { spec, status }),
      additionalPrinterColumns: [
        { name: 'URL', type: 'string', jsonPath: '.spec.url' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ...readyColumns,
      ],
    },
  },
});
