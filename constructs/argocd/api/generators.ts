/** The generators from which an ApplicationSet gets its sets of parameters. */
import {
  anything,
  boolean,
  labelSelector,
  list,
  map,
  object,
  required,
  string,
  type Schema,
} from '../../../schema/language.ts';
import { named, requeueAfterSeconds, strings } from './parts.ts';
import { pullRequest } from './pull-request.ts';
import { scmProvider } from './scm-provider.ts';
import { common } from './application-spec.ts';
import type { NestedMatrixGenerator, NestedMergeGenerator } from './types.ts';

const listGenerator = named(
  'ListGenerator',
  object('The parameter sets that are listed here.', {
    elements: list('Each a mapping of parameters.', anything('A mapping of parameters.')),
    elementsYaml: string('The list as YAML in a text, from parameters of another generator.'),
    template: common.template,
  }),
);

const clusters = named(
  'ClusterGenerator',
  object('One for each cluster that Argo CD knows.', {
    selector: labelSelector(
      "Labels of the clusters' Secrets. Without one, all, and Argo CD's own.",
    ),
    flatList: boolean('Whether there is one set for all, with a list `clusters`.'),
    ...common,
  }),
);

const gitItems = (
  description: string,
  type: 'GitDirectoryGeneratorItem' | 'GitFileGeneratorItem',
) =>
  list(
    description,
    named(
      type,
      object('A path in the repository.', {
        path: required(string('The path, a pattern.', { example: 'dist/clusters/*/tenants/*' })),
        exclude: boolean(
          'Whether matching paths are left out, also if another pattern matches them.',
        ),
      }),
    ),
  );

const git = named(
  'GitGenerator',
  object('One for each folder, or for each file, of a repository.', {
    repoURL: required(string('The repository.')),
    revision: required(string('The branch, tag or commit.')),
    directories: gitItems('Which folders.', 'GitDirectoryGeneratorItem'),
    files: gitItems('Which files: their content is parameters.', 'GitFileGeneratorItem'),
    pathParamPrefix: string('The prefix of the parameter `path`.'),
    requeueAfterSeconds: requeueAfterSeconds('180'),
    ...common,
  }),
);

const clusterDecisionResource = named(
  'DuckTypeGenerator',
  object('One for each cluster that the status of an object names.', {
    configMapRef: required(
      string('The ConfigMap with the field in which the kind names clusters.'),
    ),
    name: string('The object.'),
    labelSelector: labelSelector('Labels of objects, in place of a name.'),
    requeueAfterSeconds: requeueAfterSeconds('180'),
    ...common,
  }),
);

const plugin = named(
  'PluginGenerator',
  object('The sets of parameters that a service returns.', {
    configMapRef: required(
      named(
        'PluginConfigMapRef',
        object('The ConfigMap with the address of the service.', {
          name: required(string('The ConfigMap.')),
        }),
      ),
    ),
    input: named(
      'PluginInput',
      object('The input of the service.', {
        parameters: map('Its parameters.', anything('A value.')),
      }),
    ),
    requeueAfterSeconds: requeueAfterSeconds('1800'),
    ...common,
  }),
);

/** The generators that contain no others, and a selector for their sets of parameters. */
const leaves = {
  list: listGenerator,
  clusters,
  git,
  scmProvider,
  pullRequest,
  clusterDecisionResource,
  plugin,
  selector: labelSelector('Selects parameter sets by their values.'),
};

/** A generator at the third level, for which the definition has no schema. */
export const terminalGenerator = named(
  'ApplicationSetTerminalGenerator',
  object('A generator without nested generators.', leaves),
);

const nestedGenerator = named(
  'ApplicationSetNestedGenerator',
  object('A generator within another: one of these.', {
    ...leaves,
    matrix: named(
      'NestedMatrixGenerator',
      anything(
        'The product of two generators: each set of one with each set of the other.',
      ) as Schema<NestedMatrixGenerator>,
    ),
    merge: named(
      'NestedMergeGenerator',
      anything('Merges the matching sets of several generators.') as Schema<NestedMergeGenerator>,
    ),
  }),
);

/** A generator. The depth of nesting is bounded: `matrix` and `merge` may only be nested once in an ApplicationSet. */
export const generator = named(
  'ApplicationSetGenerator',
  object('A generator of parameter sets: one of these.', {
    ...leaves,
    matrix: named(
      'MatrixGenerator',
      object('The product of two generators: each set of one with each set of the other.', {
        generators: required(list('The two.', nestedGenerator)),
        template: common.template,
      }),
    ),
    merge: named(
      'MergeGenerator',
      object('Merges the matching sets of several generators.', {
        generators: required(
          list('Which: the first gives sets, those behind it change values.', nestedGenerator),
        ),
        mergeKeys: required(strings('The parameters in which they agree.')),
        template: common.template,
      }),
    ),
  }),
);
