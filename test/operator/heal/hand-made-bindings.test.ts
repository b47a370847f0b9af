import { expect, test } from '@jest/globals';
import type { TenantClassSpec, TenantSpec } from '../../../crds/types.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import { findRemainingAccess } from '../../../operator/heal/hand-made-bindings.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { declaredOf, fleetOf } from '../given.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const platform = resolvePlatform({
  clusters: [{ name: 'eu' }],
  protectedNamespaces: ['backup'],
  identities: { users: ['root@example.com'], groups: ['platform'] },
});

const subjects = {
  user: { kind: 'User', apiGroup, name: 'bob' },
  group: { kind: 'Group', apiGroup, name: 'devs' },
  ofClass: { kind: 'Group', apiGroup, name: 'support' },
  ofPlatform: { kind: 'Group', apiGroup, name: 'platform' },
  root: { kind: 'User', apiGroup, name: 'root@example.com' },
  own: { kind: 'ServiceAccount', namespace: 'acme', name: 'ci' },
  ownByName: { kind: 'User', apiGroup, name: 'system:serviceaccount:acme:ci' },
  allOwn: { kind: 'Group', apiGroup, name: 'system:serviceaccounts:acme' },
  allowed: { kind: 'ServiceAccount', namespace: 'jenkins', name: 'deployer' },
  foreign: { kind: 'ServiceAccount', namespace: 'bolt', name: 'ci' },
  allForeign: { kind: 'Group', apiGroup, name: 'system:serviceaccounts:bolt' },
  guarded: { kind: 'ServiceAccount', namespace: 'backup', name: 'velero' },
  guardedByName: { kind: 'User', apiGroup, name: 'system:serviceaccount:backup:velero' },
  authenticated: { kind: 'Group', apiGroup, name: 'system:authenticated' },
  anonymous: { kind: 'User', apiGroup, name: 'system:anonymous' },
  accounts: { kind: 'Group', apiGroup, name: 'system:serviceaccounts' },
  component: { kind: 'User', apiGroup, name: 'system:kube-scheduler' },
} as const;
type Who = keyof typeof subjects;
const everyone = Object.keys(subjects) as Who[];

const klass: TenantClassSpec = {
  allow: { serviceAccounts: [{ namespace: 'jenkins' }] },
  defaults: { access: { viewers: { groups: ['support'] } } },
};

function bound(who: readonly Who[], name = 'extra', role = 'view'): Live<typeof RoleBinding> {
  const metadata = {
    name,
    namespace: 'acme',
    uid: '1',
    resourceVersion: '1',
    creationTimestamp: '',
  };
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: who.map((one) => subjects[one]),
  };
}

/** Returns the subjects that keep access by a manual binding. */
function keeping(lifecycle: NonNullable<TenantSpec['lifecycle']>, isKnown = true): readonly Who[] {
  const spec: TenantSpec = { lifecycle, access: { admins: { groups: ['devs'] } } };
  const namespace = isKnown ? declaredOf(fleetOf(klass), spec, 'Namespace') : undefined;
  const rule = { platform, lifecycle, namespace };
  return everyone.filter((one) => findRemainingAccess(bound([one]), rule).length === 0);
}

const ofThePlatform: readonly Who[] = [
  'ofPlatform',
  'root',
  'guarded',
  'guardedByName',
  'component',
];

test('in an Active namespace every subject of a manual binding keeps access', () => {
  expect(keeping('Active')).toEqual(everyone);
});

test("in a Suspended namespace subjects of the class and service accounts keep access, and the tenant's users do not", () => {
  const kept = ['ofClass', 'own', 'ownByName', 'allOwn', 'allowed', ...ofThePlatform];
  expect(new Set(keeping('Suspended'))).toEqual(new Set(kept));
});

test('in a Retired namespace only programs of the platform keep access', () => {
  expect(new Set(keeping('Retired'))).toEqual(new Set(ofThePlatform));
});

test('without a known declaration no remaining access is known', () => {
  expect(new Set(keeping('Suspended', false))).toEqual(new Set(ofThePlatform));
});

test('one subject is enough for a binding to give access', () => {
  const rule = { platform, lifecycle: 'Retired', namespace: undefined } as const;
  expect(findRemainingAccess(bound(['guarded', 'user', 'foreign']), rule)).toEqual([
    'User bob',
    'ServiceAccount bolt/ci',
  ]);
  expect(findRemainingAccess(bound([]), rule)).toEqual([]);
});

test.each([
  ['system:image-pullers', 'system:image-puller', 'allOwn'],
  ['system:image-builders', 'system:image-builder', 'builder'],
  ['system:deployers', 'system:deployer', 'deployer'],
])(
  "OpenShift's default bindings stay, and no other subject can hide in them: %s",
  (name, role, who) => {
    const rule = { platform, lifecycle: 'Retired', namespace: undefined } as const;
    const subject =
      who === 'allOwn' ? subjects.allOwn : { kind: 'ServiceAccount', namespace: 'acme', name: who };
    const made = { ...bound([], name, role), subjects: [subject] };
    expect(findRemainingAccess(made, rule)).toEqual([]);
    const widened = { ...made, subjects: [subject, subjects.user] };
    expect(findRemainingAccess(widened, rule)).toContain('User bob');
    const stronger = { ...bound([], name, 'admin'), subjects: [subject] };
    expect(findRemainingAccess(stronger, rule)).toHaveLength(1);
    const elsewhere = { ...made, subjects: [{ ...subject, name: 'other', namespace: 'acme' }] };
    expect(findRemainingAccess(elsewhere, rule)).toHaveLength(1);
  },
);
