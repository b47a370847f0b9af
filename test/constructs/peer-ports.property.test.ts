import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Fleet } from '../../model/fleet.ts';
import type { PeerFault } from '../../model/connections/networks.ts';
import type { NetworkPolicySpec } from '../../crds/network.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

type PolicyPort = NonNullable<NonNullable<NetworkPolicySpec['ingress']>[number]['ports']>[number];
type Ports = readonly PolicyPort[] | undefined;

/** The port numbers in these tests; the last one represents all others. */
const NUMBERS = [1, 2, 3, 4, 5, 6, 65535];
const NAMES = ['http', 'web'];
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'] as const;

const protocol = fc.constantFrom(...PROTOCOLS);
const number = fc.constantFrom(1, 2, 3, 4, 5);
const port: fc.Arbitrary<PolicyPort> = fc.oneof(
  fc.record({ port: number, protocol }, { requiredKeys: ['port'] }),
  fc
    .tuple(number, fc.integer({ min: 0, max: 2 }))
    .map(([first, more]) => ({ port: first, endPort: first + more })),
  fc.record({ port: fc.constantFrom(...NAMES), protocol }, { requiredKeys: ['port'] }),
  fc.record({ protocol }),
);
const ports: fc.Arbitrary<Ports> = fc.option(fc.array(port, { minLength: 1, maxLength: 2 }), {
  nil: undefined,
});

/** A port of a container: its number, its protocol, and its names in the container. */
interface ContainerPort {
  readonly number: number;
  readonly protocol: string;
  readonly names: readonly string[];
}

const everyNaming: readonly (readonly string[])[] = [[], ['http'], ['web'], ['http', 'web']];
const universe: readonly ContainerPort[] = PROTOCOLS.flatMap((protocol) =>
  NUMBERS.flatMap((number) => everyNaming.map((names) => ({ protocol, number, names }))),
);

/** Whether a rule allows one port, as Kubernetes documents NetworkPolicyPort. */
function lets(rule: Ports, { number, protocol, names }: ContainerPort): boolean {
  if (rule === undefined) return true;
  return rule.some(({ port: wanted, endPort, protocol: of = 'TCP' }) => {
    if (of !== protocol) return false;
    if (typeof wanted === 'string') return names.includes(wanted);
    if (wanted === undefined) return true;
    return endPort === undefined ? number === wanted : wanted <= number && number <= endPort;
  });
}

const rule = (namespace: string, of: Ports) => ({
  name: 'x',
  namespaces: [namespace],
  ...(of && { ports: [...of] }),
});

/** Returns the findings about shop and till, whose rules set the ports between them. */
function faults(out: readonly Ports[], into: readonly Ports[]): PeerFault[] {
  const fleet = new Fleet();
  const named = (list: readonly Ports[], to: string) =>
    list.map((one, i) => ({ ...rule(to, one), name: `x${i}` }));
  const shop = { egress: 'Closed' as const, allowTo: named(out, 'till') };
  fleet.add({ name: 'shop', spec: { network: shop } }, 'a');
  fleet.add({ name: 'till', spec: { network: { allowFrom: named(into, 'shop') } } }, 'b');
  return fleet.networks.findFaults();
}

test('a rule is one-sided when no port is allowed by both sides', () => {
  const sides = fc.array(ports, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(sides, sides, (out, into) => {
      const isOdd = (own: Ports, theirs: readonly Ports[]): boolean =>
        !universe.some((one) => lets(own, one) && theirs.some((their) => lets(their, one)));
      const expected = [
        ...out.flatMap((one, i) => (isOdd(one, into) ? [`shop x${i}`] : [])),
        ...into.flatMap((one, i) => (isOdd(one, out) ? [`till x${i}`] : [])),
      ];
      const found = faults(out, into);
      expect(found.map(({ tenant, policy }) => `${tenant} ${policy}`)).toEqual(expected);
      for (const { kind, ports: foundPorts } of found) {
        expect(kind).toBe('one-sided');
        expect(foundPorts).toBeDefined();
      }
    }),
    runs(300),
  );
});
