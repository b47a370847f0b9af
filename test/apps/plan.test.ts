import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agreementRules } from '../../apps/plan/agreement/agree.ts';
import { planRules } from '../../apps/plan/plan.ts';
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

describe('namespaces and their data', () => {
  const stays = { [`${TENANT}/tenant.yaml`]: tenant() };
  const goes = (options?: string) =>
    describeChanges({ ...stays, [SHOP]: namespace('shop', options) }, stays);

  test('a removed Namespace is deleted, confirmed or left according to its prune options', () => {
    expect(goes()).toEqual([
      'high namespace-deleted Namespace shop is deleted by Argo CD, with everything in it',
    ]);
    expect(goes('Prune=confirm')).toEqual([
      expect.stringMatching(/^high namespace-asked .* once a person confirms that to Argo CD$/),
    ]);
    expect(goes('ServerSideApply=true, Prune=false,Delete=confirm')).toEqual([
      expect.stringMatching(/^medium namespace-left .* until a person deletes it$/),
    ]);
  });

  test('a Namespace removed with its Application follows the delete options', () => {
    const whole = (options: string) => describeChanges({ [SHOP]: namespace('shop', options) }, {});
    expect(whole('Prune=false,Delete=confirm')[0]).toMatch(/^high namespace-asked /);
    expect(whole('Prune=false')[0]).toMatch(/^high namespace-deleted /);
    expect(whole('Prune=confirm,Delete=false')[0]).toMatch(/^medium namespace-left /);
  });

  test('a Namespace that Argo CD may now delete is reported, and one that it could delete before is not', () => {
    const kept = { [SHOP]: namespace('shop', 'Prune=false,Delete=false') };
    const open = { [SHOP]: namespace() };
    expect(describeChanges(kept, open)[0]).toMatch(/^medium namespace-unprotected Namespace shop /);
    expect(describeChanges(open, kept).join()).not.toContain('unprotected');
    const half = { [SHOP]: namespace('shop', 'Prune=false') };
    expect(describeChanges(kept, half)[0]).toMatch(/^medium namespace-unprotected /);
  });

  test('changed tenants and lifecycles are reported, and namespaces by their declared names', () => {
    const file = (spec: object) => ({ [`${TENANT}/tenant.yaml`]: tenant(spec) });
    expect(describeChanges({}, file({}))).toEqual(['low tenant-added Tenant shop is new']);
    expect(describeChanges(file({}), {})).toEqual([
      'medium tenant-removed Tenant shop is removed, and its access is revoked',
    ]);
    expect(describeChanges(file({}), file({ lifecycle: 'Suspended' }))[0]).toBe(
      'medium lifecycle-changed Tenant shop Active -> Suspended',
    );
    const one = (lifecycle: string) => file({ namespaces: [{ name: 'test', lifecycle }] });
    expect(describeChanges(one('Retired'), one('Active'))[0]).toBe(
      'medium lifecycle-changed Namespace test Retired -> Active',
    );
  });

  test('an object that moves to another Application is reported, and a move within one is not', () => {
    const at = (path: string) => ({ [path]: inShop('ConfigMap', 'settings') });
    expect(
      describeChanges(at(`${TENANT}/a.yaml`), at('clusters/eu1/tenants/store/a.yaml')),
    ).toEqual([
      expect.stringMatching(
        /^medium object-moved ConfigMap settings moves from .*shop to .*store$/,
      ),
    ]);
    expect(describeChanges(at(`${TENANT}/a.yaml`), at(`${TENANT}/b.yaml`))).toEqual([]);
  });
});

