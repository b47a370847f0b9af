import { expect, test } from '@jest/globals';
import { Failure } from '@tenantry/crd/schema/cel/failure';
import type { PolicySpec } from './policy-request.ts';
import {
  ofTenant as of,
  operatorNamespace,
  writePolicy,
  writeRefusal,
  type Write,
} from './write-requests.ts';

const spec = writePolicy();
const evaluateWrite = (write: Write, policy: PolicySpec = spec) => writeRefusal(policy, write);

const quota = {
  what: 'resourcequotas',
  place: 'pay',
  object: { metadata: { name: 'q', ...of('pay') } },
};
const foreignQuota: Write = {
  ...quota,
  operation: 'UPDATE',
  object: { metadata: { name: 'q', ...of('shop') } },
  oldObject: { metadata: { name: 'q', ...of('shop') } },
};
const binding = (kind: string, role: string) => ({
  what: 'rolebindings.rbac.authorization.k8s.io',
  place: 'pay',
  object: { metadata: { name: 'b', ...of('pay') }, roleRef: { kind, name: role } },
});
const space = (name: string, metadata: object = of('pay')) => ({ metadata: { name, ...metadata } });
const lease = { what: 'leases.coordination.k8s.io', place: operatorNamespace, labels: {} };
const own = { metadata: { name: 'tenantry-operator' } };
const event = { what: 'events.events.k8s.io', labels: {}, object: { metadata: { name: 'e' } } };
const tenant = (metadata: object, cpu = '1') => ({
  metadata: { name: 'pay', ...metadata },
  spec: { quota: { hard: { cpu } } },
});
const edit = (object: object) =>
  ({ what: 'tenants.tenantry.dev', operation: 'UPDATE', oldObject: tenant({}), object }) as const;
const updated = { what: 'namespaces', operation: 'UPDATE', object: space('pay') } as const;

const allowed: readonly [string, Write][] = [
  ['a quota in a namespace of a tenant', quota],
  ['a Namespace with the label of a tenant', { what: 'namespaces', object: space('pay') }],
  ['a Namespace of the tenant', { ...updated, oldObject: space('pay') }],
  [
    'one that is given to it',
    { ...updated, oldObject: space('pay', { labels: { 'tenantry.dev/adopt-by': 'pay' } }) },
  ],
  ['a binding to a ClusterRole of the list', binding('ClusterRole', 'view')],
  ['a binding to a Role', binding('Role', 'own')],
  ['a quota that has the label of another already', foreignQuota],
  ['the end of a binding', { ...binding('Role', 'own'), operation: 'DELETE', name: 'b' }],
  ['its Lease', { ...lease, object: own }],
  ['events of Tenants', { ...event, place: 'default' }],
  ['its finalizers', edit(tenant({ finalizers: ['tenantry.dev/operator'] }))],
  ['what another account writes', { what: 'secrets', place: 'pay', object: own, user: 'somebody' }],
];

test.each(allowed)('the operator may write %s', (_, write) => {
  expect(evaluateWrite(write)).toBeUndefined();
});

const refused: readonly [string, Write, string][] = [
  [
    'what it does not declare',
    { ...quota, what: 'secrets' },
    'only what its access declares, got CREATE secrets',
  ],
  [
    'a deletion of a quota',
    { ...quota, operation: 'DELETE', name: 'q' },
    'got DELETE resourcequotas',
  ],
  [
    'in a namespace of nobody',
    { ...quota, labels: {} },
    'only in namespaces with the label tenantry.dev/tenant, got pay',
  ],
  [
    'a Namespace of nobody',
    { what: 'namespaces', object: space('x', {}) },
    'only in namespaces with the label',
  ],
  [
    'in kube-system, whatever its label',
    { ...quota, place: 'kube-system' },
    'not write in protected namespaces, got kube-system',
  ],
  [
    'in its own namespace',
    { ...quota, place: operatorNamespace },
    'not write in protected namespaces',
  ],
  [
    'a protected Namespace',
    { what: 'namespaces', object: space('kube-x') },
    'not write in protected namespaces',
  ],
  [
    'a Namespace of another tenant',
    { ...updated, oldObject: space('pay', of('shop')) },
    'a Namespace must be of the tenant',
  ],
  [
    'one that is given to another',
    { ...updated, oldObject: space('pay', { labels: { 'tenantry.dev/adopt-by': 'shop' } }) },
    'a Namespace must be of the tenant',
  ],
  [
    'an object with the label of another tenant',
    { ...quota, object: { metadata: { name: 'q', ...of('shop') } } },
    'must be that of the namespace (pay), got shop',
  ],
  [
    'a binding to another ClusterRole',
    binding('ClusterRole', 'cluster-admin'),
    'got cluster-admin',
  ],
  ['another Lease', { ...lease, object: { metadata: { name: 'x' } } }, 'only its own Lease'],
  [
    'in a namespace that platforms have',
    { ...quota, place: 'cert-manager' },
    'not write in protected namespaces',
  ],
  [
    'in one with their prefix',
    { ...quota, place: 'openshift-x' },
    'not write in protected namespaces',
  ],
  [
    'in one with their suffix',
    { ...quota, place: 'x-system' },
    'not write in protected namespaces',
  ],
  ['its Lease elsewhere', { ...lease, place: 'default', object: own }, 'only its own Lease'],
  ['events elsewhere', { ...event, place: 'pay' }, 'events of Tenants alone, got one in pay'],
  ['the spec of a Tenant', edit(tenant({}, '2')), 'nothing of a Tenant but its own finalizers'],
  [
    'a label of a Tenant',
    edit(tenant({ labels: { a: 'b' } })),
    'nothing of a Tenant but its own finalizers',
  ],
  [
    'an owner of a Tenant',
    edit(tenant({ ownerReferences: [{ uid: 'x' }] })),
    'nothing of a Tenant but',
  ],
  [
    'an annotation of a Tenant',
    edit(tenant({ annotations: { a: 'b' } })),
    'nothing of a Tenant but',
  ],
  [
    'a finalizer of others',
    edit(tenant({ finalizers: ['example.com/x'] })),
    'nothing of a Tenant but',
  ],
];

