import type { Immutable } from '@tenantry/kube/immutable';
import type { NetworkPolicyPeer } from '@tenantry/kube/api/networking';
import type { Findings } from '@tenantry/kube/finding';
import { didYouMean, formatList, show, type Path, showWhole } from '@tenantry/kube/problem';
import { listPeerFaults } from '@tenantry/kube/network-policy-faults';
import { resolvePod } from '../resolved-pod.ts';
import type { OperatorSpec, AdmissionRule, OperatorAdmission } from '../spec.ts';
import { reportSelector } from './selector.ts';
import { A_SUBDOMAIN, isSubdomain } from '@tenantry/kube/names';
import { manifestOf } from '../names.ts';

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

type At = readonly (string | number)[];

/** Reports errors in the webhooks: each needs a name, a path and the requests that it handles. */
export function reportWebhooks(spec: OperatorSpec, findings: Findings): void {
  const { webhooks } = spec;
  if (!webhooks) return;
  const { certificates, conversion = [], validating = [], mutating = [] } = webhooks;
  if (conversion.length + validating.length + mutating.length === 0) {
    const message = 'must contain a webhook, got none; leave the field out without webhooks';
    findings.addError(['webhooks'], message, 'webhook');
  }
  if (typeof certificates === 'object' && !isSubdomain(certificates.issuer.name)) {
    const message = `must be ${A_SUBDOMAIN}, got ${show(certificates.issuer.name)}`;
    findings.addError(['webhooks', 'certificates', 'issuer', 'name'], message, 'webhook');
  }
  reportConversions(spec, findings);
  reportAdmissions(['webhooks', 'validating'], validating, findings);
  reportAdmissions(['webhooks', 'mutating'], mutating, findings);
}

function reportConversions({ owned = [], webhooks }: OperatorSpec, findings: Findings): void {
  const names = new Set(owned.map((kind) => manifestOf(kind).metadata.name));
  const seen = new Set<string>();
  for (const [i, { kind, path }] of (webhooks?.conversion ?? []).entries()) {
    const at = ['webhooks', 'conversion', i];
    const { name } = manifestOf(kind).metadata;
    if (!names.has(name)) {
      const message = `must be one of owned, got ${showWhole(name)}`;
      findings.addError([...at, 'kind'], message, 'webhook');
    } else if (seen.has(name)) {
      findings.addError(
        [...at, 'kind'],
        `must be named once, got ${showWhole(name)} again`,
        'webhook',
      );
    }
    seen.add(name);
    reportPath([...at, 'path'], path, findings);
  }
}

function reportAdmissions(at: At, all: readonly OperatorAdmission[], findings: Findings): void {
  const names = new Set<string>();
  for (const [i, one] of all.entries()) {
    const path = [...at, i];
    const { name, rules, timeout = 10, failurePolicy = 'Fail' } = one;
    if (!isSubdomain(name) || name.split('.').length < 3) {
      const message = `must be a DNS name with two dots or more, such as 'owners.shops.example.com', got ${show(name)}`;
      findings.addError([...path, 'name'], message, 'webhook');
    } else if (names.has(name)) {
      const message = `must be a name of its own, got ${show(name)} again`;
      findings.addError([...path, 'name'], message, 'webhook');
    }
    names.add(name);
    reportPath([...path, 'path'], one.path, findings);
    if (!Number.isInteger(timeout) || timeout < 1 || timeout > 30) {
      const message = `must be a whole number of seconds from 1 to 30, got ${show(timeout)}`;
      findings.addError([...path, 'timeout'], message, 'webhook');
    }
    if (rules.length === 0) {
      const message = 'must name the requests that it handles, got an empty list';
      findings.addError([...path, 'rules'], message, 'webhook');
    }
    for (const [j, rule] of rules.entries()) {
      reportRule([...path, 'rules', j], rule, failurePolicy === 'Fail', findings);
    }
  }
}

function reportPath(at: At, path: string | undefined, findings: Findings): void {
  if (path === undefined || /^\/[^?#\s]*$/.test(path)) return;
  findings.addError(at, `must be a path from '/' on, got ${show(path)}`, 'webhook');
}

function reportRule(at: At, rule: AdmissionRule, isFatal: boolean, findings: Findings): void {
  for (const field of ['groups', 'versions', 'resources', 'operations'] as const) {
    const values: readonly string[] = rule[field];
    if (values.length === 0) {
      findings.addError([...at, field], 'must not be an empty list', 'webhook');
    }
    if (
      !isFatal ||
      field === 'versions' ||
      !values.some((one) => /(^|\/)\*/.test(one) || one === '*')
    ) {
      continue;
    }
    const message = `must name each of them, got '*': while the operator does not answer, no matching object could be written`;
    findings.addError([...at, field], message, 'webhook');
  }
}
