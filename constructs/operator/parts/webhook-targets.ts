import { manifestOf } from './names.ts';
import type { ImagelessSpec } from './spec.ts';

/** An object with a `caBundle`. */
export interface CaBundleTarget {
  readonly kind:
    'CustomResourceDefinition' | 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration';
  readonly name: string;
}

/** Lists the objects whose `caBundle` contains the certificate authority of the webhooks. */
export function listCaBundleTargets({
  name,
  webhooks = { certificates: 'operator' },
}: ImagelessSpec): readonly CaBundleTarget[] {
  const { conversion = [], validating = [], mutating = [] } = webhooks;
  return [
    ...conversion.map(({ kind }) => ({
      kind: 'CustomResourceDefinition' as const,
      name: manifestOf(kind).metadata.name,
    })),
    ...(validating.length > 0 ? [{ kind: 'ValidatingWebhookConfiguration' as const, name }] : []),
    ...(mutating.length > 0 ? [{ kind: 'MutatingWebhookConfiguration' as const, name }] : []),
  ];
}
