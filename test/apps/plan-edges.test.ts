import { describe, expect, test } from '@jest/globals';
import {
  CLOSED,
  RBAC,
  RESTRICTED,
  SHOP,
  TENANT,
  bound,
  from,
  inShop,
  namespace,
  object,
  plan,
  policy,
  quota,
  role,
  rule,
  describeChanges,
  tenant,
} from './planned.ts';

const STORE = 'clusters/eu1/tenants/store/namespace-store.yaml';
const changed = (before: readonly object[], after: readonly object[]) =>
  describeChanges({ [SHOP]: [namespace(), ...before] }, { [SHOP]: [namespace(), ...after] });

describe('access', () => {
  const many = Array.from({ length: 500 }, (_, i) => `r${i}`);
  const tooMany = { apiGroups: many, resources: many, verbs: ['get'] };
  const everywhere = (name: string, ...groups: string[]) =>
    object(
      'ClusterRoleBinding',
      `all-${name}`,
      {
        roleRef: { kind: 'ClusterRole', name },
        subjects: groups.map((group) => ({ kind: 'Group', name: group })),
      },
      RBAC,
    );

  test('a subject that is bound to a role cluster-wide gains and loses nothing in one namespace', () => {
    const all = everywhere('edit', 'blue');
    const both = [all, bound('ClusterRole', 'edit', 'blue')];
    expect(changed([all], both)).toEqual([]);
    expect(changed(both, [all])).toEqual([]);
  });

  test('too many rights are reported when they change, on either side', () => {
    const count = expect.stringMatching(/^high permission-count /);
    const reads = role(rule(['get'], 'pods'));
    expect(changed([role(tooMany)], [role(tooMany), inShop('ConfigMap', 'c')])).toEqual([
      'low object-added ConfigMap c is new',
    ]);
    expect(changed([role(tooMany)], [reads])).toContainEqual(count);
    const wide = [
      object('ClusterRole', 'wide', { rules: [tooMany] }, RBAC),
      everywhere('wide', 'blue'),
    ];
    const own = [reads, bound('Role', 'work', 'blue')];
    expect(changed(wide, [...wide, ...own])).toContainEqual(count);
  });

  test('roles are aggregated only by a matching label', () => {
    const part = (value: string, ...verbs: string[]) => {
      const labels = { 'rbac.authorization.k8s.io/aggregate-to-edit': value };
      return object(
        'ClusterRole',
        'jobs',
        { metadata: { labels }, rules: [rule(verbs, 'a')] },
        RBAC,
      );
    };
    expect(changed([part('false', 'get')], [part('false', 'get', 'list')])).toEqual([
      'medium permission-gained subjects of ClusterRole jobs may list a',
    ]);
  });

  test('roles of the same name in two namespaces are different', () => {
    const store = (verb: string) => {
      const { metadata, ...rest } = role(rule([verb], 'pods'));
      return { ...rest, metadata: { ...metadata, namespace: 'store' } };
    };
    const shop = [namespace(), role(rule(['get'], 'pods')), bound('Role', 'work', 'blue')];
    const files = (verb: string) => ({
      [SHOP]: shop,
      [STORE]: [namespace('store'), store(verb)],
    });
    expect(describeChanges(files('get'), files('list'))).toEqual([
      'medium permission-gained subjects of Role work in store may list pods',
      'low permission-lost subjects of Role work in store may no longer get pods',
    ]);
  });

  test('a service account is reported with its namespace', () => {
    const subjects = [{ kind: 'ServiceAccount', namespace: 'ci', name: 'deployer' }];
    expect(changed([], [{ ...bound('ClusterRole', 'edit'), subjects }])).toEqual([
      expect.stringMatching(
        /^high permission-powerful ServiceAccount ci\/deployer is bound to ClusterRole edit: /,
      ),
    ]);
  });

  test('each change names the tenant of its namespace or object', () => {
    const blue = bound('ClusterRole', 'edit', 'blue');
    const places = (before: object[], after: object[]) =>
      plan({ [SHOP]: before }, { [SHOP]: after }).changes.map(({ rule: id, where }) => [id, where]);
    const shop = [{ cluster: 'eu1', namespace: 'shop', tenant: 'shop' }];
    expect(places([namespace()], [namespace(), blue])).toEqual([['permission-powerful', shop]]);
    expect(places([], [namespace(), policy(CLOSED), blue])).toEqual([
      ['namespace-added', shop],
      ['access-added', shop],
    ]);
    const labels = { 'tenantry.dev/tenant': 'shop' };
    const settings = (data: string) => inShop('ConfigMap', 'c', { metadata: { labels }, data });
    expect(places([settings('a')], [settings('b')])).toEqual([['object-changed', shop]]);
  });
});

