/** A real fleet, repeated: Tenantry renders Tenants, and the others the finished objects as data. */
import { synthIn } from './peers/declared.ts';
import type { Peer } from './peers/peer.ts';
import { repeatedFleet, writeRealFleet, type RealFleet } from './real-fleet.ts';
import type { Results } from './results.ts';
import { measureRounds } from './rounds.ts';
import type { Workspace } from './workspace.ts';

/** The variable with the folder of the fleet, also for its test. */
export const VARIABLE = 'TENANTRY_FLEET';
const NAMESPACES = 1500;

/** The runs on this fleet, for the page. */
export interface RealRuns {
  readonly fleet: RealFleet;
  readonly programs: readonly { readonly name: string; readonly title: string }[];
}

/** Returns the name of a peer's runs on this fleet in the results. */
const nameOf = (peer: string): string => `real ${peer}`;
export const OURS: string = nameOf('ours');

/** Runs the peers that can use the fleet of a folder. */
export function measureReal(
  workspace: Workspace,
  folder: string,
  peers: readonly Peer[],
  runs: number,
  results: Results,
): RealRuns {
  const fleet = repeatedFleet(folder, NAMESPACES);
  const cwd = workspace.fresh('real');
  writeRealFleet(cwd, fleet);
  const ours = {
    name: OURS,
    title: 'tenantry synth, Tenants in YAML',
    ready: synthIn(workspace, cwd),
  };
  const others = peers.flatMap((peer) => {
    const ready = peer.prepareData?.(workspace, fleet.finished);
    return ready ? [{ name: nameOf(peer.name), title: `${peer.title}, from data`, ready }] : [];
  });
  const objects = fleet.finished.flatMap((tenant) => tenant.objects);
  const race = {
    size: fleet.namespaces,
    title: `${fleet.namespaces} real namespaces`,
    count: objects.length,
    objects,
  };
  measureRounds(workspace, [ours, ...others], race, runs, results);
  return { fleet, programs: [ours, ...others] };
}
