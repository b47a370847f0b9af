import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { buildExemptions, readExemptIdentities } from '../../model/policies/policy.ts';
import { resolvePlatform } from '../../model/platform.ts';
import {
  CLOSED,
  RBAC,
  SHOP,
  TENANT,
  bound,
  describeChanges,
  from,
  inShop,
  namespace,
  object,
  plan,
  policy,
  quota,
  role,
  rule,
  tenant,
} from './planned.ts';

const change = (before: object[], after: object[]) =>
  describeChanges({ [SHOP]: before }, { [SHOP]: after });

describe('who may bypass the admission policies', () => {
  const guard = (groups: string[], extra: object = {}, name = 'guard') =>
    object(
      'ValidatingAdmissionPolicy',
      `tenant-${name}.tenantry.dev`,
      {
        spec: {
          failurePolicy: 'Fail',
          matchConditions: buildExemptions(resolvePlatform({ identities: { groups } })),
          validations: [{ expression: 'false', message: 'a pod must be small' }],
          ...extra,
        },
      },
      'admissionregistration.k8s.io/v1',
    );
  const both = (groups: string[]) => [guard(groups), guard(groups, {}, 'pods')];

  test('a group in `identities` is named once, with the policies that no longer bind it', () => {
    expect(change(both(['admins']), both(['admins', 'interns']))).toEqual([
      'high policy-bypass Group interns may do what the admission policies refuse to others: tenant-guard, tenant-pods',
    ]);
    expect(change(both(['interns']), both([]))).toEqual([
      'low policy-bypass-ended Group interns is no longer exempt from the admission policies: tenant-guard, tenant-pods',
    ]);
  });

  test('a policy that refuses less is of high risk, and one that refuses otherwise is named by what it refuses', () => {
    expect(change([guard([])], [guard([], { failurePolicy: 'Ignore' })])).toEqual([
      'high admission-weakened ValidatingAdmissionPolicy tenant-guard.tenantry.dev admits a request if its expressions fail',
    ]);
    expect(change([guard([])], [guard([], { validations: [] })])).toEqual([
      'high admission-weakened ValidatingAdmissionPolicy tenant-guard.tenantry.dev no longer refuses: a pod must be small',
    ]);
    const other = [{ expression: 'true', message: 'a pod must be small' }];
    expect(change([guard([])], [guard([], { validations: other })])).toEqual([
      'medium admission-changed ValidatingAdmissionPolicy tenant-guard.tenantry.dev decides otherwise when to refuse: a pod must be small',
    ]);
    const binding = (action: string) =>
      object(
        'ValidatingAdmissionPolicyBinding',
        'b',
        { spec: { validationActions: [action] } },
        'admissionregistration.k8s.io/v1',
      );
    expect(change([binding('Deny')], [binding('Audit')])).toEqual([
      'high admission-weakened ValidatingAdmissionPolicyBinding b only reports what it refused, and admits it',
    ]);
  });

  test('a condition that cannot be read, or is gone, is a change of its own', () => {
    const odd = [{ name: 'not-an-exempt-identity', expression: 'true' }];
    for (const matchConditions of [odd, []]) {
      expect(change([guard([])], [guard([], { matchConditions })])).toEqual([
        'medium admission-changed ValidatingAdmissionPolicy tenant-guard.tenantry.dev changes at spec.matchConditions',
      ]);
    }
  });

  test('the identities that a policy exempts are those that are read from it', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (users, groups) => {
        const conditions = buildExemptions({ ...resolvePlatform(), identities: { users, groups } });
        const read = conditions.map(readExemptIdentities).filter((one) => one !== undefined);
        expect(read).toHaveLength(1);
        expect(read[0]!.users).toEqual(expect.arrayContaining(users));
        expect(read[0]!.groups).toEqual(expect.arrayContaining(groups));
      }),
      runs(200),
    );
  });
});