describe('access', () => {
  const change = (before: object[], after: object[]) =>
    describeChanges({ [SHOP]: [namespace(), ...before] }, { [SHOP]: [namespace(), ...after] });
  const reads = role(rule(['get'], 'pods'));

  test('a subject that is bound to a role of the output gains the rights of the role', () => {
    expect(change([reads], [reads, bound('Role', 'work', 'blue')])).toContain(
      'medium permission-gained Group blue may get pods',
    );
  });

  test('rights with which a subject can gain others are of high risk', () => {
    const one = (...verbs: string[]) => [
      role(rule(verbs, 'secrets')),
      bound('Role', 'work', 'blue'),
    ];
    expect(change([reads, bound('Role', 'work', 'blue')], one('get'))).toEqual([
      expect.stringMatching(/^high permission-powerful Group blue may get secrets: /),
      'low permission-lost Group blue may no longer get pods',
    ]);
  });

  test('equivalent rules are no change', () => {
    const described = change(
      [role(rule(['get', 'list'], 'pods', 'services')), bound('Role', 'work', 'blue')],
      [
        role(rule(['list'], 'services'), rule(['get'], 'services', 'pods'), rule(['list'], 'pods')),
        bound('Role', 'work', 'blue'),
      ],
    );
    expect(described).toEqual([
      expect.stringMatching(/^low object-changed Role work changes at rules$/),
    ]);
  });

  test('roles outside of the output are reported by name, when bound and unbound', () => {
    const edit = (...groups: string[]) => [bound('ClusterRole', 'edit', ...groups)];
    expect(change(edit('blue'), edit('red'))).toEqual([
      expect.stringMatching(
        /^high permission-powerful Group red is bound to ClusterRole edit: .*Secrets hold/,
      ),
      'low role-unbound Group blue is no longer bound to ClusterRole edit',
    ]);
  });

  test('a subject with the right cluster-wide gains and loses nothing in a namespace', () => {
    const everywhere = [
      object('ClusterRole', 'reader', { rules: [rule(['get'], 'pods')] }, RBAC),
      object(
        'ClusterRoleBinding',
        'readers',
        {
          roleRef: { kind: 'ClusterRole', name: 'reader' },
          subjects: [{ kind: 'Group', name: 'blue' }],
        },
        RBAC,
      ),
    ];
    const both = [...everywhere, reads, bound('Role', 'work', 'blue')];
    expect(change(everywhere, both)).toEqual([]);
    expect(change(both, everywhere)).toEqual([]);
  });

  test('non-resource paths are reported, unless they were allowed before', () => {
    const to = (...nonResourceURLs: string[]) => [
      object('ClusterRole', 'probe', { rules: [{ nonResourceURLs, verbs: ['get'] }] }, RBAC),
    ];
    expect(change(to('/livez'), to('/livez', '/metrics'))).toEqual([
      'medium permission-gained subjects of ClusterRole probe may get the path /metrics',
    ]);
  });

  test('a role that is aggregated into another is reported for that one, and so is a changed aggregation rule', () => {
    const label = { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' };
    const part = (rules: object[]) =>
      object('ClusterRole', 'jobs', { metadata: { labels: label }, rules }, RBAC);
    expect(change([part([])], [part([rule(['get'], 'pods')])])).toContain(
      'medium permission-gained subjects of ClusterRole edit may get pods',
    );
    const whole = object(
      'ClusterRole',
      'all',
      { aggregationRule: {}, rules: [rule(['get'], 'secrets')] },
      RBAC,
    );
    expect(change([], [whole])).toEqual(['low object-added ClusterRole all is new']);
  });

  test('a cluster-wide binding is of high risk, and cluster-admin is known', () => {
    const to = (name: string, metadata: object = {}) => ({
      'clusters/eu1/a.yaml': object(
        'ClusterRoleBinding',
        'x',
        {
          metadata,
          roleRef: { kind: 'ClusterRole', name },
          subjects: [{ kind: 'User', name: 'eve' }],
        },
        RBAC,
      ),
    });
    const view = ['high role-bound-everywhere User eve is bound to ClusterRole view'];
    expect(describeChanges({}, to('view'))).toEqual(view);
    expect(describeChanges({}, to('view', { namespace: 'shop' }))).toEqual(view);
    expect(describeChanges({}, to('cluster-admin'))[0]).toMatch(
      /^high permission-powerful User eve may do anything with all resources: /,
    );
  });

  test('a removed namespace reports no lost access', () => {
    const all = describeChanges(
      { [SHOP]: [namespace(), bound('ClusterRole', 'edit', 'blue')] },
      {},
    );
    expect(all.map((one) => one.split(' ')[1])).toEqual(['namespace-deleted']);
  });

  test('access to a new namespace is of low risk, apart from powerful rights', () => {
    const given = [bound('ClusterRole', 'edit', 'blue'), reads, bound('Role', 'work', 'blue')];
    const rulesOf = (objects: object[]) =>
      describeChanges({}, { [SHOP]: [namespace(), policy(CLOSED), ...objects] }).map(
        (one) => one.split(' ')[1],
      );
    expect(rulesOf(given)).toEqual(['namespace-added', 'access-added', 'access-added']);
    const secrets = [role(rule(['get'], 'secrets')), bound('Role', 'work', 'blue')];
    expect(rulesOf(secrets)).toContain('permission-powerful');
  });

  test('too many rights to compare are reported as such', () => {
    const many = Array.from({ length: 500 }, (_, i) => `r${i}`);
    const all = { apiGroups: many, resources: many, verbs: ['get'] };
    expect(change([reads], [role(all)])).toContainEqual(
      expect.stringMatching(/^high permission-count /),
    );
  });
});

describe('isolation', () => {
  const level = (name?: string) => ({
    [SHOP]: namespace(
      'shop',
      'Prune=false',
      name ? { 'pod-security.kubernetes.io/enforce': name } : {},
    ),
  });

  test('a weaker Pod Security level is of high risk, a stricter one of medium', () => {
    expect(describeChanges(level('restricted'), level('baseline'))).toEqual([
      'high pod-security-lowered Pod Security restricted -> baseline',
    ]);
    expect(describeChanges(level('baseline'), level())[0]).toMatch(
      /^high .* baseline -> privileged$/,
    );
    expect(describeChanges(level(), level('restricted'))).toEqual([
      'medium pod-security-raised Pod Security privileged -> restricted',
    ]);
    expect(describeChanges({}, level())[0]).toMatch(
      /^high pod-security-lowered Namespace shop enforces no /,
    );
    expect(describeChanges({}, level('baseline')).join()).not.toContain('pod-security');
  });

  test('a Namespace that leaves an admission policy is of high risk, and one that returns is not', () => {
    const labels = { ...RESTRICTED, 'policy.tenantry.dev/network-policies': 'Disabled' };
    const [inside, outside] = [{ [SHOP]: namespace() }, { [SHOP]: namespace('shop', '', labels) }];
    expect(describeChanges(inside, outside)).toEqual([
      expect.stringMatching(/^high policy-disabled /),
    ]);
    expect(describeChanges(outside, inside)).toEqual([]);
  });

  test('a removed admission policy is of high risk', () => {
    const file = (spec?: object) => ({
      ...(spec && {
        'clusters/eu1/policies/p.yaml': object(
          'ValidatingAdmissionPolicy',
          'guard',
          { spec },
          'admissionregistration.k8s.io/v1',
        ),
      }),
    });
    expect(describeChanges(file({}), file())[0]).toMatch(/^high admission-removed /);
    expect(describeChanges(file({}), file({ a: 1 }))).toEqual([
      'medium admission-changed ValidatingAdmissionPolicy guard changes at spec.a',
    ]);
    expect(describeChanges(file(), file({}))).toEqual([
      expect.stringMatching(/^medium admission-added /),
    ]);
  });

  test('more self-service rights for users of a tenant are reported', () => {
    const facts = (...names: string[]) => ({
      [SHOP]: namespace('shop', '', RESTRICTED, {
        'policy.tenantry.dev/cluster-roles': names.join('\n'),
      }),
    });
    expect(describeChanges(facts('view'), facts('view', 'edit'))[0]).toBe(
      'medium self-service-widened users of the tenant may bind ClusterRole edit',
    );
    expect(describeChanges(facts('view', 'edit'), facts('view')).join()).not.toContain('widened');
  });

  test('a list of a class that grows in a namespace is reported, and one that is gone is of high risk', () => {
    const key = 'policy.tenantry.dev/images';
    const listed = (...entries: string[]) => ({
      [SHOP]: namespace(
        'shop',
        '',
        { ...RESTRICTED, [key]: 'Listed' },
        entries.length > 0 ? { [key]: entries.join('\n') } : {},
      ),
    });
    const reported = (before: object, after: object) =>
      describeChanges(before as never, after as never).filter((one) => !one.startsWith('low '));
    const widened = 'medium self-service-widened users of the tenant may use an image b.io/*';
    expect(reported(listed('a.io/*'), listed('a.io/*', 'b.io/*'))).toEqual([widened]);
    expect(reported(listed(), listed('b.io/*'))).toEqual([widened]);
    expect(reported(listed('a.io/*'), listed())).toEqual([]);
    expect(reported({ [SHOP]: namespace() }, listed('b.io/*'))).toEqual([]);
    expect(reported(listed(), { [SHOP]: namespace() })).toEqual([
      `high policy-disabled Namespace shop is taken out of the policy ${key}`,
    ]);
  });

  test('more Services for users of a tenant are reported, where an absent fact may be no bound', () => {
    const fact = (name: string, ...lines: string[]) => ({
      [SHOP]: namespace('shop', '', RESTRICTED, {
        ...(lines.length > 0 && { [`policy.tenantry.dev/${name}`]: lines.join('\n') }),
      }),
    });
    const widened = (name: string, before: string[], after: string[]) =>
      describeChanges(fact(name, ...before), fact(name, ...after)).filter((one) =>
        one.includes('self-service-widened'),
      );
    const users = 'medium self-service-widened users of the tenant';
    expect(widened('external-names', [], ['*'])).toEqual([`${users} may name the external host *`]);
    expect(widened('external-names', ['*'], [])).toEqual([]);
    const type = 'may create Services of';
    expect(widened('service-types', [], ['ClusterIP'])).toEqual([]);
    expect(widened('service-types', ['ClusterIP'], [])).toEqual([`${users} ${type} every type`]);
    expect(widened('service-types', ['ClusterIP'], ['NodePort'])).toEqual([
      `${users} ${type} type NodePort`,
    ]);
    expect(widened('load-balancer-classes', ['a'], ['a', 'no class'])).toEqual([
      `${users} may use load balancers of class no class`,
    ]);
    expect(widened('load-balancer-classes', ['a'], [])).toEqual([
      `${users} may use load balancers of every class`,
    ]);
  });
});

describe('network', () => {
  const walls = (spec: object) => ({ [SHOP]: [namespace(), policy(spec)] });
  const others = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'web' } } };

  test('new and lost connections of a namespace are reported', () => {
    expect(describeChanges(walls(CLOSED), walls(from(others)))).toEqual([
      'medium network-opened pods may now be reached from web (external) on 8080/TCP',
    ]);
    expect(describeChanges(walls(from(others)), walls(CLOSED))).toEqual([
      'medium network-closed pods may no longer be reached from web (external) on 8080/TCP',
    ]);
  });

  test('a namespace that opens to all is of high risk, and so is one without any policy', () => {
    expect(describeChanges(walls(CLOSED), walls({ ...CLOSED, egress: [{}] }))[0]).toBe(
      'high network-opened-to-all pods may now reach anyone on every port',
    );
    const world = { to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] };
    expect(describeChanges(walls(CLOSED), walls({ ...CLOSED, egress: [world] }))[0]).toMatch(
      /^high /,
    );
    expect(describeChanges({}, { [SHOP]: namespace() })).toEqual([
      'high network-opened-to-all pods may now be reached from anyone on every port',
      'low namespace-added Namespace shop is new',
    ]);
    expect(describeChanges({}, walls({ ...CLOSED, egress: [{}] })).join()).not.toContain('network');
  });

  test('pods and ports are part of a connection', () => {
    const way = (app: string) => ({ ...from(others), podSelector: { matchLabels: { app } } });
    const of = (app: string) => {
      const { metadata, ...rest } = policy(way(app));
      const named = { ...rest, metadata: { ...metadata, name: 'way' } };
      return { [SHOP]: [namespace(), policy(CLOSED), named] };
    };
    expect(describeChanges(of('till'), of('shop'))).toEqual([
      'medium network-opened pods with app=shop may now be reached from web (external) on 8080/TCP',
      'medium network-closed pods with app=till may no longer be reached from web (external) on 8080/TCP',
    ]);
    const one = from(others).ingress[0]!;
    const two = { ...from(others), ingress: [one, from(others, 9090).ingress[0]] };
    const ports = 'web (external) on 8080/TCP, 9090/TCP';
    expect(describeChanges(walls(from(others)), walls(two))).toEqual([
      `medium network-opened pods may now be reached from ${ports}`,
    ]);
    expect(describeChanges(walls(two), walls(from(others)))).toEqual([
      `medium network-closed pods may no longer be reached from ${ports}`,
    ]);
  });

  test('a connection that was open to anyone gains nothing from a name', () => {
    const both = { ...CLOSED, ingress: [{}, from(others).ingress[0]] };
    expect(describeChanges(walls({ ...CLOSED, ingress: [{}] }), walls(both))).toEqual([
      expect.stringMatching(/^low object-changed NetworkPolicy walls changes at spec.ingress$/),
    ]);
  });
});

