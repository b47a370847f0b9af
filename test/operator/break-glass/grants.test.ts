import { expect, test } from '@jest/globals';
import { REQUEST_POLICY } from '../../../model/operator/request-policy.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import type { Access, DriftPolicy, TenantSpec } from '../../../crds/types.ts';
import { AccessRequest, Tenant } from '../../../operator/cluster/kinds.ts';
import { bindingName } from '../../../operator/break-glass/binding.ts';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { ValidatingAdmissionPolicyBinding } from '@tenantry/runtime/kinds/admissionregistration';
import { Event } from '@tenantry/runtime/kinds/events';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { FaultyTenants } from '../faults/faulty-tenants.ts';
import { at, createRequest, installPolicy } from './requests.ts';

const access: Access = {
  admins: { groups: ['team'] },
  breakGlass: [{ clusterRole: 'admin', users: ['alice'], groups: ['support'], maxHours: 2 }],
};

interface Beginning {
  readonly maxPolicy?: DriftPolicy;
  readonly spec?: TenantSpec;
  readonly hasPolicy?: boolean;
}

/** Starts an operator, with the admission policy of requests a minute older than what follows. */
async function begin({ maxPolicy = 'Heal', spec, hasPolicy = true }: Beginning = {}) {
  const operator = { driftPolicy: maxPolicy };
  const given = await FaultyTenants.begin({
    platform: resolvePlatform({ clusters: [{ name: 'eu' }], defaultClass: 'standard', operator }),
    spec: spec ?? { driftPolicy: 'Heal', access },
    before: (one) => {
      if (hasPolicy) installPolicy(one);
    },
  });
  return given;
}

/** Requests access, and waits for two seconds. */
async function request(given: FaultyTenants, spec: object = {}): Promise<void> {
  createRequest(given, spec);
  await given.managed.pass(2_000);
}

const requestIn = ({ cluster }: FaultyTenants) => cluster.peek(AccessRequest, at);

function bindingIn(given: FaultyTenants) {
  const name = bindingName(requestIn(given)!);
  return given.cluster.peek(RoleBinding, { name, namespace: 'acme' });
}

function granted(given: FaultyTenants): string {
  const found = findCondition(requestIn(given)?.status?.conditions, 'Granted');
  return `${found?.status} ${found?.reason}`;
}

const hour = 60;

test('a request of a listed user gets its RoleBinding at once, and loses it when its hours are over', async () => {
  await using given = await begin();
  await request(given);
  expect(bindingIn(given)).toMatchObject({
    roleRef: { kind: 'ClusterRole', name: 'admin' },
    subjects: [{ kind: 'User', name: 'alice' }],
    metadata: { ownerReferences: [{ kind: 'AccessRequest', name: 'incident' }] },
  });
  expect(granted(given)).toBe('True Granted');
  await given.pass(hour - 1);
  expect(bindingIn(given)).toBeDefined();
  expect(given.value('tenantry_break_glass_grants')).toBe(1);
  await given.pass(2);
  expect(bindingIn(given)).toBeUndefined();
  expect(granted(given)).toBe('False Expired');
  expect(given.value('tenantry_break_glass_grants')).toBe(0);
});

test('a grant is no drift: the tenant stays ready, and its message names who has what until when', async () => {
  await using given = await begin();
  await request(given);
  await given.pass(3);
  expect(given.ready).toBe('True AsDeclared');
  expect(given.message).toMatch(
    /alice has ClusterRole admin in acme until \S+Z by AccessRequest incident/,
  );
  await given.pass(hour);
  expect(given.message).not.toContain('alice');
});

test('events of the Tenant name the grant with its reason, and its end', async () => {
  await using given = await begin();
  await request(given);
  await given.pass(hour + 1);
  const events = given.cluster.api
    .list(Event)
    .items.filter(({ reason = '' }) => reason.startsWith('BreakGlass'));
  expect(
    events.map(({ reason, regarding }) => `${reason} ${regarding?.kind} ${regarding?.name}`),
  ).toEqual(['BreakGlassGranted Tenant acme', 'BreakGlassEnded Tenant acme']);
  expect(events[0]?.note).toContain('(request incident: down)');
});

