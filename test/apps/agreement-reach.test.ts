import { describe, expect, test } from '@jest/globals';
import {
  account,
  bound,
  decisive,
  fleet,
  group,
  judge,
  space,
  within,
  type ApprovalSpec,
} from './agreement-fleet.ts';
import { from, object, RBAC } from './planned.ts';

/** What owners decide about without a list of domains. */
const { domains: _domains, ...anywhere } = decisive;

const shop = (labels: object) => [
  object('Namespace', 'shop', {
    metadata: {
      labels: {
        'tenantry.dev/tenant': 'shop',
        'pod-security.kubernetes.io/enforce': 'restricted',
        ...labels,
      },
    },
  }),
];

const shop2 = (...more: object[]) => [...space('shop-2', 'shop', ['shop-admins']), ...more];

const policy = (namespace: string, spec: object, name = 'more') =>
  within(namespace, 'NetworkPolicy', name, { spec }, 'networking.k8s.io/v1');

const letsOut = (namespace: string, cidr: string) =>
  policy(
    namespace,
    { podSelector: {}, policyTypes: ['Egress'], egress: [{ to: [{ ipBlock: { cidr } }] }] },
    'out',
  );

describe('subjects', () => {
  const user = (name: string) => [bound('shop', 'more', 'view', { kind: 'User', name })];

  test('a user of Kubernetes is no person', () => {
    expect(judge(user('system:anonymous'))).toEqual(['platform powerful-subject']);
  });

  test('a ServiceAccount that is bound as a user is judged as what it is', () => {
    expect(judge(user('system:serviceaccount:web:ci'))).toEqual(['other-owners others-access web']);
    expect(judge(user('system:serviceaccount:shop:ci'))).toEqual(['owners own-access']);
    expect(judge(user('system:serviceaccount:nowhere:ci'))).toEqual(['platform powerful-subject']);
  });
});

describe('labels of a namespace', () => {
  test('with the label of the ingress controllers it would be one of them for every tenant', () => {
    expect(judge(shop({ component: 'ingress' }))).toEqual(['platform selected-label']);
    expect(judge(shop({ component: 'web' }))).toEqual(['nobody']);
    const theirs = object('Namespace', 'ingress', {
      metadata: { labels: { component: 'ingress' } },
    });
    const made = space('shop-2', 'shop', ['shop-admins'], { component: 'ingress' });
    expect(judge(made, { before: [...fleet, theirs] })).toEqual(['platform selected-label']);
  });

  test('gateways and secret stores select by labels too', () => {
    const selector = { matchLabels: { public: 'yes' } };
    const listeners = [{ allowedRoutes: { namespaces: { from: 'Selector', selector } } }];
    const gateway = object(
      'Gateway',
      'shared',
      { metadata: { namespace: 'infra' }, spec: { listeners } },
      'gateway.networking.k8s.io/v1',
    );
    const store = object(
      'ClusterSecretStore',
      'vault',
      { spec: { conditions: [{ namespaceSelector: selector }] } },
      'external-secrets.io/v1',
    );
    for (const one of [gateway, store])
      expect(judge(shop({ public: 'yes' }), { before: [...fleet, one] })).toEqual([
        'platform selected-label',
      ]);
    expect(judge(shop({ public: 'yes' }))).toEqual(['nobody']);
  });

  test('labels that policies and other systems of tenancy obey need the platform', () => {
    for (const key of [
      'admission.gatekeeper.sh/ignore',
      'hnc.x-k8s.io/included-namespace',
      'capsule.clastix.io/tenant',
      'kuma.io/sidecar-injection',
      'control-plane',
    ])
      expect(judge(shop({ [key]: 'true' }))).toEqual(['platform selected-label']);
  });
});

