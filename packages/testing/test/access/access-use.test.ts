import { expect, test } from '@jest/globals';
import { allow } from '@tenantry/runtime/access/grant';
import { ConfigMap, Namespace, Pod, ServiceAccount } from '@tenantry/runtime/kinds/core';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { accessUse, type AuditedRequest } from '../../access/access-use.ts';

const user = 'system:serviceaccount:shop:keeper';

type Asked = Partial<AuditedRequest['objectRef'] & object> & {
  readonly code?: number;
  readonly decision?: string;
  readonly message?: string;
};

/** Returns an audit entry about Pods unless `about` names another resource. */
function entry(
  verb: string,
  { code = 200, decision, message, resource = 'pods', ...about }: Asked = {},
): AuditedRequest {
  return {
    verb,
    user: { username: user },
    objectRef: { resource, ...about },
    responseStatus: { code, message },
    ...(decision !== undefined && { annotations: { 'authorization.k8s.io/decision': decision } }),
  };
}

test('a right with a matching request is used and one without is unused, verb by verb', () => {
  const use = accessUse({
    user,
    access: [allow(Pod, 'get', 'list', 'watch'), allow(Pod, 'delete')],
    entries: [entry('list'), entry('get', { name: 'a', namespace: 'shop' })],
  });
  expect(use).toEqual({
    unused: [{ group: '', resource: 'pods', verbs: ['watch', 'delete'] }],
    refused: [],
    ungranted: [],
  });
});

test('each name and each namespace is counted separately', () => {
  const access = [
    allow(ConfigMap, 'get', 'update').named('a', 'b').in('m', 'n'),
    allow(ConfigMap, 'create').in('m', 'n'),
  ];
  const about = { resource: 'configmaps', name: 'a', namespace: 'm' };
  const entries = [
    entry('get', about),
    entry('update', about),
    entry('get', { ...about, name: 'b' }),
    entry('get', { ...about, namespace: 'n' }),
    entry('create', { ...about, name: 'made', namespace: 'n', code: 201 }),
  ];
  const { unused, ungranted } = accessUse({ user, access, entries });
  const rest = { group: '', resource: 'configmaps' };
  expect(ungranted).toEqual([]);
  expect(unused).toEqual([
    { ...rest, verbs: ['update'], resourceNames: ['a'], namespaces: ['n'] },
    { ...rest, verbs: ['update'], resourceNames: ['b'], namespaces: ['m'] },
    { ...rest, verbs: ['get', 'update'], resourceNames: ['b'], namespaces: ['n'] },
    { ...rest, verbs: ['create'], namespaces: ['m'] },
  ]);
});

test('groups and subresources are distinct, and a right on a name covers subresources created under it', () => {
  const token = allow(ServiceAccount, 'create').subresource('token');
  const access = [
    allow(Deployment, 'patch'),
    allow(Deployment, 'patch').subresource('status'),
    token.named('a', 'b'),
  ];
  const entries = [
    entry('patch', { resource: 'deployments', apiGroup: 'apps', subresource: 'status' }),
    entry('patch', { resource: 'deployments', apiGroup: 'extensions' }),
    entry('create', { resource: 'serviceaccounts', subresource: 'token', name: 'a', code: 201 }),
  ];
  expect(accessUse({ user, access, entries })).toEqual({
    unused: [
      { group: 'apps', resource: 'deployments', verbs: ['patch'] },
      { ...token, resourceNames: ['b'] },
    ],
    refused: [],
    ungranted: [{ verb: 'patch', group: 'extensions', resource: 'deployments' }],
  });
});

test.each(['patch', 'update'] as const)(
  'a %s that creates an object also uses the right to create',
  (verb) => {
    const access = [allow(Deployment, verb, 'create')];
    const about = { resource: 'deployments', apiGroup: 'apps', name: 'web', namespace: 'shop' };
    const create = { group: 'apps', resource: 'deployments', verbs: ['create'] };
    const unusedBy = (...codes: readonly number[]) =>
      accessUse({ user, access, entries: codes.map((code) => entry(verb, { ...about, code })) })
        .unused;
    expect(unusedBy(200)).toEqual([create]);
    expect(unusedBy(200, 201)).toEqual([]);
  },
);

test('a right is used by a request that it allows, whatever the outcome of the request', () => {
  const access = [allow(Pod, 'get', 'create', 'patch', 'delete', 'update')];
  const entries = [
    entry('get', { code: 404 }),
    entry('create', { code: 409 }),
    entry('patch', { code: 500 }),
    entry('delete', { code: 401 }),
    { verb: 'update', user: { username: user }, objectRef: { resource: 'pods' } },
  ];
  expect(accessUse({ user, access, entries }).unused).toEqual([
    { group: '', resource: 'pods', verbs: ['delete', 'update'] },
  ]);
});

test('a refused request is reported once, with its reason, and does not use a right', () => {
  const message = 'pods is forbidden: User "system:serviceaccount:shop:keeper" cannot list';
  const quota = 'pods "a" is forbidden: exceeded quota';
  const use = accessUse({
    user,
    access: [allow(Pod, 'list', 'create')],
    entries: [
      entry('list', { code: 403, message }),
      entry('list', { code: 403, message, decision: 'forbid' }),
      // The log names the object to be created, but the authorizer decided without that name.
      entry('create', { code: 403, message: quota, name: 'a', decision: 'allow' }),
    ],
  });
  expect(use).toEqual({
    unused: [{ group: '', resource: 'pods', verbs: ['list'] }],
    refused: [
      { verb: 'list', group: '', resource: 'pods', message },
      { verb: 'create', group: '', resource: 'pods', message: quota },
    ],
    ungranted: [],
  });
});

test('a request that another role allows is reported once', () => {
  const about = { resource: 'namespaces', name: 'a', namespace: 'a' };
  const entries = [entry('get', about), entry('get', about), entry('proxy')];
  expect(accessUse({ user, access: [allow(Namespace, 'list')], entries }).ungranted).toEqual([
    { verb: 'get', group: '', resource: 'namespaces', name: 'a', namespace: 'a' },
    { verb: 'proxy', group: '', resource: 'pods' },
  ]);
});

test('requests of other users do not count, and an impersonating user counts as the impersonated one', () => {
  const other = { username: 'admin' };
  const access = [allow(Pod, 'list', 'watch', 'get')];
  const entries = [
    { ...entry('list'), user: other },
    { ...entry('watch'), user: other, impersonatedUser: { username: user } },
    { ...entry('get'), impersonatedUser: other },
    { verb: 'get', user: { username: user }, responseStatus: { code: 403 } },
  ];
  expect(accessUse({ user, access, entries })).toEqual({
    unused: [{ group: '', resource: 'pods', verbs: ['list', 'get'] }],
    refused: [],
    ungranted: [],
  });
});

test('a right that is declared twice is reported as unused once', () => {
  const access = [allow(Pod, 'list', 'watch'), allow(Pod, 'get', 'list')];
  expect(accessUse({ user, access, entries: [] }).unused).toEqual([
    { group: '', resource: 'pods', verbs: ['list', 'watch', 'get'] },
  ]);
});
