import { uncheckedDefinition } from '../../../crds/definition.ts';
import {
  boolean,
  dateTime,
  enumOf,
  integer,
  intOrString,
  list,
  object,
  required,
  string,
} from '../../../schema/language.ts';
import { health, resourceStatuses } from './application-status.ts';
import { generator } from './generators.ts';
import { named } from './named.ts';
import { strings } from './parts.ts';
import { template } from './template.ts';

const syncPolicy = named(
  'ApplicationSetSyncPolicy',
  object('What becomes of Applications.', {
    applicationsSync: enumOf(
      'What is done to those that are there: made, changed, deleted.',
      ['create-only', 'create-update', 'create-delete', 'sync'],
      { absent: '`sync`' },
    ),
    preserveResourcesOnDeletion: boolean(
      'Whether Applications get no finalizer, so that those that are deleted leave all their objects.',
      { absent: 'false' },
    ),
  }),
);

const strategy = named(
  'ApplicationSetStrategy',
  object('In which order Applications are changed.', {
    type: enumOf('Whether there is one.', ['AllAtOnce', 'RollingSync'], { absent: '`AllAtOnce`' }),
    deletionOrder: enumOf('In which order they are deleted.', ['AllAtOnce', 'Reverse'], {
      absent: '`AllAtOnce`',
    }),
    rollingSync: named(
      'ApplicationSetRolloutStrategy',
      object('Step by step; Applications are then not automated.', {
        steps: list(
          'Each waits until the Applications of that before it are healthy.',
          named(
            'ApplicationSetRolloutStep',
            object('Some Applications.', {
              matchExpressions: list(
                'Labels that they have.',
                named(
                  'ApplicationMatchExpression',
                  object('What a label is.', {
                    key: string('The label.'),
                    operator: string('`In`, `NotIn`.'),
                    values: strings('The values.'),
                  }),
                ),
              ),
              maxUpdate: intOrString('How many at a time, or a percentage. 0 waits for a person.', {
                absent: 'all',
              }),
            }),
          ),
        ),
      }),
    ),
  }),
);

const spec = named(
  'ApplicationSetSpec',
  object('Where sets of parameters come from, and which Application each makes.', {
    goTemplate: boolean('Whether placeholders are Go templates, `{{.path.basename}}`.', {
      absent: 'false: `{{path.basename}}`',
    }),
    goTemplateOptions: list(
      'Options of Go templates.',
      string('One.', { example: 'missingkey=error' }),
    ),
    generators: required(list('Where sets of parameters come from.', generator)),
    template: required(template('The Application that each makes.')),
    templatePatch: string('What is changed in it, a patch as YAML with placeholders.'),
    syncPolicy,
    strategy,
    preservedFields: named(
      'ApplicationPreservedFields',
      object('What others may write on Applications.', {
        labels: strings('Labels.'),
        annotations: strings('Annotations.'),
      }),
    ),
    ignoreApplicationDifferences: list(
      'Fields of Applications that others may write.',
      named(
        'ApplicationSetResourceIgnoreDifferences',
        object('Which fields of which Applications.', {
          name: string('The Application.', { absent: 'all' }),
          jsonPointers: strings('Fields, as RFC 6901 writes them.'),
          jqPathExpressions: strings('Fields, as jq writes them.'),
        }),
      ),
    ),
    applyNestedSelectors: boolean('Ignored: selectors of generators within others always hold.'),
  }),
);

const status = named(
  'ApplicationSetStatus',
  object('What came of it.', {
    conditions: list(
      'What is the case.',
      named(
        'ApplicationSetCondition',
        object('What is the case, and since when.', {
          type: required(
            string(
              '`ErrorOccurred`, `ParametersGenerated`, `ResourcesUpToDate`, `RolloutProgressing`.',
            ),
          ),
          status: required(string('Whether it is the case: `True`, `False`, `Unknown`.')),
          reason: required(string('Why, as one word for programs.')),
          message: required(string('Why, for people.')),
          lastTransitionTime: dateTime('Since when the status is what it is.'),
        }),
      ),
    ),
    applicationStatus: list(
      'How far Applications are, where they are changed step by step.',
      named(
        'ApplicationSetApplicationStatus',
        object('How far an Application is.', {
          application: required(string('Its name.')),
          status: required(string('`Waiting`, `Pending`, `Progressing`, `Healthy`.')),
          message: required(string('Why.')),
          step: required(string('Its step.')),
          targetRevisions: required(strings('The revisions that it goes to.')),
          lastTransitionTime: dateTime('Since when.'),
        }),
      ),
    ),
    resources: resourceStatuses('Applications that it made.'),
    resourcesCount: integer('How many it made.', { format: 'int64' }),
    health: health('How the whole is.'),
  }),
);

/**
 * Applications by a template.
 * Source: https://argo-cd.readthedocs.io/en/release-3.5/operator-manual/applicationset/applicationset-specification/
 */
export const applicationSet = uncheckedDefinition({
  group: 'argoproj.io',
  kind: 'ApplicationSet',
  plural: 'applicationsets',
  shortNames: ['appset', 'appsets'],
  scope: 'Namespaced',
  versions: {
    v1alpha1: {
      schema: object('Applications by a template.', { spec: required(spec), status }),
    },
  },
});
