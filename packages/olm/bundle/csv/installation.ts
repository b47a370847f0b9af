/** Schemas of how OLM installs an operator: its Deployments, permissions and webhooks. */
import type { DeploymentSpec } from '@tenantry/kube/api/apps';
import type { Immutable } from '@tenantry/kube/immutable';
import { builtinSchema } from '@tenantry/crd/schema/builtin-object';
import {
  enumOf,
  list,
  map,
  object,
  required,
  string,
  integer,
  intOrString,
  labelSelector,
  type Schema,
} from '@tenantry/crd/schema/language';
import { naming } from '@tenantry/crd/type-name';
import type { TypesByName } from './types-by-name.ts';

/** Names the type of the values of a schema of the ClusterServiceVersion. */
export const named = naming<TypesByName>();

const words = (description: string) => list(description, string('An entry.'));

const rule = named(
  'StrategyRule',
  object('A rule of RBAC.', {
    verbs: required(words('The allowed verbs.')),
    apiGroups: words('The API groups; empty for the core group.'),
    resources: words('The resources, in the plural.'),
    resourceNames: words('The objects, by name. Default: all.'),
    nonResourceURLs: words('Paths of the API server; only in `clusterPermissions`.'),
  }),
);

const permissions = named(
  'StrategyPermissions',
  object('The permissions of a ServiceAccount.', {
    serviceAccountName: required(string('The ServiceAccount; OLM creates it.')),
    rules: required(list('The rules.', rule)),
  }),
);

/** The spec of a Deployment, by Kubernetes' own schema. The API server requires these two fields. */
const deploymentSpec: Schema<Immutable<DeploymentSpec>> = {
  ...builtinSchema('DeploymentSpec'),
  description: 'The spec of a Deployment.',
  required: ['selector', 'template'],
};

const deployment = named(
  'StrategyDeployment',
  object('A Deployment that OLM creates.', {
    name: required(string('Its name.')),
    spec: required(named('StrategyDeploymentSpec', deploymentSpec)),
    label: map('Labels of the Deployment.', string('A value.')),
  }),
);

export const install = named(
  'InstallStrategy',
  object('The installation of an operator.', {
    strategy: required(enumOf('The only strategy of OLM.', ['deployment'])),
    spec: named(
      'DeploymentStrategySpec',
      object('The objects that OLM creates for an operator.', {
        deployments: required(list('The Deployments of the operator.', deployment)),
        permissions: list('The permissions in the namespaces that it watches.', permissions),
        clusterPermissions: list('The permissions in the whole cluster.', permissions),
      }),
    ),
  }),
);

const webhookRule = named(
  'WebhookRule',
  object('The requests that are sent to a webhook.', {
    operations: list(
      'The operations.',
      enumOf('An operation.', ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*']),
    ),
    apiGroups: words('The API groups; empty for the core group.'),
    apiVersions: words('The versions.'),
    resources: words('The resources, in the plural.'),
    scope: enumOf('The scope of the resources.', ['Cluster', 'Namespaced', '*'], { absent: '`*`' }),
  }),
);

export const webhook = named(
  'WebhookDefinition',
  object('A webhook that OLM registers, and for which it issues certificates.', {
    generateName: required(string('Its name, a domain of three parts or more.')),
    type: required(
      named(
        'WebhookType',
        enumOf('The type of a webhook.', [
          'ValidatingAdmissionWebhook',
          'MutatingAdmissionWebhook',
          'ConversionWebhook',
        ]),
      ),
    ),
    deploymentName: string('The deployment of the operator that serves it.'),
    containerPort: integer('The port of the Service that OLM creates.', {
      minimum: 1,
      maximum: 65_535,
      absent: '443',
    }),
    targetPort: intOrString('The port of the pods, by number or by name.', {
      absent: '`containerPort`',
    }),
    rules: list('The requests that are sent to it; not for conversion.', webhookRule),
    failurePolicy: enumOf('The policy if the webhook does not answer.', ['Fail', 'Ignore'], {
      absent: '`Fail`',
    }),
    matchPolicy: enumOf(
      'Whether requests for other versions of a resource match too.',
      ['Exact', 'Equivalent'],
      { absent: '`Equivalent`' },
    ),
    objectSelector: labelSelector('The labels of the objects whose requests are sent to it.'),
    sideEffects: required(
      enumOf('The side effects of a call.', ['None', 'NoneOnDryRun', 'Some', 'Unknown']),
    ),
    timeoutSeconds: integer('The timeout of a call, in seconds.', { absent: '10' }),
    admissionReviewVersions: required(words('The versions of AdmissionReview that it supports.')),
    reinvocationPolicy: enumOf(
      'Whether it is called again after other webhooks.',
      ['Never', 'IfNeeded'],
      { absent: '`Never`' },
    ),
    webhookPath: string('The path at which it is served.', { absent: '`/`' }),
    conversionCRDs: words('The names of the CustomResourceDefinitions that it converts.'),
  }),
);