describe('what a class lets its tenants have', () => {
  const klass = (spec: object) =>
    object('TenantClass', 'standard', { spec }, 'tenantry.dev/v1alpha1');
  const shop = object(
    'Tenant',
    'shop',
    { spec: { className: 'standard' } },
    'tenantry.dev/v1alpha1',
  );
  const judged = (before: object, after: object) =>
    change([shop, klass(before)], [shop, klass(after)]);
  const ceilings = (value: object) => ({ ceilings: value });

  test.each([
    [
      ceilings({ podSecurity: 'baseline' }),
      ceilings({ podSecurity: 'privileged' }),
      'high class-opened',
      'ceilings.podSecurity baseline -> privileged',
    ],
    [
      ceilings({ podSecurity: 'baseline' }),
      {},
      'high class-opened',
      'ceilings.podSecurity baseline -> no bound',
    ],
    [
      ceilings({ podSecurity: 'privileged' }),
      ceilings({ podSecurity: 'baseline' }),
      'low class-lowered',
      'ceilings.podSecurity privileged -> baseline',
    ],
    [
      ceilings({ network: { isolation: 'SameTenant' } }),
      ceilings({ network: { isolation: 'Open' } }),
      'high class-opened',
      'ceilings.network.isolation SameTenant -> Open',
    ],
    [
      ceilings({ quota: { pods: 10 } }),
      ceilings({ quota: { pods: 100 } }),
      'medium class-raised',
      'ceilings.quota.pods 10 -> 100',
    ],
    [
      ceilings({ quota: { pods: 10 } }),
      {},
      'medium class-raised',
      'ceilings.quota.pods 10 -> no bound',
    ],
    [
      { hardening: { storage: 'Claims' } },
      {},
      'high class-opened',
      'hardening.storage Claims -> no bound',
    ],
    [
      {},
      { allow: { clusterRoles: ['secret-reader'] } },
      'high class-opened',
      'allow.clusterRoles has secret-reader',
    ],
    [
      { allowedTenants: { names: ['a'] } },
      { allowedTenants: { names: ['a', 'b'] } },
      'medium class-raised',
      'allowedTenants.names has b',
    ],
    [
      {},
      { exceptions: [{ tenants: ['shop'], reason: 'r', ceilings: { podSecurity: 'privileged' } }] },
      'high class-opened',
      'ceilings.podSecurity of shop no bound -> privileged',
    ],
  ])('from %j to %j is %s', (before, after, judgement, message) => {
    expect(judged(before, after)).toEqual([
      `${judgement} TenantClass standard ${message}: 1 tenant has this class`,
    ]);
  });

  const open = 'high class-opened';
  const raised = 'medium class-raised';
  const lowered = 'low class-lowered';
  const only = { allow: { clusters: ['eu1'] } };
  const selector = (matchLabels: object) => ({ allowedTenants: { selector: { matchLabels } } });
  const services = (bounds: object) => ({ selfService: { services: bounds } });
  const ofService = (field: string) => `selfService.services.${field}`;
  const classes = (...priorityClasses: string[]) => ({ allow: { priorityClasses } });

  test.each([
    [only, {}, open, 'allow.clusters eu1 -> no bound'],
    [{}, only, lowered, 'allow.clusters no bound -> eu1'],
    [{ allowedTenants: { names: ['a'] } }, {}, raised, 'allowedTenants.names a -> no bound'],
    [
      selector({ a: 'b' }),
      selector({}),
      raised,
      'allowedTenants.selector.matchLabels.a b -> no bound',
    ],
    [
      {},
      services({ externalNames: ['*.example.com'] }),
      open,
      `${ofService('externalNames')} has *.example.com`,
    ],
    [
      services({ externalNames: ['*'] }),
      {},
      lowered,
      `${ofService('externalNames')} no longer has *`,
    ],
    [
      {},
      services({ types: ['ClusterIP'] }),
      lowered,
      `${ofService('types')} no bound -> ClusterIP`,
    ],
    [services({ types: ['ClusterIP'] }), {}, open, `${ofService('types')} ClusterIP -> no bound`],
    [
      services({ loadBalancerClasses: ['a'] }),
      services({ loadBalancerClasses: ['a', ''] }),
      open,
      `${ofService('loadBalancerClasses')} has ''`,
    ],
    [classes(), {}, open, 'allow.priorityClasses none -> the default'],
    [{ allow: { images: ['a.io/*'] } }, {}, open, 'allow.images a.io/* -> no bound'],
    [{}, { allow: { images: ['a.io/*'] } }, lowered, 'allow.images no bound -> a.io/*'],
    [{ allow: { gatewayClasses: [] } }, {}, open, 'allow.gatewayClasses none -> no bound'],
    [
      { allow: { images: ['a.io/*'] } },
      { allow: { images: ['a.io/*', 'b.io/*'] } },
      open,
      'allow.images has b.io/*',
    ],
    [classes('low'), {}, open, 'allow.priorityClasses low -> the default'],
    [{ allow: { clusterRoles: ['a'] } }, {}, lowered, 'allow.clusterRoles no longer has a'],
    [
      {},
      { allow: { uncountedObjects: 'Deny' } },
      lowered,
      'allow.uncountedObjects the default -> Deny',
    ],
    [
      {},
      { allow: { uncountedObjects: 'Allow' } },
      open,
      'allow.uncountedObjects the default -> Allow',
    ],
    [
      {},
      ceilings({ terminationSeconds: 604800 }),
      raised,
      'ceilings.terminationSeconds the default -> 604800',
    ],
    [
      ceilings({ network: { ingressFrom: { cidrs: ['10.0.0.0/8'] } } }),
      {},
      open,
      'ceilings.network.ingressFrom.cidrs 10.0.0.0/8 -> no bound',
    ],
    [{ allow: { tolerations: [] } }, {}, 'medium class-changed', 'allow.tolerations has no entry'],
  ])(
    'what is absent has its own meaning: from %j to %j is %s',
    (before, after, judgement, message) => {
      expect(judged(before, after)).toEqual([
        `${judgement} TenantClass standard ${message}: 1 tenant has this class`,
      ]);
    },
  );

  test('a new class is reported, because tenants may choose it', () => {
    expect(change([shop], [shop, klass({})])).toEqual([
      'medium class-added TenantClass standard is new: tenants may choose it',
    ]);
  });
});

