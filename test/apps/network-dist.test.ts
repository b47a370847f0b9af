import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { readRendered } from '../../cli/rendered.ts';
import { NAME_LABEL } from '@tenantry/kube/label-selector';
import { findExampleLabels } from '@tenantry/kube/network-policy/pods';
import { PodNetwork } from '@tenantry/kube/network-policy';
import type { KubeObject } from '@tenantry/kube/object';
import { connectionJudge, type End, type EndPort } from '../go/connections.ts';
import { isListed } from '@tenantry/kube/test/network-read';

const judge = await connectionJudge();
const { clusters, problems } = readRendered(join(import.meta.dirname, '../../dist'), [
  'Namespace',
  'NetworkPolicy',
]);

/** Returns a pod for each connection of a namespace, on either side, and one without labels. */
function podsIn(network: PodNetwork): End[] {
  const labels = new Map<string, Set<string>>(network.names.map((name) => [name, new Set(['{}'])]));
  for (const name of network.names) {
    for (const direction of ['Ingress', 'Egress'] as const) {
      for (const { pods, with: side } of network.connections(name, direction)) {
        labels.get(name)!.add(JSON.stringify(findExampleLabels(pods)));
        if (side.kind !== 'namespace') continue;
        labels.get(side.namespace)!.add(JSON.stringify(findExampleLabels(side.pods)));
      }
    }
  }
  return [...labels].flatMap(([namespace, texts], i) =>
    [...texts].map((text, j) => ({
      namespace,
      namespaceLabels: network.get(namespace)!.labels,
      labels: JSON.parse(text) as Record<string, string>,
      address: `2001:db8::${i}:${j}`,
    })),
  );
}

/** A pod of the platform itself, which no policy of Tenantry selects. */
const monitoring: End = {
  namespace: 'monitoring',
  namespaceLabels: { [NAME_LABEL]: 'monitoring' },
  labels: { 'app.kubernetes.io/name': 'prometheus' },
  address: '2001:db8::ffff',
};
const addresses: End[] = ['10.16.0.5', '10.16.0.130', '10.60.8.9', '192.0.2.1', '198.51.100.7'].map(
  (address) => ({ address }),
);
const ports: EndPort[] = [
  { port: 9047, name: '', protocol: 'TCP' },
  { port: 8443, name: 'https', protocol: 'TCP' },
  { port: 53, name: 'dns', protocol: 'UDP' },
];

const asked = judge ? clusters : [];
(judge ? test : test.skip)('dist/ was read', () => {
  expect(problems).toEqual([]);
  expect(asked.map(({ name }) => name)).toEqual(['arn1', 'fra1']);
});

(judge ? test.each(asked) : test.skip.each(clusters))(
  'on $name, the rendered policies give the connections of cyclonus',
  ({ objects }) => {
    const all = [...objects];
    const network = new PodNetwork(all);
    const policies = all.filter(({ kind }: KubeObject) => kind === 'NetworkPolicy');
    const ends = [...podsIn(network), monitoring, ...addresses];
    const [isAllowed] = judge!([{ policies, ends, ports }]);
    const differs: unknown[] = [];
    let allowed = 0;
    ends.forEach((from, i) =>
      ends.forEach((to, j) => {
        if (from.namespace === undefined && to.namespace === undefined) return;
        ports.forEach((port, k) => {
          const verdict = isAllowed!(i, j, k);
          if (verdict) allowed += 1;
          if (isListed(network, from, to, port) !== verdict) {
            differs.push({ from, to, port, verdict });
          }
        });
      }),
    );
    expect(differs).toEqual([]);
    expect(allowed).toBeGreaterThan(ends.length * ports.length);
  },
);
