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
import { health, resourceStatuses } from './application.ts';
import { generator } from './generators.ts';
import { named, strings } from './parts.ts';
import { template } from './application-spec.ts';

const syncPolicy = named(
  'ApplicationSetSyncPolicy',
  object('How Applications are synced and deleted.', {
    applicationsSync: enumOf(
      'Which changes are made to Applications: create, update, delete.',
      ['create-only', 'create-update', 'create-delete', 'sync'],
      { absent: '`sync`' },
    ),
    preserveResourcesOnDeletion: boolean(
      'Whether Applications get no finalizer, so that deleted ones leave all their objects.',
      { absent: 'false' },
    ),
  }),
);

const strategy = named(
  'ApplicationSetStrategy',
  object('The order in which Applications are changed.', {
    type: enumOf('Whether there is one.', ['AllAtOnce', 'RollingSync'], { absent: '`AllAtOnce`' }),
    deletionOrder: enumOf('The order in which they are deleted.', ['AllAtOnce', 'Reverse'], {
      absent: '`AllAtOnce`',
    }),
    rollingSync: named(
      'ApplicationSetRolloutStrategy',
      object('Changes Applications step by step; automated syncs are then off.', {
        steps: list(
          'Each waits until the Applications of that before it are healthy.',
          named(
            'ApplicationSetRolloutStep',
            object('Some Applications.', {
              matchExpressions: list(
                'Labels that they have.',
                named(
                  'ApplicationMatchExpression',
                  object('A requirement for a label.', {
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
  object('Generators of parameter sets, and the template of the Applications.', {
    goTemplate: boolean('Whether placeholders are Go templates, `{{.path.basename}}`.', {
      absent: 'false: `{{path.basename}}`',
    }),
    goTemplateOptions: list(
      'Options of Go templates.',
      string('One.', { example: 'missingkey=error' }),
    ),
    generators: required(list('The generators of parameter sets.', generator)),
    template: required(template('The template of the Application for each parameter set.')),
    templatePatch: string('A patch of the template, as YAML with placeholders.'),
    syncPolicy,
    strategy,
    preservedFields: named(
      'ApplicationPreservedFields',
      object('Metadata of Applications that others may write.', {
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
          jsonPointers: strings('Fields, as JSON pointers (RFC 6901).'),
          jqPathExpressions: strings('Fields, as jq expressions.'),
        }),
      ),
    ),
    applyNestedSelectors: boolean('Ignored: selectors of nested generators always apply.'),
  }),
);

const status = named(
  'ApplicationSetStatus',
  object('The status.', {
    conditions: list(
      'The conditions.',
      named(
        'ApplicationSetCondition',
        object('A condition.', {
          type: required(
            string(
              '`ErrorOccurred`, `ParametersGenerated`, `ResourcesUpToDate`, `RolloutProgressing`.',
            ),
          ),
          status: required(string('The status of the condition: `True`, `False`, `Unknown`.')),
          reason: required(string('The reason, as one word for programs.')),
          message: required(string('The reason, for people.')),
          lastTransitionTime: dateTime('Since when the status is what it is.'),
        }),
      ),
    ),
    applicationStatus: list(
      'The progress of Applications that are changed step by step.',
      named(
        'ApplicationSetApplicationStatus',
        object('The progress of an Application.', {
          application: required(string('Its name.')),
          status: required(string('`Waiting`, `Pending`, `Progressing`, `Healthy`.')),
          message: required(string('Why.')),
          step: required(string('Its step.')),
          targetRevisions: required(strings('The revisions that it is changed to.')),
          lastTransitionTime: dateTime('Since when.'),
        }),
      ),
    ),
    resources: resourceStatuses('Applications that it made.'),
    resourcesCount: integer('How many it made.', { format: 'int64' }),
    health: health('The health of the whole.'),
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
