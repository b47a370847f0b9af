/**
 * `npm run bench:synth` measures how long Tenantry and its peers take to render a fleet. It needs only
 * the packages; a peer that is not installed is skipped and named.
 */
import { availableParallelism, loadavg } from 'node:os';
import { benchmarks } from './document.ts';
import { measureIncremental } from './incremental.ts';
import { INCREMENTAL, parseOptions, PROFILE, REAL, type Options } from './options.ts';
import { writePage } from './page.ts';
import { peers } from './peers/all.ts';
import { describeMissing } from './peers/required-program.ts';
import type { Peer } from './peers/peer.ts';
import { profile, type Profiles } from './profile.ts';
import { measureReal, VARIABLE, type RealRuns } from './real.ts';
import { Results } from './results.ts';
import { measurePeers } from './rounds.ts';
import { LARGE, incrementalSize } from './sizes.ts';
import { Workspace } from './workspace.ts';

function isInstalled({ title, needs }: Peer): boolean {
  const why = needs && describeMissing(needs);
  if (why !== undefined) console.error(`skipped: ${title}: ${why}`);
  return why === undefined;
}

/** Warns of other load on the machine, which affects all numbers. */
function warnOfLoad(): void {
  const [load = 0] = loadavg();
  if (load < availableParallelism() / 2) return;
  console.error(
    `load average ${load.toFixed(1)}: this machine is busy, and times will be too long`,
  );
}

async function run({ sizes, runs, only, write }: Options): Promise<void> {
  warnOfLoad();
  const isSelected = (name: string): boolean => only?.has(name) ?? true;
  const needed = isSelected(REAL) ? peers : peers.filter(({ name }) => isSelected(name));
  const installed = needed.filter(isInstalled);
  const chosen = installed.filter(({ name }) => isSelected(name));
  const results = new Results();
  const workspace = new Workspace();
  const folder = process.env[VARIABLE];
  const measureSizes = (wanted: (size: number) => boolean): void => {
    for (const size of sizes.filter(wanted)) {
      measurePeers(workspace, chosen, size, runs, results);
    }
  };
  let real: RealRuns | undefined;
  let profiles: Profiles | undefined;
  try {
    workspace.build();
    measureSizes((size) => size <= LARGE);
    if (isSelected(INCREMENTAL))
      measureIncremental(workspace, incrementalSize(sizes), runs, results);
    if (isSelected(REAL)) {
      if (folder) real = measureReal(workspace, folder, installed, runs, results);
      else console.error(`skipped: the real fleet: ${VARIABLE} names no folder`);
    }
    if (isSelected(PROFILE)) profiles = profile(workspace, incrementalSize(sizes));
    // The largest fleet comes last, because a disk is slower for a while after so many files.
    measureSizes((size) => size > LARGE);
    const missing = needed.filter((peer) => !installed.includes(peer));
    const page = benchmarks(results, { peers, missing, sizes, runs, real, profiles });
    console.log(page);
    // Written before the folder is deleted, which takes minutes for a million files.
    if (write) await writePage(page);
  } finally {
    workspace.remove();
  }
}

const names = [...peers.map(({ name }) => name), INCREMENTAL, REAL, PROFILE];
const options = parseOptions(process.argv.slice(2), names);
if (options) await run(options);
