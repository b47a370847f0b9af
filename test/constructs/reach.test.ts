import { expect, test } from '@jest/globals';
import type { NetworkCeiling, NetworkSettings, Peer } from '../../crds/network.ts';
import type { PlatformSpec } from '../../crds/platform.ts';
import { refused as messagesOf, type Given } from './given.ts';

type From = NonNullable<
  NonNullable<NetworkSettings['policies']>[number]['spec']['ingress']
>[number];

const ceiling = (network: NetworkCeiling, settings: NetworkSettings): Given => ({
  klass: { ceilings: { network } },
  tenant: { network: settings, namespaces: [{ name: 'shop' }, { name: 'db' }] },
});

/** A written-out policy with this ingress. */
const raw = (...ingress: From[]): NetworkSettings => ({
  policies: [{ name: 'x', spec: { ingress } }],
});
const from = (...peers: Peer[]): NetworkSettings => raw({ from: peers });
const cidr = (block: string, ...except: string[]): NetworkSettings =>
  from({ ipBlock: { cidr: block, ...(except.length > 0 && { except }) } });
const expression = (
  key: string,
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist',
  ...values: string[]
) =>
  from({
    namespaceSelector: {
      matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }],
    },
  });
const NAME = 'kubernetes.io/metadata.name';

const within = (what: string) =>
  `spec.network.policies[0] must stay within the network ceiling of class standard, got ${what} in policy 'x'`;

test('isolation and egress must not be more open than the ceiling of the class', () => {
  const bound: NetworkCeiling = { isolation: 'SameTenant', egress: 'SameNamespace' };
  expect(messagesOf(ceiling(bound, { isolation: 'SameTenant', egress: 'Closed' }))).toEqual([]);
  expect(messagesOf(ceiling(bound, { isolation: 'Open', egress: 'SameTenant' }))).toEqual([
    "spec.network.isolation must be no more open than SameTenant (ceiling of class standard), got 'Open'",
    "spec.network.egress must be no more open than SameNamespace (ceiling of class standard), got 'SameTenant'",
  ]);
  expect(messagesOf(ceiling({ egress: 'Closed' }, {}))).toEqual([
    "spec.network must be no more open than Closed (ceiling of class standard), got 'Open'",
  ]);
});

test.each<[string, NetworkSettings, string]>([
  ['a rule without peers', raw({}), 'a rule without peers, which is for everyone,'],
  ['an empty list of peers', from(), 'a rule without peers, which is for everyone,'],
  ['a selector of everything', from({ namespaceSelector: {} }), 'all namespaces'],
  ['all that have a name', expression(NAME, 'Exists'), 'all namespaces'],
  ['all but one', expression(NAME, 'NotIn', 'kube-system'), 'all namespaces'],
  ['all without a label', expression('team', 'DoesNotExist'), 'all namespaces'],
  ['all addresses', cidr('0.0.0.0/0'), '0.0.0.0/0, which is anywhere,'],
  ['half of all addresses', cidr('128.0.0.0/1'), '128.0.0.0/1, which is anywhere,'],
  ['all addresses of IPv6', cidr('::/0'), '::/0, which is anywhere,'],
])('a ceiling that denies access from anywhere refuses %s', (_name, settings, what) => {
  expect(messagesOf(ceiling({ ingressFrom: { anywhere: 'Deny' } }, settings))).toEqual([
    within(what),
  ]);
  expect(messagesOf(ceiling({ isolation: 'SameTenant' }, settings))).toEqual([within(what)]);
  expect(messagesOf(ceiling({}, settings))).toEqual([]);
});

const label = (key: string, value: string): NetworkSettings =>
  from({ namespaceSelector: { matchLabels: { [key]: value } } });
const TENANT = 'tenantry.dev/tenant';

/** A class whose tenants get labels without setting any. */
const labelled = {
  defaults: { labels: { tier: 'gold' } },
  environments: [{ name: 'prod', labels: { tier: 'tin', zone: 'a' } }],
};

