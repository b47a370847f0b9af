import type { KubeObject } from '@tenantry/kube/object';
import { namespaceOf, webhookName, manifestOf } from './names.ts';
import type { ImagelessSpec, IssuerName, OperatorWebhooks } from './spec.ts';

/** Returns whether the operator makes the certificate of its webhooks itself. */
export function usesOwnCertificates({ certificates }: OperatorWebhooks): boolean {
  return certificates === 'operator';
}

/** The annotation by which cert-manager writes `caBundle`; none where the operator does. */
export function buildInjectionAnnotation(
  spec: ImagelessSpec,
): Readonly<Record<string, string>> | undefined {
  if (!spec.webhooks || usesOwnCertificates(spec.webhooks)) return undefined;
  return { 'cert-manager.io/inject-ca-from': `${namespaceOf(spec)}/${webhookName(spec)}` };
}

/**
 * Builds the objects for the certificate of webhooks: an empty Secret, which the operator fills, or
 * the objects of cert-manager. Source: https://cert-manager.io/docs/concepts/ca-injector/
 */
export function buildCertificateObjects(spec: ImagelessSpec): Readonly<Record<string, KubeObject>> {
  if (!spec.webhooks) return {};
  const { certificates } = spec.webhooks;
  const name = webhookName(spec);
  const metadata = { name, namespace: namespaceOf(spec) };
  if (certificates === 'operator') {
    return { 'webhook-secret': { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque' } };
  }
  const apiVersion = 'cert-manager.io/v1';
  const own: IssuerName = { name };
  const issuer = certificates === 'cert-manager' ? own : certificates.issuer;
  const host = `${name}.${metadata.namespace}.svc`;
  const certificate = {
    apiVersion,
    kind: 'Certificate',
    metadata,
    spec: {
      secretName: name,
      dnsNames: [host, `${host}.cluster.local`],
      issuerRef: { group: 'cert-manager.io', kind: issuer.kind ?? 'Issuer', name: issuer.name },
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
    },
  };
  return {
    ...(issuer === own && {
      'webhook-issuer': { apiVersion, kind: 'Issuer', metadata, spec: { selfSigned: {} } },
    }),
    'webhook-certificate': certificate,
  };
}

/** An object with a `caBundle`. */
interface CaBundleTarget {
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
