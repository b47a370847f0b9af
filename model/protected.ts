import type { Platform } from './declaration.ts';
import { matchesName } from './name-pattern.ts';

/**
 * Namespaces in which platforms usually run shared components, by the names that their installers give. A tenant that
 * owned one would get what the cluster trusts the namespace with. Most names end with `-system`.
 */
const conventionalNamespaces: readonly string[] = [
  '*-system',
  'openshift',
  'openshift-*',
  'olm',
  'operators',
  'operator-lifecycle-manager',
  'calico-apiserver',
  'tigera-*',
  'cilium',
  'cilium-*',
  'istio-*',
  'linkerd',
  'linkerd-*',
  'ingress-nginx',
  'nginx-ingress',
  'traefik',
  'contour',
  'projectcontour',
  'metallb',
  'cert-manager',
  'external-dns',
  'external-secrets',
  'sealed-secrets',
  'vault',
  'spire',
  'kyverno',
  'gatekeeper',
  'opa',
  'falco',
  'trivy',
  'neuvector',
  'argo',
  'argocd',
  'argo-rollouts',
  'flux',
  'knative-*',
  'tekton-*',
  'monitoring',
  'prometheus',
  'logging',
  'observability',
  'keda',
  'velero',
  'crossplane',
  'rook-ceph',
  'longhorn',
  'local-path-storage',
  'cattle-*',
  'gke-*',
  'gmp-*',
  'aks-*',
  'amazon-*',
  'aws-*',
  'eks-*',
  'azure-*',
  'config-management-*',
];

/** Names and patterns of namespaces that belong to the platform. */
interface Protection {
  /** Always protected: the fixed core, and the platform's own list. */
  readonly fixed: readonly string[];
  /** Protected by convention. */
  readonly usual: readonly string[];
  /** Released from the protection by convention. */
  readonly released: readonly string[];
}

/** Builds the input of `findProtection`. */
export function resolveProtection(platform: Platform): Protection {
  const { protectedNamespaces, externalNamespaces, releasedNamespaces } = platform;
  return {
    fixed: [...protectedNamespaces, ...externalNamespaces],
    usual: conventionalNamespaces,
    released: releasedNamespaces,
  };
}

/**
 * Returns the name or pattern that protects a namespace. The platform's own list (namespaces external to tenants
 * included) and the fixed core always protect. Namespaces that are protected by convention can be released by name.
 */
export function findProtection(
  platform: Platform,
  name: string,
): { readonly pattern: string; readonly releasable: boolean } | undefined {
  const { fixed, usual, released } = resolveProtection(platform);
  const always = fixed.find((pattern) => matches(pattern, name));
  if (always !== undefined) return { pattern: always, releasable: false };
  if (released.includes(name)) return undefined;
  const pattern = usual.find((one) => matches(one, name));
  return pattern === undefined ? undefined : { pattern, releasable: true };
}

/** Whether a name matches a pattern, in which a `*` at one end matches any text. */
function matches(pattern: string, name: string): boolean {
  return pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : matchesName([pattern], name);
}