describe('a new namespace', () => {
  test('may not let its pods out further than the others of the team', () => {
    const some = [...fleet, letsOut('shop', '10.0.0.0/8')];
    expect(judge(shop2(letsOut('shop-2', '0.0.0.0/0')), { before: some })).toEqual([
      'platform open-network',
    ]);
    expect(judge(shop2(letsOut('shop-2', '10.0.0.0/8')), { before: some })).toContain(
      'owners own-namespace',
    );
    // Another team may let out more.
    const others = [...some, letsOut('web', '0.0.0.0/0')];
    expect(judge(shop2(letsOut('shop-2', '0.0.0.0/0')), { before: others })).toEqual([
      'platform open-network',
    ]);
  });

  test('that objects of the platform name already gets what they grant', () => {
    const everywhere = object(
      'ClusterRoleBinding',
      'operator',
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
        subjects: [account('shop-2', 'operator')],
      },
      RBAC,
    );
    expect(judge(shop2(), { before: [...fleet, everywhere] })).toEqual([
      'platform named-by-platform',
    ]);
    for (const subject of [
      group('system:serviceaccounts:shop-2'),
      { kind: 'User', name: 'system:serviceaccount:shop-2:ci' },
    ])
      expect(
        judge(shop2(), { before: [...fleet, bound('web', 'theirs', 'view', subject)] }),
      ).toEqual(['other-owners expected-by-others web']);
  });

  test('is not bounded by a quota for some pods only', () => {
    const scoped = shop2().map((one) =>
      JSON.parse(JSON.stringify(one).replace('{"pods":50}', '{"pods":50},"scopes":["BestEffort"]')),
    ) as object[];
    expect(judge(scoped)).toContain('platform unlike-template');
  });

  test('may have a stricter Pod Security than the others, and the label with its name', () => {
    const before = space('shop', 'shop', ['shop-admins'], {
      'pod-security.kubernetes.io/enforce': 'baseline',
    });
    const made = space('shop-2', 'shop', ['shop-admins'], {
      'kubernetes.io/metadata.name': 'shop-2',
    });
    expect(judge(made, { before })).toContain('owners own-namespace');
  });

  test('may have no label that another team alone has', () => {
    const theirs = space('web-2', 'web', ['web-admins'], { 'istio-injection': 'disabled' });
    const before = [...fleet, ...theirs];
    const made = space('shop-2', 'shop', ['shop-admins'], { 'istio-injection': 'disabled' });
    expect(judge(made, { before })).toEqual(['platform selected-label']);
  });
});

