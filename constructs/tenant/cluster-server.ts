/** Argo CD's name for the cluster in which it runs. */
export const IN_CLUSTER = 'in-cluster';

/** The address of that cluster, as Argo CD has it. */
export const IN_CLUSTER_SERVER = 'https://kubernetes.default.svc';

/** Where Argo CD reaches a cluster; undefined where nobody says it. */
export function resolveServer({
  name,
  server,
}: {
  readonly name: string;
  readonly server?: string;
}): string | undefined {
  return server ?? (name === IN_CLUSTER ? IN_CLUSTER_SERVER : undefined);
}

/**
 * The address where Argo CD takes it for a pattern, in which the brackets of an IPv6 address are a set of characters:
 * of its settings and of projects. Applications have it as it is.
 */
export function escapeServerPattern(server: string): string {
  return server.replaceAll(/[*?[\]{}!\\]/g, String.raw`\$&`);
}
