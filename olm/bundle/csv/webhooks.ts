/** The webhooks of an operator. */
import {
  enumOf,
  integer,
  intOrString,
  labelSelector,
  list,
  object,
  required,
  string,
} from '../../../schema/language.ts';
import { named } from './named.ts';

const words = (description: string) => list(description, string('One of them.'));

const webhookRule = named(
  'WebhookRule',
  object('Requests that a webhook is asked about.', {
    operations: list(
      'What is done.',
      enumOf('An operation.', ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*']),
    ),
    apiGroups: words('The groups; empty for the core group.'),
    apiVersions: words('The versions.'),
    resources: words('The resources, in the plural.'),
    scope: enumOf('Where they lie.', ['Cluster', 'Namespaced', '*'], { absent: '`*`' }),
  }),
);

export const webhook = named(
  'WebhookDefinition',
  object('A webhook that OLM registers, and gives certificates.', {
    generateName: required(string('Its name, a domain of three parts or more.')),
    type: required(
      named(
        'WebhookType',
        enumOf('What a webhook is asked for.', [
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
    rules: list('What it is asked about; not for conversion.', webhookRule),
    failurePolicy: enumOf('What holds when it does not answer.', ['Fail', 'Ignore'], {
      absent: '`Fail`',
    }),
    matchPolicy: enumOf(
      'Whether requests for other versions of a resource are asked about, too.',
      ['Exact', 'Equivalent'],
      { absent: '`Equivalent`' },
    ),
    objectSelector: labelSelector('The objects that it is asked about.'),
    sideEffects: required(
      enumOf('What a call changes besides.', ['None', 'NoneOnDryRun', 'Some', 'Unknown']),
    ),
    timeoutSeconds: integer('How long a call may take.', { absent: '10' }),
    admissionReviewVersions: required(words('The versions of reviews that it understands.')),
    reinvocationPolicy: enumOf(
      'Whether it is asked again after other webhooks.',
      ['Never', 'IfNeeded'],
      { absent: '`Never`' },
    ),
    webhookPath: string('The path at which it is served.', { absent: '`/`' }),
    conversionCRDs: words('The names of the CustomResourceDefinitions that it converts.'),
  }),
);
