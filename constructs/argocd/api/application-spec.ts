/** The spec of an Application: what it syncs, from where, to where, and how. */
import { boolean, integer, list, object, required, string } from '../../../schema/language.ts';
import { named } from './named.ts';
import { strings, texts } from './parts.ts';
import { source, sourceHydrator, sources } from './source.ts';

export const destination = (description: string) =>
  named(
    'ApplicationDestination',
    object(description, {
      server: string("The address of the cluster's API server.", {
        example: 'https://kubernetes.default.svc',
      }),
      name: string('The name of the cluster, in place of its address.'),
      namespace: string('The namespace of objects that name none.'),
    }),
    'Where objects go.',
  );

export const ignoreDifferences = (description: string) =>
  list(
    description,
    named(
      'ResourceIgnoreDifferences',
      object('Which fields of which objects may differ.', {
        group: string('Their API group.', { absent: "the core group, which is called ''" }),
        kind: required(string('Their kind.')),
        namespace: string('Their namespace.', { absent: 'all' }),
        name: string('Their name.', { absent: 'all' }),
        jsonPointers: strings('Fields, as RFC 6901 writes them.'),
        jqPathExpressions: strings('Fields, as jq writes them.'),
        managedFieldsManagers: strings('Who writes fields that may differ.'),
      }),
    ),
  );

export const info = (description: string) =>
  list(
    description,
    named(
      'Info',
      object('Something for people.', {
        name: required(string('What it is.')),
        value: required(string('What it says.')),
      }),
    ),
  );

export const retry = (description: string, absent?: string) =>
  named(
    'RetryStrategy',
    object(
      description,
      {
        limit: integer('How often: 0 is never, a negative number is for ever.', {
          format: 'int64',
          absent: '0',
        }),
        backoff: named(
          'Backoff',
          object('How long it waits in between.', {
            duration: string('At first.', { example: '5s', absent: '5s' }),
            factor: integer('By how much more each time.', { format: 'int64', absent: '2' }),
            maxDuration: string('At most.', { example: '3m', absent: '3m' }),
          }),
        ),
        refresh: boolean('Whether a new revision is taken rather than the old one tried again.'),
      },
      absent === undefined ? {} : { absent },
    ),
    'How often a sync that failed is tried again.',
  );

export const syncOption = named(
  'SyncOption',
  string('An option of a sync.', { example: 'ServerSideApply=true' }),
);

export const namespaceMetadata = (description: string) =>
  named(
    'ManagedNamespaceMetadata',
    object(description, {
      labels: texts('Labels.'),
      annotations: texts('Annotations.'),
    }),
    'What is on a namespace that Argo CD makes.',
  );

const syncPolicy = named(
  'SyncPolicy',
  object('When and how objects are synced.', {
    automated: named(
      'SyncPolicyAutomated',
      object('Syncs without a person. `{}` holds, with no prune.', {
        enabled: boolean('Whether it does.', { absent: 'true' }),
        prune: boolean('Whether what left Git is deleted.', { absent: 'false' }),
        selfHeal: boolean('Whether what was changed in the cluster is changed back.', {
          absent: 'false',
        }),
        allowEmpty: boolean('Whether all may be deleted when Git holds nothing.', {
          absent: 'false',
        }),
      }),
    ),
    syncOptions: list('Options of each sync.', syncOption),
    retry: retry(
      'How often a sync that failed is tried again.',
      '5 times, where it was automated; else never',
    ),
    managedNamespaceMetadata: namespaceMetadata(
      "Labels and annotations of the destination's namespace, which `CreateNamespace=true` makes.",
    ),
  }),
);

export const applicationSpec = (description: string) =>
  named(
    'ApplicationSpec',
    object(description, {
      project: required(string('The AppProject that bounds it.', { example: 'platform' })),
      source: source('Where objects come from.'),
      sources: sources('Where objects come from, several; they go before `source`.'),
      sourceHydrator: sourceHydrator('Has Argo CD render a source to Git, in place of `source`.'),
      destination: required(destination('Where objects go.')),
      syncPolicy,
      ignoreDifferences: ignoreDifferences('Fields that may differ from Git.'),
      revisionHistoryLimit: integer('How many syncs are remembered, for rollbacks.', {
        format: 'int64',
        absent: '10',
      }),
      info: info('For people: addresses, who to ask.'),
    }),
    'What, from where, to where, and how it is synced.',
  );
