import { INSIDE_CLUSTER } from '../../crds/service-bounds.ts';
import { matchesName } from '../name-pattern.ts';

/** The word for a Service without `loadBalancerClass`. It has a space, so that no class has the same name. */
export const NO_CLASS = 'no class';

/** Names that `*` does not allow either: clouds name nodes and their metadata servers so. */
export const CLOUD_DOMAIN = '.internal';

const inside = new RegExp(INSIDE_CLUSTER);

/** Whether a resolver may find a name inside the cluster or on the node: in lower case, without a dot at the end. */
export function isInsideCluster(name: string): boolean {
  return inside.test(name);
}

/**
 * Whether a class allows a Service of type ExternalName to have a name. A resolver adds the search domains of its pod to
 * a name without a dot at the end, and may so find `web.shop` and `http.tcp.web.shop` inside the cluster. The last label
 * decides in which namespace. `*.example.com` fixes that label, and `*` requires the dot.
 * Source: https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/, coredns plugin/kubernetes parse.go
 */
export function allowsExternalName(allowed: readonly string[], externalName: string): boolean {
  const isAbsolute = externalName.endsWith('.');
  const name = (isAbsolute ? externalName.slice(0, -1) : externalName).toLowerCase();
  if (allowed.includes(name)) return true;
  if (isInsideCluster(name)) return false;
  return allowed.some((pattern) =>
    pattern === '*'
      ? isAbsolute && !name.endsWith(CLOUD_DOMAIN)
      : pattern.startsWith('*.') && name.endsWith(pattern.slice(1)),
  );
}

/** Formats the classes of load balancers that a class allows as words, one for each entry. */
export function formatLoadBalancerClasses(allowed: readonly string[]): string[] {
  return allowed.map((name) => name || NO_CLASS);
}

/** Whether a class allows a Service of type LoadBalancer to have a class, or none. */
export function allowsLoadBalancerClass(
  allowed: readonly string[] | undefined,
  name: string,
): boolean {
  if (allowed === undefined) return true;
  return name === '' ? allowed.includes('') : matchesName(allowed.filter(Boolean), name);
}
