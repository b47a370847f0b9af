import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';

/*
 * What OpenShift's controllers repeatedly write into objects that a tenant declares, or into its namespaces. The operator
 * neither reports nor removes it: the controller would write it again, without end.
 */

/** `builder-dockercfg-abc12`: the API server generates the suffix for `generateName`. */
const pullSecret = /^(.+)-dockercfg-[a-z0-9]{5}$/;
/** The shortened form of a long account name: its beginning and a hash of the whole name. */
const shortened = /^(.{38})-[0-9a-f]{8}$/;
/** The most characters of an account name that is not shortened. */
const MAX_ACCOUNT_LENGTH = 47;

/**
 * Whether an OpenShift controller added the pull secret to the account. The Secret is named after the account.
 * Source: https://github.com/openshift/openshift-controller-manager/tree/main/pkg/internalregistry/controllers
 */
export function isAddedPullSecret(account: string, entry: unknown): boolean {
  const name = isMapping(entry) ? entry['name'] : undefined;
  const stem = typeof name === 'string' ? pullSecret.exec(name)?.[1] : undefined;
  if (stem === undefined) return false;
  if (account.length <= MAX_ACCOUNT_LENGTH) return stem === account;
  return shortened.exec(stem)?.[1] === account.slice(0, 38);
}

/** With these labels the API server warns users and writes to its audit log, but refuses nothing. */
const warning = /^pod-security\.kubernetes\.io\/(?:audit|warn)(?:-version)?$/;

/**
 * Whether a controller may have added a label of a Namespace that does not change what is enforced.
 * Source: https://github.com/openshift/cluster-policy-controller/tree/main/pkg/psalabelsyncer
 */
export function isAddedLabel(key: string, value: string): boolean {
  // Without a version label, the latest version is enforced.
  return warning.test(key) || (key === ENFORCE_VERSION && value === 'latest');
}

const ENFORCE_VERSION = 'pod-security.kubernetes.io/enforce-version';

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

const account = (name: string) => (namespace: string) => `ServiceAccount ${namespace}/${name}`;

/**
 * The bindings that OpenShift creates in each namespace for its builds and deployments.
 * Source: https://github.com/openshift/openshift-controller-manager/tree/main/pkg/authorization/controller/defaultrolebindings
 */
const defaultBindings: ReadonlyMap<
  string,
  { readonly role: string; readonly subject: (namespace: string) => string }
> = new Map([
  [
    'system:image-pullers',
    {
      role: 'system:image-puller',
      subject: (namespace: string) => `Group system:serviceaccounts:${namespace}`,
    },
  ],
  ['system:image-builders', { role: 'system:image-builder', subject: account('builder') }],
  ['system:deployers', { role: 'system:deployer', subject: account('deployer') }],
]);

/** Whether a controller created the role binding, and nobody changed its role or subjects. */
export function isAddedBinding({ metadata, ...fields }: KubeObject): boolean {
  const { name, namespace = '' } = metadata;
  const made = defaultBindings.get(name);
  const role = fields['roleRef'];
  const subjects = fields['subjects'];
  if (!made || !isMapping(role) || !Array.isArray(subjects)) return false;
  if (role['kind'] !== 'ClusterRole' || role['name'] !== made.role) return false;
  const allowed = made.subject(namespace);
  return (subjects as readonly Subject[]).every((one) => idOf(one) === allowed);
}

function idOf({ kind, name, namespace = '' }: Subject): string {
  return kind === 'ServiceAccount' ? `${kind} ${namespace}/${name}` : `${kind} ${name}`;
}