describe('network', () => {
  const web = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'web' } } };
  const till = { podSelector: { matchLabels: { app: 'till' } } };
  const anywhere = { namespaceSelector: {} };
  const opened = (before: object, after: object) => changed([policy(before)], [policy(after)]);

  test('a rule for any pod opens to everyone, and a rule for labeled pods does not', () => {
    expect(opened(CLOSED, from(anywhere))).toEqual([
      'high network-opened-to-all pods may now be reached from any pod on 8080/TCP',
    ]);
    expect(opened(CLOSED, from({ ...anywhere, ...till }))).toEqual([
      'medium network-opened pods may now be reached from pods with app=till in any namespace on 8080/TCP',
    ]);
  });

  test('rules that open to more peers than some pods or the cluster are reported', () => {
    const of = (...peers: object[]) => ({ ...from(web), ingress: [{ from: peers }] });
    const some = { ...anywhere, ...till };
    expect(opened(of(some), of(some, web))).toEqual([
      'medium network-opened pods may now be reached from web (external) on every port',
    ]);
    const world = { ipBlock: { cidr: '0.0.0.0/0' } };
    expect(opened(of(anywhere), of(anywhere, world))[0]).toMatch(
      /^high network-opened-to-all pods may now be reached from 0\.0\.0\.0\/0/,
    );
  });

  test('a connection that all pods have is not new for some of them', () => {
    const { metadata, ...rest } = policy({ ...from(web), ...till });
    const more = { ...rest, metadata: { ...metadata, name: 'more' } };
    expect(changed([policy(from(web))], [policy(from(web)), more])).toEqual([]);
  });

  test('a policy without a namespace is one of `default`', () => {
    const file = (spec: object) => {
      const { metadata, ...rest } = policy(spec);
      const own = { ...rest, metadata: { name: metadata.name } };
      return { 'clusters/eu1/a.yaml': [namespace('default'), own] };
    };
    expect(describeChanges(file(CLOSED), file(from(web)))[0]).toBe(
      'medium network-opened pods may now be reached from web (external) on 8080/TCP',
    );
  });
});

describe('delivery', () => {
  const project = (spec: object) => ({
    'argocd/projects/shop.yaml': object('AppProject', 'shop', { spec }, 'argoproj.io/v1alpha1'),
  });
  const deployment = { group: 'apps', kind: 'Deployment' };

  test('every destination and every kind count as everything', () => {
    const server = 'https://a.example.com';
    expect(
      describeChanges(project({}), project({ destinations: [{ namespace: '*', server }] })),
    ).toEqual([`high project-opened AppProject shop allows the destination * of ${server}`]);
    const all = [{ group: '*', kind: '*' }];
    expect(describeChanges(project({}), project({ namespaceResourceWhitelist: all }))).toEqual([
      'high project-opened AppProject shop allows the kind */*',
    ]);
  });

  test('forbidden kinds and the namespaces of Applications are reported', () => {
    const forbids = project({ clusterResourceBlacklist: [{ group: '', kind: 'Namespace' }] });
    expect(describeChanges(forbids, project({}))).toEqual([
      'high project-opened AppProject shop no longer forbids the cluster-scoped kind Namespace',
    ]);
    expect(describeChanges(project({}), forbids)).toEqual([
      'low project-narrowed AppProject shop forbids the cluster-scoped kind Namespace',
    ]);
    expect(describeChanges(project({}), project({ sourceNamespaces: ['shop'] }))).toEqual([
      'medium project-widened AppProject shop allows the namespace of Applications shop',
    ]);
  });

  test('a new project forbids nothing that was allowed, and other changes of a project are reported', () => {
    expect(describeChanges({}, project({ namespaceResourceBlacklist: [deployment] }))).toEqual([
      'low project-added AppProject shop is new',
    ]);
    expect(describeChanges(project({}), project({ description: 'x' }))).toEqual([
      'low object-changed AppProject shop changes at spec.description',
    ]);
  });

  test.each(['Application', 'ApplicationSet'])('a removed %s is reported', (kind) => {
    const one = object(kind, 'shop', {}, 'argoproj.io/v1alpha1');
    expect(describeChanges({ 'argocd/a.yaml': one, ...project({}) }, project({}))).toEqual([
      `medium application-removed ${kind} shop is no longer there`,
    ]);
  });
});

