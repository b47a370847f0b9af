import type { MutatingWebhook, ValidatingWebhook } from '@tenantry/kube/api/admissionregistration';
import type { Immutable } from '@tenantry/kube/immutable';
import { NAME_LABEL } from '@tenantry/kube/label-selector';
import type { KubeObject } from '@tenantry/kube/object';
import type { LabelSelector } from '@tenantry/crd/schema/language';
import { buildInjectionAnnotation } from './certificates.ts';
import { manifestOf, namespaceOf, webhookName } from './names.ts';
import type { ImagelessSpec, AdmissionRule, OperatorAdmission, OperatorMutation } from './spec.ts';
import { watchedNamespaces } from './rights.ts';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import { requireDeletionConfirmation } from '@tenantry/kube/argocd-directives';

/** A webhook of a configuration (admissionregistration.k8s.io/v1), without its `caBundle`. */
type AdmissionWebhook = Immutable<ValidatingWebhook>;

/** Builds the webhook configurations, as far as the operator has webhooks. */
export function buildAdmissionObjects(spec: ImagelessSpec): Readonly<Record<string, KubeObject>> {
  const { validating = [], mutating = [] } = spec.webhooks ?? {};
  const annotations = buildInjectionAnnotation(spec);
  const configuration = (kind: string, webhooks: readonly AdmissionWebhook[]): KubeObject => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: spec.name, ...(annotations && { annotations }) },
    webhooks,
  });
  return {
    ...(validating.length > 0 && {
      'validating-webhooks': configuration(
        'ValidatingWebhookConfiguration',
        validating.map((one) => buildWebhook(one, 'validate', spec)),
      ),
    }),
    ...(mutating.length > 0 && {
      'mutating-webhooks': configuration(
        'MutatingWebhookConfiguration',
        mutating.map((one) => buildMutatingWebhook(one, spec)),
      ),
    }),
  };
}

function buildMutatingWebhook(
  one: OperatorMutation,
  spec: ImagelessSpec,
): Immutable<MutatingWebhook> {
  const { reinvocationPolicy = 'Never' } = one;
  return { ...buildWebhook(one, 'mutate', spec), reinvocationPolicy };
}

function buildWebhook(
  one: OperatorAdmission,
  verb: 'validate' | 'mutate',
  spec: ImagelessSpec,
): AdmissionWebhook {
  const { name, rules, failurePolicy = 'Fail', sideEffects = 'None', timeout = 10 } = one;
  const path = one.path ?? buildWebhookPath(verb, rules);
  const namespaceSelector = one.namespaceSelector ?? selectNamespaces(rules, spec);
  return {
    name,
    clientConfig: {
      service: { name: webhookName(spec), namespace: namespaceOf(spec), path, port: 443 },
    },
    rules: rules.map(({ groups, versions, resources, operations, scope = '*' }) => ({
      apiGroups: groups,
      apiVersions: versions,
      resources,
      operations,
      scope,
    })),
    admissionReviewVersions: ['v1'],
    failurePolicy,
    matchPolicy: one.matchPolicy ?? 'Equivalent',
    sideEffects,
    timeoutSeconds: timeout,
    ...(namespaceSelector && { namespaceSelector }),
    ...(one.objectSelector && { objectSelector: one.objectSelector }),
    ...(one.matchConditions && { matchConditions: one.matchConditions }),
  };
}

/** Builds the default path of a webhook, which is that of the runtime's webhooks. */
export function buildWebhookPath(
  verb: 'validate' | 'mutate',
  rules: readonly AdmissionRule[],
): string {
  const [{ groups: [group = ''] = [], resources: [resource = ''] = [] } = {}] = rules;
  const [plural = ''] = resource.split('/');
  return `/${verb}/${group === '' ? plural : `${plural}.${group}`}`;
}

/** See `namespaceSelector` of OperatorAdmission. */
function selectNamespaces(
  rules: readonly AdmissionRule[],
  spec: ImagelessSpec,
): LabelSelector | undefined {
  const watched = watchedNamespaces(spec);
  const only = (operator: 'In' | 'NotIn', values: readonly string[]): LabelSelector => ({
    matchExpressions: [{ key: NAME_LABEL, operator, values }],
  });
  if (watched) return only('In', watched);
  const own = new Set((spec.owned ?? []).map((kind) => manifestOf(kind).spec.group));
  const isOfOwned = rules.every(({ groups }) => groups.every((group) => own.has(group)));
  return isOfOwned ? undefined : only('NotIn', [namespaceOf(spec)]);
}

/** Builds the definitions of the operator's kinds, by name. Those that it converts refer to its webhook. */
export function buildDefinitions(
  spec: ImagelessSpec,
): Readonly<Record<string, CustomResourceDefinitionManifest>> {
  const { owned = [] } = spec;
  return Object.fromEntries(
    owned.map((kind) => {
      const manifest = manifestOf(kind);
      return [
        manifest.metadata.name,
        requireDeletionConfirmation(addConversion(manifest, spec)),
      ] as const;
    }),
  );
}

function addConversion(
  manifest: CustomResourceDefinitionManifest,
  spec: ImagelessSpec,
): CustomResourceDefinitionManifest {
  const { group, names } = manifest.spec;
  const { conversion = [] } = spec.webhooks ?? {};
  const { name } = manifest.metadata;
  const conversionWebhook = conversion.find(({ kind }) => manifestOf(kind).metadata.name === name);
  if (!conversionWebhook) return manifest;
  const path = conversionWebhook.path ?? `/convert/${names.plural}.${group}`;
  const service = { name: webhookName(spec), namespace: namespaceOf(spec), path, port: 443 };
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      annotations: { ...manifest.metadata.annotations, ...buildInjectionAnnotation(spec) },
    },
    spec: {
      ...manifest.spec,
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { service }, conversionReviewVersions: ['v1'] },
      },
    },
  };
}
