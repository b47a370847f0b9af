import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NAME_LABEL } from '../label-selector.ts';
import { PodNetwork } from '../network-policy.ts';
import type { KubeObject } from '../object.ts';
import { connectionJudge, type End, type EndPort } from '@tenantry/test-tools/go/connections';
import { runs } from './yaml/runs.ts';
import { isListed } from './network-read.ts';

const judge = await connectionJudge();
const withJudge = judge ? test : test.skip;

const value = fc.constantFrom('x', 'y');
const selectorOf = (...keys: string[]) => {
  const key = fc.constantFrom(...keys);
  const requirement = fc.oneof(
    fc.record({
      key,
      operator: fc.constantFrom('In', 'NotIn'),
      values: fc.array(value, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ key, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
  );
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant({}) },
    {
      weight: 4,
      arbitrary: fc.record(
        {
          matchLabels: fc.dictionary(key, value, { maxKeys: 1 }),
          matchExpressions: fc.array(requirement, { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
    },
  );
};
const pods = selectorOf('app', 'tier');
const named = fc
  .subarray(['a', 'b', 'c', 'elsewhere'], { minLength: 1 })
  .map((values) => ({ matchExpressions: [{ key: NAME_LABEL, operator: 'In', values }] }));
const namespaces = fc.oneof(selectorOf('team'), named);

const block = fc.constantFrom(
  { cidr: '0.0.0.0/0' },
  { cidr: '10.0.0.0/16', except: ['10.0.2.0/24', '10.0.4.0/30'] },
  { cidr: '192.0.2.0/24' },
  { cidr: 'fd00::/64', except: ['fd00::8/125'] },
);
const peer = fc.oneof(
  fc.record({ podSelector: pods }),
  fc.record({ namespaceSelector: namespaces }),
  fc.record({ namespaceSelector: namespaces, podSelector: pods }),
  fc.record({ ipBlock: block }),
);
const protocol = fc.constantFrom('TCP', 'UDP', 'SCTP');
const port = fc.oneof(
  fc.record({ protocol }, { requiredKeys: [] }),
  fc.record(
    { port: fc.constantFrom(80, 8080, 53, 'http', 'web'), protocol },
    { requiredKeys: ['port'] },
  ),
  fc.record(
    { port: fc.constantFrom(79, 80), endPort: fc.constantFrom(80, 8079, 8080), protocol },
    { requiredKeys: ['port', 'endPort'] },
  ),
);
const optional = { requiredKeys: [] };
const rules = (side: string) =>
  fc.array(
    fc.record(
      { [side]: fc.array(peer, { maxLength: 3 }), ports: fc.array(port, { maxLength: 3 }) },
      optional,
    ),
    { maxLength: 2 },
  );
const spec = fc.record(
  {
    podSelector: pods,
    policyTypes: fc.subarray(['Ingress', 'Egress'], { minLength: 1 }),
    ingress: rules('from'),
    egress: rules('to'),
  },
  { requiredKeys: ['podSelector'] },
);
const policies = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), spec), {
  minLength: 1,
  maxLength: 6,
});

const labelsOf: Record<string, Record<string, string>> = {
  a: { team: 'x' },
  b: { team: 'y' },
  c: {},
  elsewhere: { team: 'x' },
};
const podLabels: Record<string, string>[] = [
  {},
  { app: 'x' },
  { app: 'y', tier: 'x' },
  { tier: 'y' },
];
/** No block contains the address of a pod: blocks are for addresses outside of the cluster. */
const ends: End[] = [
  ...Object.entries(labelsOf).flatMap(([namespace, labels], i) =>
    podLabels.map((own, j) => ({
      namespace,
      namespaceLabels: { ...labels, [NAME_LABEL]: namespace },
      labels: own,
      address: `2001:db8::${i}:${j}`,
    })),
  ),
  ...['10.0.1.1', '10.0.2.1', '10.0.4.3', '192.0.2.9', '198.51.100.1', 'fd00::1', 'fd00::9'].map(
    (address) => ({ address }),
  ),
];
const ports: EndPort[] = [
  { port: 80, name: 'http', protocol: 'TCP' },
  { port: 80, name: '', protocol: 'UDP' },
  { port: 8080, name: 'web', protocol: 'TCP' },
  { port: 8080, name: 'http', protocol: 'SCTP' },
  { port: 53, name: 'dns', protocol: 'UDP' },
  { port: 9999, name: '', protocol: 'TCP' },
];

type Given = [namespace: string, spec: Readonly<Record<string, unknown>>][];

const policyObjects = (given: Given): KubeObject[] =>
  given.map(([namespace, spec], i) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `policy-${i}`, namespace },
    spec,
  }));

const networkOf = (given: Given): PodNetwork =>
  new PodNetwork([
    ...['a', 'b', 'c'].map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: labelsOf[name]! },
    })),
    ...policyObjects(given),
  ]);

const connections = ends.flatMap((from, i) =>
  ends.flatMap((to, j) =>
    from.namespace === undefined && to.namespace === undefined
      ? []
      : ports.map((port, k) => ({ from, to, port, at: [i, j, k] as const })),
  ),
);

withJudge('the table contains exactly the connections that cyclonus allows', () => {
  const worlds = fc.sample(policies, runs(40));
  const verdicts = judge!(worlds.map((given) => ({ policies: policyObjects(given), ends, ports })));
  let allowed = 0;
  worlds.forEach((given, i) => {
    const network = networkOf(given);
    for (const { from, to, port, at } of connections) {
      const verdict = verdicts[i]!(...at);
      if (verdict) allowed += 1;
      if (isListed(network, from, to, port) !== verdict) {
        expect({ given, from, to, port, listed: !verdict }).toEqual({
          given,
          from,
          to,
          port,
          listed: verdict,
        });
      }
    }
  });
  const share = allowed / (connections.length * worlds.length);
  expect(share).toBeGreaterThan(0.05);
  expect(share).toBeLessThan(0.95);
});

test('a line about a namespace is also on its side, unless that side is open to anyone', () => {
  fc.assert(
    fc.property(policies, (given) => {
      const network = networkOf(given);
      for (const name of network.names) {
        for (const line of network.connections(name, 'Ingress')) {
          if (line.with.kind !== 'namespace') continue;
          const back = network.connections(line.with.namespace, 'Egress');
          const isThere = back.some(
            ({ with: side, ports }) =>
              (side.kind === 'anyone' || (side.kind === 'namespace' && side.namespace === name)) &&
              line.ports.every((one) =>
                ports.some((two) => two.protocol === one.protocol && two.first <= one.first),
              ),
          );
          expect({ given, name, line, isThere }).toMatchObject({ isThere: true });
        }
      }
    }),
    runs(60),
  );
});
