import { uncheckedDefinition } from '../../crds/definition.ts';
import {
  boolean,
  dateTime,
  integer,
  list,
  object,
  required,
  string,
} from '../../schema/language.ts';
import { named } from './named.ts';
import { objectReference } from './object-reference.ts';

const words = (description: string) => list(description, string('One of them.'));

const spec = named(
  'InstallPlanSpec',
  object('What is to be installed, and whether it may be.', {
    clusterServiceVersionNames: required(
      words('The ClusterServiceVersions that it brings, those that they need among them.'),
    ),
    approval: required(string('Whether it waits for a person: `Automatic`, `Manual`.')),
    approved: required(boolean('Whether it may be carried out.')),
    generation: integer('The how manieth plan of its namespace it is.', { format: 'int64' }),
    source: string('The CatalogSource.'),
    sourceNamespace: string('The namespace of the CatalogSource.'),
  }),
);

const step = named(
  'InstallPlanStep',
  object('An object that is made.', {
    resolving: required(string('The ClusterServiceVersion that it is made for.')),
    resource: required(
      named(
        'InstallPlanStepResource',
        object('Which object, and what is in it.', {
          group: required(string('Its group; empty for the core group.')),
          version: required(string('The version of its kind.')),
          kind: required(string('Its kind.')),
          name: required(string('Its name.')),
          sourceName: required(string('The CatalogSource that it comes from.')),
          sourceNamespace: required(string('The namespace of the CatalogSource.')),
          manifest: string('It as JSON, or where that is to be found.'),
        }),
      ),
    ),
    status: required(
      string('`Unknown`, `NotPresent`, `Present`, `Created`, `NotCreated`, and such.'),
    ),
    optional: boolean('Whether the cluster may know no such kind.', { absent: '`false`' }),
  }),
);

/** What conditions of a plan say besides what they are about. */
const since = {
  reason: string('Why, as one word for programs.'),
  message: string('Why, for people.'),
  lastUpdateTime: dateTime('When it was last looked at.'),
  lastTransitionTime: dateTime('Since when the status is what it is.'),
};

const bundleLookup = named(
  'BundleLookup',
  object('A bundle that is unpacked for it.', {
    identifier: required(string('The ClusterServiceVersion in it.')),
    path: required(string('Its image.')),
    replaces: required(string('The ClusterServiceVersion whose place it takes.')),
    properties: string('What the catalog says of it, as JSON.'),
    catalogSourceRef: required(objectReference('The CatalogSource that it comes from.')),
    conditions: list(
      'How far it is.',
      named(
        'BundleLookupCondition',
        object('What is the case, and since when.', {
          type: required(string('What it is about: `BundleLookupPending`, `BundleLookupFailed`.')),
          status: required(string('Whether it is the case: `True`, `False`, `Unknown`.')),
          ...since,
        }),
      ),
    ),
  }),
);

const status = named(
  'InstallPlanStatus',
  object('How far it is.', {
    phase: required(
      string('`Planning`, `RequiresApproval`, `Installing`, `Complete`, `Failed`, or none yet.'),
    ),
    message: string('What is wrong, for people.'),
    catalogSources: required(words('The CatalogSources that were asked.')),
    plan: list('The objects that are made, in order.', step),
    bundleLookups: list('The bundles that are unpacked for it.', bundleLookup),
    attenuatedServiceAccountRef: objectReference('The ServiceAccount whose rights bound it.'),
    startTime: dateTime('When it was begun.'),
    conditions: list(
      'What is the case.',
      named(
        'InstallPlanCondition',
        object('What is the case, and since when.', {
          type: string('What it is about: `Resolved`, `Installed`.'),
          status: string('Whether it is the case: `True`, `False`, `Unknown`.'),
          ...since,
        }),
      ),
    ),
  }),
);

/**
 * What OLM makes on the cluster to bring operators there.
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
      schema: object('What OLM makes on the cluster to bring operators there.', {
        spec: required(spec),
        status,
      }),
    },
  },
});