test.each<[string, NetworkSettings, boolean]>([
  ['the mark of every tenant', label('app.kubernetes.io/managed-by', 'tenantry'), true],
  ['the mark of somebody else', label('app.kubernetes.io/managed-by', 'Helm'), false],
  ['what the class puts on', label('tier', 'gold'), true],
  ['what an environment of it puts on', label('zone', 'a'), true],
  ['one value of two that it does', expression('tier', 'In', 'tin', 'lead'), true],
  ['a value that it does not', label('tier', 'lead'), false],
  ['any value of a key of the class', expression('tier', 'Exists'), true],
  ['any value of another key', expression('team', 'Exists'), false],
  ['a value of another key', label('team', 'a'), false],
  ['an environment', label('tenantry.dev/environment', 'prod'), true],
  ['what the admission policies read', label('policy.tenantry.dev/pods', 'Disabled'), true],
  ['a level of Pod Security', label('pod-security.kubernetes.io/enforce', 'baseline'), true],
  ['a key that only looks like ours', label('xtenantry.dev/environment', 'prod'), false],
  ['any tenant', expression(TENANT, 'Exists'), true],
  ['another tenant', label(TENANT, 'other'), false],
  ['another namespace', label(NAME, 'other'), false],
  [
    'the mark and one other label',
    from({
      namespaceSelector: { matchLabels: { 'app.kubernetes.io/managed-by': 'tenantry', team: 'a' } },
    }),
    false,
  ],
])(
  'a ceiling that denies access from anywhere refuses access from every tenant: %s',
  (_name, settings, all) => {
    const given = ceiling({ ingressFrom: { anywhere: 'Deny' } }, settings);
    expect(messagesOf({ ...given, klass: { ...labelled, ...given.klass } })).toEqual(
      all ? [within('all namespaces')] : [],
    );
  },
);

test('address blocks are combined, and a block that is too wide by itself is reported by itself', () => {
  const blocks = (...list: string[]) => from(...list.map((cidr) => ({ ipBlock: { cidr } })));
  const bound: NetworkCeiling = { ingressFrom: { anywhere: 'Deny' } };
  expect(messagesOf(ceiling(bound, blocks('1.0.0.0/9', '2.0.0.0/9')))).toEqual([]);
  expect(messagesOf(ceiling(bound, blocks('1.0.0.0/8', '2.0.0.0/8')))).toEqual([
    'spec.network must stay within the network ceiling of class standard, got 2 blocks of addresses that together are anywhere',
  ]);
  expect(messagesOf(ceiling(bound, blocks('0.0.0.0/0', '2.0.0.0/8')))).toEqual([
    within('0.0.0.0/0, which is anywhere,'),
  ]);
  const allowed: NetworkCeiling = { ingressFrom: { otherNamespaces: 'Deny' } };
  expect(messagesOf(ceiling(allowed, blocks('1.0.0.0/8', '2.0.0.0/8')))).toEqual([]);
});

test('a policy without rules for a direction opens nothing in it', () => {
  const reach = { anywhere: 'Deny', otherNamespaces: 'Deny' } as const;
  const spec = { podSelector: {} };
  expect(
    messagesOf(
      ceiling({ ingressFrom: reach, egressTo: reach }, { policies: [{ name: 'x', spec }] }),
    ),
  ).toEqual([]);
});

test('egress of a written-out policy is limited by the ceiling too', () => {
  const settings: NetworkSettings = { policies: [{ name: 'x', spec: { egress: [{}] } }] };
  expect(messagesOf(ceiling({ egressTo: { anywhere: 'Deny' } }, settings))).toEqual([
    within('a rule without peers, which is for everyone,'),
  ]);
  expect(messagesOf(ceiling({ ingressFrom: { anywhere: 'Deny' } }, settings))).toEqual([]);
});

test('a ceiling on isolation can be combined with open ingress', () => {
  const bound: NetworkCeiling = { isolation: 'SameTenant', ingressFrom: { anywhere: 'Allow' } };
  expect(messagesOf(ceiling(bound, raw({})))).toEqual([]);
});

test('a ceiling limits only policies of its own direction', () => {
  const out = { policies: [{ name: 'x', spec: { egress: [{}] } }] };
  const closed: NetworkSettings = { isolation: 'SameTenant', egress: 'SameTenant' };
  const refusals = (bound: NetworkCeiling, settings: NetworkSettings): number =>
    messagesOf(ceiling(bound, { ...closed, ...settings })).length;
  expect(refusals({ isolation: 'SameTenant' }, raw({}))).toBe(1);
  expect(refusals({ isolation: 'SameTenant' }, out)).toBe(0);
  expect(refusals({ egress: 'SameTenant' }, out)).toBe(1);
  expect(refusals({ egress: 'SameTenant' }, raw({}))).toBe(0);
});

