/** One version of Kubernetes that a control plane is made of. */
export interface KubernetesVersion {
  /** '1.36' */
  readonly minor: string;
  /** '1.36.3': the newest patch that the Go module proxy gives with all of its modules. */
  readonly version: string;
  /** Its requirements, a file in go/; go.sum lies beside it under the same name. */
  readonly modFile: string;
}

/**
 * Newest first. A new minor: write its .mod file after the last one (the three requirements and the
 * `replace` lines, each k8s.io/X at v0.<minor>.<patch>), then, in go/,
 * `GOTOOLCHAIN=local go mod tidy -modfile=kubernetes-<minor>.mod`.
 */
export const versions: readonly [KubernetesVersion, ...KubernetesVersion[]] = [
  { minor: '1.36', version: '1.36.3', modFile: 'go.mod' },
  { minor: '1.35', version: '1.35.4', modFile: 'kubernetes-1.35.mod' },
];

/** What the environment asks for with TENANTRY_KUBERNETES=1.35, or the newest. */
export function resolveVersion(env: NodeJS.ProcessEnv): KubernetesVersion {
  const wanted = env['TENANTRY_KUBERNETES'];
  if (!wanted) return versions[0];
  const found = versions.find(({ minor }) => minor === wanted);
  if (found) return found;
  const known = versions.map(({ minor }) => minor).join(', ');
  throw new Error(`TENANTRY_KUBERNETES, or the version, must be one of ${known}, got '${wanted}'`);
}
