import { describe, expect, test } from '@jest/globals';
import { agreementRules } from '../../apps/plan/agreement/agree.ts';
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

describe('access', () => {
  test('a group may become an administrator while one of the tenant stays', () => {
    const admins = (...names: string[]) => [bound('shop', 'admin', 'admin', ...names.map(group))];
    expect(judge(admins('shop-admins', 'ops', 'friends'))).toEqual(['owners own-access']);
    expect(judge(admins('ops', 'friends'))).toEqual(['platform administrators-replaced']);
    expect(judge(admins('friends'))).toEqual(['platform administrators-replaced']);
    expect(judge(admins('shop-admins'))).toEqual(['owners less']);
  });

  test('a new administrator that the team knows may replace the others only beside operations', () => {
    const before = [...fleet, ...space('shop-dev', 'shop', ['shop-devs'])];
    const admins = (...names: string[]) => [bound('shop', 'admin', 'admin', ...names.map(group))];
    expect(judge(admins('ops', 'shop-devs'), { before })).toEqual([
      'owners own-access',
      'owners less',
    ]);
    expect(judge(admins('shop-devs'), { before })).toEqual(['platform administrators-replaced']);
  });

  test('a role that allows more than admin, or is not known, needs the platform', () => {
    const added = (role: string) => [bound('shop', 'more', role, group('shop-admins'))];
    expect(judge(added('cluster-admin'))).toEqual(['platform wider-role']);
    expect(judge(added('calico-access'))).toEqual(['platform wider-role']);
    expect(
      judge(added('calico-access'), { approval: { ...decisive, clusterRoles: ['calico-access'] } }),
    ).toEqual(['owners own-access']);
    const rules = [{ apiGroups: ['cert-manager.io'], resources: ['issuers'], verbs: ['get'] }];
    const role = within('shop', 'Role', 'wide', { rules }, RBAC);
    expect(judge([role])).toEqual(['platform wider-role']);
    const roleRules = rules as ApprovalSpec['roleRules'];
    expect(judge([role], { approval: { ...decisive, roleRules: roleRules! } })).toEqual([
      'owners own-access',
    ]);
  });

  test('persons, accounts of elsewhere and groups of Kubernetes get no Secrets from owners alone', () => {
    const added = (role: string, subject: object) => [bound('shop', 'more', role, subject)];
    const person = { kind: 'User', name: 'eve@example.com' };
    expect(judge(added('edit', person))).toEqual(['platform powerful-subject']);
    expect(judge(added('view', person))).toEqual(['owners own-access']);
    expect(judge(added('edit', account('shop')))).toEqual(['owners own-access']);
    expect(judge(added('edit', account('web')))).toEqual(['platform powerful-subject']);
    expect(judge(added('view', account('web')))).toEqual(['other-owners others-access web']);
    expect(judge(added('view', account('nowhere')))).toEqual(['platform powerful-subject']);
    for (const name of ['system:authenticated', 'system:serviceaccounts', 'system:masters'])
      expect(judge(added('view', group(name)))).toEqual(['platform powerful-subject']);
    expect(judge(added('view', group('system:serviceaccounts:web')))).toEqual([
      'other-owners others-access web',
    ]);
  });

  test('rights in the whole cluster need the platform, independent of the subject', () => {
    const everywhere = object(
      'ClusterRoleBinding',
      'all',
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [group('shop-admins')],
      },
      RBAC,
    );
    expect(judge([everywhere])[0]).toMatch(/^platform /);
  });
});