test.each<[string, NetworkSettings, boolean]>([
  ['its own namespaces by name', expression(NAME, 'In', 'shop', 'db'), true],
  [
    'an own namespace by label',
    from({ namespaceSelector: { matchLabels: { [NAME]: 'db' } } }),
    true,
  ],
  ['pods of the same namespace', from({ podSelector: {} }), true],
  ['an own one and another', expression(NAME, 'In', 'shop', 'other'), false],
  ['another by name', expression(NAME, 'In', 'other'), false],
  ['all of its own by tenant', label(TENANT, 'acme'), true],
  ['all of another tenant', label(TENANT, 'other'), false],
  ['all but an own one', expression(NAME, 'NotIn', 'shop'), false],
  [
    'namespaces by a label that anyone may have',
    from({ namespaceSelector: { matchLabels: { team: 'a' } } }),
    false,
  ],
  ['all namespaces', from({ namespaceSelector: {} }), false],
  ['everyone', raw({}), false],
])('a ceiling that denies other namespaces: %s', (_name, settings, allowed) => {
  const found = messagesOf(ceiling({ ingressFrom: { otherNamespaces: 'Deny' } }, settings));
  expect(found).toHaveLength(allowed ? 0 : 1);
});

test('peers that the platform trusts are always allowed', () => {
  const peer = { namespaceSelector: { matchLabels: { role: 'ingress' } } };
  const platform: PlatformSpec = { ingressControllers: [peer] };
  const bound: NetworkCeiling = { ingressFrom: { otherNamespaces: 'Deny' } };
  expect(messagesOf({ ...ceiling(bound, from(peer)), platform })).toEqual([]);
  expect(messagesOf(ceiling(bound, from(peer)))).toHaveLength(1);
});

test("a tenant's own namespaces and the trusted peers are those of the same cluster", () => {
  const peer = { namespaceSelector: { matchLabels: { role: 'ingress' } } };
  const platform: PlatformSpec = {
    clusters: [{ name: 'eu' }, { name: 'us', ingressControllers: [peer] }],
  };
  const klass = { ceilings: { network: { ingressFrom: { otherNamespaces: 'Deny' as const } } } };
  const found = (here: string, network: NetworkSettings) =>
    messagesOf({
      platform,
      klass,
      tenant: {
        namespaces: [
          { name: 'shop', clusters: [here], network },
          { name: 'db', clusters: ['us'] },
        ],
      },
    });
  for (const network of [label(NAME, 'db'), from(peer)]) {
    expect(found('us', network)).toEqual([]);
    expect(found('eu', network)).toHaveLength(1);
  }
});

test('a selector that selects nothing is reported as such, and not as reaching others', () => {
  const bound: NetworkCeiling = { ingressFrom: { otherNamespaces: 'Deny', anywhere: 'Deny' } };
  expect(messagesOf(ceiling(bound, expression(NAME, 'In')))).toEqual([
    `spec.network.policies must have values for In of '${NAME}', got none in policy 'x'`,
  ]);
});

test('address blocks must be inside those of the class', () => {
  const bound: NetworkCeiling = { ingressFrom: { cidrs: ['10.0.0.0/8', 'fd00::/16'] } };
  for (const block of ['10.0.0.0/8', '10.255.0.0/16', 'fd00:1::/32']) {
    expect(messagesOf(ceiling(bound, cidr(block)))).toEqual([]);
  }
  for (const block of ['0.0.0.0/0', '10.0.0.0/7', '11.0.0.0/8', 'fd01::/32', '::/0']) {
    expect(messagesOf(ceiling(bound, cidr(block)))).toEqual([
      within(`${block}, outside 10.0.0.0/8, fd00::/16,`),
    ]);
  }
  expect(messagesOf(ceiling(bound, raw({})))).toEqual([
    within('a rule without peers, which is for everyone,'),
  ]);
});