describe('objects with an effect on others', () => {
  const kinds = [
    { group: 'cert-manager.io', kind: 'Certificate' },
    { group: 'networking.k8s.io', kind: 'Ingress' },
  ];
  const approval = { ...decisive, kinds };
  const made = (kind: string, apiVersion: string, spec: object, annotations: object = {}) =>
    judge(
      [object(kind, 'one', { metadata: { namespace: 'shop', annotations }, spec }, apiVersion)],
      { approval },
    );

  test('a field with an effect outside of the namespace needs the platform', () => {
    for (const [kind, apiVersion, spec] of [
      ['Service', 'v1', { type: 'ExternalName', externalName: 'api.web.svc.cluster.local' }],
      ['Service', 'v1', { externalIPs: ['10.0.0.1'] }],
      ['PersistentVolumeClaim', 'v1', { volumeName: 'pv-of-web' }],
      ['PodDisruptionBudget', 'policy/v1', { maxUnavailable: 0 }],
      ['PodDisruptionBudget', 'policy/v1', { minAvailable: '100%' }],
      ['Certificate', 'cert-manager.io/v1', { isCA: true, commonName: 'ca.apps.example.com' }],
    ] as const)
      expect(made(kind, apiVersion, spec)).toEqual(['platform platform-field']);
    expect(made('Service', 'v1', { type: 'ClusterIP' })).toEqual(['owners own-object']);
    expect(made('PodDisruptionBudget', 'policy/v1', { maxUnavailable: 1 })).toEqual([
      'owners own-object',
    ]);
  });

  test('a key that a controller obeys beyond the namespace needs the platform, also in a template', () => {
    const ingress = (key: string, value = 'x') =>
      made(
        'Ingress',
        'networking.k8s.io/v1',
        { rules: [{ host: 'shop.apps.example.com' }] },
        { [key]: value },
      );
    expect(ingress('alb.ingress.kubernetes.io/group.name')).toEqual(['platform platform-field']);
    expect(ingress('haproxy-ingress.github.io/config-backend')).toEqual([
      'platform platform-field',
    ]);
    const secret = 'nginx.ingress.kubernetes.io/auth-tls-secret';
    expect(ingress(secret, 'web/ca')).toEqual(['platform platform-field']);
    expect(ingress(secret, 'shop/ca')).toEqual(['owners free-host']);
    expect(ingress('cert-manager.io/common-name', 'evil.example.org')).toEqual([
      'platform host-outside',
    ]);
    expect(made('ConfigMap', 'v1', {}, { 'replicator.v1.mittwald.de/replicate-to': '*' })).toEqual([
      'platform platform-field',
    ]);
    const annotations = { 'k8s.v1.cni.cncf.io/networks': 'web/private' };
    const template = { metadata: { annotations }, spec: {} };
    expect(made('Deployment', 'apps/v1', { template })).toEqual(['platform platform-field']);
    expect(made('ConfigMap', 'v1', {}, { 'example.com/team': 'shop' })).toEqual([
      'owners own-object',
    ]);
  });

  test('a load balancer that was internal needs the platform to be open', () => {
    const service = (annotations: object) =>
      object('Service', 'one', { metadata: { namespace: 'shop', annotations } });
    const internal = { 'service.beta.kubernetes.io/aws-load-balancer-internal': 'true' };
    const before = [...fleet, service(internal)];
    expect(judge([service({})], { before })).toEqual(['platform platform-field']);
    expect(judge([service(internal)])).toEqual(['owners own-object']);
  });

  test('a class of Ingresses that no tenant has needs the platform', () => {
    const ingress = (namespace: string, ingressClassName: string, name = 'one') => {
      const spec = { ingressClassName, rules: [{ host: `${name}.apps.example.com` }] };
      return within(namespace, 'Ingress', name, { spec }, 'networking.k8s.io/v1');
    };
    const before = [...fleet, ingress('web', 'internal'), ingress('shop', 'internal', 'two')];
    expect(judge([ingress('shop', 'public', 'two')], { before })).toEqual([
      'platform platform-field',
    ]);
    expect(judge([ingress('shop', 'internal', 'three')], { before })).toEqual(['owners free-host']);
    expect(judge([ingress('shop', 'public', 'two')])).toEqual(['owners free-host']);
  });

  test('what a controller applies with its own rights is listed, not copied from another tenant', () => {
    for (const [kind, apiVersion] of [
      ['Application', 'argoproj.io/v1alpha1'],
      ['Kustomization', 'kustomize.toolkit.fluxcd.io/v1'],
      ['EndpointSlice', 'discovery.k8s.io/v1'],
    ] as const) {
      const before = [...fleet, within('web', kind, 'theirs', {}, apiVersion)];
      const added = [within('shop', kind, 'one', {}, apiVersion)];
      expect(judge(added, { before })).toEqual(['platform new-kind']);
      const [domain] = apiVersion.split('/');
      const listed: ApprovalSpec = { ...decisive, kinds: [{ group: domain!, kind }] };
      expect(judge(added, { before, approval: listed })).toEqual(['owners own-object']);
    }
  });

  test('hosts of gateways, proxies and meshes belong to who had them', () => {
    const host = 'a.example.com';
    for (const [kind, apiVersion, spec] of [
      ['Gateway', 'networking.istio.io/v1', { servers: [{ hosts: [`*/${host}`] }] }],
      ['HTTPProxy', 'projectcontour.io/v1', { virtualhost: { fqdn: host } }],
      ['IngressRoute', 'traefik.io/v1alpha1', { routes: [{ match: `Host(\`${host}\`)` }] }],
      ['Host', 'getambassador.io/v3alpha1', { hostname: host }],
    ] as const) {
      const before = [...fleet, within('web', kind, 'theirs', { spec }, apiVersion)];
      const added = [within('shop', kind, 'one', { spec }, apiVersion)];
      expect(judge(added, { before, approval: anywhere })).toEqual([
        'other-owners host-of-others web',
      ]);
    }
    const route = (match: string) => {
      const before = [...fleet, within('web', 'IngressRoute', 'x', {}, 'traefik.io/v1alpha1')];
      const spec = { routes: [{ match }] };
      const added = [within('shop', 'IngressRoute', 'one', { spec }, 'traefik.io/v1alpha1')];
      return judge(added, { before, approval: anywhere });
    };
    expect(route('PathPrefix(`/`)')).toEqual(['platform host-outside']);
    expect(route('Host(`a.example.com`) && (Path(`/a`) || Path(`/b`))')).toEqual([
      'owners free-host',
    ]);
    expect(route('Host(`a.example.com`) || PathPrefix(`/`)')).toEqual(['platform host-outside']);
  });

  test('the name of a Service in the cluster belongs to its namespace', () => {
    const entry = (name: string) => {
      const spec = { hosts: [name] };
      const before = [...fleet, within('web', 'VirtualService', 'x', {}, 'networking.istio.io/v1')];
      return judge([within('shop', 'VirtualService', 'one', { spec }, 'networking.istio.io/v1')], {
        before,
        approval: anywhere,
      });
    };
    expect(entry('api.web.svc.cluster.local')).toEqual(['other-owners host-of-others web']);
    expect(entry('api.kube-system.svc')).toEqual(['other-owners host-of-others']);
    expect(entry('api.shop.svc.cluster.local')).toEqual(['owners own-object']);
    expect(entry('api')).toEqual(['owners own-object']);
  });
});

