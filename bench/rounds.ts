import type { KubeObject } from '@tenantry/kube/object';
import { members, OBJECTS } from './fleet.ts';
import { measure } from './measure.ts';
import { countObjects, difference, readObjects } from './outputs.ts';
import type { Peer, Prepared, Written } from './peers/peer.ts';
import type { Results } from './results.ts';
import { objectsOf } from './template.ts';
import type { Workspace } from './workspace.ts';

/** Seconds: a program that takes longer runs once. */
const TIMEOUT = 30;
/** The largest fleet whose objects are all compared; those of larger fleets are counted. */
const COMPARED = 500;

/** A program with its input. */
export interface Entrant {
  /** Its name in the results. */
  readonly name: string;
  readonly ready: Prepared;
}

/** The expected output of all programs of a race. */
export interface Race {
  /** The size in the results. */
  readonly size: number;
  /** A short title for progress output. */
  readonly title: string;
  readonly count: number;
  /** The expected objects; undefined: they are only counted. */
  readonly objects?: readonly KubeObject[];
}

/** Runs the peers on a fleet that varies only in its size. */
export function measurePeers(
  workspace: Workspace,
  peers: readonly Peer[],
  size: number,
  runs: number,
  results: Results,
): void {
  const fleet = members(size);
  const entrants = peers
    .filter(({ limit }) => limit === undefined || size <= limit.size)
    .map((peer) => ({ name: peer.name, ready: peer.prepare(workspace, fleet) }));
  const race = {
    size,
    title: `${size} tenants`,
    count: OBJECTS * size,
    ...(size <= COMPARED && { objects: fleet.flatMap(objectsOf) }),
  };
  measureRounds(workspace, entrants, race, runs, results);
}

/** Runs programs in turns, a round at a time, and checks their output. */
export function measureRounds(
  workspace: Workspace,
  entrants: readonly Entrant[],
  race: Race,
  runs: number,
  results: Results,
): void {
  for (let round = 0; round < runs; round++) {
    for (const { name, ready } of entrants) {
      if ((results.median(name, race.size) ?? 0) > TIMEOUT) continue;
      const run = { out: workspace.path(name), stdout: workspace.path(`${name}.txt`) };
      const measurement = measure(ready.command(run.out), run.stdout);
      results.add(name, race.size, round, measurement);
      console.error(`  ${race.title}, run ${round + 1}: ${name} ${measurement.wall.toFixed(2)} s`);
      if (round === 0) checkOutput(name, ready, run, race);
    }
  }
}

/** Compares the output of a run with the expected output of the race. */
function checkOutput(name: string, ready: Prepared, run: Written, race: Race): void {
  const output = ready.output(run);
  const { objects } = race;
  if (!objects) return assertCount(name, race.count, countObjects(output));
  const got = readObjects(output);
  assertCount(name, race.count, got.length);
  const other = difference(objects, got);
  if (other !== undefined) throw new Error(`${name}: ${other}`);
}

function assertCount(name: string, wanted: number, got: number): void {
  if (got !== wanted) throw new Error(`${name} must give ${wanted} objects, got ${got}`);
}
