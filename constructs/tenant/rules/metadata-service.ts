import { contains, parseCidr } from '../../../kube/cidr.ts';
import { show, type Path } from '../../../kube/problem.ts';
import type { NetworkPolicySpec } from '../../../crds/tenantry/network.ts';
import type { PolicyFault } from './peers.ts';

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