test.each(refused)('the operator may not write %s', (_, write, because) => {
  expect(evaluateWrite(write)).toContain(because);
});

const SWAPPED: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '&&': '||',
  '||': '&&',
};

/** Yields the policy with one operator of one expression inverted, for each of them. */
function* inverted(): Generator<[string, PolicySpec]> {
  const { matchConditions, variables = [], validations } = spec;
  for (const part of [...matchConditions, ...variables, ...validations]) {
    for (const { 0: operator, index } of part.expression.matchAll(/==|!=|&&|\|\|/g)) {
      const before = part.expression.slice(0, index);
      const after = part.expression.slice(index + operator.length);
      const expression = before + SWAPPED[operator] + after;
      const swap = <T extends object>(one: T): T =>
        (one as object) === part ? { ...one, expression } : one;
      yield [
        `${before} <${operator}> ${after}`,
        {
          matchConditions: matchConditions.map(swap),
          variables: variables.map(swap),
          validations: validations.map(swap),
        },
      ];
    }
  }
}

function isNoticed(policy: PolicySpec): boolean {
  try {
    return (
      allowed.some(([, write]) => evaluateWrite(write, policy) !== undefined) ||
      refused.some(([, write, because]) => evaluateWrite(write, policy)?.includes(because) !== true)
    );
  } catch (error) {
    if (error instanceof Failure) return true;
    throw error;
  }
}

test('the writes above detect every inverted operator', () => {
  expect(isNoticed(spec)).toBe(false);
  const missed = [...inverted()].filter(([, policy]) => !isNoticed(policy)).map(([at]) => at);
  expect(missed).toEqual([]);
});

test('the operator adopts a namespace without a tenant that the platform releases by name, and none of another tenant', () => {
  const policy = writePolicy({ releasedNamespaces: ['pay'] });
  expect(evaluateWrite({ ...updated, oldObject: space('pay', {}) }, policy)).toBeUndefined();
  expect(evaluateWrite({ ...updated, oldObject: space('pay', {}) })).toContain(
    'or of none and have the label',
  );
  expect(evaluateWrite({ ...updated, oldObject: space('pay', of('shop')) }, policy)).toContain(
    'a Namespace must be of the tenant',
  );
});

const account = (name: string, operation: 'CREATE' | 'UPDATE' = 'UPDATE') =>
  ({
    what: 'serviceaccounts',
    place: 'pay',
    operation,
    object: { metadata: { name, ...of('pay') } },
    oldObject: { metadata: { name } },
  }) as const;

test.each([
  ['completes the account that Kubernetes made', account('default')],
  ['creates any other account', account('deploy', 'CREATE')],
])('under Create the operator %s', (_, write) => {
  expect(evaluateWrite(write, writePolicy({}, 'Create'))).toBeUndefined();
});

test('under Create the operator changes no other account, and under Heal it may change each', () => {
  expect(evaluateWrite(account('deploy'), writePolicy({}, 'Create'))).toContain(
    'change only ServiceAccounts that controllers create, got pay/deploy',
  );
  expect(evaluateWrite(account('deploy'))).toBeUndefined();
});
