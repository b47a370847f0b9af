/** The tools that render the files of a source: Helm, Kustomize, a plain directory, a plugin. */
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
import { named } from './named.ts';
import { strings, texts } from './parts.ts';

const kubeVersion = string('The version of Kubernetes that files are rendered for.', {
  absent: "the cluster's",
});

const apiVersions = list(
  'The kinds that files are rendered for, as `[group/]version/kind`.',
  string('One.'),
  { absent: "the cluster's" },
);

export const helm = (description: string) =>
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

export const kustomize = (description: string) =>
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

export const directory = (description: string) =>
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

export const plugin = (description: string) =>
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