describe('access on request', () => {
  const apiGroups = ['tenantry.dev'];
  const requestRole = (clusterRole: string, hours: string) =>
    object(
      'Role',
      `tenant-break-glass-${clusterRole}`,
      {
        metadata: { namespace: 'shop', annotations: { 'tenantry.dev/max-hours': hours } },
        rules: [
          { apiGroups, resources: ['accessrequests'], verbs: ['create'] },
          {
            apiGroups,
            resources: ['breakglassroles'],
            resourceNames: [clusterRole],
            verbs: ['request'],
          },
        ],
      },
      RBAC,
    );
  const requesters = (...names: string[]) =>
    within(
      'shop',
      'RoleBinding',
      'requesters',
      {
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'Role',
          name: 'tenant-break-glass-admin',
        },
        subjects: names.map(group),
      },
      RBAC,
    );
  const before = [...fleet, requestRole('admin', '2'), requesters('oncall')];

  test('the platform must agree to who may request a ClusterRole, and for how long', () => {
    expect(judge([requestRole('edit', '2')], { before })).toEqual(['platform wider-role']);
    expect(judge([requesters('oncall', 'friends')], { before })).toEqual(['platform wider-role']);
    expect(judge([requestRole('admin', '24')], { before })).toEqual(['platform platform-only']);
  });

  test('owners may shorten it, and take it away', () => {
    expect(judge([requestRole('admin', '1')], { before })).toEqual(['owners stricter']);
    expect(judge([], { before, without: [requesters()] })).toEqual(['owners less']);
  });
});

test('a ClusterRole that a class gives to a level may be given by owners', () => {
  const klass = object(
    'TenantClass',
    'standard',
    { spec: { roles: { editors: 'acme:developer' } } },
    'tenantry.dev/v1alpha1',
  );
  const added = [bound('shop', 'more', 'acme:developer', group('shop-admins'))];
  expect(judge(added)).toEqual(['platform wider-role']);
  expect(judge(added, { before: [...fleet, klass] })).toEqual(['owners own-access']);
});

describe('network', () => {
  const opened = (peer: object) => [
    within(
      'shop',
      'NetworkPolicy',
      'open',
      { spec: { podSelector: {}, ...from(peer) } },
      'networking.k8s.io/v1',
    ),
  ];
  const named = (name: string) => ({
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
  });
  const letsOut = (name: string) =>
    within(
      name,
      'NetworkPolicy',
      'out',
      { spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{}] } },
      'networking.k8s.io/v1',
    );

  test('the owners of the other side agree, and the platform to what has none', () => {
    const before = [
      ...fleet,
      letsOut('web'),
      ...space('shop-dev', 'shop', ['shop-admins']),
      letsOut('shop-dev'),
    ];
    expect(judge(opened(named('web')), { before })).toEqual(['other-owners others-network web']);
    expect(judge(opened(named('shop-dev')), { before })).toEqual(['owners own-network']);
    expect(judge(opened(named('elsewhere')))).toEqual(['platform open-network']);
    expect(judge(opened({ ipBlock: { cidr: '10.0.0.0/8' } }))).toEqual(['platform open-network']);
    expect(judge(opened({ namespaceSelector: {} }))).toEqual(['platform open-network']);
    expect(judge(opened({ namespaceSelector: { matchLabels: { zone: 'a' } } }))).toEqual([
      'other-owners others-network',
    ]);
    expect(judge(opened({ namespaceSelector: { matchLabels: { component: 'ingress' } } }))).toEqual(
      ['owners own-network'],
    );
  });

  test('the last policy that goes is an opening', () => {
    const walls = fleet.filter((one) =>
      JSON.stringify(one).includes('"namespace":"shop","name":"walls"'),
    );
    const gone = within('shop', 'NetworkPolicy', 'walls', {});
    expect(judge([], { without: [gone, ...walls] })).toEqual(['platform open-network']);
  });
});

