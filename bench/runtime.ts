/**
 * `npm run bench:runtime` runs one operator on Tenantry's runtime and on controller-runtime, against
 * the same API server, in turns. It builds both programs and starts the server.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectionFrom } from '@tenantry/runtime';
import { startCluster } from '@tenantry/testing/controlplane/cluster';
import { writeSection } from './page.ts';
import { Results } from './results.ts';
import { AuditLog } from './runtime/audit.ts';
import { cachedObject } from './runtime/cached-object.ts';
import { contenders, ours, type Program } from './runtime/contenders.ts';
import { operators, workersOf, type Scope } from './runtime/document.ts';
import { Observer } from './runtime/observer.ts';
import { CACHE, parseOptions, PROFILE, type Options } from './runtime/options.ts';
import type { OperatorCommand } from './runtime/process.ts';
import { profile } from './runtime/profile.ts';
import { run as race, type Quantity, type Track } from './runtime/race.ts';
import { Workspace } from './workspace.ts';

const AGENT = 'tenantry-bench';

/** Logs who changed what, without bodies, so that the log costs the server little. */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'Metadata', verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] },
    { level: 'None' },
  ],
};

interface Entrant {
  readonly name: string;
  readonly program: Program;
}

async function prepared(workspace: Workspace, wanted: (name: string) => boolean) {
  const entrants: Entrant[] = [];
  const missing: { readonly title: string; readonly reason: string }[] = [];
  for (const { name, title, prepare } of contenders.filter((one) => wanted(one.name))) {
    const program = await prepare(workspace);
    if (program.missing === undefined) entrants.push({ name, program });
    else missing.push({ title, reason: program.missing });
  }
  for (const { title, reason } of missing) console.error(`skipped: ${title}: ${reason}`);
  return { entrants, missing };
}

async function measureAll(
  { objects, runs, workers: all }: Options,
  entrants: readonly Entrant[],
  track: Track,
  command: (entrant: Entrant, workers: number) => OperatorCommand,
): Promise<Results<Quantity>> {
  const results = new Results<Quantity>();
  for (const [i, workers] of all.entries()) {
    for (let round = 0; round < Math.max(1, i === 0 ? runs : runs - 1); round++) {
      // They alternate in the first place.
      const order = round % 2 === 0 ? entrants : entrants.toReversed();
      for (const entrant of order) {
        const measured = await race(command(entrant, workers), track);
        results.add(entrant.name, workers, round, measured);
        const { wall, memory, percentile99, restart } = measured;
        console.error(
          `  ${workersOf(workers)}, run ${round + 1}: ${entrant.name} ${objects} in ${wall.toFixed(1)} s, ${memory.toFixed(0)} MB, p99 ${percentile99.toFixed(1)} ms, restart ${restart.toFixed(2)} s`,
        );
      }
    }
  }
  return results;
}

async function run(options: Options): Promise<void> {
  const isSelected = (name: string): boolean => options.only?.has(name) ?? true;
  const { objects, changes, write } = options;
  const workspace = new Workspace();
  const policy = join(workspace.folder, 'audit-policy.json');
  writeFileSync(policy, JSON.stringify(auditPolicy));
  const { entrants, missing } = await prepared(workspace, isSelected);
  await using cluster = await startCluster({ apiServerFlags: [`--audit-policy-file=${policy}`] });
  const kubeconfig = cluster.kubeconfigFile('bench');
  const observer = new Observer(await connectionFrom({ kubeconfig }), AGENT);
  try {
    await observer.begin(objects);
    const command = ({ name, program }: Entrant, workers: number): OperatorCommand => ({
      ...program,
      env: { KUBECONFIG: kubeconfig, WORKERS: String(workers), OBJECTS: String(objects) },
      log: workspace.path(`${name}.log`),
    });
    const audit = new AuditLog(join(cluster.details.folder, 'audit.log'), AGENT);
    const track = { observer, audit, objects, changes };
    const results = await measureAll(options, entrants, track, command);
    const own = entrants.find(({ name }) => name === ours.name);
    const scope: Scope = {
      options,
      missing,
      cached: isSelected(CACHE) ? cachedObject() : undefined,
      shares:
        own && isSelected(PROFILE) ? await profile(workspace, command(own, 1), track) : undefined,
    };
    const section = operators(results, scope);
    console.log(section);
    if (write) await writeSection('Operators beside controller-runtime', section);
  } finally {
    observer.close();
    workspace.remove();
  }
}

const options = parseOptions(
  process.argv.slice(2),
  contenders.map(({ name }) => name),
);
// Lets the started processes end too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (options) await run(options);
