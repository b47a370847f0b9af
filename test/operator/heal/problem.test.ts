import { expect, test } from '@jest/globals';
import { unboundRole } from '../../../operator/heal/attempts.ts';
import { ApiError } from '@tenantry/runtime/errors/api-error';

const binding = (kind: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'b', namespace: 'pay' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: 'reader' },
});
const escalates =
  'user "x" (groups=[]) is attempting to grant RBAC permissions not currently held:';
const refused = (code: number, message: string, name = 'b') =>
  new ApiError({ code, message, details: { name, kind: 'rolebindings' } });

test('a refused binding with rights that the operator lacks names a role that it may not bind', () => {
  expect(unboundRole(binding('ClusterRole'), refused(403, escalates))).toBe('reader');
  expect(unboundRole(binding('ClusterRole'), refused(404, 'not found', 'reader'))).toBe('reader');
});

test('other refusals are not about rights', () => {
  expect(unboundRole(binding('ClusterRole'), refused(403, 'exceeded quota'))).toBeUndefined();
  expect(unboundRole(binding('ClusterRole'), refused(404, 'not found'))).toBeUndefined();
  expect(unboundRole(binding('ClusterRole'), refused(409, escalates, 'reader'))).toBeUndefined();
  expect(unboundRole(binding('Role'), refused(403, escalates))).toBeUndefined();
  const role = { ...binding('ClusterRole'), kind: 'Role' };
  expect(unboundRole(role, refused(403, escalates))).toBeUndefined();
});