describe('changes that no other judge reports', () => {
  test('are reported for each namespace separately', () => {
    const files = (one: object[], other: object[]) => ({
      [SHOP]: [namespace(), role(...one)],
      [STORE]: [
        namespace('store'),
        { ...role(...other), metadata: { name: 'work', namespace: 'store' } },
      ],
    });
    const [both, apart] = [[rule(['get', 'list'], 'a')], [rule(['get'], 'a'), rule(['list'], 'a')]];
    expect(describeChanges(files(both, [rule(['get'], 'a')]), files(apart, both))).toEqual([
      'medium permission-gained subjects of Role work in store may list a',
      'low object-changed Role work changes at rules',
    ]);
  });

  test('include fields that the judge of the kind does not compare', () => {
    const labels = { metadata: { labels: { a: 'b' } } };
    const crd = (rest: object) =>
      object('CustomResourceDefinition', 'x.example.com', rest, 'apiextensions.k8s.io/v1');
    expect(changed([crd({})], [crd(labels)])).toContain(
      'low object-changed CustomResourceDefinition x.example.com changes at metadata.labels',
    );
    expect(changed([inShop('LimitRange', 'l')], [inShop('LimitRange', 'l', labels)])).toEqual([
      'low object-changed LimitRange l changes at metadata.labels',
    ]);
    const scopeSelector = { matchExpressions: [{ scopeName: 'BestEffort', operator: 'Exists' }] };
    const scoped = inShop('ResourceQuota', 'quota', { spec: { hard: {}, scopeSelector } });
    expect(changed([quota({})], [scoped])).toEqual([
      'low object-changed ResourceQuota quota changes at spec.scopeSelector',
    ]);
    const team = { [SHOP]: namespace('shop', '', { ...RESTRICTED, team: 'a' }) };
    expect(describeChanges({ [SHOP]: namespace() }, team)).toEqual([
      'low object-changed Namespace shop changes at metadata.labels.team',
    ]);
  });

  test('list only the first paths', () => {
    const data = (value: string) => {
      const entries = Array.from({ length: 10 }, (_, i) => [`k${i}`, value]);
      return inShop('ConfigMap', 'c', { data: Object.fromEntries(entries) });
    };
    expect(changed([data('a')], [data('b')])).toEqual([
      'low object-changed ConfigMap c changes at data.k0, data.k1, data.k2, data.k3, data.k4, data.k5, data.k6, data.k7 and 2 more places',
    ]);
  });

  test('mention a confirmation by a person if there is one', () => {
    const annotations = { 'argocd.argoproj.io/sync-options': 'Prune=confirm' };
    expect(changed([inShop('Secret', 's', { metadata: { annotations } })], [])).toEqual([
      'low object-left Secret s is deleted once a person confirms it',
    ]);
  });
});

test('a Namespace that already is out of a policy is not reported again', () => {
  const labels = { ...RESTRICTED, 'policy.tenantry.dev/network-policies': 'Disabled' };
  const out = (more: object) => ({ [SHOP]: namespace('shop', '', { ...labels, ...more }) });
  expect(describeChanges(out({}), out({ team: 'a' }))).toEqual([
    'low object-changed Namespace shop changes at metadata.labels.team',
  ]);
});

test('a new entry does not change the lifecycle', () => {
  const file = (...names: string[]) => ({
    [`${TENANT}/tenant.yaml`]: tenant({ namespaces: names.map((name) => ({ name })) }),
  });
  expect(describeChanges(file('a'), file('a', 'b'))).toEqual([
    'low object-changed Tenant shop changes at spec.namespaces',
  ]);
});

test('a limit that is no quantity counts as lower', () => {
  expect(changed([quota({ pods: 'some' })], [quota({ pods: '5' })])).toEqual([
    'medium quota-lowered ResourceQuota quota pods some -> 5',
  ]);
  expect(changed([quota({ pods: '5' })], [quota({ pods: 'some' })])[0]).toMatch(/quota-lowered/);
});
