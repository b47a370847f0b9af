import type { KubeObject } from '../../../kube/object.ts';
import type { Facts } from './facts.ts';
import { ENVIRONMENT_LABEL, ownerLabels } from '../ownership.ts';
import type { ResolvedNamespace } from '../layers/resolved.ts';

/**
 * Builds the Namespace with the labels that Pod Security reads, its contact annotations, and the annotations that
 * Tenantry's admission policies read. It is applied before the objects in it, so they apply from the first moment.
 * Source:
 * https://kubernetes.io/docs/concepts/security/pod-security-admission/#pod-security-admission-labels-for-namespaces
 */
export function buildNamespace(
  tenant: string,
  { name, environment, settings }: ResolvedNamespace,
  metadataKeys: Readonly<Record<string, string>>,
  facts: Facts,
  staying: Readonly<Record<string, string>>,
): KubeObject {
  const { version, ...modes } = settings.podSecurity;
  const podSecurity = Object.entries(modes).flatMap(([mode, level]) => [
    [`pod-security.kubernetes.io/${mode}`, level],
    ...(version === undefined ? [] : [[`pod-security.kubernetes.io/${mode}-version`, version]]),
  ]);
  const contact = Object.entries(settings.contact).map(([key, value]) => [
    metadataKeys[key] ?? key,
    value,
  ]);
  const annotations = {
    ...settings.annotations,
    ...Object.fromEntries(contact),
    ...staying,
    ...facts.annotations,
  };
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: {
        ...settings.labels,
        ...Object.fromEntries(podSecurity),
        ...(environment !== undefined && { [ENVIRONMENT_LABEL]: environment }),
        ...facts.labels,
        ...ownerLabels(tenant),
      },
      annotations,
    },
  };
}
