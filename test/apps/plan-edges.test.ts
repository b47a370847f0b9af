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

  test('who is bound to a role in the whole cluster is not told of for one namespace, on both ways', () => {
    const all = everywhere('edit', 'blue');
    const both = [all, bound('ClusterRole', 'edit', 'blue')];
    expect(changed([all], both)).toEqual([]);
    expect(changed(both, [all])).toEqual([]);
  });

  test('too many rights are told when they change, on whichever side they are', () => {
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

  test('a role is gathered into another only by a label that says so', () => {
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

  test('roles of the same name in two namespaces are two', () => {
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

  test('a service account is told with its namespace', () => {
    const subjects = [{ kind: 'ServiceAccount', namespace: 'ci', name: 'deployer' }];
    expect(changed([], [{ ...bound('ClusterRole', 'edit'), subjects }])).toEqual([
      'medium role-bound ServiceAccount ci/deployer is bound to ClusterRole edit',
    ]);
  });

  test('each change has the tenant whose namespace, or whose object, it is', () => {
    const blue = bound('ClusterRole', 'edit', 'blue');
    const places = (before: object[], after: object[]) =>
      plan({ [SHOP]: before }, { [SHOP]: after }).changes.map(({ rule: id, where }) => [id, where]);
    const shop = [{ cluster: 'eu1', namespace: 'shop', tenant: 'shop' }];
    expect(places([namespace()], [namespace(), blue])).toEqual([['role-bound', shop]]);
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

  test('any pod is everybody, pods of a label are not, wherever they run', () => {
    expect(opened(CLOSED, from(anywhere))).toEqual([
      'high network-opened-to-all pods may now be reached from any pod on 8080/TCP',
    ]);
    expect(opened(CLOSED, from({ ...anywhere, ...till }))).toEqual([
      'medium network-opened pods may now be reached from pods with app=till in any namespace on 8080/TCP',
    ]);
  });

  test('what is open to some pods, or to all of the cluster, opens further to others', () => {
    const of = (...peers: object[]) => ({ ...from(web), ingress: [{ from: peers }] });
    const some = { ...anywhere, ...till };
    expect(opened(of(some), of(some, web))).toEqual([
      'medium network-opened pods may now be reached from web (external)',
    ]);
    const world = { ipBlock: { cidr: '0.0.0.0/0' } };
    expect(opened(of(anywhere), of(anywhere, world))[0]).toMatch(
      /^high network-opened-to-all pods may now be reached from 0\.0\.0\.0\/0/,
    );
  });

  test('what all pods of a namespace may do, some of them do not come to do', () => {
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

  test('every destination, and every kind, is everything', () => {
    const server = 'https://a.example.com';
    expect(
      describeChanges(project({}), project({ destinations: [{ namespace: '*', server }] })),
    ).toEqual([`high project-opened AppProject shop allows the destination * of ${server}`]);
    const all = [{ group: '*', kind: '*' }];
    expect(describeChanges(project({}), project({ namespaceResourceWhitelist: all }))).toEqual([
      'high project-opened AppProject shop allows the kind */*',
    ]);
  });

  test('what is forbidden, and who may write Applications, is told', () => {
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

  test('a project that is new forbids nothing that was allowed, and one that changes otherwise is told', () => {
    expect(describeChanges({}, project({ namespaceResourceBlacklist: [deployment] }))).toEqual([
      'low object-added AppProject shop is new',
    ]);
    expect(describeChanges(project({}), project({ description: 'x' }))).toEqual([
      'low object-changed AppProject shop changes at spec.description',
    ]);
  });

  test.each(['Application', 'ApplicationSet'])('an %s that goes is told', (kind) => {
    const one = object(kind, 'shop', {}, 'argoproj.io/v1alpha1');
    expect(describeChanges({ 'argocd/a.yaml': one, ...project({}) }, project({}))).toEqual([
      `medium application-removed ${kind} shop is no longer there`,
    ]);
  });
});

describe('what nothing else tells', () => {
  test('is told of each namespace on its own', () => {
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

  test('is what changes beside what a judge of the kind looks at', () => {
    const labels = { metadata: { labels: { a: 'b' } } };
    const crd = (rest: object) =>
      object('CustomResourceDefinition', 'x.example.com', rest, 'apiextensions.k8s.io/v1');
    expect(changed([crd({})], [crd(labels)])).toContain(
      'low object-changed CustomResourceDefinition x.example.com changes at metadata.labels',
    );
    expect(changed([inShop('LimitRange', 'l')], [inShop('LimitRange', 'l', labels)])).toEqual([
      'medium limits-changed LimitRange l changes',
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

  test('is told by its first places', () => {
    const data = (value: string) => {
      const entries = Array.from({ length: 10 }, (_, i) => [`k${i}`, value]);
      return inShop('ConfigMap', 'c', { data: Object.fromEntries(entries) });
    };
    expect(changed([data('a')], [data('b')])).toEqual([
      'low object-changed ConfigMap c changes at data.k0, data.k1, data.k2, data.k3, data.k4, data.k5, data.k6, data.k7 and 2 more places',
    ]);
  });

  test('is told as what a person is asked about where that is so', () => {
    const annotations = { 'argocd.argoproj.io/sync-options': 'Prune=confirm' };
    expect(changed([inShop('Secret', 's', { metadata: { annotations } })], [])).toEqual([
      'low object-left Secret s is deleted once a person confirms it',
    ]);
  });
});

test('a Namespace that is out of a policy already is not told again', () => {
  const labels = { ...RESTRICTED, 'policy.tenantry.dev/network-policies': 'Disabled' };
  const out = (more: object) => ({ [SHOP]: namespace('shop', '', { ...labels, ...more }) });
  expect(describeChanges(out({}), out({ team: 'a' }))).toEqual([
    'low object-changed Namespace shop changes at metadata.labels.team',
  ]);
});

test('an entry that is new has no other lifecycle than before', () => {
  const file = (...names: string[]) => ({
    [`${TENANT}/tenant.yaml`]: tenant({ namespaces: names.map((name) => ({ name })) }),
  });
  expect(describeChanges(file('a'), file('a', 'b'))).toEqual([
    'low object-changed Tenant shop changes at spec.namespaces',
  ]);
});

test('a bound that is no quantity is taken for a lower one', () => {
  expect(changed([quota({ pods: 'some' })], [quota({ pods: '5' })])).toEqual([
    'medium quota-lowered ResourceQuota quota pods some -> 5',
  ]);
  expect(changed([quota({ pods: '5' })], [quota({ pods: 'some' })])[0]).toMatch(/quota-lowered/);
});