test('the ceiling applies to allowFrom and allowTo, each in its direction', () => {
  const rule = { name: 'x', namespaces: ['other'] };
  const settings: NetworkSettings = {
    egress: 'Closed',
    allowFrom: [rule],
    allowTo: [{ ...rule, name: 'y' }],
  };
  const what =
    'must stay within the network ceiling of class standard, got namespaces of others in policy';
  expect(messagesOf(ceiling({ ingressFrom: { otherNamespaces: 'Deny' } }, settings))).toEqual([
    `spec.network.allowFrom[0] ${what} 'x'`,
  ]);
  expect(messagesOf(ceiling({ egressTo: { otherNamespaces: 'Deny' } }, settings))).toEqual([
    `spec.network.allowTo[0] ${what} 'y'`,
  ]);
});

test('an allow rule is refused where everything is open, because it would exclude all others', () => {
  const rule = { name: 'x', podLabels: { a: 'b' } };
  const why =
    'a policy that allows one peer shuts out all others; if that is meant, declare it in policies';
  expect(messagesOf(ceiling({}, { isolation: 'Open', allowFrom: [rule] }))).toEqual([
    `spec.network.allowFrom must be left out while isolation is Open: ${why}`,
  ]);
  expect(messagesOf(ceiling({}, { allowTo: [rule] }))).toEqual([
    `spec.network.allowTo must be left out while egress is Open: ${why}`,
  ]);
  expect(messagesOf(ceiling({}, { isolation: 'Open', allowFrom: [], allowTo: [] }))).toEqual([]);
});

const block =
  "must be a block of addresses such as '10.0.0.0/8', beginning at its first address, got";

test.each<[NetworkSettings, string]>([
  [cidr('10.0.0.1/8'), `${block} '10.0.0.1/8'; did you mean '10.0.0.0/8'?`],
  [cidr('10.0.0.0/33'), `${block} '10.0.0.0/33'`],
  [cidr('10.0.0/8'), `${block} '10.0.0/8'`],
  [cidr('fd00::1/16'), `${block} 'fd00::1/16'; did you mean 'fd00::/16'?`],
  [cidr('10.0.0.0/8', '11.0.0.0/16'), "must except a part of 10.0.0.0/8, got '11.0.0.0/16'"],
  [cidr('10.0.0.0/8', '10.0.0.0/8'), "must except a part of 10.0.0.0/8, got '10.0.0.0/8'"],
  [cidr('10.0.0.0/8', '10.0.0.1/16'), `${block} '10.0.0.1/16'; did you mean '10.0.0.0/16'?`],
  [cidr('10.0.0.1/8', '10.1.0.0/16'), `${block} '10.0.0.1/8'; did you mean '10.0.0.0/8'?`],
  [
    { policies: [{ name: 'x', spec: { egress: [{ to: [{}] }] } }] },
    'must have a peer, got an empty one',
  ],
  [
    { policies: [{ name: 'x', spec: { podSelector: { matchLabels: { 'a b': 'c' } } } }] },
    "must select by a label key such as 'example.com/name', got 'a b'",
  ],
  [from({}), 'must have a peer, got an empty one'],
  [
    from({ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }),
    'must have either an ipBlock or selectors in a peer, got both',
  ],
  [expression('a b', 'Exists'), "must select by a label key such as 'example.com/name', got 'a b'"],
  [expression('a', 'In'), "must have values for In of 'a', got none"],
  [expression('a', 'Exists', 'b'), "must have no values for Exists of 'a', got b"],
  [raw({ ports: [{ endPort: 90 }] }), 'must have a port number where endPort is given'],
  [
    raw({ ports: [{ port: 'http', endPort: 90 }] }),
    'must have a port number where endPort is given',
  ],
  [raw({ ports: [{ port: 91, endPort: 90 }] }), 'must have an endPort of at least 91, got 90'],
])('a selector that Kubernetes refuses is refused: %j', (settings, message) => {
  const [sentence, hint = ''] = message.split(/(?=; did you mean)/);
  const problems = messagesOf(ceiling({}, settings));
  expect(problems.map((one) => one.slice(one.indexOf(' must ') + 1))).toEqual([
    `${sentence} in policy 'x'${hint}`,
  ]);
  expect(problems[0]).toMatch(/^spec\.network\.policies/);
});

test.each<NetworkSettings>([
  cidr('10.0.0.0/8', '10.1.0.0/16'),
  cidr('fd00::/8', 'fd01::/16', 'fd02::/16'),
  raw({ ports: [{ port: 'http' }, { port: 80 }, { port: 80, endPort: 80 }] }),
  raw({ ports: [{ port: 80, endPort: 90 }] }),
])('a selector that Kubernetes accepts is accepted: %j', (settings) => {
  expect(messagesOf(ceiling({}, settings))).toEqual([]);
});

