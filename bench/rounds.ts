import type { KubeObject } from '../kube/object.ts';
import { members, OBJECTS } from './fleet.ts';
import { measure } from './measure.ts';
import { countObjects, difference, readObjects } from './outputs.ts';
import type { Peer, Prepared, Written } from './peers/peer.ts';
import type { Results } from './results.ts';
import { objectsOf } from './template.ts';
import type { Workspace } from './workspace.ts';

/** In seconds: who takes longer is run once. */
const PATIENCE = 30;
/** The largest fleet of which every object is compared; of larger ones they are counted. */
const COMPARED = 500;

/** A program with its input. */
export interface Entrant {
  /** As the results have it. */
  readonly name: string;
  readonly ready: Prepared;
}

/** What all programs of a race are to give. */
export interface Race {
  /** As the results have it. */
  readonly size: number;
  /** The race in a word or two, for who watches. */
  readonly title: string;
  readonly count: number;
  /** The objects themselves; undefined: they are counted only. */
  readonly objects?: readonly KubeObject[];
}

/** Runs the peers on a fleet that differs in nothing but its size. */
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

/** Runs programs in turns, a round at a time, and holds their output to what it must be. */
export function measureRounds(
  workspace: Workspace,
  entrants: readonly Entrant[],
  race: Race,
  runs: number,
  results: Results,
): void {
  for (let round = 0; round < runs; round++) {
    for (const { name, ready } of entrants) {
      if ((results.median(name, race.size) ?? 0) > PATIENCE) continue;
      const run = { out: workspace.path(name), stdout: workspace.path(`${name}.txt`) };
      const measurement = measure(ready.command(run.out), run.stdout);
      results.add(name, race.size, round, measurement);
      console.error(`  ${race.title}, run ${round + 1}: ${name} ${measurement.wall.toFixed(2)} s`);
      if (round === 0) inspect(name, ready, run, race);
    }
  }
}

/** Holds what a run left to what the race asks for. */
function inspect(name: string, ready: Prepared, run: Written, race: Race): void {
  const output = ready.output(run);
  const { objects } = race;
  if (!objects) return holdCount(name, race.count, countObjects(output));
  const got = readObjects(output);
  holdCount(name, race.count, got.length);
  const other = difference(objects, got);
  if (other !== undefined) throw new Error(`${name}: ${other}`);
}

function holdCount(name: string, wanted: number, got: number): void {
  if (got !== wanted) throw new Error(`${name} must give ${wanted} objects, got ${got}`);
}
