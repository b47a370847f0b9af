import { expect, test } from '@jest/globals';
import { Authorizer, isBuiltin } from '../../authorizer/authorizer.ts';
import { buildRequester, type AccessSubject } from '../../authorizer/subjects.ts';
import type { KubeObject } from '../../object.ts';

const RBAC = 'rbac.authorization.k8s.io';

const object = (kind: string, name: string, rest: object, namespace?: string): KubeObject => ({
  apiVersion: `${RBAC}/v1`,
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  ...rest,
});

const alice: AccessSubject = { kind: 'User', name: 'alice' };

const bind = (role: string, kind = 'ClusterRole', subject: object = alice): KubeObject =>
  object(
    'RoleBinding',
    `bind-${role}`,
    { roleRef: { kind, name: role }, subjects: [subject] },
    'shop',
  );

const bindEverywhere = (role: string, subject: object = alice): KubeObject =>
  object('ClusterRoleBinding', `bind-${role}`, {
    roleRef: { kind: 'ClusterRole', name: role },
    subjects: [subject],
  });

const reading = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };
const getSecrets = { verb: 'get', group: '', resource: 'secrets', namespace: 'shop' };

const files = (...objects: readonly KubeObject[]) => new Authorizer(objects, { isComplete: false });
const live = (...objects: readonly KubeObject[]) => new Authorizer(objects, { isComplete: true });
const answer = (authorizer: Authorizer, request = getSecrets, subject = alice) =>
  authorizer.decide(buildRequester(subject), request).answer;

test('a role that the files do not define gives no silent no', () => {
  const { answer: given, unknown } = files(bind('auditor')).decide(
    buildRequester(alice),
    getSecrets,
  );
  expect(given).toBe('unknown');
  expect(unknown.map(({ reason, binding }) => [reason, binding.role.name])).toEqual([
    ['undefined-role', 'auditor'],
  ]);
  expect(answer(files(bind('auditor', 'Role')))).toBe('unknown');
  // Another binding grants it, so the rest does not matter.
  const role = object('ClusterRole', 'reader', { rules: [reading] });
  expect(answer(files(bind('auditor'), role, bind('reader')))).toBe('yes');
  // The binding of another namespace does not matter either.
  expect(answer(files(bind('auditor')), { ...getSecrets, namespace: 'till' })).toBe('no');
});

test('a RoleBinding without a namespace in a file grants nothing in all namespaces', () => {
  const role = object('ClusterRole', 'reader', { rules: [reading] });
  const { metadata, ...rest } = bind('reader');
  const homeless = { ...rest, metadata: { name: metadata.name } } as KubeObject;
  const { namespace: _namespace, ...everywhere } = getSecrets;
  const request = everywhere as typeof getSecrets;
  expect(answer(files(role, homeless), request)).toBe('no');
  expect(files(role, homeless).findSubjects(request, 'all-namespaces').grants).not.toEqual([]);
});

test('in a cluster a role that is missing grants nothing', () => {
  expect(answer(live(bind('auditor')))).toBe('no');
  expect(answer(live(bind('admin')))).toBe('no');
});

test('files have the roles and bindings of Kubernetes, unless they define them', () => {
  expect(answer(files(bind('admin')))).toBe('yes');
  expect(answer(files(bind('view')))).toBe('no');
  const own = object('ClusterRole', 'view', { rules: [reading] });
  expect(answer(files(bind('view'), own))).toBe('yes');
  const [grant] = files(bind('edit')).decide(buildRequester(alice), getSecrets).grants;
  expect(grant).toMatchObject({ role: { object: { metadata: { name: 'edit' } } } });
  expect(grant!.source.metadata.name).toBe('system:aggregate-to-edit');
  expect(isBuiltin(grant!.source)).toBe(true);
  const discovery = { verb: 'get', path: '/healthz' };
  expect(files().decide(buildRequester(alice), discovery).answer).toBe('yes');
  expect(live().decide(buildRequester(alice), discovery).answer).toBe('no');
});