test.each(['allowFrom', 'allowTo'] as const)(
  'rules of %s follow the same validation as a written-out policy',
  (field) => {
    const found = (rule: object): string[] => {
      return messagesOf(ceiling({}, { egress: 'Closed', [field]: [{ name: 'x', ...rule }] }));
    };
    const podLabels = { a: 'b' };
    const at = `spec.network.${field}`;
    expect(found({ podLabels })).toEqual([]);
    expect(found({ podLabels, ports: [{ port: 80, endPort: 90 }], pods: { app: 'a' } })).toEqual(
      [],
    );
    expect(found({ podLabels, ports: [{ port: 91, endPort: 90 }] })).toEqual([
      `${at} must have an endPort of at least 91, got 90 in policy 'x'`,
    ]);
    expect(found({ cidrs: ['10.0.0.1/8'] })).toEqual([
      `${at}[0].cidrs[0] ${block} '10.0.0.1/8' in policy 'x'; did you mean '10.0.0.0/8'?`,
    ]);
    expect(found({ podLabels, pods: { 'a b': 'c' } })).toEqual([
      `${at} must select by a label key such as 'example.com/name', got 'a b' in policy 'x'`,
    ]);
  },
);

test('labels and annotations of a policy are free, except those that tools reading Git interpret', () => {
  const labels = { 'tenantry.dev/tenant': 'other' };
  expect(messagesOf(ceiling({}, { policies: [{ name: 'x', labels, spec: {} }] }))).toEqual([
    "spec.network.policies must not be set: the key 'tenantry.dev/tenant' is reserved for Tenantry",
  ]);
});

test('two policies cannot have the same name, wherever they come from', () => {
  const allowFrom = [{ name: 'tenant-isolation', podLabels: { a: 'b' } }];
  expect(messagesOf(ceiling({}, { allowFrom }))).toEqual([
    "spec.network.allowFrom must have a name of its own, got NetworkPolicy 'tenant-isolation', which network.isolation already gives",
  ]);
  const both: NetworkSettings = { ...raw({}), allowFrom: [{ name: 'x', podLabels: { a: 'b' } }] };
  expect(messagesOf(ceiling({}, both))).toEqual([
    "spec.network.policies must have a name of its own, got NetworkPolicy 'x', which network.allowFrom already gives",
  ]);
  const other = { policyNames: { isolation: 'allow-monitoring' } };
  expect(messagesOf(ceiling({}, other))).toHaveLength(1);
});

test.each<[string, NetworkSettings]>([
  ['allow-monitoring', { monitoring: 'Deny' }],
  ['allow-ingress-controllers', { ingressControllers: 'Deny' }],
  ['tenant-isolation', { isolation: 'Open' }],
  ['tenant-egress', { egress: 'Open' }],
])('the name %s is free where no rendered policy has it', (name, settings) => {
  const clashes = (network: NetworkSettings): string[] =>
    messagesOf(ceiling({}, { policies: [{ name, spec: {} }], ...network })).filter((one) =>
      one.includes('must have a name of its own'),
    );
  expect(clashes({ egress: 'SameTenant' })).toHaveLength(1);
  expect(clashes({ egress: 'SameTenant', ...settings })).toEqual([]);
});

test('an unknown cluster is reported, whatever else is declared', () => {
  expect(
    messagesOf({ tenant: { clusters: ['eu1'], network: expression('team', 'Exists') } }),
  ).toEqual(["spec.clusters must be clusters of the platform (in-cluster), got 'eu1'"]);
});

test('a block outside the ceiling is one error, at its own rule, although it is also anywhere', () => {
  const bound: NetworkCeiling = {
    isolation: 'SameTenant',
    ingressFrom: { cidrs: ['10.0.0.0/8'] },
  };
  const allowFrom = [
    { name: 'inside', cidrs: ['10.2.0.0/16'] },
    { name: 'everyone', cidrs: ['0.0.0.0/0'] },
  ];
  expect(messagesOf(ceiling(bound, { isolation: 'SameTenant', allowFrom }))).toEqual([
    "spec.network.allowFrom[1] must stay within the network ceiling of class standard, got 0.0.0.0/0, outside 10.0.0.0/8, in policy 'everyone'",
  ]);
});
