import {
  NearestNames,
  buildPeerFinding,
  findPeerPathInClass,
  findPeerPathInTenant,
} from '../model/connections/peer-findings.ts';
import { mergePortMismatches, type PeerFault } from '../model/connections/networks.ts';
import type { Fleet } from '../model/fleet.ts';
import { formatFinding, type Finding } from '@tenantry/kube/finding';
import type { Path, Problem } from '@tenantry/kube/problem';
import type { DeclaredClass, DeclaredTenant } from './declaration-files.ts';

/** Looks up the declaration that a warning is about. */
interface Declarants {
  /** Undefined for a tenant that no file declares. */
  tenant(name: string): DeclaredTenant | undefined;
  class(name: string): DeclaredClass | undefined;
}

/**
 * Warns about questionable namespaces in the policies of tenants. Each warning appears where the
 * name is written, and once for a class with many tenants. Call it when all tenants are known.
 */
export function peerWarnings(fleet: Fleet, declarants: Declarants): Problem[] {
  const faults = fleet.networks.findFaults();
  if (faults.length === 0) return [];
  const nearest = new NearestNames(() => fleet.networks.listNames());
  const classes = new Map(fleet.classes.all.map((one) => [one.name, one]));
  const ofClasses = new Map<
    string,
    { readonly klass: string; readonly path: Path; fault: PeerFault }
  >();
  const tenantWarnings: Problem[] = [];
  for (const fault of faults) {
    const klass = classes.get(fleet.networks.get(fault.tenant)?.className ?? '');
    const path = klass && findPeerPathInClass(klass.spec, fault);
    if (klass && path) {
      const key = JSON.stringify([klass.name, path, fault.kind]);
      const before = ofClasses.get(key)?.fault;
      const all = before ? mergeFaults(before, fault) : fault;
      ofClasses.set(key, { klass: klass.name, path, fault: all });
    } else tenantWarnings.push(...tenantWarning(fault, nearest, fleet, declarants));
  }
  const classWarnings = [...ofClasses.values()]
    // A class may serve tenants of several clusters, so an absent peer is no mistake of the class.
    .filter(({ fault }) => fault.kind !== 'absent')
    .map(({ klass, path, fault }) => {
      const finding = buildPeerFinding(path, fault, suggestPeer(fault, nearest));
      const declared = declarants.class(klass);
      return declared ? declared.problem(finding) : unplaced(`TenantClass ${klass}`, finding);
    });
  return [...classWarnings, ...tenantWarnings];
}

function tenantWarning(
  fault: PeerFault,
  nearest: NearestNames,
  fleet: Fleet,
  declarants: Declarants,
): Problem[] {
  const declared = declarants.tenant(fault.tenant);
  const path = (declared && findPeerPathInTenant(declared.spec, fault)) ?? ['spec', 'network'];
  // A peer that is set for all namespaces of a tenant need not be useful in each of them.
  if (fault.kind === 'absent' && !fault.isEverywhere && path[1] !== 'namespaces') return [];
  const finding = buildPeerFinding(path, fault, suggestPeer(fault, nearest));
  if (declared) return [declared.problem(finding)];
  return [unplaced(fleet.findPlace(fault.tenant) ?? fault.tenant, finding)];
}

function suggestPeer({ kind, peer }: PeerFault, nearest: NearestNames): string | undefined {
  return kind === 'unknown' ? nearest.find(peer) : undefined;
}

function mergeFaults({ ports: before, ...one }: PeerFault, other: PeerFault): PeerFault {
  const ports = mergePortMismatches(before, other.ports);
  return {
    ...one,
    ...(ports && { ports }),
    namespaces: [...one.namespaces, ...other.namespaces],
    clusters: [...new Set([...one.clusters, ...other.clusters])],
  };
}

function unplaced(where: string, finding: Finding): Problem {
  return { path: '', message: `${where} ${formatFinding(finding)}`, rule: finding.rule };
}
