import { warningAt, type Finding } from '../../../kube/finding.ts';
import { formatPorts } from '../../../kube/network-policy.ts';
import {
  formatBrief,
  didYouMean,
  formatList,
  findNearest,
  show,
  type Path,
} from '../../../kube/problem.ts';
import type { PeerFault } from './networks.ts';

/** Builds the finding about a peer, at the place that names it. */
export function buildPeerFinding(path: Path, fault: PeerFault, meant: string | undefined): Finding {
  const { kind, peer, namespaces, clusters, owner, direction, ports } = fault;
  const own = formatList(namespaces);
  if (kind === 'unknown') {
    const must =
      'must be a namespace that a tenant has, or externalNamespaces of the platform names';
    const message = `${must}, got ${show(peer)}${didYouMean(meant)}`;
    return warningAt(path, message, 'unknown-peer');
  }
  const got = `got ${show(peer)} of tenant ${owner}`;
  if (kind === 'absent') {
    const message = `must be a namespace on ${formatList(clusters)}, where ${own} is, ${got}, which is not`;
    return warningAt(path, message, 'absent-peer');
  }
  const on = ports ? ` on ${formatBrief(formatPorts(ports.own))}` : '';
  const which = ports
    ? `which does so on ${formatBrief(formatPorts(ports.theirs))} alone`
    : 'which does not';
  const message =
    direction === 'Egress'
      ? `must be a namespace that lets in what comes from ${own}${on}, ${got}, ${which}: allowFrom there can`
      : `must be a namespace that lets its pods out to ${own}${on}, ${got}, ${which}: allowTo there can`;
  return warningAt(path, message, 'one-sided-peer');
}

/** The maximum number of unknown names that are compared with all known names; a fleet has tens of thousands. */
const MOST_COMPARED = 20;

/** Finds the known name nearest to an unknown one, for a limited number of unknown names. */
export class NearestNames {
  readonly #names: () => ReadonlySet<string>;
  readonly #found = new Map<string, string | undefined>();
  #known: ReadonlySet<string> | undefined;

  constructor(names: () => ReadonlySet<string>) {
    this.#names = names;
  }

  find(name: string): string | undefined {
    if (!this.#found.has(name) && this.#found.size < MOST_COMPARED) {
      this.#known ??= this.#names();
      this.#found.set(name, findNearest(name, this.#known));
    }
    return this.#found.get(name);
  }
}