describe('access', () => {
  test("Kubernetes' roles for people are as powerful as what they allow", () => {
    expect(change([], [bound('ClusterRole', 'admin', 'red')])).toEqual([
      expect.stringMatching(
        /^high permission-powerful Group red is bound to ClusterRole admin: .*Secrets hold the credentials of others/,
      ),
    ]);
    expect(change([], [bound('ClusterRole', 'view', 'red')])).toEqual([
      'medium role-bound Group red is bound to ClusterRole view',
    ]);
    const admin = bound('ClusterRole', 'admin', 'red');
    expect(change([admin], [admin, bound('ClusterRole', 'view', 'red')])).toEqual([]);
    expect(
      change([admin], [admin, role(rule(['get'], 'pods')), bound('Role', 'work', 'red')]),
    ).toEqual([]);
  });

  test('a role that loses its binding gives nobody a right', () => {
    const secrets = role(rule(['get'], 'secrets'));
    expect(change([secrets, bound('Role', 'work', 'red')], [secrets])).toEqual([
      'low permission-lost Group red may no longer get secrets',
    ]);
    const wider = role(rule(['get', 'list'], 'secrets'));
    expect(change([secrets, bound('Role', 'work', 'red')], [wider])).toEqual([
      expect.stringMatching(
        /^high permission-powerful subjects of Role work in shop may list secrets/,
      ),
      'low permission-lost Group red may no longer get secrets',
    ]);
  });

  test('an identity of the cloud is a right, in a new namespace too', () => {
    const account = (arn?: string) =>
      inShop('ServiceAccount', 'bot', {
        metadata: { annotations: { ...(arn && { 'eks.amazonaws.com/role-arn': arn }) } },
      });
    expect(change([account()], [account('arn:aws:iam::1:role/admin')])).toEqual([
      'high cloud-identity-gained ServiceAccount shop/bot may act as arn:aws:iam::1:role/admin (eks.amazonaws.com/role-arn)',
    ]);
    expect(change([], [namespace(), policy(CLOSED), account('arn')])[0]).toMatch(
      /^high cloud-identity-gained /,
    );
    expect(change([account('arn')], [account()])).toEqual([
      'low cloud-identity-lost ServiceAccount shop/bot may no longer act as arn (eks.amazonaws.com/role-arn)',
    ]);
  });
});

