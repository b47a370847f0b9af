import { members, OBJECTS, type Member } from './fleet.ts';
import { measure } from './measure.ts';
import { difference } from './outputs.ts';
import type { Peer, Prepared, Written } from './peers/peer.ts';
import type { Results } from './results.ts';
import { objectsOf } from './template.ts';
import type { Workspace } from './workspace.ts';

/** In seconds: who takes longer is run once. */
const PATIENCE = 30;
/** The largest fleet of which every object is compared; of larger ones they are counted. */
const COMPARED = 500;

/** Runs the peers on a fleet in turns, a round at a time, and holds their output to what it must be. */
export function measureRounds(
  workspace: Workspace,
  peers: readonly Peer[],
  size: number,
  runs: number,
  results: Results,
): void {
  const fleet = members(size);
  const able = peers.filter(({ limit }) => limit === undefined || size <= limit.size);
  const prepared = able.map((peer) => [peer, peer.prepare(workspace, fleet)] as const);
  for (let round = 0; round < runs; round++) {
    for (const [peer, ready] of prepared) {
      if ((results.median(peer.name, size) ?? 0) > PATIENCE) continue;
      const run = { out: workspace.path(peer.name), stdout: workspace.path(`${peer.name}.txt`) };
      const measurement = measure(ready.command(run.out), run.stdout);
      results.add(peer.name, size, round, measurement);
      console.error(
        `  ${size} tenants, run ${round + 1}: ${peer.name} ${measurement.wall.toFixed(2)} s`,
      );
      if (round === 0) inspect(peer.name, ready, run, fleet);
    }
  }
}

/** Holds what a run left to the objects of the fleet. */
function inspect(name: string, ready: Prepared, run: Written, fleet: readonly Member[]): void {
  const wanted = OBJECTS * fleet.length;
  const count = ready.count(run);
  if (count !== wanted) throw new Error(`${name} must give ${wanted} objects, got ${count}`);
  if (fleet.length > COMPARED) return;
  const other = difference(fleet.flatMap(objectsOf), ready.objects(run));
  if (other !== undefined) throw new Error(`${name}: ${other}`);
}
