import { uncheckedDefinition } from '@tenantry/crd/definition';
import { dateTime, list, object, required, string } from '@tenantry/crd/schema/language';
import { spec } from '../bundle/csv/spec.ts';
import { named } from './shared-fields.ts';

const needed = {
  group: required(string('Its group; empty for the core group.')),
  version: required(string('The version of its kind.')),
  kind: required(string('Its kind.')),
  status: required(string('The state: `Present`, `NotPresent`, `Satisfied`, `NotSatisfied`.')),
  uuid: string('Its UID.'),
};

const requirement = named(
  'RequirementStatus',
  object('A requirement of the installation.', {
    ...needed,
    name: required(string('Its name.')),
    message: required(string('The error as a text for people.')),
    dependents: list(
      'The parts of the requirement: the rules of a ServiceAccount.',
      named(
        'RequirementPart',
        object('A part of a requirement.', {
          ...needed,
          message: string('The description as a text for people.'),
        }),
      ),
    ),
  }),
);

const pending = named(
  'PendingDeletion',
  object('Objects of a kind that still exist.', {
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
  'The phase: `Pending`, `InstallReady`, `Installing`, `Succeeded`, `Failed`, `Replacing`, `Deleting`, or empty at first.',
);
const found = {
  phase,
  reason: string('The reason as one word for programs.'),
  message: string('The reason as a text for people.'),
  lastUpdateTime: dateTime('When it was last checked.'),
  lastTransitionTime: dateTime('When the phase last changed.'),
};

const status = named(
  'ClusterServiceVersionStatus',
  object('The progress of the installation.', {
    ...found,
    conditions: list(
      'The previous conditions.',
      named(
        'ClusterServiceVersionCondition',
        object('A phase of the installation, and its time.', found),
      ),
    ),
    requirementStatus: list('The requirements of the installation.', requirement),
    certsLastUpdated: dateTime('When the certificates of its webhooks were issued.'),
    certsRotateAt: dateTime('When the certificates are rotated.'),
    cleanup: named(
      'CleanupStatus',
      object('The objects to delete before the operator is deleted.', {
        pendingDeletion: list('The objects that still exist.', pending),
      }),
    ),
  }),
);

/**
 * The kind of a version of an operator on the cluster. Its form in a bundle is `ClusterServiceVersion` of
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
