import type { Texts } from '../../synth/output/folders.ts';
import { NAMESPACE, TENANT, object, type Planted } from './plant.ts';

const VICTIM = 'clusters/eu1/tenants/victim/namespace-victim-prod.yaml';
const rbac = 'rbac.authorization.k8s.io';
const add = (path: string, text: string) => (files: Texts) => ({ ...files, [path]: text });

const labelled = (tier: string) => (text: string) =>
  text.replace('"name":"mallory"', `"name":"mallory","labels":{"tier":"${tier}"}`);

export const names: Readonly<Record<string, Planted>> = {
  'a cluster-scoped object': { objects: object(`${rbac}/v1`, 'ClusterRole'), rule: 'names/kind' },
  'a cluster-scoped object of a CRD': {
    objects: object('cert-manager.io/v1', 'ClusterIssuer'),
    rule: 'names/kind',
  },
  'an unknown kind': { objects: object('example.org/v1', 'Thing'), rule: 'names/kind' },
  'a kind that no admin can create': {
    objects: object('discovery.k8s.io/v1', 'EndpointSlice'),
    rule: 'names/kind',
  },
  "an object in another's namespace": {
    objects: object('v1', 'ConfigMap', { namespace: 'victim-prod' }),
    rule: 'names/foreign',
  },
  'an object without a namespace': {
    replace: [/\n {2}namespace: mallory-dev/, ''],
    rule: 'names/foreign',
  },
  'a second Namespace': {
    objects: object('v1', 'Namespace', { namespace: undefined }),
    rule: 'names/foreign',
  },
  'a protected namespace': {
    written: (text) => text.replace('mallory-dev', 'kube-system'),
    files: ({ [NAMESPACE]: text = '', ...files }) => ({
      ...files,
      [NAMESPACE.replace('mallory-dev', 'kube-system')]: text.replaceAll(
        'mallory-dev',
        'kube-system',
      ),
    }),
    rule: 'names/protected',
  },
  "another tenant's namespace": {
    written: (text) => text.replace('mallory-dev', 'bystander'),
    files: ({ [NAMESPACE]: text = '', ...files }) => ({
      ...files,
      [NAMESPACE.replace('mallory-dev', 'bystander')]: text.replaceAll('mallory-dev', 'bystander'),
    }),
    rule: 'names/foreign',
  },
  'a namespace that is not declared': {
    written: (text) => text.replace('mallory-dev', 'mallory-other'),
    rule: 'names/foreign',
  },
  'an object twice': {
    objects: [...object('v1', 'ConfigMap'), ...object('v1', 'ConfigMap')],
    rule: 'names/twice',
  },
  'a name that is a path': {
    objects: object('v1', 'ConfigMap', { name: '../x' }),
    rule: 'names/form',
  },
  'a file elsewhere': {
    files: add('clusters/eu1/policies/mine.yaml', 'kind: Role\n'),
    rule: 'names/outside',
  },
  'a file that changes how Argo CD reads the folder': {
    files: add('clusters/eu1/tenants/mallory/kustomization.yaml', 'resources: []\n'),
    rule: 'names/outside',
  },
  "a class in the attacker's file": {
    written: (text) =>
      `${text}\n---\n{apiVersion: tenantry.dev/v1alpha1, kind: TenantClass, metadata: {name: x}}`,
    rule: 'names/class',
  },
  'a label by which a class selects tenants': {
    written: labelled('gold'),
    rule: 'names/delegation',
  },
  'a value of the label that the folder is not granted': {
    world: 'delegated',
    written: labelled('gold'),
    rule: 'names/delegation',
  },
  'a tenant of another folder': {
    world: 'delegated',
    written: (text) => text.replace('"name":"mallory"', '"name":"bystander-2"'),
    rule: 'names/delegation',
  },
  'a namespace of another folder': {
    world: 'delegated',
    written: (text) => text.replace('mallory-dev', 'shop-dev'),
    rule: 'names/delegation',
  },
  'a Tenant that is not the declared one': {
    files: (files) => ({ ...files, [TENANT]: files[TENANT]!.replace('walled', 'open') }),
    rule: 'names/tenant-file',
  },
};

export const others: Readonly<Record<string, Planted>> = {
  "a changed file of another's": {
    files: (files) => ({ ...files, [VICTIM]: files[VICTIM]!.replace('victim', 'mallory') }),
    rule: 'others/changed',
  },
  "a file of another's that is gone": {
    files: ({ [VICTIM]: _gone, ...files }) => files,
    rule: 'others/gone',
  },
  'a file that does not say it is generated': {
    files: (files) => ({ ...files, [NAMESPACE]: files[NAMESPACE]!.replace(/^#.*\n/, '') }),
    rule: 'others/files',
  },
  "a file that states another's path": {
    files: (files) => ({ ...files, [NAMESPACE]: files[NAMESPACE]!.replace(NAMESPACE, VICTIM) }),
    rule: 'others/files',
  },
};
