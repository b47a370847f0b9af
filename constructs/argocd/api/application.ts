/** Applications: a requested sync, what Argo CD found, and the kind. */
import {
  boolean,
  integer,
  list,
  object,
  required,
  string,
  dateTime,
  enumOf,
} from '../../../schema/language.ts';
import {
  info,
  retry,
  syncOption,
  destination,
  ignoreDifferences,
  namespaceMetadata,
  applicationSpec,
} from './application-spec.ts';
import { named, strings } from './parts.ts';
import { source, sources, sourceHydrator } from './source.ts';
import { uncheckedDefinition } from '../../../crds/definition.ts';

const initiatedBy = named(
  'OperationInitiator',
  object('The initiator of the sync.', {
    username: string('The user.'),
    automated: boolean('Whether it was Argo CD itself.'),
  }),
);

const force = {
  force: boolean('Whether objects that cannot be changed are deleted and created again.'),
};

const operationSync = named(
  'SyncOperation',
  object('What is synced, and how.', {
    revision: string('Which revision.', { absent: "the Application's" }),
    revisions: strings('Which revision of each source.'),
    source: source("In place of the Application's source."),
    sources: sources("In place of the Application's sources."),
    manifests: strings('Objects in place of those of Git.'),
    resources: list(
      'The objects to sync, if not all.',
      named(
        'SyncOperationResource',
        object('An object.', {
          group: string('Its API group.'),
          kind: required(string('Its kind.')),
          namespace: string('Its namespace.'),
          name: required(string('Its name.')),
        }),
      ),
    ),
    prune: boolean('Whether objects that left Git are deleted.'),
    dryRun: boolean('Whether it is a dry run.'),
    syncOptions: list('Options.', syncOption),
    syncStrategy: named(
      'SyncStrategy',
      object('How objects are written.', {
        apply: named('SyncStrategyApply', object('They are applied, without hooks.', force)),
        hook: named('SyncStrategyHook', object('They are applied, with hooks.', force)),
      }),
    ),
    autoHealAttemptsCount: integer('The number of attempts to heal this revision.', {
      format: 'int64',
    }),
  }),
);

const operation = (description: string) =>
  named(
    'Operation',
    object(description, {
      sync: operationSync,
      initiatedBy,
      retry: retry('How often it is retried.'),
      info: info('For people.'),
    }),
    'A requested sync.',
  );

export const health = (description: string) =>
  named(
    'HealthStatus',
    object(description, {
      status: string('`Healthy`, `Progressing`, `Degraded`, `Suspended`, `Missing`, `Unknown`.'),
      message: string('Why.'),
      lastTransitionTime: dateTime('Since when.'),
    }),
    'The health of an object.',
  );

export const resourceStatuses = (description: string) =>
  list(
    description,
    named(
      'ResourceStatus',
      object('An object and its status.', {
        group: string('Its API group.'),
        version: string('The version of its API.'),
        kind: string('Its kind.'),
        namespace: string('Its namespace.'),
        name: string('Its name.'),
        status: string('`Synced`, `OutOfSync`, `Unknown`.'),
        health: health('Its health.'),
        hook: boolean('Whether it is a hook.'),
        syncWave: integer('The wave in which it is synced.', { format: 'int64' }),
        requiresPruning: boolean('Whether it is no longer in Git.'),
        requiresDeletionConfirmation: boolean('Whether its deletion waits for a person.'),
      }),
    ),
  );

const syncResult = named(
  'SyncOperationResult',
  object('What a sync did.', {
    revision: required(string('Which revision.')),
    revisions: strings('Which revision of each source.'),
    source: source('The source.'),
    sources: sources('The sources.'),
    managedNamespaceMetadata: namespaceMetadata('What was put on the namespace.'),
    resources: list(
      'The result for each object.',
      named(
        'ResourceResult',
        object('The result for an object.', {
          group: required(string('Its API group.')),
          version: required(string('The version of its API.')),
          kind: required(string('Its kind.')),
          namespace: required(string('Its namespace.')),
          name: required(string('Its name.')),
          status: string('`Synced`, `SyncFailed`, `Pruned`, `PruneSkipped`.'),
          message: string('Why.'),
          hookType: string('Which hook it is.'),
          hookPhase: string('The phase of the hook, or of the object.'),
          syncPhase: string('`PreSync`, `Sync`, `PostSync`.'),
          images: strings('Images that it has.'),
        }),
      ),
    ),
  }),
);

