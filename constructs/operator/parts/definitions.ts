import type { CustomResourceDefinitionManifest } from '../../../crds/custom-resource-definition.ts';
import { requireDeletionConfirmation } from '../../crd/confirmed.ts';
import { buildInjectionAnnotation } from './certificates.ts';
import { manifestOf, namespaceOf, webhookName } from './names.ts';
import type { ImagelessSpec } from './spec.ts';

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
