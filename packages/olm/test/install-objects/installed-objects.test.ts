import { expect, test } from '@jest/globals';
import { cutName, roleName } from '../../install-objects/installed-objects.ts';

const account = 'webhook-operator-controller-manager';
const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

// The expectations of operator-controller's own regression tests for the bundle webhook-operator.v0.0.5.
test('roles have the names that OLM v1 gives them', () => {
  const own = (resource: string, verbs: string[]) => ({
    verbs,
    apiGroups: ['webhook.operators.coreos.io'],
    resources: [resource],
  });
  const cluster = {
    serviceAccountName: account,
    rules: [
      own('webhooktests', ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']),
      own('webhooktests/finalizers', ['update']),
      own('webhooktests/status', ['get', 'patch', 'update']),
      { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
      {
        resources: ['subjectaccessreviews'],
        apiGroups: ['authorization.k8s.io'],
        verbs: ['create'],
        resourceNames: [],
      },
    ],
  };
  const lifted = {
    serviceAccountName: account,
    rules: [
      { apiGroups: [''], resources: ['configmaps'], verbs: all },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: all },
      { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
      { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] },
    ],
  };
  const names = [cluster, lifted].map((one) => roleName('webhook-operator.v0.0.5', one));
  expect(names.toSorted()).toEqual([
    'webhook-operator.v-119edugfdvz48oyy2ctmbp4ec5c4a7zbv5k03vg4y3ve',
    'webhook-operator.v-1zfvwth88plw3th2midra1jqduroo1q7omiagjujsiu3',
  ]);
});

test('a name has at most 63 characters, and its hash stays complete', () => {
  expect(cutName('a'.repeat(70), 'service')).toBe(`${'a'.repeat(55)}-service`);
  expect(cutName('a'.repeat(55), 'service')).toBe(`${'a'.repeat(55)}-service`);
  expect(roleName('redis.v1.0.0', { rules: [] })).toMatch(/^redis\.v1\.0\.0-def?a?u?l?t?-\w+$/);
});

test('an unset account is the default one, with another role', () => {
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
  const explicitName = roleName('a', { serviceAccountName: 'default', rules });
  expect(explicitName).not.toBe(roleName('a', { rules }));
  expect(roleName('a', { rules })).toMatch(/^a-default-/);
  expect(roleName('a', {})).not.toBe(roleName('a', { rules: [] }));
});