const operationState = named(
  'OperationState',
  object('The latest sync.', {
    operation: required(operation('The requested operation.')),
    phase: required(string('`Running`, `Terminating`, `Succeeded`, `Failed`, `Error`.')),
    message: string('Why.'),
    syncResult,
    startedAt: required(dateTime('When it began.')),
    finishedAt: dateTime('When it ended.'),
    retryCount: integer('How often it was tried again.', { format: 'int64' }),
  }),
);

const hydration = {
  drySHA: string('The commit that was rendered.'),
  hydratedSHA: string('The commit that it became.'),
  sourceHydrator: sourceHydrator('The requested operation.'),
};

const hydrator = named(
  'SourceHydratorStatus',
  object('The status of rendering to Git.', {
    lastComparedDryRevision: string('The newest commit that was looked at.'),
    lastSuccessfulOperation: named(
      'SuccessfulHydrateOperation',
      object('The latest successful operation.', hydration),
    ),
    currentOperation: named(
      'HydrateOperation',
      object('The latest.', {
        ...hydration,
        phase: required(enumOf('The phase.', ['Hydrating', 'Failed', 'Hydrated'])),
        message: required(string('Why.')),
        startedAt: dateTime('When it began.'),
        finishedAt: dateTime('When it ended.'),
      }),
    ),
  }),
);

const history = list(
  'Successful syncs, the oldest first.',
  named(
    'RevisionHistory',
    object('A successful sync.', {
      id: required(integer('Its number.', { format: 'int64' })),
      revision: string('Which revision.'),
      revisions: strings('Which revision of each source.'),
      source: source('The source.'),
      sources: sources('The sources.'),
      deployStartedAt: dateTime('When it began.'),
      deployedAt: required(dateTime('When it ended.')),
      initiatedBy,
    }),
  ),
);

const sync = named(
  'SyncStatus',
  object('Whether the cluster matches Git.', {
    status: required(string('`Synced`, `OutOfSync`, `Unknown`.')),
    revision: string('Compared with which revision.'),
    revisions: strings('Compared with which revision of each source.'),
    comparedTo: named(
      'ComparedTo',
      object('What was compared.', {
        source: source('The source.'),
        sources: sources('The sources.'),
        destination: required(destination('The cluster.')),
        ignoreDifferences: ignoreDifferences('Fields that may differ.'),
      }),
    ),
  }),
);

const applicationStatus = named(
  'ApplicationStatus',
  object('The status that Argo CD writes.', {
    sync,
    health: health('The health of the whole.'),
    operationState,
    resources: resourceStatuses('Each object.'),
    conditions: list(
      'Errors, warnings and notes.',
      named(
        'ApplicationCondition',
        object('An error, a warning or a note.', {
          type: required(string('What it is; errors end with `Error`, warnings with `Warning`.')),
          message: required(string('The message.')),
          lastTransitionTime: dateTime('Since when.'),
        }),
      ),
    ),
    history,
    summary: named(
      'ApplicationSummary',
      object('A summary.', {
        externalURLs: strings('Addresses at which it is served.'),
        images: strings('Images that it runs.'),
        isAppOfApps: boolean('Whether it holds Applications.'),
      }),
    ),
    reconciledAt: dateTime('When it was last compared.'),
    observedAt: dateTime('Written by old versions.'),
    sourceType: string('`Helm`, `Kustomize`, `Directory`, `Plugin`.'),
    sourceTypes: strings('The same of each source.'),
    sourceHydrator: hydrator,
    controllerNamespace: string('The namespace of the Argo CD that has it.'),
    resourceHealthSource: string('Where the health of objects is: `appTree`, or here.'),
  }),
);

/**
 * Objects of a repository that Argo CD keeps in a cluster.
 * Source: https://argo-cd.readthedocs.io/en/release-3.5/user-guide/application-specification/
 */
export const application = uncheckedDefinition({
  group: 'argoproj.io',
  kind: 'Application',
  plural: 'applications',
  shortNames: ['app', 'apps'],
  scope: 'Namespaced',
  versions: {
    v1alpha1: {
      schema: object('Objects of a repository that Argo CD keeps in a cluster.', {
        spec: required(applicationSpec('What, from where, to where, and how it is synced.')),
        operation: operation('A requested sync; Argo CD removes it when the sync begins.'),
        status: applicationStatus,
      }),
      // Argo CD writes the status together with the object.
      subresources: { status: false },
      additionalPrinterColumns: [
        { name: 'Sync Status', type: 'string', jsonPath: '.status.sync.status' },
        { name: 'Health Status', type: 'string', jsonPath: '.status.health.status' },
        { name: 'Revision', type: 'string', jsonPath: '.status.sync.revision', priority: 10 },
        { name: 'Project', type: 'string', jsonPath: '.spec.project', priority: 10 },
      ],
    },
  },
});
