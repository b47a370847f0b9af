import type { KubeObject } from '../../../crds/object.ts';
import { CONFIRM, ENVIRONMENT_LABEL, ownerLabels, SYNC_OPTIONS } from '../ownership.ts';
import type { ResolvedNamespace } from '../resolved.ts';

/**
 * The Namespace, with its Pod Security labels and its contact annotations.
 * Source: https://kubernetes.io/docs/concepts/security/pod-security-admission/#pod-security-admission-labels-for-namespaces
 */
export function namespaceObject(
  tenant: string,
  { name, environment, settings }: ResolvedNamespace,
  metadataKeys: Readonly<Record<string, string>>,
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
    ...(settings.deletion === 'Confirm' && { [SYNC_OPTIONS]: CONFIRM }),
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
        ...ownerLabels(tenant),
      },
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
  };
}
