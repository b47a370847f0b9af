import { uncheckedDefinition } from '@tenantry/crd/definition';
import {
  boolean,
  dateTime,
  enumOf,
  integer,
  labelSelector,
  list,
  listMap,
  map,
  object,
  quantity,
  required,
  string,
} from '@tenantry/crd/schema/language';
import {
  named,
  objectReference,
  affinity,
  env,
  envFrom,
  tolerations,
  volumeMounts,
  volumes,
} from './shared-fields.ts';

const quantities = (description: string) =>
  map(description, quantity('An amount.'), { maxProperties: 64 });

const resources = named(
  'OperatorResourceRequirements',
  object("The resources of the operator's containers, which override those of the bundle.", {
    limits: quantities('The limits.'),
    requests: quantities('The requests.'),
    claims: listMap(
      'Claims of the pod that the containers use.',
      'name',
      named(
        'OperatorResourceClaim',
        object('A claim of the pod.', {
          name: required(string('Its name.')),
          request: string('The request within the claim.', { absent: 'all' }),
        }),
      ),
    ),
  }),
);

const config = named(
  'SubscriptionConfig',
  object("The settings that OLM overrides in the operator's Deployments.", {
    selector: labelSelector('The Deployments to change.'),
    nodeSelector: map('Labels of the nodes on which its pods may run.', string('A value.')),
    tolerations,
    affinity,
    resources,
    env,
    envFrom,
    volumes,
    volumeMounts,
    annotations: map('Annotations of its Deployments and pods.', string('A value.')),
  }),
);

const spec = named(
  'SubscriptionSpec',
  object('The operator to install, and its catalog.', {
    name: required(string('The package.', { example: 'redis-operator' })),
    channel: string('The channel.', { example: 'stable', absent: "the package's default" }),
    source: required(string('The CatalogSource.', { example: 'operatorhubio-catalog' })),
    sourceNamespace: required(string('The namespace of the CatalogSource.', { example: 'olm' })),
    startingCSV: string('The version that is installed first.', {
      example: 'redis-operator.v1.2.3',
      absent: 'the head of the channel',
    }),
    installPlanApproval: enumOf(
      'Whether each InstallPlan requires a manual approval.',
      ['Automatic', 'Manual'],
      { absent: '`Automatic`' },
    ),
    config,
  }),
);

const status = named(
  'SubscriptionStatus',
  object('The observed status.', {
    state: string(
      'The state: `AtLatestKnown`, `UpgradePending`, `UpgradeAvailable`, `UpgradeFailed`.',
    ),
    reason: string('The reason as one word.'),
    currentCSV: string('The ClusterServiceVersion to be installed.'),
    installedCSV: string('The installed ClusterServiceVersion.'),
    installPlanGeneration: integer('The number of InstallPlans so far.', { format: 'int64' }),
    installPlanRef: objectReference('The latest InstallPlan.'),
    installplan: named(
      'SubscriptionInstallPlan',
      object('The latest InstallPlan, in the form for old programs.', {
        apiVersion: required(string('The version of its API.')),
        kind: required(string('Its kind.')),
        name: required(string('Its name.')),
        uuid: required(string('Its UID.')),
      }),
    ),
    catalogHealth: list(
      'The health of the catalogs.',
      named(
        'SubscriptionCatalogHealth',
        object('The status of a catalog.', {
          catalogSourceRef: required(objectReference('The CatalogSource.')),
          healthy: required(boolean('Whether the catalog can be queried.')),
          lastUpdated: required(dateTime('When the health was last checked.')),
        }),
      ),
    ),
    conditions: list(
      'The conditions.',
      named(
        'SubscriptionCondition',
        object('A condition, and when it last changed.', {
          type: required(string('The type: `CatalogSourcesUnhealthy`, `ResolutionFailed`.')),
          status: required(string('The status of the condition: `True`, `False`, `Unknown`.')),
          reason: string('The reason as one word for programs.'),
          message: string('The reason as a text for people.'),
          lastHeartbeatTime: dateTime('When it was last checked.'),
          lastTransitionTime: dateTime('When the status last changed.'),
        }),
      ),
    ),
    lastUpdated: required(dateTime('When the status was last updated.')),
  }),
);

/**
 * An operator that OLM installs and keeps up to date.
 * Source: https://olm.operatorframework.io/docs/concepts/crds/subscription/
 */
export const subscription = uncheckedDefinition({
  group: 'operators.coreos.com',
  kind: 'Subscription',
  plural: 'subscriptions',
  shortNames: ['sub', 'subs'],
  categories: ['olm'],
  scope: 'Namespaced',
  versions: {
    v1alpha1: {
      schema: object('An operator that OLM installs and keeps up to date.', {
        spec: required(spec),
        status,
      }),
    },
  },
});