test('lowered, raised, new and removed limits are reported, and another spelling of a quantity is not', () => {
  const file = (...objects: object[]) => ({ [SHOP]: [namespace(), ...objects] });
  const now = file(quota({ 'requests.cpu': '2', pods: 5, secrets: 9 }));
  expect(
    describeChanges(file(quota({ 'requests.cpu': '1000m', pods: 10, services: 3 })), now),
  ).toEqual([
    'medium quota-lowered ResourceQuota quota pods 10 -> 5',
    'medium quota-unbounded ResourceQuota quota services 3 -> no bound',
    'medium quota-bounded ResourceQuota quota secrets no bound -> 9',
    'low quota-raised ResourceQuota quota requests.cpu 1000m -> 2',
  ]);
  expect(describeChanges(file(quota({ cpu: '1000m' })), file(quota({ cpu: '1' })))).toEqual([]);
  const limits = (item: object) =>
    inShop('LimitRange', 'l', { spec: { limits: [{ type: 'Container', ...item }] } });
  const changed = (before: object, after: object) =>
    describeChanges(file(limits(before)), file(limits(after)));
  expect(changed({ max: { cpu: '1' } }, { max: { cpu: '2' } })).toEqual([
    'low limits-raised LimitRange l Container max.cpu 1 -> 2',
  ]);
  expect(changed({ min: { cpu: '1' } }, { min: { cpu: '2' } })).toEqual([
    'medium limits-changed LimitRange l Container min.cpu 1 -> 2',
  ]);
  expect(changed({ default: { memory: '1Gi' } }, { default: { memory: '2Gi' } })).toEqual([
    'medium limits-changed LimitRange l Container default.memory 1Gi -> 2Gi',
  ]);
  expect(changed({ max: { cpu: '1' } }, {})).toEqual([
    'medium limits-unbounded LimitRange l Container max.cpu 1 -> no bound',
  ]);
  expect(describeChanges(file(), file(limits({ max: { cpu: '1' } })))).toEqual([
    'medium limits-changed LimitRange l Container max.cpu no bound -> 1',
  ]);
});

