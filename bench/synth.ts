/**
 * `npm run bench:synth`: how long Tenantry takes to render a fleet, beside its peers. Needs nothing
 * but the packages; a peer that is not installed is skipped and named.
 */
import { spawnSync } from 'node:child_process';
import { benchmarks } from './document.ts';
import { measureLater } from './incremental.ts';
import { INCREMENTAL, optionsOf, type Options } from './options.ts';
import { writePage } from './page.ts';
import { peers } from './peers/all.ts';
import type { Peer } from './peers/peer.ts';
import { Results } from './results.ts';
import { measureRounds } from './rounds.ts';
import { Workspace } from './workspace.ts';

function isInstalled({ needs }: Peer): boolean {
  if (!needs) return true;
  const found = spawnSync(needs.program, ['--help'], { stdio: 'ignore' }).error === undefined;
  if (!found) console.error(`skipped: ${needs.program} is not installed (${needs.install})`);
  return found;
}

async function run({ sizes, runs, only, write }: Options): Promise<void> {
  const chosen = peers.filter(({ name }) => only?.has(name) ?? true).filter(isInstalled);
  const results = new Results();
  const workspace = new Workspace();
  try {
    workspace.build();
    for (const size of sizes) measureRounds(workspace, chosen, size, runs, results);
    if (only?.has(INCREMENTAL) ?? true) {
      measureLater(workspace, Math.max(...sizes), runs, results);
    }
  } finally {
    workspace.remove();
  }
  const page = benchmarks(results, { peers, sizes, runs });
  console.log(page);
  if (write) await writePage(page);
}

const options = optionsOf(process.argv.slice(2), [...peers.map(({ name }) => name), INCREMENTAL]);
if (options) await run(options);
