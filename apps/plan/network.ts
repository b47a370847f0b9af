import {
  networkReport,
  sideText,
  type ReportedConnection,
  type ReportedSide,
} from '../network-report.ts';
import { EVERY_PORT, intersectPorts, formatPorts } from '@tenantry/kube/network-policy';
import { formatCanonicalJson } from '@tenantry/kube/json';
import { definePlanRules, type ReportChange, type ChangeLocation } from './change.ts';
import { NETWORK_GROUP, filterByKind, type ClusterChange, type Pair } from './cluster-changes.ts';

const rules = definePlanRules('network', {
  everyone: [
    'network-opened-to-all',
    'high',
    'any peer inside or outside the cluster may reach pods of a namespace, or these pods may reach any peer',
  ],
  opened: [
    'network-opened',
    'medium',
    'pods of a namespace may connect to more peers than before, where both sides allow it',
  ],
  closed: ['network-closed', 'medium', 'a connection is no longer allowed'],
});

export const networkRules = Object.values(rules);

type Direction = 'in' | 'out';

/** Reports new and lost connections of namespaces whose own policies or labels change. */
export function judgeNetwork(
  { cluster, pairs, before, after }: ClusterChange,
  report: ReportChange,
): void {
  const touched = touchedBy(pairs);
  if (touched.size === 0) return;
  const [old, now] = [before, after].map((objects) => {
    const [network] = networkReport([{ name: cluster, objects }], { namespaces: touched });
    return new Map((network?.namespaces ?? []).map((one) => [one.name, one]));
  });
  for (const [name, has] of now!) {
    const { namespace = name, ...where } = touched.get(name)!;
    const at = { ...where, namespace };
    const had = old!.get(name);
    for (const direction of ['in', 'out'] as const) {
      reportOpened(had?.[direction], has[direction], direction, at, report);
      if (had) reportClosed(had[direction], has[direction], direction, at, report);
    }
  }
}

/** Returns the namespaces that change, or that have a policy which changes. */
function touchedBy(pairs: readonly Pair[]): ReadonlyMap<string, ChangeLocation> {
  const found = new Map<string, ChangeLocation>();
  for (const { where } of filterByKind(pairs, NETWORK_GROUP, 'NetworkPolicy')) {
    found.set(where.namespace ?? 'default', where);
  }
  for (const { where } of filterByKind(pairs, '', 'Namespace')) found.set(where.namespace!, where);
  return found;
}

/** Reports opened connections. For a new namespace it reports only that every peer may connect. */
function reportOpened(
  had: readonly ReportedConnection[] | undefined,
  has: readonly ReportedConnection[],
  direction: Direction,
  where: ChangeLocation,
  report: ReportChange,
): void {
  for (const one of has) {
    if (had && isCovered(one, had)) continue;
    const rule = isForAll(one) ? rules.everyone : rules.opened;
    if (had || (rule === rules.everyone && direction === 'in')) {
      const detail = { kind: 'connection', direction, with: one.with } as const;
      report(rule, subject(one), `may now ${words(one, direction)}`, where, detail);
    }
  }
}

function reportClosed(
  had: readonly ReportedConnection[],
  has: readonly ReportedConnection[],
  direction: Direction,
  where: ChangeLocation,
  report: ReportChange,
): void {
  for (const one of had) {
    if (!isCovered(one, has)) {
      report(rules.closed, subject(one), `may no longer ${words(one, direction)}`, where);
    }
  }
}

/** Whether another connection allows at least as much. */
export function isCovered(one: ReportedConnection, others: readonly ReportedConnection[]): boolean {
  return others.some((other) => {
    const isAnyone = other.with.kind === 'anyone' && other.with.everywhere;
    const sides = isAnyone || isSide(one.with, other.with);
    const pods = other.pods === undefined || other.pods === one.pods;
    return (
      sides &&
      pods &&
      formatCanonicalJson(intersectPorts(one.ports, other.ports)) === formatCanonicalJson(one.ports)
    );
  });
}

/** Whether a peer is the other one, or some pods of it. */
function isSide(one: ReportedSide, other: ReportedSide): boolean {
  const hasAllPods = other.kind !== 'addresses' && other.pods === undefined;
  const side = hasAllPods && 'pods' in one ? { ...one, pods: undefined } : one;
  return formatCanonicalJson(side) === formatCanonicalJson(other);
}

/** Whether the peer is any pod of the cluster or any address. */
function isForAll({ with: side }: ReportedConnection): boolean {
  if (side.kind === 'anyone') return side.pods === undefined;
  return side.kind === 'addresses' && side.cidr.endsWith('/0');
}

function subject({ pods }: ReportedConnection): string {
  return pods === undefined ? 'pods' : `pods with ${pods}`;
}

function words({ with: side, ports }: ReportedConnection, direction: Direction): string {
  const names = 'namespace' in side && side.namespace !== undefined ? [side.namespace] : [];
  const way = direction === 'in' ? 'be reached from' : 'reach';
  const isEvery = formatCanonicalJson(ports) === formatCanonicalJson(EVERY_PORT);
  return `${way} ${sideText(side, names)} on ${isEvery ? 'every port' : formatPorts(ports)}`;
}