test('objects that are added or removed with their namespace are not reported separately', () => {
  const all = { [SHOP]: [namespace(), policy(CLOSED), quota({ pods: 1 }), inShop('Secret', 's')] };
  expect(describeChanges({}, all)).toEqual(['low namespace-added Namespace shop is new']);
  expect(describeChanges(all, {}).map((one) => one.split(' ')[1])).toEqual(['namespace-deleted']);
});

test('definitions are classified as in `crd diff`', () => {
  const crd = (type: string) =>
    object(
      'CustomResourceDefinition',
      'jobs.example.com',
      {
        spec: {
          group: 'example.com',
          names: { kind: 'Job', plural: 'jobs' },
          scope: 'Namespaced',
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: { spec: { type: 'object', properties: { size: { type } } } },
                },
              },
            },
          ],
        },
      },
      'apiextensions.k8s.io/v1',
    );
  const file = (type?: string) => ({ ...(type && { 'clusters/eu1/crds/j.yaml': crd(type) }) });
  expect(describeChanges(file('string'), file('integer'))[0]).toMatch(/^high definition-breaking /);
  expect(describeChanges(file('string'), file())[0]).toMatch(/^high definition-breaking /);
  expect(describeChanges(file(), file('string'))).toEqual([
    expect.stringMatching(/^low definition-compatible /),
  ]);
  const broken = { 'clusters/eu1/crds/j.yaml': { ...crd('string'), spec: { versions: 'none' } } };
  expect(describeChanges(file('string'), broken)[0]).toMatch(/^medium definition-unknown /);
});

