import { uncheckedDefinition } from '../../crds/definition.ts';
import { dateTime, list, object, required, string } from '../../schema/language.ts';
import { spec } from '../bundle/csv/spec.ts';
import { named } from './named.ts';

const needed = {
  group: required(string('Its group; empty for the core group.')),
  version: required(string('The version of its kind.')),
  kind: required(string('Its kind.')),
  status: required(string('`Present`, `NotPresent`, `Satisfied`, `NotSatisfied`.')),
  uuid: string('Its UID.'),
};

const requirement = named(
  'RequirementStatus',
  object('Something that must be there before the operator is installed.', {
    ...needed,
    name: required(string('Its name.')),
    message: required(string('What is wrong with it, for people.')),
    dependents: list(
      'What it is made of: the rules of a ServiceAccount.',
      named(
        'RequirementPart',
        object('A part of it.', { ...needed, message: string('What it is, for people.') }),
      ),
    ),
  }),
);

const pending = named(
  'PendingDeletion',
  object('Objects of a kind that are still there.', {
    group: required(string('The group of the kind.')),
    kind: required(string('The kind.')),
    instances: required(
      list(
        'The objects.',
        named(
          'PendingInstance',
          object('An object.', {
            name: required(string('Its name.')),
            namespace: string('Its namespace.'),
          }),
        ),
      ),
    ),
  }),
);

const phase = string(
  '`Pending`, `InstallReady`, `Installing`, `Succeeded`, `Failed`, `Replacing`, `Deleting`, or none yet.',
);
const found = {
  phase,
  reason: string('Why, as one word for programs.'),
  message: string('Why, for people.'),
  lastUpdateTime: dateTime('When it was last looked at.'),
  lastTransitionTime: dateTime('Since when it is so.'),
};

const status = named(
  'ClusterServiceVersionStatus',
  object('How far it is.', {
    ...found,
    conditions: list(
      'How it came there.',
      named('ClusterServiceVersionCondition', object('How far it was, and when.', found)),
    ),
    requirementStatus: list('What must be there before it is installed.', requirement),
    certsLastUpdated: dateTime('When the certificates of its webhooks were made.'),
    certsRotateAt: dateTime('When they are made anew.'),
    cleanup: named(
      'CleanupStatus',
      object('What goes before the operator does.', {
        pendingDeletion: list('What is still there.', pending),
      }),
    ),
  }),
);

/**
 * A version of an operator on the cluster. What a bundle carries of it is `ClusterServiceVersion` of
 * ../bundle/cluster-service-version.ts.
 * Source: https://olm.operatorframework.io/docs/concepts/crds/clusterserviceversion/
 */
export const clusterServiceVersionKind = uncheckedDefinition({
  group: 'operators.coreos.com',
  kind: 'ClusterServiceVersion',
  plural: 'clusterserviceversions',
  shortNames: ['csv', 'csvs'],
  categories: ['olm'],
  scope: 'Namespaced',
  versions: {
    v1alpha1: {
      schema: object('A version of an operator.', { spec: required(spec), status }),
    },
  },
});
