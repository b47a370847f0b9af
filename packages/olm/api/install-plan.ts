import { uncheckedDefinition } from '@tenantry/crd/definition';
import {
  boolean,
  dateTime,
  integer,
  list,
  object,
  required,
  string,
} from '@tenantry/crd/schema/language';
import { named, objectReference } from './shared-fields.ts';

const words = (description: string) => list(description, string('An entry.'));

const spec = named(
  'InstallPlanSpec',
  object('The ClusterServiceVersions to install, and their approval.', {
    clusterServiceVersionNames: required(
      words('The ClusterServiceVersions to install, including dependencies.'),
    ),
    approval: required(string('Whether it requires a manual approval: `Automatic`, `Manual`.')),
    approved: required(boolean('Whether it is approved.')),
    generation: integer('The number of the plan within its namespace.', { format: 'int64' }),
    source: string('The CatalogSource.'),
    sourceNamespace: string('The namespace of the CatalogSource.'),
  }),
);

const step = named(
  'InstallPlanStep',
  object('An object to create.', {
    resolving: required(string('The ClusterServiceVersion that needs the object.')),
    resource: required(
      named(
        'InstallPlanStepResource',
        object('The object and its content.', {
          group: required(string('Its group; empty for the core group.')),
          version: required(string('The version of its kind.')),
          kind: required(string('Its kind.')),
          name: required(string('Its name.')),
          sourceName: required(string('The CatalogSource of the object.')),
          sourceNamespace: required(string('The namespace of the CatalogSource.')),
          manifest: string('The object as JSON, or a reference to it.'),
        }),
      ),
    ),
    status: required(
      string('The state, such as `Unknown`, `NotPresent`, `Present`, `Created`, `NotCreated`.'),
    ),
    optional: boolean('Whether the step is skipped if the cluster does not have the kind.', {
      absent: '`false`',
    }),
  }),
);

/** The fields of a plan's conditions besides type and status. */
const since = {
  reason: string('The reason as one word for programs.'),
  message: string('The reason as a text for people.'),
  lastUpdateTime: dateTime('When it was last checked.'),
  lastTransitionTime: dateTime('When the status last changed.'),
};

const bundleLookup = named(
  'BundleLookup',
  object('A bundle that is unpacked for the plan.', {
    identifier: required(string('The ClusterServiceVersion in it.')),
    path: required(string('Its image.')),
    replaces: required(string('The ClusterServiceVersion that it replaces.')),
    properties: string('Its properties from the catalog, as JSON.'),
    catalogSourceRef: required(objectReference('The CatalogSource of the bundle.')),
    conditions: list(
      'The progress.',
      named(
        'BundleLookupCondition',
        object('A condition, and when it last changed.', {
          type: required(string('The type: `BundleLookupPending`, `BundleLookupFailed`.')),
          status: required(string('The status of the condition: `True`, `False`, `Unknown`.')),
          ...since,
        }),
      ),
    ),
  }),
);

const status = named(
  'InstallPlanStatus',
  object('The progress.', {
    phase: required(
      string(
        'The phase: `Planning`, `RequiresApproval`, `Installing`, `Complete`, `Failed`, or empty at first.',
      ),
    ),
    message: string('The error as a text for people.'),
    catalogSources: required(words('The CatalogSources that were queried.')),
    plan: list('The objects to create, in order.', step),
    bundleLookups: list('The bundles that are unpacked for the plan.', bundleLookup),
    attenuatedServiceAccountRef: objectReference(
      'The ServiceAccount whose rights limit the installation.',
    ),
    startTime: dateTime('When the installation started.'),
    conditions: list(
      'The conditions.',
      named(
        'InstallPlanCondition',
        object('A condition, and when it last changed.', {
          type: string('The type: `Resolved`, `Installed`.'),
          status: string('The status of the condition: `True`, `False`, `Unknown`.'),
          ...since,
        }),
      ),
    ),
  }),
);

/**
 * The kind of the objects that OLM creates on the cluster to install operators.
 * Source: https://olm.operatorframework.io/docs/concepts/crds/installplan/
 */
export const installPlan = uncheckedDefinition({
  group: 'operators.coreos.com',
  kind: 'InstallPlan',
  plural: 'installplans',
  shortNames: ['ip'],
  categories: ['olm'],
  scope: 'Namespaced',
  versions: {
    v1alpha1: {
      schema: object('The objects that OLM creates on the cluster to install operators.', {
        spec: required(spec),
        status,
      }),
    },
  },
});