test('an operator may have added its own kinds to the roles of Kubernetes, so they are unknown', () => {
  const widgets = { ...getSecrets, group: 'example.com', resource: 'widgets' };
  expect(answer(files(bind('view')), widgets)).toBe('unknown');
  const labels = { [`${RBAC}/aggregate-to-view`]: 'true' };
  const rules = [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] }];
  const adding = {
    ...object('ClusterRole', 'widgets', { rules }),
    metadata: { name: 'widgets', labels },
  };
  expect(answer(files(bind('view'), adding), widgets)).toBe('yes');
  expect(answer(files(bind('cluster-admin')), widgets)).toBe('yes');
});

test('an aggregated role of others has the rules that its selectors match, and may have more', () => {
  const aggregate = (name: string, part: string, own: object = {}) => ({
    ...object('ClusterRole', name, {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part } }] },
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    }),
    metadata: { name, labels: own as Record<string, string> },
  });
  const part = {
    ...object('ClusterRole', 'a', { rules: [reading] }),
    metadata: { name: 'a', labels: { part: 'a' } },
  };
  expect(answer(files(bind('sum'), aggregate('sum', 'a'), part))).toBe('yes');
  // The rules of an aggregated role are those of the others, whatever the file has.
  expect(
    answer(files(bind('sum'), aggregate('sum', 'a'), part), { ...getSecrets, verb: 'list' }),
  ).toBe('unknown');
  // Two roles that are aggregated from each other end.
  const ring = [aggregate('sum', 'b', { part: 'c' }), aggregate('other', 'c', { part: 'b' })];
  expect(answer(files(bind('sum'), ...ring))).toBe('unknown');
  // In a cluster the controller manager has written the rules.
  expect(answer(live(bind('sum'), aggregate('sum', 'a')))).toBe('yes');
});

test('users and accounts are in the groups that Kubernetes adds', () => {
  const role = object('ClusterRole', 'reader', { rules: [reading] });
  const given = (group: string) =>
    files(role, bind('reader', 'ClusterRole', { kind: 'Group', name: group }));
  const account: AccessSubject = { kind: 'ServiceAccount', namespace: 'shop', name: 'ci' };
  const anonymous: AccessSubject = { kind: 'User', name: 'system:anonymous' };
  const answers = [
    ['system:authenticated', 'yes', 'yes', 'no'],
    ['system:unauthenticated', 'no', 'no', 'yes'],
    ['system:serviceaccounts', 'no', 'yes', 'no'],
    ['system:serviceaccounts:shop', 'no', 'yes', 'no'],
    ['system:serviceaccounts:till', 'no', 'no', 'no'],
  ];
  const found = answers.map(([group]) => [
    group,
    ...[alice, account, anonymous].map((one) => answer(given(group!), getSecrets, one)),
  ]);
  expect(found).toEqual(answers);
  const asUser: AccessSubject = { kind: 'User', name: 'system:serviceaccount:shop:ci' };
  const ofAccount = files(
    role,
    bind('reader', 'ClusterRole', { kind: 'ServiceAccount', name: 'ci' }),
  );
  expect(answer(ofAccount, getSecrets, asUser)).toBe('yes');
});

test('members of system:masters may do everything without a role', () => {
  const requester = buildRequester(alice, ['system:masters']);
  expect(live().decide(requester, getSecrets)).toEqual({ answer: 'yes', grants: [], unknown: [] });
});

test('every path that grants a request is found, with its rule', () => {
  const role = object(
    'Role',
    'reader',
    { rules: [{ ...reading, verbs: ['list'] }, reading] },
    'shop',
  );
  const authorizer = files(role, bind('reader', 'Role'), bindEverywhere('cluster-admin'));
  const { grants } = authorizer.decide(buildRequester(alice), getSecrets);
  expect(grants.map(({ binding, ruleIndex }) => [binding.object.kind, ruleIndex])).toEqual([
    ['ClusterRoleBinding', 0],
    ['RoleBinding', 1],
  ]);
});

test('who can do something in any namespace is found with the namespace', () => {
  const role = object('ClusterRole', 'reader', { rules: [reading] });
  const { namespace: _, ...anywhere } = getSecrets;
  const authorizer = live(role, bind('reader'));
  expect(authorizer.findSubjects(anywhere).grants).toEqual([]);
  const { grants } = authorizer.findSubjects(anywhere, 'all-namespaces');
  expect(grants.map(({ subject, binding }) => [subject.name, binding.namespace])).toEqual([
    ['alice', 'shop'],
  ]);
});
