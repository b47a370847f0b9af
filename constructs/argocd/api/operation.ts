/** A requested sync. */
import { boolean, integer, list, object, required, string } from '../../../schema/language.ts';
import { info, retry, syncOption } from './application-spec.ts';
import { named } from './named.ts';
import { strings } from './parts.ts';
import { source, sources } from './source.ts';

export const initiatedBy = named(
  'OperationInitiator',
  object('The initiator of the sync.', {
    username: string('The user.'),
    automated: boolean('Whether it was Argo CD itself.'),
  }),
);

const force = {
  force: boolean('Whether objects that cannot be changed are deleted and created again.'),
};

const sync = named(
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

export const operation = (description: string) =>
  named(
    'Operation',
    object(description, {
      sync,
      initiatedBy,
      retry: retry('How often it is retried.'),
      info: info('For people.'),
    }),
    'A requested sync.',
  );
