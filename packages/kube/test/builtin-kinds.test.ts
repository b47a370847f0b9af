import { expect, test } from '@jest/globals';
import {
  builtinResource,
  builtinResources,
  builtinScope,
  findReplacementApi,
} from '../builtin-kinds.ts';
import { groupOf } from '../object.ts';

test.each([
  ['', 'ConfigMap', 'Namespaced'],
  ['', 'Namespace', 'Cluster'],
  ['', 'Node', 'Cluster'],
  ['', 'PersistentVolume', 'Cluster'],
  ['', 'PersistentVolumeClaim', 'Namespaced'],
  ['rbac.authorization.k8s.io', 'RoleBinding', 'Namespaced'],
  ['rbac.authorization.k8s.io', 'ClusterRoleBinding', 'Cluster'],
  ['admissionregistration.k8s.io', 'ValidatingAdmissionPolicy', 'Cluster'],
  ['certificates.k8s.io', 'CertificateSigningRequest', 'Cluster'],
  ['certificates.k8s.io', 'PodCertificateRequest', 'Namespaced'],
  ['', 'Ingress', undefined],
  ['', 'configmap', undefined],
  ['', 'constructor', undefined],
  ['rbac.authorization.k8s.io.example.com', 'ClusterRole', undefined],
])('%s %s is %s', (group, kind, scope) => {
  expect(builtinScope(group, kind)).toBe(scope);
});

test("the plurals of Kubernetes' groups are known, those of other groups are not", () => {
  expect(builtinResources('')).toContain('pods');
  expect(builtinResources('apps')).toEqual(
    new Set(['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets']),
  );
  expect(builtinResources('authorization.k8s.io')).toContain('subjectaccessreviews');
  expect(builtinResources('authorization.k8s.io')).toContain('localsubjectaccessreviews');
  expect(builtinResources('example.com')).toBeUndefined();
});

test('access rules contain the plural of a kind, namespaced or not, and other kinds have none', () => {
  const places = [
    ['', 'Namespace'],
    ['coordination.k8s.io', 'Lease'],
    ['authentication.k8s.io', 'TokenReview'],
  ] as const;
  expect(places.map(([group, kind]) => builtinResource(group, kind))).toEqual([
    { group: '', resource: 'namespaces' },
    { group: 'coordination.k8s.io', resource: 'leases' },
    { group: 'authentication.k8s.io', resource: 'tokenreviews' },
  ]);
  expect(() => builtinResource('', 'Lease')).toThrow("/Lease must be a kind of Kubernetes' own");
});

test('an API version is removed from the minor version on that removed it', () => {
  expect(findReplacementApi('policy/v1beta1', 'PodDisruptionBudget', '1.24')).toBeUndefined();
  expect(findReplacementApi('policy/v1beta1', 'PodDisruptionBudget', '1.25')).toBe('policy/v1');
  expect(findReplacementApi('extensions/v1beta1', 'Ingress', '1.100')).toBe('networking.k8s.io/v1');
  expect(findReplacementApi('apps/v1', 'Deployment', '1.36')).toBeUndefined();
});

test('the group is the text before the slash', () => {
  expect(['v1', 'apps/v1', 'a.b/v1/x', '/v1'].map(groupOf)).toEqual(['', 'apps', 'a.b', '']);
});