describe('bounds', () => {
  const quota = (hard: object) => [within('shop', 'ResourceQuota', 'quota', { spec: { hard } })];
  test('owners decide up to the bounds, and lower is always theirs', () => {
    expect(judge(quota({ pods: 100 }))).toEqual(['owners within-bounds']);
    expect(judge(quota({ pods: 101 }))).toEqual(['platform above-bounds']);
    expect(judge(quota({ pods: 10 }))).toEqual(['owners bound-lowered']);
    expect(judge(quota({}))).toEqual(['platform bound-removed']);
    const before = fleet.map(
      (one) => JSON.parse(JSON.stringify(one).replace('"pods":50', '"pods":300')) as object,
    );
    expect(judge(quota({ pods: 200 }), { before })).toEqual(['owners bound-lowered']);
  });

  test('a second quota of another name does not raise the bound', () => {
    const second = within('shop', 'ResourceQuota', 'more', { spec: { hard: { pods: 500 } } });
    expect(judge([second])).toEqual(['platform above-bounds']);
  });

  test('defaults of a LimitRange are bounded too', () => {
    const range = (memory: string) => [
      within('shop', 'LimitRange', 'limits', {
        spec: { limits: [{ type: 'Container', default: { memory } }] },
      }),
    ];
    expect(judge(range('3Gi'))).toEqual(['owners within-bounds']);
    expect(judge(range('4Gi'))).toEqual(['platform above-bounds']);
  });
});

describe('namespaces', () => {
  test('a team that is known may have a further namespace with the bounds of the others', () => {
    expect(judge(space('shop-2', 'shop', ['shop-admins']))).toEqual([
      'owners own-namespace',
      'owners own-access',
    ]);
    expect(judge(space('new', 'new', ['unknown']))[0]).toBe('platform unknown-tenant');
    const weak = space('shop-2', 'shop', ['shop-admins'], {
      'pod-security.kubernetes.io/enforce': 'baseline',
    });
    expect(judge(weak)).toContain('platform unlike-template');
    const bare = space('shop-2', 'shop', ['shop-admins']).slice(0, 2);
    expect(judge(bare)).toContain('platform unlike-template');
  });

  test('a new namespace is judged with all that it holds', () => {
    const withExtra = (extra: object) =>
      judge([...space('shop-2', 'shop', ['shop-admins']), extra]);
    const host = (name: string) =>
      within('shop-2', 'Certificate', 'tls', { spec: { dnsNames: [name] } }, 'cert-manager.io/v1');
    expect(withExtra(host('evil.example.org'))).toEqual(['platform new-kind']);
    const kinds = [{ group: 'cert-manager.io', kind: 'Certificate' }];
    const known = (extra: object) =>
      judge([...space('shop-2', 'shop', ['shop-admins']), extra], {
        approval: { ...decisive, kinds },
      });
    expect(known(host('evil.example.org'))).toEqual(['platform host-outside']);
    expect(known(host('shop.apps.example.com'))).toEqual([
      'owners own-namespace',
      'owners own-access',
    ]);
    const open = within(
      'shop-2',
      'NetworkPolicy',
      'open',
      { spec: { podSelector: {}, ...from({ ipBlock: { cidr: '10.0.0.0/8' } }) } },
      'networking.k8s.io/v1',
    );
    expect(withExtra(open)).toEqual(['platform open-network']);
  });

  test('production, and what others name, does not go by the word of its owners', () => {
    const gone = (name: string) => fleet.filter((one) => JSON.stringify(one).includes(`"${name}"`));
    expect(judge([], { without: gone('shop') })).toContain('owners namespace-removed');
    const production = { environments: ['prod'] };
    const before = [
      ...fleet,
      ...space('shop-prod', 'shop', ['shop-admins'], { 'tenantry.dev/environment': 'prod' }),
    ];
    const without = before.filter((one) => JSON.stringify(one).includes('"shop-prod"'));
    expect(judge([], { before, without, approval: { ...decisive, production } })).toEqual([
      'platform production-removed',
    ]);
    const naming = bound('web', 'theirs', 'view', account('shop'));
    expect(
      judge([], {
        before: [...fleet, naming],
        without: gone('shop').filter((one) => one !== naming),
      }),
    ).toContain('other-owners named-by-others web');
  });

  test('a new namespace that others name already gets what they grant', () => {
    const naming = bound('web', 'theirs', 'view', account('shop-2'));
    const before = [...fleet, naming];
    expect(judge(space('shop-2', 'shop', ['shop-admins']), { before })).toEqual([
      'other-owners expected-by-others web',
    ]);
  });

  test('metadata for people needs nobody, and what something selects needs its owner', () => {
    const shop = (metadata: { labels?: object; annotations?: object }) => [
      object('Namespace', 'shop', {
        metadata: {
          labels: {
            'tenantry.dev/tenant': 'shop',
            'pod-security.kubernetes.io/enforce': 'restricted',
            ...metadata.labels,
          },
          annotations: metadata.annotations ?? {},
        },
      }),
    ];
    expect(judge(shop({ annotations: { 'example.com/channel': '#shop' } }))).toEqual(['nobody']);
    expect(judge(shop({ annotations: { 'example.com/other': 'x' } }))).toEqual(['nobody']);
    expect(judge(shop({ annotations: { 'iam.amazonaws.com/permitted': '.*' } }))).toEqual([
      'platform selected-label',
    ]);
    expect(judge(shop({ labels: { color: 'blue' } }))).toEqual(['nobody']);
    expect(judge(shop({ labels: { 'istio-injection': 'enabled' } }))).toEqual([
      'platform selected-label',
    ]);
    const policy = within(
      'web',
      'NetworkPolicy',
      'by-label',
      {
        spec: {
          podSelector: {},
          ...from({ namespaceSelector: { matchLabels: { color: 'blue' } } }),
        },
      },
      'networking.k8s.io/v1',
    );
    const before = [...fleet, policy];
    expect(judge(shop({ labels: { color: 'blue' } }), { before })).toEqual([
      'other-owners label-of-others web',
    ]);
    expect(judge(shop({ labels: { color: 'red' } }), { before })).toEqual(['nobody']);
  });
});