test('an AppProject that allows more is reported, with high risk for everything and cluster-scoped kinds', () => {
  const project = (spec: object) => ({
    'argocd/projects/shop.yaml': object('AppProject', 'shop', { spec }, 'argoproj.io/v1alpha1'),
  });
  const narrow = { sourceRepos: ['https://git.example.com/a.git'], clusterResourceWhitelist: [] };
  const kinds = { clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }] };
  expect(describeChanges(project(narrow), project({ ...narrow, sourceRepos: ['*'] }))).toEqual([
    'high project-opened AppProject shop allows the repository *',
    'low project-narrowed AppProject shop no longer allows the repository https://git.example.com/a.git',
  ]);
  expect(describeChanges(project(narrow), project({ ...narrow, ...kinds }))).toEqual([
    'high project-opened AppProject shop allows the cluster-scoped kind Namespace',
  ]);
  const more = { destinations: [{ namespace: 'shop', server: 'https://a.example.com' }] };
  expect(describeChanges(project(narrow), project({ ...narrow, ...more }))).toEqual([
    'medium project-widened AppProject shop allows the destination shop of https://a.example.com',
  ]);
  const forbids = { namespaceResourceBlacklist: [{ group: 'apps', kind: 'Deployment' }] };
  expect(describeChanges(project(forbids), project({}))[0]).toMatch(
    /^high project-opened .*apps\/Deployment$/,
  );
  expect(describeChanges(project({}), {})).toEqual([
    'medium application-removed AppProject shop is no longer there',
  ]);
});

