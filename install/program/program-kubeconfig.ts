import {
  type ResolvedContext,
  resolveRelativePath,
  type Entry,
} from '../../runtime/connection/kubeconfig.ts';
import type { ObjectName } from '../../runtime/kinds/kind.ts';

/** A kubeconfig that is written as JSON, which is valid YAML. */
export type KubeconfigFile = Readonly<Record<string, unknown>>;

/** Returns a kubeconfig without credentials that only selects the current context of other kubeconfigs. */
export function buildContextKubeconfig({ name }: ResolvedContext): KubeconfigFile {
  return { apiVersion: 'v1', kind: 'Config', 'current-context': name };
}

const NAME = 'tenantry-operator-run';

/**
 * Returns a context of a kubeconfig that impersonates a ServiceAccount. It holds the credentials of
 * the context, whose user must have the right to `impersonate` the account.
 * @throws {Error} when the context already impersonates another user
 */
export function buildImpersonationKubeconfig(
  { cluster, user, namespace }: ResolvedContext,
  account: ObjectName,
): KubeconfigFile {
  if (user.value.as !== undefined) {
    throw new Error(`the context must not impersonate a user already, got as: ${user.value.as}`);
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

/** Makes relative file names absolute, so that they work from any folder. */
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
