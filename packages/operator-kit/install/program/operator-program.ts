import { formatList } from '@tenantry/kube/problem';
import { keyOf, type ObjectName } from '@tenantry/runtime/kinds/kind';
import { omitUndefined, isMapping, valueAt } from '@tenantry/kube/mapping';
import {
  resolveRelativePath,
  type ResolvedContext,
  type Entry,
} from '@tenantry/runtime/connection/kubeconfig';
import { isDefinition, type PlacedObject } from '../objects/placed-objects.ts';

/** Returns the objects that an operator outside of the cluster needs in it: its definitions. */
export function selectDefinitions(objects: readonly PlacedObject[]): readonly PlacedObject[] {
  return objects.filter(({ object }) => isDefinition(object));
}

const rightsKinds: ReadonlySet<string> = new Set([
  'Namespace',
  'ServiceAccount',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
]);

/**
 * Returns the objects that grant the declared rights: the account, roles and bindings, and their
 * namespaces.
 */
export function selectRights(objects: readonly PlacedObject[]): readonly PlacedObject[] {
  return objects.filter(({ kind }) => rightsKinds.has(kind.kind));
}

/**
 * Returns the ServiceAccount of the operator: that of the only Deployment, or else the only one.
 * @returns in words, why there is not one
 */
export function findAccount(objects: readonly PlacedObject[]): ObjectName | string {
  const accounts = objects.flatMap(({ kind, object }) => {
    const { name, namespace } = object.metadata;
    if (kind.kind !== 'Deployment') return [];
    const pod = valueAt(object, ['spec', 'template', 'spec']);
    const accountName = isMapping(pod) ? pod['serviceAccountName'] : undefined;
    return [
      { name: typeof accountName === 'string' ? accountName : 'default', namespace, of: name },
    ];
  });
  const own = objects
    .filter(({ kind }) => kind.kind === 'ServiceAccount')
    .map(({ object }) => object.metadata);
  const found = accounts.length > 0 ? accounts : own;
  const [first, ...more] = new Map(found.map((one) => [keyOf(one), one])).values();
  if (first && more.length === 0) return { name: first.name, namespace: first.namespace };
  const names = formatList([...new Set(found.map(keyOf))]) || 'none';
  return `the manifests must have one Deployment with a ServiceAccount, got ${names}`;
}

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
      {
        name: NAME,
        context: omitUndefined<Record<string, string>>({
          cluster: NAME,
          user: NAME,
          namespace: namespace || undefined,
        }),
      },
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
