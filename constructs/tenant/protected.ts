import type { Platform } from './declaration.ts';
import { matchesName } from './name-pattern.ts';

/**
 * Namespaces in which platforms run what they have for everyone, by the names that its installers
 * give; a tenant who has one of them gets what the cluster trusts it with. Most end with `-system`.
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

/** Names and patterns by which namespaces are the platform's. */
export interface Protection {
  /** What holds always: the fixed core, and the platform's own list. */
  readonly fixed: readonly string[];
  /** What is protected by convention. */
  readonly usual: readonly string[];
  /** Names that are not, though a convention would have it. */
  readonly released: readonly string[];
}

/** By what `findProtection` goes. */
export function resolveProtection(platform: Platform): Protection {
  const { protectedNamespaces, externalNamespaces, releasedNamespaces } = platform;
  return {
    fixed: [...protectedNamespaces, ...externalNamespaces],
    usual: conventionalNamespaces,
    released: releasedNamespaces,
  };
}

/**
 * Why a namespace is the platform's: the name or pattern that protects it. The platform's own list
 * (what is external to tenants among it) and the fixed core hold always; what is protected by convention can be released by its name.
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

/** A `*` at one end stands for any rest. */
function matches(pattern: string, name: string): boolean {
  return pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : matchesName([pattern], name);
}