test.each([
  ['another ClusterRole', { clusterRole: 'edit' }, 'False NotDeclared'],
  ['another user', { user: 'mallory' }, 'False NotDeclared'],
  ['a group that is not listed', { user: 'sam', group: 'others' }, 'False NotDeclared'],
  ['a listed group without naming it', { user: 'sam' }, 'False NotDeclared'],
  ['a listed group', { user: 'sam', group: 'support' }, 'True Granted'],
  ['more hours than the tenant allows', { hours: 3 }, 'False TooLong'],
])('a request for, or by, %s is answered', async (_, spec, answer) => {
  await using given = await begin();
  await request(given, spec);
  expect(granted(given)).toBe(answer);
  expect(bindingIn(given) !== undefined).toBe(answer === 'True Granted');
});

test('a grant ends when the Tenant no longer lists the group of the request, although it lists another one', async () => {
  await using given = await begin();
  await request(given, { user: 'sam', group: 'support' });
  expect(granted(given)).toBe('True Granted');
  const breakGlass = [{ clusterRole: 'admin', groups: ['others'] }];
  given.api.patch(Tenant, { name: 'acme' }, { spec: { access: { breakGlass } } });
  await given.managed.pass(2_000);
  expect(bindingIn(given)).toBeUndefined();
  expect(granted(given)).toBe('False NotDeclared');
});

test('a grant ends at midnight with the entry that allows it', async () => {
  const entry = { clusterRole: 'admin', users: ['alice'], maxHours: 24, until: '2026-01-01' };
  await using given = await begin({
    spec: { driftPolicy: 'Heal', access: { breakGlass: [entry] } },
  });
  await request(given, { hours: 24 });
  await given.managed.pass(23 * hour * 60_000);
  expect(granted(given)).toBe('True Granted');
  await given.managed.pass(0.99 * hour * 60_000);
  expect(bindingIn(given)).toBeUndefined();
  expect(granted(given)).toBe('False NotDeclared');
});

test('a withdrawn request loses its RoleBinding at once', async () => {
  await using given = await begin();
  await request(given);
  given.api.patch(AccessRequest, at, { spec: { withdrawn: true } });
  await given.managed.pass(2_000);
  expect(bindingIn(given)).toBeUndefined();
  expect(granted(given)).toBe('False Withdrawn');
});

const ways: readonly (readonly [string, TenantSpec, string])[] = [
  [
    'no longer lists it',
    { driftPolicy: 'Heal', access: { admins: { groups: ['team'] } } },
    'NotDeclared',
  ],
  ['is suspended', { driftPolicy: 'Heal', access, lifecycle: 'Suspended' }, 'Unavailable'],
  ['is no longer healed', { driftPolicy: 'Observe', access }, 'Unavailable'],
];

test.each(ways)('a grant ends when the Tenant %s', async (_, spec, reason) => {
  await using given = await begin();
  await request(given);
  given.api.patch(
    Tenant,
    { name: 'acme' },
    { spec: { lifecycle: null, ...spec, access: { breakGlass: null, ...spec.access } } },
  );
  await given.managed.pass(5_000);
  expect(bindingIn(given)).toBeUndefined();
  expect(granted(given)).toBe(`False ${reason}`);
});

const standstills: readonly (readonly [string, object])[] = [
  ['cordoned', { cordoned: true }],
  ['refused by a rule', { access: { clusterRoles: [{ name: 'cluster-admin', users: ['eve'] }] } }],
];

test.each(standstills)(
  'while a Tenant is %s, a grant still ends on time and no new one is made',
  async (_, spec) => {
    await using given = await begin();
    await request(given);
    given.api.patch(Tenant, { name: 'acme' }, { spec });
    await given.pass(10);
    expect(granted(given)).toBe('True Granted');
    await given.pass(hour);
    expect(bindingIn(given)).toBeUndefined();
    given.api.delete(AccessRequest, at);
    await request(given);
    expect(granted(given)).toBe('False Unavailable');
    expect(bindingIn(given)).toBeUndefined();
  },
);

test('a request that no admission policy verified gets nothing, also when the policy is there later', async () => {
  await using given = await begin({ hasPolicy: false });
  await request(given);
  expect(granted(given)).toBe('False Unverified');
  installPolicy(given);
  await given.pass(5);
  expect(granted(given)).toBe('False Unverified');
  expect(bindingIn(given)).toBeUndefined();
});

test('a grant that was verified stays when the admission policy changes', async () => {
  await using given = await begin();
  await request(given);
  given.api.delete(ValidatingAdmissionPolicyBinding, { name: REQUEST_POLICY });
  await given.pass(5);
  expect(granted(given)).toBe('True Granted');
  expect(bindingIn(given)).toBeDefined();
});

