/** Where objects come from, and the tools that render them: Helm, Kustomize, a plain directory, a plugin. */
import {
  anyObject,
  boolean,
  intOrString,
  list,
  map,
  object,
  required,
  string,
} from '../../../schema/language.ts';
import { named, strings, texts } from './parts.ts';

const kubeVersion = string('The version of Kubernetes that files are rendered for.', {
  absent: "the cluster's",
});

const apiVersions = list(
  'The kinds that files are rendered for, as `[group/]version/kind`.',
  string('One.'),
  { absent: "the cluster's" },
);

const helm = (description: string) =>
  named(
    'ApplicationSourceHelm',
    object(description, {
      releaseName: string('The name of the release.', { absent: "the Application's" }),
      valueFiles: strings('Files of values, in the folder of the source or as `$ref/path`.'),
      ignoreMissingValueFiles: boolean('Whether files of values that are missing are left out.'),
      values: string('Values, as YAML in a text.'),
      valuesObject: anyObject('Values; they take precedence over `values`.'),
      parameters: list(
        'Single values, as with `--set`.',
        named(
          'HelmParameter',
          object('A single value.', {
            name: string('Its path.', { example: 'image.tag' }),
            value: string('The value.'),
            forceString: boolean('Whether the value is always a text.'),
          }),
        ),
      ),
      fileParameters: list(
        'Single values from files, as with `--set-file`.',
        named(
          'HelmFileParameter',
          object('A single value from a file.', {
            name: string('Its path.'),
            path: string('The file with the value.'),
          }),
        ),
      ),
      version: string(
        'The version of Helm: `v3`. Argo CD ignores it and uses the only version that it has.',
      ),
      namespace: string('The namespace that templates see.', {
        absent: "the destination's",
      }),
      kubeVersion,
      apiVersions,
      passCredentials: boolean('Whether credentials go to all hosts, not to the repository alone.'),
      skipCrds: boolean('Whether definitions in `crds/` of the chart are left out.'),
      skipTests: boolean('Whether tests of the chart are left out.'),
      skipSchemaValidation: boolean(
        'Whether values are not validated against the schema of the chart.',
      ),
    }),
    'How Helm renders a source.',
  );

const kustomizeTarget = named(
  'KustomizeSelector',
  object('Which objects are patched.', {
    group: string('Their API group.'),
    version: string('The version of their API.'),
    kind: string('Their kind.'),
    name: string('Their name, a regular expression.'),
    namespace: string('Their namespace, a regular expression.'),
    labelSelector: string('Their labels.', { example: 'app=redis' }),
    annotationSelector: string('Their annotations.'),
  }),
);

const kustomize = (description: string) =>
  named(
    'ApplicationSourceKustomize',
    object(description, {
      version: string('Which Kustomize, of those that Argo CD is configured to have.'),
      namePrefix: string('The prefix of names.'),
      nameSuffix: string('The suffix of names.'),
      namespace: string('The namespace of all objects.'),
      images: list('Images in place of others.', string('As `old=new:tag` or `image:tag`.')),
      replicas: list(
        'How many replicas workloads have.',
        named(
          'KustomizeReplica',
          object('How many replicas a workload has.', {
            name: required(string('The workload.')),
            count: required(intOrString('How many.')),
          }),
        ),
      ),
      patches: list(
        'Patches.',
        named(
          'KustomizePatch',
          object('A patch.', {
            path: string('The file with it.'),
            patch: string('The patch itself.'),
            target: kustomizeTarget,
            options: map('`allowNameChange`, `allowKindChange`.', boolean('Whether it holds.')),
          }),
        ),
      ),
      components: strings('Components that are added.'),
      ignoreMissingComponents: boolean('Whether components that are missing are left out.'),
      commonLabels: texts('Labels of all objects.'),
      forceCommonLabels: boolean('Whether labels replace those of the same name.'),
      labelWithoutSelector: boolean('Whether labels stay out of selectors.'),
      labelIncludeTemplates: boolean(
        'Whether labels go into templates of pods, where they stay out of selectors.',
      ),
      commonAnnotations: texts('Annotations of all objects.'),
      forceCommonAnnotations: boolean('Whether annotations replace those of the same name.'),
      commonAnnotationsEnvsubst: boolean(
        'Whether variables such as `$ARGOCD_APP_NAME` in annotations are filled in.',
      ),
      kubeVersion,
      apiVersions,
    }),
    'How Kustomize renders a source.',
  );

const jsonnetVariables = (description: string) =>
  list(
    description,
    named(
      'JsonnetVar',
      object('A variable of Jsonnet.', {
        name: required(string('Its name.')),
        value: required(string('Its value.')),
        code: boolean('Whether the value is code instead of text.'),
      }),
    ),
  );

const directory = (description: string) =>
  named(
    'ApplicationSourceDirectory',
    object(description, {
      recurse: boolean('Whether folders within it are read, too.'),
      include: string('Which files are read, as a pattern.', { absent: 'all' }),
      exclude: string('Which files are left out, as a pattern.', { absent: 'none' }),
      jsonnet: named(
        'ApplicationSourceJsonnet',
        object('How files of Jsonnet are evaluated.', {
          extVars: jsonnetVariables('External variables.'),
          tlas: jsonnetVariables('Top-level arguments.'),
          libs: strings('Folders of libraries.'),
        }),
      ),
    }),
    'How plain files of a source are read.',
  );

const plugin = (description: string) =>
  named(
    'ApplicationSourcePlugin',
    object(description, {
      name: string('Its name.', { absent: 'the first that knows the source' }),
      env: list(
        'Variables of its environment.',
        named(
          'EnvEntry',
          object('A variable.', {
            name: required(string('Its name.')),
            value: required(string('Its value.')),
          }),
        ),
      ),
      parameters: list(
        'The parameters that it gets.',
        named(
          'ApplicationSourcePluginParameter',
          object('A parameter: a text, a map or a list.', {
            name: string('Its name.'),
            string: string('Its text.'),
            map: texts('Its map.'),
            array: strings('Its list.'),
          }),
        ),
      ),
    }),
    'The plugin that renders a source.',
  );

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
