import type * as networking from './api/networking.ts';
import { describeInvalidCidr, contains, parseCidr, type InvalidCidr } from './address.ts';
import type { Immutable } from './immutable.ts';
import { listSelectorFaults } from './label-selector.ts';
import { formatBrief, show, type Path } from './problem.ts';

type NetworkPolicySpec = Immutable<networking.NetworkPolicySpec>;
type Peer = Immutable<networking.NetworkPolicyPeer>;

type Ports = NonNullable<NonNullable<NetworkPolicySpec['ingress']>[number]['ports']>;

/** A problem with a policy, and its place in the policy's spec. */
export interface PolicyFault extends InvalidCidr {
  readonly at: Path;
}

/**
 * Lists problems with a NetworkPolicy beyond its schema, by Kubernetes' own rules.
 * Source: k8s.io/kubernetes pkg/apis/networking/validation ValidateNetworkPolicySpec
 */
export function listPolicyFaults(spec: NetworkPolicySpec): PolicyFault[] {
  const rules = [
    ...(spec.ingress ?? []).map(({ from, ports }, i) => {
      return { at: ['ingress', i], side: 'from', peers: from, ports };
    }),
    ...(spec.egress ?? []).map(({ to, ports }, i) => {
      return { at: ['egress', i], side: 'to', peers: to, ports };
    }),
  ];
  return [
    ...toPolicyFaults(['podSelector'], listSelectorFaults(spec.podSelector)),
    ...rules.flatMap(({ at, side, peers = [], ports = [] }) => [
      ...peers.flatMap((peer, i) => listPeerFaults(peer, [...at, side, i])),
      ...toPolicyFaults([...at, 'ports'], listPortFaults(ports)),
    ]),
  ];
}

function toPolicyFaults(at: Path, faults: readonly string[]): PolicyFault[] {
  return faults.map((message) => ({ at, message }));
}

/** Lists problems with one peer of a rule; `at` is its place. */
export function listPeerFaults(peer: Peer, at: Path): PolicyFault[] {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  if (!ipBlock) {
    if (!namespaceSelector && !podSelector)
      return toPolicyFaults(at, ['must have a peer, got an empty one']);
    return toPolicyFaults(at, [
      ...listSelectorFaults(namespaceSelector),
      ...listSelectorFaults(podSelector),
    ]);
  }
  const both = 'must have either an ipBlock or selectors in a peer, got both';
  const block = parseCidr(ipBlock.cidr);
  return [
    ...toPolicyFaults(at, namespaceSelector || podSelector ? [both] : []),
    ...(block ? [] : [{ at: [...at, 'ipBlock', 'cidr'], ...describeInvalidCidr(ipBlock.cidr) }]),
    ...(ipBlock.except ?? []).flatMap((except, i) => {
      const part = parseCidr(except);
      const isInside = block && part && part.bits !== block.bits && contains(block, part);
      if (isInside || (part && !block)) return [];
      const message = `must except a part of ${formatBrief(ipBlock.cidr)}, got ${show(except)}`;
      return [
        {
          at: [...at, 'ipBlock', 'except', i],
          ...(part ? { message } : describeInvalidCidr(except)),
        },
      ];
    }),
  ];
}

function listPortFaults(ports: Ports): string[] {
  return ports.flatMap(({ port, endPort }) => {
    if (endPort === undefined) return [];
    if (typeof port !== 'number') return ['must have a port number where endPort is given'];
    return endPort < port ? [`must have an endPort of at least ${port}, got ${endPort}`] : [];
  });
}

/**
 * The addresses of the metadata services of clouds, which give the credentials of a node to any client.
 * Source: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html,
 * https://cloud.google.com/compute/docs/metadata/querying-metadata
 */
const services = ['169.254.169.254/32', 'fd00:ec2::254/128', 'fd20:ce::254/128'];

const WHY = 'the metadata service of clouds, which gives pods the credentials of the node';

type Port = NonNullable<NonNullable<NetworkPolicySpec['egress']>[number]['ports']>[number];

/** Lists where the egress of a policy includes a metadata service without naming it alone. */
export function listMetadataServiceFaults({
  egress = [],
  policyTypes,
}: NetworkPolicySpec): PolicyFault[] {
  if (policyTypes && !policyTypes.includes('Egress')) return [];
  return egress.flatMap(({ to = [], ports = [] }, i) => {
    if (ports.length > 0 && !ports.some(opensPort)) return [];
    const at: Path = ['egress', i];
    if (to.length === 0) {
      return [
        {
          at,
          message: `must have peers that except ${services[0]}, ${WHY}, got a rule without peers`,
        },
      ];
    }
    return to.flatMap(({ ipBlock }, j) => {
      if (!ipBlock) return [];
      const missing = services.filter((service) => exposesService(ipBlock, service));
      if (missing.length === 0) return [];
      const message = `must except ${missing.join(', ')}, ${WHY}, got ${show(ipBlock.cidr)}`;
      return [{ at: [...at, 'to', j, 'ipBlock', 'cidr'], message }];
    });
  });
}

/** The only port of these services. */
const PORT = 80;

/** Whether an egress rule opens the port of the services. Named ports are those of pods. */
function opensPort({ protocol = 'TCP', port, endPort }: Port): boolean {
  if (protocol !== 'TCP' || typeof port === 'string') return false;
  return port === undefined || (port <= PORT && PORT <= (endPort ?? port));
}

interface Block {
  readonly cidr: string;
  readonly except?: readonly string[];
}

/** Whether a block contains the address among others, and does not except it. */
function exposesService({ cidr, except = [] }: Block, service: string): boolean {
  const [block, address] = [parseCidr(cidr), parseCidr(service)!];
  if (!block || !contains(block, address) || block.bits === address.bits) return false;
  return !except.some((one) => {
    const part = parseCidr(one);
    // An invalid block is an error of its own.
    return part === undefined || contains(part, address);
  });
}
