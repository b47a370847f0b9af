/** The programs of a control plane. */
export const programs = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
] as const;
export type Program = (typeof programs)[number];

/** The path of each program. */
export type Binaries = Readonly<Record<Program, string>>;

/** One version of Kubernetes for a control plane. */
interface KubernetesVersion {
  /** '1.36' */
  readonly minor: string;
  /** '1.36.3': the newest patch for which the Go module proxy has all modules. */
  readonly version: string;
  /** Its requirements, a file in go/. The go.sum of the same name is in the same folder. */
  readonly modFile: string;
}

/**
 * All versions, newest first. To add a minor, write its .mod file like the last one: the three
 * requirements and the `replace` lines, each k8s.io/X at v0.<minor>.<patch>. Then run, in go/,
 * `GOTOOLCHAIN=local go mod tidy -modfile=kubernetes-<minor>.mod`.
 */
export const versions: readonly [KubernetesVersion, ...KubernetesVersion[]] = [
  { minor: '1.36', version: '1.36.3', modFile: 'go.mod' },
  { minor: '1.35', version: '1.35.4', modFile: 'kubernetes-1.35.mod' },
];

/** Returns the version that TENANTRY_KUBERNETES=1.35 in the environment selects, or the newest. */
export function resolveVersion(env: NodeJS.ProcessEnv): KubernetesVersion {
  const wanted = env['TENANTRY_KUBERNETES'];
  if (!wanted) return versions[0];
  const found = versions.find(({ minor }) => minor === wanted);
  if (found) return found;
  const known = versions.map(({ minor }) => minor).join(', ');
  throw new Error(`TENANTRY_KUBERNETES, or the version, must be one of ${known}, got '${wanted}'`);
}