test('rights gained and lost by roles of AppProjects are reported, whatever the roles are called', () => {
  const project = (...roles: object[]) => ({
    'argocd/tenants/shop/project.yaml': object(
      'AppProject',
      'tenant-shop',
      { metadata: { namespace: 'argocd' }, spec: { roles } },
      'argoproj.io/v1alpha1',
    ),
  });
  const has = (name: string, groups: string[], ...all: string[]) => ({
    name,
    groups,
    policies: all.map((one) => `p, proj:tenant-shop:${name}, ${one}`),
  });
  const get = 'applications, get, tenant-shop/*, allow';
  const sync = 'applications, sync, tenant-shop/*, allow';
  const lists = ['medium project-role-gained Group', 'low project-role-lost Group'];
  expect(
    describeChanges(
      project(has('viewers', ['red'], get)),
      project(has('viewers', ['blue', '"a,b"'], get)),
    ),
  ).toEqual([
    `${lists[0]} blue may get applications tenant-shop/* in Argo CD`,
    `${lists[0]} a,b may get applications tenant-shop/* in Argo CD`,
    `${lists[1]} red may no longer get applications tenant-shop/* in Argo CD`,
  ]);
  expect(
    describeChanges(project(has('a', ['red'], get)), project(has('b', ['red'], get, sync))),
  ).toEqual([`${lists[0]} red may sync applications tenant-shop/* in Argo CD`]);
  const denied = 'logs, get, tenant-shop/web, deny';
  expect(describeChanges(project(has('a', ['red'], denied)), project(has('a', ['red'])))).toEqual([
    `${lists[0]} red is no longer denied to get logs tenant-shop/web in Argo CD`,
  ]);
  for (const [resource, action, risk] of [
    ['exec', 'create', 'high'],
    ['applications', 'override', 'high'],
    ['applications', 'delete', 'high'],
    ['applications', 'action/*', 'high'],
    ['applications', '*', 'high'],
    ['applications', 'action/apps/Deployment/restart', 'medium'],
    ['logs', 'get', 'medium'],
  ]) {
    const more = `${resource}, ${action}, tenant-shop/*, allow`;
    expect(describeChanges(project(has('a', ['red'])), project(has('a', ['red'], more)))).toEqual([
      expect.stringMatching(new RegExp(`^${risk} project-role-`)),
    ]);
  }
  expect(describeChanges(project(has('ci', [])), project(has('ci', [], sync)))).toEqual([
    'medium project-role-gained holders of role ci of AppProject tenant-shop may sync applications tenant-shop/* in Argo CD',
  ]);
  const tenants = (...policies: string[]) =>
    Object.fromEntries(
      ['shop', 'blog'].map((tenant) => [
        `argocd/tenants/${tenant}/project.yaml`,
        object(
          'AppProject',
          `tenant-${tenant}`,
          {
            metadata: { namespace: 'argocd', labels: { 'tenantry.dev/tenant': tenant } },
            spec: { roles: [{ name: 'a', groups: ['audit'], policies }] },
          },
          'argoproj.io/v1alpha1',
        ),
      ]),
    );
  const { changes } = plan(
    tenants(),
    tenants('p, x, applications, get, tenant-x/*, allow', 'p, x, logs, get, tenant-x/x.*, allow'),
  );
  expect(changes.map(({ message, where }) => [message, where.map(({ tenant }) => tenant)])).toEqual(
    [
      ['may get applications in Argo CD', ['shop', 'blog']],
      ['may get logs x.* in Argo CD', ['shop', 'blog']],
    ],
  );
  expect(
    describeChanges(
      project(has('a', ['red'])),
      project({ ...has('a', ['red']), description: 'x' }),
    ),
  ).toEqual(['low object-changed AppProject tenant-shop changes at spec.roles']);
});

