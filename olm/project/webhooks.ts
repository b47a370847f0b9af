import { isMapping } from '../../kube/mapping.ts';
import {
  kindOf,
  listAt,
  mappingAt,
  nameOf,
  textAt,
  type BuiltObject,
  type Editable,
  type ProjectTree,
} from './tree.ts';

const types: Readonly<Record<string, string>> = {
  ValidatingWebhookConfiguration: 'ValidatingAdmissionWebhook',
  MutatingWebhookConfiguration: 'MutatingAdmissionWebhook',
};

/** The fields of a webhook that OLM copies unchanged. */
const taken = [
  'admissionReviewVersions',
  'failurePolicy',
  'matchPolicy',
  'objectSelector',
  'reinvocationPolicy',
  'rules',
  'sideEffects',
  'timeoutSeconds',
] as const;

/**
 * Builds webhook definitions, as OLM registers them, from webhook configurations and from definitions with a conversion
 * webhook.
 */
export function buildWebhookDefinitions(
  objects: readonly BuiltObject[],
  tree: ProjectTree,
): object[] {
  return objects.flatMap((one) => {
    const type = types[kindOf(one)];
    if (type !== undefined)
      return listAt(one.value, 'webhooks').map(admissionOf(one, type, objects, tree));
    const conversion = mappingAt(one.value, 'spec', 'conversion');
    if (kindOf(one) !== 'CustomResourceDefinition' || conversion?.['strategy'] !== 'Webhook') {
      return [];
    }
    const webhook = mappingAt(conversion, 'webhook') ?? {};
    return [
      {
        type: 'ConversionWebhook',
        generateName: `c${textAt(one.value, 'spec', 'names', 'kind').toLowerCase()}.kb.io`,
        ...servedBy(webhook, objects, tree, one.file),
        admissionReviewVersions: webhook['conversionReviewVersions'] ?? ['v1'],
        sideEffects: 'None',
        conversionCRDs: [nameOf(one)],
      },
    ];
  });
}

function admissionOf(
  one: BuiltObject,
  type: string,
  objects: readonly BuiltObject[],
  tree: ProjectTree,
) {
  return (webhook: unknown): object => {
    const declared = isMapping(webhook) ? (webhook as Editable) : {};
    const droppedFields = Object.keys(declared).filter(
      (key) => !['name', 'clientConfig', ...taken].includes(key),
    );
    for (const field of droppedFields) {
      tree.reportNotCarriedOver(
        one.file,
        `is not carried over: ${field} of ${textAt(declared, 'name')}: a webhook of OLM has none`,
      );
    }
    const same = taken.flatMap((key) =>
      declared[key] === undefined ? [] : [[key, declared[key]] as const],
    );
    return {
      type,
      generateName: textAt(declared, 'name'),
      ...servedBy(declared, objects, tree, one.file),
      ...(Object.fromEntries(same) as Editable),
    };
  };
}

/** Returns where the operator serves the webhook: the Deployment behind the Service that API servers call. */
function servedBy(
  webhook: Editable,
  objects: readonly BuiltObject[],
  tree: ProjectTree,
  file: string,
): Editable {
  const asked = mappingAt(webhook, 'clientConfig', 'service') ?? {};
  const service = objects.find(
    (one) => kindOf(one) === 'Service' && nameOf(one) === textAt(asked, 'name'),
  );
  const deployment = findDeployment(service, objects);
  if (!deployment)
    tree.reportNotCarriedOver(
      file,
      'must call a Service of a Deployment of the project, got another',
    );
  const port = typeof asked['port'] === 'number' ? asked['port'] : 443;
  const found = listAt(service?.value, 'spec', 'ports').find(
    (one) => isMapping(one) && one['port'] === port,
  );
  const target = isMapping(found) ? found['targetPort'] : undefined;
  const path = textAt(asked, 'path');
  return {
    ...(deployment && { deploymentName: nameOf(deployment) }),
    containerPort: port,
    ...(target !== undefined && { targetPort: target }),
    ...(path !== '' && { webhookPath: path }),
  };
}

function findDeployment(
  service: BuiltObject | undefined,
  objects: readonly BuiltObject[],
): BuiltObject | undefined {
  const selector = Object.entries(mappingAt(service?.value, 'spec', 'selector') ?? {});
  if (selector.length === 0) return undefined;
  return objects.find((one) => {
    const labels = mappingAt(one.value, 'spec', 'template', 'metadata', 'labels') ?? {};
    return kindOf(one) === 'Deployment' && selector.every(([key, value]) => labels[key] === value);
  });
}
