import { expect, test } from '@jest/globals';
import type { NetworkCeiling, NetworkSettings, Peer } from '../../crds/tenantry/network.ts';
import type { PlatformSpec } from '../../crds/tenantry/platform.ts';
import { told, type Given } from './given.ts';

type From = NonNullable<
  NonNullable<NetworkSettings['policies']>[number]['spec']['ingress']
>[number];

const ceiling = (network: NetworkCeiling, settings: NetworkSettings): Given => ({
  klass: { ceilings: { network } },
  tenant: { network: settings, namespaces: [{ name: 'shop' }, { name: 'db' }] },
});

/** A policy as it is that lets these in. */
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
  `spec.network.policies must stay within the network ceiling of class standard, got ${what} in policy 'x'`;

test('isolation and egress are no more open than the class says', () => {
  const bound: NetworkCeiling = { isolation: 'SameTenant', egress: 'SameNamespace' };
  expect(told(ceiling(bound, { isolation: 'SameTenant', egress: 'Closed' }))).toEqual([]);
  expect(told(ceiling(bound, { isolation: 'Open', egress: 'SameTenant' }))).toEqual([
    "spec.network.isolation must be no more open than SameTenant (ceiling of class standard), got 'Open'",
    "spec.network.egress must be no more open than SameNamespace (ceiling of class standard), got 'SameTenant'",
  ]);
  expect(told(ceiling({ egress: 'Closed' }, {}))).toEqual([
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
])('who may not let in anyone may not let in %s', (_name, settings, what) => {
  expect(told(ceiling({ ingressFrom: { anywhere: 'Deny' } }, settings))).toEqual([within(what)]);
  expect(told(ceiling({ isolation: 'SameTenant' }, settings))).toEqual([within(what)]);
  expect(told(ceiling({}, settings))).toEqual([]);
});

test('a ceiling on isolation can be meant without that', () => {
  const bound: NetworkCeiling = { isolation: 'SameTenant', ingressFrom: { anywhere: 'Allow' } };
  expect(told(ceiling(bound, raw({})))).toEqual([]);
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
  [
    'namespaces by a label that anyone may have',
    from({ namespaceSelector: { matchLabels: { team: 'a' } } }),
    false,
  ],
  ['all namespaces', from({ namespaceSelector: {} }), false],
  ['everyone', raw({}), false],
])('who may not let in namespaces of others: %s', (_name, settings, allowed) => {
  const found = told(ceiling({ ingressFrom: { otherNamespaces: 'Deny' } }, settings));
  expect(found).toHaveLength(allowed ? 0 : 1);
});

test('who the platform trusts may always be let in', () => {
  const peer = { namespaceSelector: { matchLabels: { role: 'ingress' } } };
  const platform: PlatformSpec = { ingressControllers: [peer] };
  const bound: NetworkCeiling = { ingressFrom: { otherNamespaces: 'Deny' } };
  expect(told({ ...ceiling(bound, from(peer)), platform })).toEqual([]);
  expect(told(ceiling(bound, from(peer)))).toHaveLength(1);
});

test('blocks of addresses have to lie inside those of the class', () => {
  const bound: NetworkCeiling = { ingressFrom: { cidrs: ['10.0.0.0/8', 'fd00::/16'] } };
  for (const block of ['10.0.0.0/8', '10.255.0.0/16', 'fd00:1::/32']) {
    expect(told(ceiling(bound, cidr(block)))).toEqual([]);
  }
  for (const block of ['0.0.0.0/0', '10.0.0.0/7', '11.0.0.0/8', 'fd01::/32', '::/0']) {
    expect(told(ceiling(bound, cidr(block)))).toEqual([
      within(`${block}, outside 10.0.0.0/8, fd00::/16,`),
    ]);
  }
  expect(told(ceiling(bound, raw({})))).toEqual([
    within('a rule without peers, which is for everyone,'),
  ]);
});

test('the ceiling holds for allowFrom and allowTo, each in its direction', () => {
  const rule = { name: 'x', namespaces: ['other'] };
  const settings: NetworkSettings = {
    egress: 'Closed',
    allowFrom: [rule],
    allowTo: [{ ...rule, name: 'y' }],
  };
  const what =
    'must stay within the network ceiling of class standard, got namespaces of others in policy';
  expect(told(ceiling({ ingressFrom: { otherNamespaces: 'Deny' } }, settings))).toEqual([
    `spec.network.allowFrom ${what} 'x'`,
  ]);
  expect(told(ceiling({ egressTo: { otherNamespaces: 'Deny' } }, settings))).toEqual([
    `spec.network.allowTo ${what} 'y'`,
  ]);
});

test('a rule that shuts out all others is refused where everything is open', () => {
  const rule = { name: 'x', podLabels: { a: 'b' } };
  const why =
    'a policy that allows one peer shuts out all others; one that is meant so goes into policies';
  expect(told(ceiling({}, { isolation: 'Open', allowFrom: [rule] }))).toEqual([
    `spec.network.allowFrom must be left out while isolation is Open: ${why}`,
  ]);
  expect(told(ceiling({}, { allowTo: [rule] }))).toEqual([
    `spec.network.allowTo must be left out while egress is Open: ${why}`,
  ]);
});

const block =
  "must be a block of addresses such as '10.0.0.0/8', beginning at its first address, got";

test.each<[NetworkSettings, string]>([
  [cidr('10.0.0.1/8'), `${block} '10.0.0.1/8'`],
  [cidr('10.0.0.0/33'), `${block} '10.0.0.0/33'`],
  [cidr('10.0.0/8'), `${block} '10.0.0/8'`],
  [cidr('fd00::1/16'), `${block} 'fd00::1/16'`],
  [cidr('10.0.0.0/8', '11.0.0.0/16'), "must except a part of 10.0.0.0/8, got '11.0.0.0/16'"],
  [cidr('10.0.0.0/8', '10.0.0.0/8'), "must except a part of 10.0.0.0/8, got '10.0.0.0/8'"],
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
])('Kubernetes refuses %j', (settings, message) => {
  expect(told(ceiling({}, settings))).toEqual([`spec.network.policies ${message} in policy 'x'`]);
});

test('two policies cannot have one name, wherever they come from', () => {
  const allowFrom = [{ name: 'tenant-isolation', podLabels: { a: 'b' } }];
  expect(told(ceiling({}, { allowFrom }))).toEqual([
    "spec.network.allowFrom must have a name of its own, got NetworkPolicy 'tenant-isolation', which network.isolation gives already",
  ]);
  const both: NetworkSettings = { ...raw({}), allowFrom: [{ name: 'x', podLabels: { a: 'b' } }] };
  expect(told(ceiling({}, both))).toEqual([
    "spec.network.policies must have a name of its own, got NetworkPolicy 'x', which network.allowFrom gives already",
  ]);
  const other = { policyNames: { isolation: 'allow-monitoring' } };
  expect(told(ceiling({}, other))).toHaveLength(1);
});

test('an unknown cluster is told, whatever else is said', () => {
  expect(told({ tenant: { clusters: ['eu1'], network: expression('team', 'Exists') } })).toEqual([
    "spec.clusters must be clusters of the platform (in-cluster), got 'eu1'",
  ]);
});
