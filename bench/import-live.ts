/**
 * `npm run bench:import-live` measures `tenantry import --from-cluster` on a real API server, which has the real fleet,
 * repeated under other names. TENANTRY_FLEET names the folder of the fleet. With `-- --write`, it writes its section of
 * docs/reference/benchmarks.md.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '@tenantry/testing/controlplane/cluster';
import type { ImportReport } from '../cli/import-report.ts';
import { createObjects, readFleetObjects } from '../test/cluster/live-fleet.ts';
import { repeatFleet } from './fleet-copies.ts';
import { goalTable, most, number } from './goal.ts';
import { measure, median, type Measurement } from './measure.ts';
import { machine, writeSection } from './page.ts';
import { VARIABLE } from './real.ts';
import { Workspace } from './workspace.ts';

const { values } = parseArgs({
  options: {
    namespaces: { type: 'string', default: '1500' },
    runs: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
const [namespaces, runs] = [Number(values.namespaces), Number(values.runs)];

/** The goal for all namespaces together. */
const SECONDS = 30;
/** The goal for the requests of one kind. */
const REQUESTS = 20;

const KINDS = 'Certificate.cert-manager.io,NetworkPolicy.projectcalico.org,ServiceMonitor';

const fleet = process.env[VARIABLE];
if (!fleet) throw new Error(`${VARIABLE} must name the folder of a fleet`);
const workspace = new Workspace();
const { folder } = workspace;
const cluster = await startCluster();
try {
  workspace.build();
  repeatFleet(fleet, join(folder, 'fleet'), namespaces);
  const refusals = await createObjects(cluster.admin, readFleetObjects(join(folder, 'fleet')));
  if (refusals.length > 0) throw new Error(refusals.slice(0, 10).join('\n'));
  const kubeconfig = cluster.kubeconfigFile('bench');
  const taken: Measurement[] = [];
  for (let i = 0; i < runs; i += 1) {
    const cwd = join(folder, `run${i}`);
    mkdirSync(cwd);
    const words = ['import', '--from-cluster', '--kinds', KINDS, '--report', 'json'];
    const args = [workspace.built('cli/main.js'), ...words, '--kubeconfig', kubeconfig];
    taken.push(measure({ file: process.execPath, args, cwd }, join(folder, `report${i}.json`)));
  }
  const report = JSON.parse(readFileSync(join(folder, 'report0.json'), 'utf8')) as ImportReport;
  const { total, equal } = report.objects;
  const requests = (report.cluster?.kinds ?? []).map((one) => one.requests);
  const all = requests.reduce((sum, one) => sum + one, 0);
  const seconds = median(taken.map(({ wall }) => wall));
  const cpu = median(taken.map((one) => one.cpu ?? NaN));
  const load = median(taken.map((one) => one.load));
  const memory = Math.round(Math.max(...taken.flatMap((one) => one.memory ?? [])));
  const text = `${namespaces} namespaces of the real fleet and of copies of it under other names, in an API server and etcd on the same
machine: ${total} objects, of which ${equal} are equal, read with ${all} list requests. Whole processes; on ${machine()}, with a load of ${number(load)} before them.

| program | time | processor time | memory |
|---|---|---|---|
| \`tenantry import --from-cluster\` | ${number(seconds)} s | ${number(cpu)} s | ${memory} MB |

${goalTable([
  most(`${namespaces} namespaces`, seconds, SECONDS, 's'),
  most('one kind', Math.max(...requests), REQUESTS, 'list requests'),
])}
`;
  console.log(text);
  if (values.write) await writeSection('Importing from a cluster', text);
} finally {
  await cluster.stop();
  workspace.remove();
}
