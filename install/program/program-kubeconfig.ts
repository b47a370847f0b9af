import type { ResolvedContext } from '../../runtime/connection/context.ts';
import { resolveRelativePath, type Entry } from '../../runtime/connection/kubeconfig.ts';
import type { ObjectName } from '../../runtime/kinds/kind.ts';

/** A kubeconfig, before it is written down as JSON, which is YAML. */
export type KubeconfigFile = Readonly<Record<string, unknown>>;

/** Says only which context of other kubeconfigs is the current one. It holds no credentials. */
export function buildContextKubeconfig({ name }: ResolvedContext): KubeconfigFile {
  return { apiVersion: 'v1', kind: 'Config', 'current-context': name };
}

const NAME = 'tenantry-operator-run';

/**
 * The context of a kubeconfig as a ServiceAccount, by impersonation: whoever asks must be allowed to
 * `impersonate` it. It holds the credentials of the context.
 * @throws {Error} where the context impersonates somebody already
 */
export function buildImpersonationKubeconfig(
  { cluster, user, namespace }: ResolvedContext,
  account: ObjectName,
): KubeconfigFile {
  if (user.value.as !== undefined) {
    throw new Error(
      `the context must be of nobody who is somebody else's, got as: ${user.value.as}`,
    );
  }
  const { exec } = user.value;
  const as = `system:serviceaccount:${account.namespace}:${account.name}`;
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': NAME,
    clusters: [{ name: NAME, cluster: withPaths(cluster, ['certificate-authority']) }],
    contexts: [
      { name: NAME, context: { cluster: NAME, user: NAME, ...(namespace && { namespace }) } },
    ],
    users: [
      {
        name: NAME,
        user: {
          ...withPaths(user, ['client-certificate', 'client-key', 'tokenFile']),
          ...(exec && { exec: { ...exec, command: commandFrom(user.file, exec.command) } }),
          as,
        },
      },
    ],
  };
}

/** Files that are named from where the kubeconfig lies are found from anywhere. */
function withPaths<T extends object>({ value, file }: Entry<T>, fields: readonly string[]): object {
  const entries = Object.entries(value).map(([key, one]: [string, unknown]) => [
    key,
    fields.includes(key) && typeof one === 'string' && one !== ''
      ? resolveRelativePath(file, one)
      : one,
  ]);
  return Object.fromEntries(entries) as object;
}

function commandFrom(file: string, command = ''): string {
  return /[/\\]/.test(command) ? resolveRelativePath(file, command) : command;
}
