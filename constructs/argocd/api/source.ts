/** Where objects come from. */
import { list, object, required, string } from '../../../schema/language.ts';
import { named } from './named.ts';
import { directory, helm, kustomize, plugin } from './source-tools.ts';

const tools = {
  directory: directory('How plain files are read.'),
  helm: helm('How Helm renders it.'),
  kustomize: kustomize('How Kustomize renders it.'),
  plugin: plugin('The plugin that renders it.'),
};

export const source = (description: string) =>
  named(
    'ApplicationSource',
    object(description, {
      repoURL: required(
        string('The repository, of Git, Helm or OCI.', {
          example: 'https://git.example.com/platform/clusters.git',
        }),
      ),
      targetRevision: string('A branch, tag or commit of Git; a version of a chart.', {
        example: 'main',
        absent: '`HEAD`; the newest version',
      }),
      tagPrefix: string('The prefix of the tags among which a range in `targetRevision` chooses.'),
      path: string('The folder in the repository.', { example: 'dist/clusters/eu-1/crds' }),
      chart: string('The chart, of a repository of Helm.'),
      ref: string('The name by which files of values of other sources find this one.'),
      name: string('How it is shown, where there are several.'),
      ...tools,
    }),
    'A repository and the part of it that is synced.',
  );

export const sources = (description: string) => list(description, source('One of them.'));

export const sourceHydrator = (description: string) =>
  named(
    'SourceHydrator',
    object(description, {
      drySource: required(
        named(
          'DrySource',
          object('What is rendered.', {
            repoURL: required(string('The repository.')),
            targetRevision: required(string('The branch, tag or commit.')),
            path: required(string('The folder.')),
            ...tools,
          }),
        ),
      ),
      syncSource: required(
        named(
          'SyncSource',
          object('The branch from which the rendered files are synced.', {
            repoURL: string('The repository.', { absent: 'that of `drySource`' }),
            targetBranch: required(string('The branch.')),
            path: required(
              string('The folder, which is not the root.', {
                minLength: 1,
                pattern: '^.{2,}|[^./]$',
                must: 'a folder below the root',
              }),
            ),
          }),
        ),
      ),
      hydrateTo: named(
        'HydrateTo',
        object('The branch in which the rendered files wait for a merge.', {
          targetBranch: required(string('The branch.')),
        }),
      ),
    }),
    'A source that Argo CD renders to a branch of Git, which is then synced.',
  );
