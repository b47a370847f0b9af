import type { WebhookDefinition } from '../../../olm/bundle/cluster-service-version.ts';
import { buildWebhookPath } from '../../operator/parts/webhooks.ts';
import { webhookPort } from '../../operator/parts/resolved-pod.ts';
import { manifestOf } from '../../operator/parts/names.ts';
import type {
  OperatorSpec,
  OperatorAdmission,
  OperatorMutation,
} from '../../operator/parts/spec.ts';

/** The webhooks of an operator as OLM registers them. */
export function buildWebhookDefinitions(operator: OperatorSpec): WebhookDefinition[] {
  const { webhooks } = operator;
  if (!webhooks) return [];
  const { conversion = [], validating = [], mutating = [] } = webhooks;
  const served = {
    deploymentName: operator.name,
    containerPort: 443,
    targetPort: webhookPort(operator),
    admissionReviewVersions: ['v1'],
  };
  return [
    ...conversion.map(({ kind, path }): WebhookDefinition => {
      const { metadata, spec } = manifestOf(kind);
      const { plural } = spec.names;
      return {
        generateName: `convert.${metadata.name}`,
        type: 'ConversionWebhook',
        ...served,
        sideEffects: 'None',
        webhookPath: path ?? `/convert/${plural}.${spec.group}`,
        conversionCRDs: [metadata.name],
      };
    }),
    ...validating.map((webhook): WebhookDefinition => {
      return {
        ...buildAdmission(webhook, 'validate'),
        type: 'ValidatingAdmissionWebhook',
        ...served,
      };
    }),
    ...mutating.map((webhook: OperatorMutation): WebhookDefinition => {
      const { reinvocationPolicy } = webhook;
      return {
        ...buildAdmission(webhook, 'mutate'),
        type: 'MutatingAdmissionWebhook',
        ...served,
        ...(reinvocationPolicy && { reinvocationPolicy }),
      };
    }),
  ];
}

function buildAdmission(
  webhook: OperatorAdmission,
  verb: 'validate' | 'mutate',
): Omit<WebhookDefinition, 'type' | 'admissionReviewVersions'> {
  const { failurePolicy = 'Fail', sideEffects = 'None', timeout, matchPolicy } = webhook;
  return {
    generateName: webhook.name,
    rules: webhook.rules.map(({ groups, versions, resources, operations, scope }) => ({
      apiGroups: groups,
      apiVersions: versions,
      resources,
      operations,
      ...(scope && { scope }),
    })),
    failurePolicy,
    sideEffects,
    ...(timeout !== undefined && { timeoutSeconds: timeout }),
    ...(matchPolicy && { matchPolicy }),
    ...(webhook.objectSelector && { objectSelector: webhook.objectSelector }),
    webhookPath: webhook.path ?? buildWebhookPath(verb, webhook.rules),
  };
}
