/** The spec of an Application: what it syncs, from where, to where, and how. The template of an ApplicationSet has one too. */
import { boolean, integer, list, object, required, string } from '../../../schema/language.ts';
import { named, strings, texts } from './parts.ts';
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
    'The destination of objects.',
  );

export const ignoreDifferences = (description: string) =>
  list(
    description,
    named(
      'ResourceIgnoreDifferences',
      object('Fields of objects that may differ.', {
        group: string('Their API group.', { absent: "the core group, which is called ''" }),
        kind: required(string('Their kind.')),
        namespace: string('Their namespace.', { absent: 'all' }),
        name: string('Their name.', { absent: 'all' }),
        jsonPointers: strings('Fields, as JSON pointers (RFC 6901).'),
        jqPathExpressions: strings('Fields, as jq expressions.'),
        managedFieldsManagers: strings('Field managers whose fields may differ.'),
      }),
    ),
  );

export const info = (description: string) =>
  list(
    description,
    named(
      'Info',
      object('Information for people.', {
        name: required(string('The title.')),
        value: required(string('The text.')),
      }),
    ),
  );

export const retry = (description: string, absent?: string) =>
  named(
    'RetryStrategy',
    object(
      description,
      {
        limit: integer('The number of retries: 0 is none, a negative number is unlimited.', {
          format: 'int64',
          absent: '0',
        }),
        backoff: named(
          'Backoff',
          object('The delay between retries.', {
            duration: string('The first delay.', { example: '5s', absent: '5s' }),
            factor: integer('The factor by which the delay grows.', {
              format: 'int64',
              absent: '2',
            }),
            maxDuration: string('The maximum delay.', { example: '3m', absent: '3m' }),
          }),
        ),
        refresh: boolean('Whether a retry uses a new revision instead of the old one.'),
      },
      absent === undefined ? {} : { absent },
    ),
    'How often a failed sync is retried.',
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
    'Metadata of a namespace that Argo CD creates.',
  );

const syncPolicy = named(
  'SyncPolicy',
  object('When and how objects are synced.', {
    automated: named(
      'SyncPolicyAutomated',
      object('Automated syncs. `{}` enables them without prune.', {
        enabled: boolean('Whether it is enabled.', { absent: 'true' }),
        prune: boolean('Whether objects that left Git are deleted.', { absent: 'false' }),
        selfHeal: boolean('Whether changes in the cluster are reverted.', {
          absent: 'false',
        }),
        allowEmpty: boolean('Whether all objects may be deleted when Git contains none.', {
          absent: 'false',
        }),
      }),
    ),
    syncOptions: list('Options of each sync.', syncOption),
    retry: retry(
      'How often a failed sync is retried.',
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
      sources: sources('Several sources; they take precedence over `source`.'),
      sourceHydrator: sourceHydrator('A source that Argo CD renders to Git, in place of `source`.'),
      destination: required(destination('The destination of objects.')),
      syncPolicy,
      ignoreDifferences: ignoreDifferences('Fields that may differ from Git.'),
      revisionHistoryLimit: integer('How many syncs are remembered, for rollbacks.', {
        format: 'int64',
        absent: '10',
      }),
      info: info('For people: addresses, contacts.'),
    }),
    'What, from where, to where, and how it is synced.',
  );

export const template = (description: string) =>
  named(
    'ApplicationSetTemplate',
    object(description, {
      metadata: required(
        named(
          'ApplicationSetTemplateMeta',
          object('The metadata of the Application.', {
            name: string('Its name.', { example: '{{.path.basename}}' }),
            namespace: string('Its namespace.', { absent: "the ApplicationSet's" }),
            labels: texts('Its labels.'),
            annotations: texts('Its annotations.'),
            finalizers: list('Its finalizers.', string('One.')),
          }),
        ),
      ),
      spec: required(applicationSpec('What, from where, to where, and how it is synced.')),
    }),
    'An Application with placeholders.',
  );

/** What most generators take. */
export const common = {
  template: template('Overrides the template of the ApplicationSet for this generator.'),
  values: texts('Further parameters, under `values`.'),
};
