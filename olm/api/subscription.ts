import { uncheckedDefinition } from '../../crds/definition.ts';
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
} from '../../schema/language.ts';
import { named } from './named.ts';
import { objectReference } from './object-reference.ts';
import { affinity, env, envFrom, tolerations, volumeMounts, volumes } from './pod-fields.ts';

const quantities = (description: string) =>
  map(description, quantity('How much.'), { maxProperties: 64 });

const resources = named(
  'OperatorResourceRequirements',
  object("What the operator's containers ask for, in place of what the bundle says.", {
    limits: quantities('At most this.'),
    requests: quantities('At least this.'),
    claims: listMap(
      'Claims of the pod that the containers use.',
      'name',
      named(
        'OperatorResourceClaim',
        object('A claim of the pod.', {
          name: required(string('Its name.')),
          request: string('Which request of it.', { absent: 'all' }),
        }),
      ),
    ),
  }),
);

const config = named(
  'SubscriptionConfig',
  object("What OLM changes in the operator's Deployments.", {
    selector: labelSelector('The Deployments that are changed.'),
    nodeSelector: map('Labels of the nodes that its pods may run on.', string('A value.')),
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
  object('Which operator is wanted, and from where.', {
    name: required(string('The package.', { example: 'redis-operator' })),
    channel: string('The channel.', { example: 'stable', absent: "the package's default" }),
    source: required(string('The CatalogSource.', { example: 'operatorhubio-catalog' })),
    sourceNamespace: required(string('The namespace of the CatalogSource.', { example: 'olm' })),
    startingCSV: string('Which version is installed first.', {
      example: 'redis-operator.v1.2.3',
      absent: 'the head of the channel',
    }),
    installPlanApproval: enumOf(
      'Whether each InstallPlan waits for a person.',
      ['Automatic', 'Manual'],
      { absent: '`Automatic`' },
    ),
    config,
  }),
);

const status = named(
  'SubscriptionStatus',
  object('What came of it.', {
    state: string('`AtLatestKnown`, `UpgradePending`, `UpgradeAvailable`, `UpgradeFailed`.'),
    reason: string('Why, as one word.'),
    currentCSV: string('The ClusterServiceVersion that is to be there.'),
    installedCSV: string('The ClusterServiceVersion that is there.'),
    installPlanGeneration: integer('How many InstallPlans there were.', { format: 'int64' }),
    installPlanRef: objectReference('The latest InstallPlan.'),
    installplan: named(
      'SubscriptionInstallPlan',
      object('The latest InstallPlan, as old programs read it.', {
        apiVersion: required(string('The version of its API.')),
        kind: required(string('Its kind.')),
        name: required(string('Its name.')),
        uuid: required(string('Its UID.')),
      }),
    ),
    catalogHealth: list(
      'How it is with the catalogs.',
      named(
        'SubscriptionCatalogHealth',
        object('How it is with a catalog.', {
          catalogSourceRef: required(objectReference('The CatalogSource.')),
          healthy: required(boolean('Whether it can be asked.')),
          lastUpdated: required(dateTime('When that was found.')),
        }),
      ),
    ),
    conditions: list(
      'What is the case.',
      named(
        'SubscriptionCondition',
        object('What is the case, and since when.', {
          type: required(
            string('What it is about: `CatalogSourcesUnhealthy`, `ResolutionFailed`.'),
          ),
          status: required(string('Whether it is the case: `True`, `False`, `Unknown`.')),
          reason: string('Why, as one word for programs.'),
          message: string('Why, for people.'),
          lastHeartbeatTime: dateTime('When it was last looked at.'),
          lastTransitionTime: dateTime('Since when the status is what it is.'),
        }),
      ),
    ),
    lastUpdated: required(dateTime('When this was written.')),
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