describe('objects', () => {
  const kinds = [{ group: 'networking.k8s.io', kind: 'Ingress' }];
  const ingress = (namespace: string, host: string) =>
    within(namespace, 'Ingress', 'web', { spec: { rules: [{ host }] } }, 'networking.k8s.io/v1');

  const rename = (one: object): object => {
    const { metadata, ...rest } = one as { metadata: object };
    return { ...rest, metadata: { ...metadata, name: 'second' } };
  };

  test('a host is free, or belongs to the namespace that had it first', () => {
    const before = [...fleet, ingress('web', 'a.apps.example.com')];
    const given = { before, approval: { ...decisive, kinds } };
    expect(judge([ingress('shop', 'b.apps.example.com')], given)).toEqual(['owners free-host']);
    expect(judge([ingress('shop', 'A.apps.example.com.')], given)).toEqual([
      'other-owners host-of-others web',
    ]);
    expect(judge([ingress('shop', 'apps.example.org')], given)).toEqual(['platform host-outside']);
    expect(judge([ingress('shop', '*.apps.example.com')], given)).toEqual([
      'platform host-outside',
    ]);
  });

  test('a wildcard has the hosts of others, and so has a host below theirs', () => {
    const before = [
      ...fleet,
      ingress('web', '*.web.apps.example.com'),
      ingress('web', 'x.y.apps.example.com'),
    ];
    const given = {
      before: before.map((one, i) => (i === before.length - 1 ? rename(one) : one)),
      approval: { ...decisive, kinds },
    };
    expect(judge([ingress('shop', 'a.web.apps.example.com')], given)).toEqual([
      'other-owners host-of-others web',
    ]);
    expect(judge([ingress('shop', '*.y.apps.example.com')], given)).toEqual([
      'other-owners host-of-others web',
    ]);
    expect(judge([ingress('shop', '*.z.apps.example.com')], given)).toEqual(['owners free-host']);
  });

  test('an Ingress that gets every host, has an alias or a snippet is judged by that', () => {
    const given = { approval: { ...decisive, kinds } };
    const made = (spec: object, annotations: Record<string, string> = {}) => [
      object(
        'Ingress',
        'web',
        { metadata: { namespace: 'shop', annotations }, spec },
        'networking.k8s.io/v1',
      ),
    ];
    const rules = [{ host: 'shop.apps.example.com' }];
    expect(judge(made({ rules: [{ http: {} }] }), given)).toEqual(['platform host-outside']);
    // Also where owners may take a host below every domain.
    const { domains: _domains, ...anywhere } = given.approval;
    expect(judge(made({ rules: [{ http: {} }] }), { approval: anywhere })).toEqual([
      'platform host-outside',
    ]);
    expect(judge(made({ rules, defaultBackend: {} }), given)).toEqual(['platform host-outside']);
    expect(
      judge(
        made({ rules }, { 'nginx.ingress.kubernetes.io/server-alias': 'evil.example.org' }),
        given,
      ),
    ).toEqual(['platform host-outside']);
    expect(
      judge(made({ rules }, { 'nginx.ingress.kubernetes.io/server-snippet': 'x' }), given),
    ).toEqual(['platform platform-field']);
    expect(judge(made({ rules }), given)).toEqual(['owners free-host']);
  });

  test('kinds that the administrators of a namespace may create are theirs, and new ones are not', () => {
    expect(judge([within('shop', 'CronJob', 'job', {}, 'batch/v1')])).toEqual([
      'owners own-object',
    ]);
    expect(judge([within('shop', 'Database', 'db', {}, 'example.com/v1')])).toEqual([
      'platform new-kind',
    ]);
    const before = [...fleet, within('shop', 'PersistentVolumeClaim', 'data', {})];
    expect(
      judge([], { before, without: [within('shop', 'PersistentVolumeClaim', 'data', {})] }),
    ).toEqual(['platform data-removed']);
  });

  test('of policies of others only what closes is known', () => {
    const calico = (spec: object) => [
      within('shop', 'NetworkPolicy', 'calico', { spec }, 'projectcalico.org/v3'),
    ];
    expect(judge(calico({ egress: [{ action: 'Deny' }] }))).toEqual(['owners own-object']);
    expect(
      judge(calico({ egress: [{ action: 'Allow', destination: { selector: 'app == "a"' } }] })),
    ).toEqual(['owners own-object']);
    expect(
      judge(calico({ egress: [{ action: 'Allow', destination: { nets: ['0.0.0.0/0'] } }] })),
    ).toEqual(['platform new-kind']);
    expect(judge(calico({ ingress: [{ action: 'Allow' }] }))).toEqual(['platform new-kind']);
  });
});

test('in production owners merge alone up to medium risk, unless the platform file states something else', () => {
  const prod = { 'tenantry.dev/environment': 'prod' };
  const before = [...space('shop', 'shop', ['shop-admins'], prod)];
  const added = [bound('shop', 'more', 'edit', group('shop-admins'), group('friends'))];
  const { alone: _alone, ...approval } = decisive;
  expect(judge(added, { before, approval })).toEqual(['platform risk-above']);
  expect(judge(added, { before, approval: { ...approval, alone: [{ risk: 'high' }] } })).toEqual([
    'owners own-access',
  ]);
  expect(
    judge(added, {
      before,
      approval: { ...approval, alone: [{ risk: 'high', areas: ['network'] }] },
    }),
  ).toEqual(['platform risk-above']);
  expect(judge(added, { approval })).toEqual(['owners own-access']);
});

test('what no rule decides about needs the platform', () => {
  const policy = object(
    'ValidatingAdmissionPolicy',
    'guard',
    { spec: {} },
    'admissionregistration.k8s.io/v1',
  );
  expect(judge([], { before: [...fleet, policy], without: [policy] })).toEqual([
    'platform platform-only',
  ]);
});

test('ids of rules are unique', () => {
  const ids = agreementRules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