describe('end dates', () => {
  const tenant = (admins: object) =>
    object('Tenant', 'shop', { spec: { access: { admins } } }, 'tenantry.dev/v1alpha1');
  const until = '2027-01-31';
  const admins = (...names: string[]) => bound('shop', 'admin', 'admin', ...names.map(group));

  test('an end that is new or earlier needs the owners, although no object shows it', () => {
    const before = [...fleet, tenant({ groups: ['shop-admins'] })];
    const ends = (day: string) => tenant({ temporary: [{ groups: ['shop-admins'], until: day }] });
    expect(judge([ends(until)], { before })).toEqual(['owners end-added']);
    expect(judge([ends('2027-01-01')], { before: [...fleet, ends(until)] })).toEqual([
      'owners end-added',
    ]);
  });

  test('an administrator who ends does not stay', () => {
    const before = [...fleet, tenant({ groups: ['shop-admins'] })];
    const spec = { groups: ['friends'], temporary: [{ groups: ['shop-admins'], until }] };
    expect(judge([tenant(spec), admins('shop-admins', 'friends')], { before })).toEqual([
      'platform administrators-replaced',
    ]);
    const both = { groups: ['friends', 'shop-admins'] };
    expect(judge([tenant(both), admins('shop-admins', 'friends')], { before })).toContain(
      'owners own-access',
    );
  });
});