test('other changes are reported by object, without values', () => {
  const secret = (text: string) => inShop('Secret', 's', { stringData: { key: text } });
  const file = (...objects: object[]) => ({ [SHOP]: [namespace(), ...objects] });
  expect(describeChanges(file(secret('old')), file(secret('new')))).toEqual([
    'low object-changed Secret s changes at stringData.key',
  ]);
  expect(describeChanges(file(), file(secret('new')))).toEqual([
    'low object-added Secret s is new',
  ]);
  expect(describeChanges(file(secret('old')), file())).toEqual([
    'medium object-deleted Secret s is deleted by Argo CD',
  ]);
  const kept = inShop('Secret', 's', {
    metadata: { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' } },
  });
  expect(describeChanges(file(kept), file())).toEqual([
    'low object-left Secret s is removed from Git, and stays in the cluster',
  ]);
});

test('the same change in several places is one with all of them, and the riskiest comes first', () => {
  const at = (cluster: string, pods: number) => ({
    [`clusters/${cluster}/tenants/shop/n.yaml`]: [namespace(), quota({ pods })],
  });
  const { changes } = plan(
    { ...at('eu1', 9), ...at('us1', 9), 'clusters/eu1/tenants/b/n.yaml': namespace('b') },
    { ...at('eu1', 5), ...at('us1', 5) },
  );
  expect(changes.map(({ risk, where }) => [risk, where.map(({ cluster }) => cluster)])).toEqual([
    ['high', ['eu1']],
    ['medium', ['eu1', 'us1']],
  ]);
  expect(changes[1]!.where[0]).toEqual({ cluster: 'eu1', namespace: 'shop' });
});

test('a file that is no YAML is reported as not compared, and a bundle is left to `bundle diff`', () => {
  const { changes, unread } = plan(
    {},
    { 'clusters/eu1/a.yaml': 'a: [', 'clusters/eu1/b.txt': 'a: [' },
  );
  expect([changes, unread.map(({ file, rule }) => [file, rule])]).toEqual([
    [],
    [['clusters/eu1/a.yaml', 'yaml']],
  ]);
  const csv = object('ClusterServiceVersion', 'shop.v1', {}, 'operators.coreos.com/v1alpha1');
  expect(
    describeChanges({}, { 'olm/bundle/manifests/shop.clusterserviceversion.yaml': csv }),
  ).toEqual([]);
});

test('every rule has a row in docs/plan.md with its risk and description, and every row has a rule', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/plan.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (\w+) +\| (.+?) +\|$/gm)];
  expect(rows.map(([, id, risk, description]) => [id, risk, description])).toEqual(
    planRules.map(({ id, risk, description }) => [id, risk, description]),
  );
});

test('every rule of agreement has a row in docs/review.md, and every row has a rule', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/review.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| ([a-z ]+?) +\| (.+?) +\|$/gm)];
  const found = rows.map(([, id, who, description]) => [id, who, description]);
  const rules = agreementRules.map(({ id, agreement, description }) => [
    id,
    agreement.replace('-', ' '),
    description,
  ]);
  expect(found.toSorted()).toEqual(rules.toSorted());
});
