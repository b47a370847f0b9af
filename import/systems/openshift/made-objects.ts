import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { BindingObject, Subject } from '../../access.ts';
import { isEqual } from '../../counting.ts';
import type { FoundObject } from '../../manifests.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';

/**
 * Explains the objects that OpenShift makes in every namespace, and leaves out what it writes into objects of others.
 *
 * Source: github.com/openshift/openshift-controller-manager, pkg/authorization/defaultrolebindings and
 * pkg/internalregistry/controllers
 */
export function explainMadeObjects(source: SystemSource, translation: Translation): void {
  for (const found of source.objects) {
    const namespace = source.namespaceOf(found);
    if (namespace === undefined) continue;
    const { object } = found;
    if (isDefaultBinding(object, namespace) || isMadeSecret(object) || isMadeConfigMap(object)) {
      translation.explainMade(found, 'OpenShift makes it in every namespace');
    } else if (object.apiVersion === 'v1' && object.kind === 'ServiceAccount') {
      translateAccount(found, translation);
    } else dropInjectedData(found, translation);
  }
}

/** The bindings of every namespace, and whom each of them binds. Only one that nobody has changed is OpenShift's own. */
function isDefaultBinding(object: KubeObject, namespace: string): boolean {
  const subject = new Map<string, Subject>([
    ['system:image-pullers', { kind: 'Group', name: `system:serviceaccounts:${namespace}` }],
    ['system:image-builders', { kind: 'ServiceAccount', name: 'builder', namespace }],
    ['system:deployers', { kind: 'ServiceAccount', name: 'deployer', namespace }],
  ]).get(object.metadata.name);
  if (object.kind !== 'RoleBinding' || !subject) return false;
  const { roleRef, subjects } = object as BindingObject;
  const [own, ...others] = Array.isArray(subjects) ? subjects : [];
  if (!own || others.length > 0 || !isMapping(roleRef)) return false;
  const { kind, name, namespace: place = namespace } = own;
  const bound = kind === 'Group' ? { kind, name } : { kind, name, namespace: place };
  const role = object.metadata.name.slice(0, -1);
  return isEqual(bound, subject) && roleRef.kind === 'ClusterRole' && roleRef.name === role;
}

/** Pull secrets and tokens that OpenShift makes for ServiceAccounts. */
function isMadeSecret({ apiVersion, kind, metadata, type }: KubeObject): boolean {
  const annotations = metadata.annotations ?? {};
  return (
    apiVersion === 'v1' &&
    kind === 'Secret' &&
    ((type === 'kubernetes.io/dockercfg' &&
      ('openshift.io/internal-registry-auth-token.service-account' in annotations ||
        'openshift.io/token-secret.name' in annotations)) ||
      annotations['kubernetes.io/created-by'] === 'openshift.io/create-dockercfg-secrets')
  );
}

function isMadeConfigMap({ apiVersion, kind, metadata }: KubeObject): boolean {
  const names = ['openshift-service-ca.crt', 'kube-root-ca.crt'];
  return apiVersion === 'v1' && kind === 'ConfigMap' && names.includes(metadata.name);
}

const PULL_SECRET = 'openshift.io/internal-registry-pull-secret-ref';

/** Leaves out the generated secrets of an account. Without them, OpenShift's own accounts are empty. */
function translateAccount(found: FoundObject, translation: Translation): void {
  const { object } = found;
  const { name, annotations, ...metadata } = object.metadata;
  const isGenerated = (secret: unknown): boolean => {
    const own = isMapping(secret) ? secret['name'] : undefined;
    if (typeof own !== 'string') return false;
    const end = own.startsWith(`${name}-`) ? own.slice(name.length) : '';
    return own === annotations?.[PULL_SECRET] || /^-(dockercfg|token)-[a-z0-9]{5}$/.test(end);
  };
  const { [PULL_SECRET]: _ref, ...others } = annotations ?? {};
  const kept: Record<string, unknown> = { ...object };
  for (const field of ['secrets', 'imagePullSecrets']) {
    const secrets = object[field];
    if (!Array.isArray(secrets)) continue;
    const written = secrets.filter((one) => !isGenerated(one));
    if (written.length > 0) kept[field] = written;
    else delete kept[field];
  }
  const own = { name, ...metadata, ...(Object.keys(others).length > 0 && { annotations: others }) };
  const account = { ...kept, metadata: own } as KubeObject;
  const isOpenShifts =
    ['builder', 'deployer', 'default'].includes(name) &&
    Object.keys(account).length === 3 &&
    own.annotations === undefined &&
    own.labels === undefined;
  if (isOpenShifts) translation.explainMade(found, 'OpenShift makes it in every namespace');
  else if (!isEqual(account, object)) translation.replaceObject(found, account);
}

/** Labels and annotations with which OpenShift writes certificates into an object, and the key that it writes. */
const injections: readonly {
  readonly part: 'labels' | 'annotations';
  readonly key: string;
  readonly data: string;
}[] = [
  { part: 'labels', key: 'config.openshift.io/inject-trusted-cabundle', data: 'ca-bundle.crt' },
  {
    part: 'annotations',
    key: 'service.beta.openshift.io/inject-cabundle',
    data: 'service-ca.crt',
  },
];

function dropInjectedData(found: FoundObject, translation: Translation): void {
  const { object } = found;
  const { data } = object;
  if (object.apiVersion !== 'v1' || object.kind !== 'ConfigMap' || !isMapping(data)) return;
  const injection = injections.find(({ part, key }) => object.metadata[part]?.[key] === 'true');
  if (!injection || !(injection.data in data)) return;
  const { [injection.data]: _injected, ...others } = data;
  const { data: _data, ...rest } = object;
  const kept = Object.keys(others).length > 0 ? { ...rest, data: others } : rest;
  translation.replaceObject(found, kept as KubeObject);
}