test('a changed admission policy verifies nobody', async () => {
  await using given = await begin();
  given.api.patch(
    ValidatingAdmissionPolicyBinding,
    { name: REQUEST_POLICY },
    { spec: { validationActions: ['Warn'] } },
  );
  await given.pass(1);
  await request(given);
  expect(granted(given)).toBe('False Unverified');
});

test('access whose removal the API server refuses is reported everywhere until it succeeds', async () => {
  await using given = await begin();
  await request(given);
  const allow = given.deny('delete rolebindings');
  await given.pass(hour + 5);
  expect(granted(given)).toBe('True NotEnded');
  expect(given.ready).toBe('False Drifted');
  expect(given.value('tenantry_break_glass_overdue')).toBe(1);
  allow();
  await given.pass(2);
  expect(bindingIn(given)).toBeUndefined();
  expect(given.value('tenantry_break_glass_overdue')).toBe(0);
});

const rights: readonly (readonly [string, (given: FaultyTenants) => unknown])[] = [
  ['to watch requests', (given) => given.hide('accessrequests.tenantry.dev')],
  ['to watch RoleBindings', (given) => given.hide('rolebindings.rbac.authorization.k8s.io')],
  ['to watch Tenants', (given) => given.hide('tenants.tenantry.dev')],
  [
    'to watch the admission policy',
    (given) => given.hide('validatingadmissionpolicies.admissionregistration.k8s.io'),
  ],
  [
    'to write the status of requests',
    (given) => given.deny('patch accessrequests.tenantry.dev/status'),
  ],
  ['to write the status of Tenants', (given) => given.deny('patch tenants.tenantry.dev/status')],
];

test.each(rights)(
  'a grant ends on time although the operator lost the right %s',
  async (_, lose) => {
    await using given = await begin();
    await request(given);
    lose(given);
    await given.pass(hour + 2);
    expect(bindingIn(given)).toBeUndefined();
  },
);

test('an operator that cannot watch requests reports that it does not know them', async () => {
  await using given = await begin();
  given.hide('accessrequests.tenantry.dev');
  await given.pass(10);
  expect(given.ready).toBe('Unknown NotObserved');
  expect(given.message).toContain('accessrequests.tenantry.dev cannot be watched since');
});

test('a Tenant without such a list is not affected by requests that cannot be watched', async () => {
  await using given = await begin({ spec: { driftPolicy: 'Heal' } });
  given.hide('accessrequests.tenantry.dev');
  await given.pass(10);
  expect(given.ready).toBe('True AsDeclared');
});

test('a refused RoleBinding is answered with the error of the API server', async () => {
  await using given = await begin();
  const allow = given.deny('create rolebindings');
  await request(given);
  expect(granted(given)).toBe('False Refused');
  allow();
  await given.pass(1);
  expect(granted(given)).toBe('True Granted');
});

test('access that expired while no operator ran is removed after the start', async () => {
  await using given = await begin();
  await request(given);
  await given.managed.stop();
  await given.managed.clock.advance(70 * 60_000);
  await given.restart();
  await given.pass(1);
  expect(bindingIn(given)).toBeUndefined();
  expect(granted(given)).toBe('False Expired');
});

test('a RoleBinding with the name of a grant and another subject is replaced', async () => {
  await using given = await begin();
  await request(given);
  const { metadata, roleRef } = bindingIn(given)!;
  given.api.patch(
    RoleBinding,
    { name: metadata.name, namespace: 'acme' },
    {
      subjects: [{ kind: 'User', name: 'eve', apiGroup: roleRef.apiGroup }],
    },
  );
  await given.pass(1);
  expect(bindingIn(given)?.subjects).toMatchObject([{ name: 'alice' }]);
});

test('the record of a request is kept for 90 days after its end, and then deleted', async () => {
  await using given = await begin();
  await request(given);
  for (const [days, isKept] of [
    [89, true],
    [2, false],
  ] as const) {
    await given.managed.stop();
    await given.managed.clock.advance(days * 24 * 3_600_000);
    await given.restart();
    await given.pass(1);
    expect(requestIn(given) !== undefined).toBe(isKept);
  }
});

test.each(['Observe', 'Create'] as const)(
  'under %s nobody can request anything, and the Tenant reports that',
  async (maxPolicy) => {
    await using given = await begin({ maxPolicy });
    expect(given.message).toContain(`has no effect under drift policy ${maxPolicy}`);
    const roles = given.cluster.api.list(RoleBinding).items.map(({ metadata }) => metadata.name);
    expect(roles.filter((name) => name.includes('break-glass'))).toEqual([]);
  },
);
