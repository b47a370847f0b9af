import type { Immutable } from '@tenantry/kube/immutable';
import type { NetworkPolicyPeer } from '@tenantry/kube/api/networking';
import type { Findings } from '@tenantry/kube/finding';
import { didYouMean, formatList, show, type Path } from '@tenantry/kube/problem';
import { listPeerFaults } from '@tenantry/kube/network-policy-faults';
import { resolvePod } from '../resolved-pod.ts';
import type { OperatorSpec } from '../spec.ts';
import { reportSelector } from './selector.ts';

/** Reports connections that an API server would refuse, and lists that would mean everybody. */
export function reportNetwork(spec: OperatorSpec, findings: Findings): void {
  const { network } = spec;
  if (!network) return;
  const { dnsPorts = [], apiServerPorts = [], destinations = [], monitoring, dns } = network;
  reportPorts(['network', 'dnsPorts'], dnsPorts, findings);
  reportPorts(['network', 'apiServerPorts'], apiServerPorts, findings);
  reportPeers(['network', 'monitoring'], monitoring, findings);
  reportPeers(['network', 'dns'], dns, findings);
  for (const [i, { ports, to }] of destinations.entries()) {
    const path = ['network', 'destinations', i];
    reportPorts([...path, 'ports'], ports, findings);
    if (ports.length === 0) {
      const message = 'must name ports, got an empty list: that is all of them';
      findings.addError([...path, 'ports'], message, 'port');
    }
    reportPeers([...path, 'to'], to, findings);
    if (to?.length !== 0) continue;
    findings.addError([...path, 'to'], 'must name peers or be left out, got an empty list', 'port');
  }
  reportClients(spec, findings);
}

function reportClients(spec: OperatorSpec, findings: Findings): void {
  const { clients = [] } = spec.network || {};
  const known = resolvePod(spec).containers.flatMap(({ ports }) => ports.map(({ name }) => name));
  for (const [i, { from, ports }] of clients.entries()) {
    const path = ['network', 'clients', i];
    reportPeers([...path, 'from'], from, findings);
    if (from.length === 0) {
      const message = 'must name peers, got an empty list: that is everybody';
      findings.addError([...path, 'from'], message, 'port');
    }
    if (ports.length === 0) {
      const message = 'must name ports, got an empty list: that is all of them';
      findings.addError([...path, 'ports'], message, 'port');
    }
    for (const [j, name] of ports.entries()) {
      if (known.includes(name)) continue;
      const there = known.length === 0 ? 'none is declared' : `one of ${formatList(known)}`;
      const message = `must be a declared port (${there}), got ${show(name)}`;
      findings.addError([...path, 'ports', j], message, 'port');
    }
  }
}

/** Reports invalid ports of other hosts. */
function reportPorts(path: Path, ports: readonly number[], findings: Findings): void {
  for (const [i, port] of ports.entries()) {
    if (Number.isInteger(port) && port >= 1 && port <= 65_535) continue;
    findings.addError([...path, i], `must be a port from 1 to 65535, got ${show(port)}`, 'port');
  }
}

function reportPeers(
  at: Path,
  peers: readonly Immutable<NetworkPolicyPeer>[] = [],
  findings: Findings,
): void {
  for (const [i, peer] of peers.entries()) {
    const path = [...at, i];
    const selectors = (['namespaceSelector', 'podSelector'] as const).filter((name) => peer[name]);
    for (const name of selectors) reportSelector([...path, name], peer[name]!, findings);
    // The selectors have been reported already.
    const shape = { ...peer, ...Object.fromEntries(selectors.map((name) => [name, {}])) };
    for (const { at: where, message, meant } of listPeerFaults(shape, path)) {
      findings.addError(where, `${message}${didYouMean(meant)}`, 'peer');
    }
  }
}
