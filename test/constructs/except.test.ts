import { expect, test } from '@jest/globals';
import { checkClass } from '../../model/class-check.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { NetworkSettings, PeerRule } from '../../crds/network.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { formatPath } from '@tenantry/kube/problem';
import { objectsOf, specOf, collectFindings, type Given } from './given.ts';

const egress = (...allowTo: PeerRule[]): Given => ({
  tenant: { network: { egress: 'Closed', allowTo } },
});

const AWS = '169.254.169.254/32';
const WHY = 'the metadata service of clouds, which gives pods the credentials of the node';

/** Returns the blocks of the policy of that name. */
const blocksOf = (given: Given, name: string) => {
  const policy = objectsOf(given).find(({ metadata }) => metadata.name === name);
  const { egress: out = [], ingress = [] } = specOf<{
    egress?: { to?: object[] }[];
    ingress?: { from?: object[] }[];
  }>(policy);
  return [...out.flatMap(({ to = [] }) => to), ...ingress.flatMap(({ from = [] }) => from)];
};

test('exceptions are cut out of each block that contains them, in both directions and in further peers', () => {
  const rule = {
    name: 'internet',
    cidrs: ['0.0.0.0/0', '10.0.0.0/8', '2001:db8::/32'],
    except: [AWS, '10.1.0.0/16', '2001:db8:1::/48'],
    peers: [{ cidrs: ['192.168.0.0/16'], except: ['192.168.1.0/24'] }],
  };
  const blocks = [
    { ipBlock: { cidr: '0.0.0.0/0', except: [AWS, '10.1.0.0/16'] } },
    { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
    { ipBlock: { cidr: '2001:db8::/32', except: ['2001:db8:1::/48'] } },
    { ipBlock: { cidr: '192.168.0.0/16', except: ['192.168.1.0/24'] } },
  ];
  expect(collectFindings(egress(rule))).toEqual([]);
  expect(blocksOf(egress(rule), 'internet')).toEqual(blocks);
  const inward: Given = { tenant: { network: { isolation: 'Closed', allowFrom: [rule] } } };
  expect(collectFindings(inward)).toEqual([]);
  expect(blocksOf(inward, 'internet')).toEqual(blocks);
});

test.each<[string, Partial<PeerRule>, string, string]>([
  [
    'outside of every block',
    { cidrs: ['10.0.0.0/8'], except: ['192.168.0.0/16'] },
    '.except[0]',
    "must be a part of a block in cidrs (10.0.0.0/8), got '192.168.0.0/16'",
  ],
  [
    'that is the whole block',
    { cidrs: ['10.0.0.0/8'], except: ['10.0.0.0/8'] },
    '.except[0]',
    "must be a part of a block in cidrs (10.0.0.0/8), got '10.0.0.0/8'",
  ],
  [
    'around a block',
    { cidrs: ['10.0.0.0/8', '10.1.0.0/16'], except: ['10.1.0.0/16'] },
    '.except[0]',
    "must be a part of a block in cidrs (10.0.0.0/8, 10.1.0.0/16), got '10.1.0.0/16'",
  ],
  [
    'without blocks',
    { namespaces: ['a'], except: ['10.0.0.0/8'] },
    '.except[0]',
    "must be a part of a block in cidrs (none), got '10.0.0.0/8'",
  ],
  [
    'of the other family',
    { cidrs: ['10.0.0.0/8'], except: ['2001:db8::/32'] },
    '.except[0]',
    "must be a part of a block in cidrs (10.0.0.0/8), got '2001:db8::/32'",
  ],
  [
    'in further peers',
    { cidrs: ['10.0.0.0/8'], peers: [{ cidrs: ['10.0.0.0/8'], except: ['11.0.0.0/16'] }] },
    '.peers[0].except[0]',
    "must be a part of a block in cidrs (10.0.0.0/8), got '11.0.0.0/16'",
  ],
])('an except entry %s is refused at its path', (_what, rule, at, message) => {
  expect(collectFindings(egress({ name: 'x', ...rule }))).toEqual([
    `spec.network.allowTo[0]${at} ${message} in policy 'x'`,
  ]);
});

test('an except entry that is not a block is refused with a suggestion', () => {
  expect(
    collectFindings(egress({ name: 'x', cidrs: ['10.0.0.0/8'], except: ['10.1.2.3/16'] })),
  ).toEqual([
    "spec.network.allowTo[0].except[0] must be a block of addresses such as '10.0.0.0/8', beginning at its first address, got '10.1.2.3/16' in policy 'x'; did you mean '10.1.0.0/16'?",
  ]);
});

const anywhere: PeerRule = { name: 'x', cidrs: ['0.0.0.0/0'] };

test.each([
  ['0.0.0.0/0', AWS],
  ['128.0.0.0/1', AWS],
  ['169.254.0.0/16', AWS],
  ['::/0', 'fd00:ec2::254/128, fd20:ce::254/128'],
  ['fd00:ec2::/32', 'fd00:ec2::254/128'],
  ['fd20:ce::/32', 'fd20:ce::254/128'],
])('egress to %s reaches the metadata service, and causes a warning', (cidr, missing) => {
  const found = collectFindings(egress({ name: 'x', cidrs: ['198.51.100.0/24', cidr] }));
  expect(found).toEqual([
    `warning spec.network.allowTo[0].cidrs[1] must except ${missing}, ${WHY}, got '${cidr}' in policy 'x'`,
  ]);
});

test.each<[string, PeerRule]>([
  ['excepts it', { name: 'x', cidrs: ['0.0.0.0/0'], except: [AWS] }],
  ['excepts more', { name: 'x', cidrs: ['0.0.0.0/0'], except: ['169.254.0.0/16'] }],
  ['is elsewhere', { name: 'x', cidrs: ['0.0.0.0/1', '192.0.0.0/2'] }],
  ['names it alone, on purpose', { name: 'x', cidrs: [AWS] }],
  ['has other ports', { name: 'x', cidrs: ['0.0.0.0/0'], ports: [{ port: 443 }, { port: 8080 }] }],
  ['ends below the port', { name: 'x', cidrs: ['0.0.0.0/0'], ports: [{ port: 1, endPort: 79 }] }],
  ['has the port of another protocol', { ...anywhere, ports: [{ port: 80, protocol: 'UDP' }] }],
])('egress that %s causes no warning', (_what, rule) => {
  expect(collectFindings(egress(rule))).toEqual([]);
});

test.each<[string, NonNullable<PeerRule['ports']>]>([
  ['the port itself', [{ port: 443 }, { port: 80 }]],
  ['a range of ports', [{ port: 1, endPort: 1024 }]],
])('egress by %s reaches the metadata service', (_what, ports) => {
  expect(collectFindings(egress({ ...anywhere, ports }))).toEqual([
    `warning spec.network.allowTo[0].cidrs[0] must except ${AWS}, ${WHY}, got '0.0.0.0/0' in policy 'x'`,
  ]);
});

test('an invalid except entry causes one finding', () => {
  expect(collectFindings(egress({ ...anywhere, except: ['169.254.169.254/33'] }))).toHaveLength(1);
});

test('ingress causes no warning, as the metadata service sends no requests', () => {
  const allowFrom = [{ name: 'x', cidrs: ['0.0.0.0/0'] }];
  expect(collectFindings({ tenant: { network: { isolation: 'Closed', allowFrom } } })).toEqual([]);
});

test('a written-out policy causes a warning for a block and for a rule without peers', () => {
  const policies = (to: object[]): NonNullable<NetworkSettings['policies']> => [
    { name: 'raw', spec: { policyTypes: ['Egress'], egress: [{ to }] } },
  ];
  const found = (to: object[]) =>
    collectFindings({ tenant: { network: { policies: policies(to) } } });
  expect(found([{ ipBlock: { cidr: '0.0.0.0/0' } }])).toEqual([
    `warning spec.network.policies[0].spec.egress[0].to[0].ipBlock.cidr must except ${AWS}, ${WHY}, got '0.0.0.0/0' in policy 'raw'`,
  ]);
  expect(found([{ ipBlock: { cidr: '0.0.0.0/0', except: [AWS] } }])).toEqual([]);
  expect(found([])).toEqual([
    `warning spec.network.policies must have peers that except ${AWS}, ${WHY}, got a rule without peers in policy 'raw'`,
  ]);
});

test('blocks in a class and its presets are reported at the class', () => {
  const rule = { egress: 'Closed', allowTo: [{ name: 'x', cidrs: ['0.0.0.0/0'] }] } as const;
  const ofClass = (spec: TenantClassSpec): string[] =>
    checkClass({ name: 'standard', spec }, resolvePlatform({})).findings.map(
      (one) => `${one.rule} ${formatPath(one.path)}`,
    );
  expect(ofClass({ defaults: { network: rule } })).toEqual([
    'metadata-service spec.defaults.network.allowTo[0].cidrs[0]',
  ]);
  expect(ofClass({ presets: { networks: [{ name: 'out', ...rule }] } })).toEqual([
    'metadata-service spec.presets.networks[0].allowTo[0].cidrs[0]',
  ]);
});