describe('what ends may not last in another form', () => {
  const until = '2027-01-31';
  const tenant = (spec: object) => object('Tenant', 'shop', { spec }, 'tenantry.dev/v1alpha1');
  const change = (was: object, is: object) =>
    judge([tenant(is)], { before: [...fleet, tenant(was)] });
  const extended = ['platform end-extended'];
  const users = ['guest'];
  const admins = (...temporary: object[]) => ({ access: { admins: { temporary } } });

  test('access', () => {
    const was = admins({ users, until });
    expect(change(was, admins({ users, until: '2028-01-31' }))).toEqual(extended);
    // Beside another holder, in two entries, and as another role.
    const more = { users: ['guest', 'other'], until: '2028-01-31' };
    expect(change(was, admins(more))).toEqual(extended);
    expect(change(was, admins({ users, until }, more))).toEqual(extended);
    const edit = { name: 'edit', users };
    for (const access of [
      { admins: { temporary: [{ users, until }], users } },
      { admins: { temporary: [{ users, until }] }, viewers: { users } },
      { admins: { temporary: [{ users, until }] }, clusterRoles: [edit] },
    ])
      expect(change(was, { access })).toEqual(extended);
    const own = { name: 'shop-dev', access: { editors: { users } } };
    expect(change(was, { ...was, namespaces: [own] })).toEqual(extended);
  });

  test('the right to request access', () => {
    const requests = (end?: string) => ({
      access: { breakGlass: [{ clusterRole: 'admin', users, ...(end && { until: end }) }] },
    });
    expect(change(requests(until), requests('2028-01-31'))).toEqual(extended);
    expect(change(requests(until), requests())).toEqual(extended);
  });

  test('access that lasted already, or that others get, is no extension', () => {
    const viewers = { users };
    const was = { access: { admins: { temporary: [{ users, until }] }, viewers } };
    expect(change(was, { access: { viewers } })).toEqual(['nobody']);
    expect(
      change(was, { access: { ...was.access, viewers: { users: ['guest', 'other'] } } }),
    ).toEqual(['nobody']);
    expect(change(admins({ users, until }), { access: {} })).toEqual(['nobody']);
  });

  test('network rules', () => {
    const rule = { name: 'from-web', namespaces: ['web'] };
    const was = { network: { allowFrom: [{ ...rule, until }] } };
    expect(change(was, { network: { allowFrom: [rule] } })).toEqual(extended);
    const second = { name: 'second', namespaces: ['web'] };
    expect(change(was, { network: { allowFrom: [{ ...rule, until }, second] } })).toEqual(extended);
    const both = { network: { allowFrom: [{ ...rule, until }, second] } };
    expect(change(both, { network: { allowFrom: [second] } })).toEqual(['nobody']);
  });

  test('raised quotas', () => {
    const temporary = [{ hard: { pods: 200 }, until }];
    const was = { quota: { hard: { pods: 100 }, temporary } };
    expect(change(was, { quota: { hard: { pods: 200 }, temporary } })).toEqual(extended);
    expect(change({ quota: { temporary } }, { quota: { hard: { pods: 200 } } })).toEqual(extended);
    const longer = [...temporary, { hard: { pods: 150 }, until: '2028-01-31' }];
    expect(change(was, { quota: { hard: { pods: 100 }, temporary: longer } })).toEqual(extended);
    expect(change(was, { quota: { hard: { pods: 90 } } })).toEqual(['nobody']);
    expect(change(was, { quota: { hard: { pods: 100, secrets: 5 }, temporary } })).toEqual([
      'nobody',
    ]);
  });
});

test('a policy that excepts objects from a policy needs the platform, also where another tenant has one', () => {
  const exception = (name: string) =>
    within(name, 'PolicyException', 'one', {}, 'policies.kyverno.io/v1');
  expect(judge([exception('shop')], { before: [...fleet, exception('web')] })).toEqual([
    'platform new-kind',
  ]);
});

test('a new policy that lets in everybody is an opening beside those that are there', () => {
  const open = policy('shop', { podSelector: {}, ...from({ namespaceSelector: {} }) });
  expect(judge([open])).toEqual(['platform open-network']);
});

test('what belongs to a tenant with a production namespace is production', () => {
  const prod = { 'tenantry.dev/environment': 'prod' };
  const tenant = (admins: object) =>
    object('Tenant', 'shop', { spec: { access: { admins } } }, 'tenantry.dev/v1alpha1');
  const ends = tenant({ temporary: [{ groups: ['shop-admins'], until: '2027-01-31' }] });
  const approval: ApprovalSpec = { ...decisive, alone: [{ risk: 'high', production: false }] };
  const own = tenant({ groups: ['shop-admins'] });
  const before = [...fleet, own];
  expect(judge([ends], { before, approval })).toEqual(['owners end-added']);
  const withProduction = [...before, ...space('shop-prod', 'shop', ['shop-admins'], prod)];
  expect(judge([ends], { before: withProduction, approval })).toEqual(['platform risk-above']);
});