describe('a Namespace that leaves Git and stays', () => {
  const stays = 'Prune=false,Delete=false';
  const removed = (...objects: object[]) =>
    describeChanges(
      { [`${TENANT}/tenant.yaml`]: tenant(), [SHOP]: [namespace('shop', stays), ...objects] },
      { [`${TENANT}/tenant.yaml`]: tenant() },
    );

  test('is of high risk if what bounds and isolates it goes', () => {
    expect(removed(policy(CLOSED), quota({ pods: 5 }))).toContainEqual(
      'high namespace-bare Namespace shop is removed from Git, and stays in the cluster until a person deletes it; Argo CD deletes 1 NetworkPolicy, 1 ResourceQuota in it',
    );
  });

  test('is not if no pod can run in it', () => {
    expect(removed(quota({ pods: 0 }))).toContainEqual(
      expect.stringMatching(
        /^medium namespace-left Namespace shop .*; Argo CD deletes 1 ResourceQuota in it$/,
      ),
    );
  });
});

describe('a new cluster', () => {
  const on = (cluster: string, ...objects: object[]) => ({
    [`clusters/${cluster}/tenants/shop/namespace-shop.yaml`]: [
      namespace(),
      policy(CLOSED),
      ...objects,
    ],
  });
  const before = { ...on('eu1', bound('ClusterRole', 'admin', 'red')) };

  test('is one change, with what it gets', () => {
    expect(
      describeChanges(before, { ...before, ...on('us1', bound('ClusterRole', 'admin', 'red')) }),
    ).toEqual([
      'medium cluster-added Cluster us1 is new, and gets 0 tenants, 1 namespace, 0 admission policies, 2 other objects',
    ]);
  });

  test('is more than one if it has what no other cluster has, and is of high risk', () => {
    const open = { [`clusters/us1/a.yaml`]: namespace('open', undefined, {}) };
    expect(describeChanges(before, { ...before, ...open })[0]).toMatch(
      /^high pod-security-lowered Namespace open enforces no Pod Security/,
    );
  });
});

test('a rule that loses its ports allows every port', () => {
  const peer = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'web' } } };
  const whole = policy({ ...CLOSED, ingress: [{ from: [peer] }] });
  expect(change([namespace(), policy(from(peer))], [namespace(), whole])).toEqual([
    'medium network-opened pods may now be reached from web (external) on every port',
  ]);
});

test('a new project of a tenant is of low risk, and one that reaches further than all others is not', () => {
  const project = (name: string, spec: object) =>
    object('AppProject', name, { spec }, 'argoproj.io/v1alpha1');
  const destination = (to: string) => ({ namespace: to, server: 'https://eu1' });
  const own = (to: string, more: object = {}) => ({
    sourceRepos: ['https://git/tenants'],
    destinations: [destination(to)],
    clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: to }],
    ...more,
  });
  const files = (...objects: object[]) => ({ 'argocd/projects/eu1/all.yaml': objects });
  const judged = (spec: object) =>
    plan(
      files(project('shop', own('shop'))),
      files(project('shop', own('shop')), project('new', spec)),
    ).changes.map(({ risk, rule: id, message }) => `${risk} ${id} ${message}`);
  expect(judged(own('new'))).toEqual([
    'low project-added is new, and deploys to new of https://eu1',
  ]);
  expect(judged(own('new', { sourceRepos: ['https://git/other'] }))).toContain(
    'medium project-widened allows the repository https://git/other',
  );
  expect(judged(own('new', { clusterResourceWhitelist: [{ group: '*', kind: '*' }] }))[0]).toBe(
    'high project-opened allows the cluster-scoped kind */*',
  );
});

test('access by request that may last longer is of medium risk, and shorter of low', () => {
  const requests = (hours?: string) => [
    inShop(
      'Role',
      'requests',
      {
        metadata: { annotations: hours === undefined ? {} : { 'tenantry.dev/max-hours': hours } },
        rules: [],
      },
      RBAC,
    ),
  ];
  const lasts = 'Role requests access by request lasts at most';
  expect(change(requests('2'), requests('24'))).toEqual([
    `medium break-glass-longer ${lasts} 2 h -> 24 h`,
  ]);
  expect(change(requests('24'), requests('2'))).toEqual([
    `low break-glass-shorter ${lasts} 24 h -> 2 h`,
  ]);
  expect(change(requests('2'), requests())).toEqual([
    `medium break-glass-longer ${lasts} 2 h -> unlimited`,
  ]);
});
