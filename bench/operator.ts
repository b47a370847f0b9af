/**
 * `npm run bench:operator` measures the tenant operator, and a controller that compares by dry-run
 * apply. They run in turns against the same API server. It builds both programs, starts the server and
 * loads it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectionFrom } from '@tenantry/runtime';
import { startCluster, type Cluster } from '@tenantry/testing/controlplane/cluster';
import { contenders, desiredFolder, type Contender, type Prepared } from './operator/contenders.ts';
import { tenantOperator } from './operator/document.ts';
import { TenantObserver } from './operator/observer.ts';
import { parseOptions, type Options } from './operator/options.ts';
import { run as race, type Entrant, type Quantity } from './operator/race.ts';
import { tenantsOf, writeDesired } from './operator/tenants.ts';
import { writeSection } from './page.ts';
import { Results } from './results.ts';
import { AuditLog } from './runtime/audit.ts';
import { Workspace } from './workspace.ts';

const AGENT = 'tenantry-bench';

/** Logs requests of operators without their bodies, so that the log costs the server little. */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata', users: contenders.map(({ name }) => name) }, { level: 'None' }],
};

type Ready = readonly [contender: Contender, prepared: Prepared];

async function prepared(workspace: Workspace, wanted: (name: string) => boolean) {
  const ready: Ready[] = [];
  const missing: { readonly title: string; readonly reason: string }[] = [];
  for (const contender of contenders.filter(({ name }) => wanted(name))) {
    const made = await contender.prepare(workspace);
    if (made.missing === undefined) ready.push([contender, made]);
    else missing.push({ title: contender.title, reason: made.missing });
  }
  for (const { title, reason } of missing) console.error(`skipped: ${title}: ${reason}`);
  return { ready, missing };
}

/** Adds a user for each operator, so that the audit log separates their requests. */
function entrantOf([{ name }, made]: Ready, cluster: Cluster, log: string): Entrant {
  const user = cluster.user(name, { groups: ['system:masters'] });
  const KUBECONFIG = cluster.kubeconfigFile(name, user);
  const { file, args, env, metrics } = made;
  return { user: name, command: { file, args, env: { ...env, KUBECONFIG }, log }, metrics };
}

function log(name: string, size: number, run: Awaited<ReturnType<typeof race>>): void {
  const words = Object.entries(run).map(([of, value]) => `${of} ${Number(value).toFixed(2)}`);
  console.error(`  ${name}, ${size} tenants: ${words.join(', ')}`);
}

async function run(options: Options): Promise<void> {
  const begun = performance.now();
  const workspace = new Workspace();
  const policy = join(workspace.folder, 'audit-policy.json');
  writeFileSync(policy, JSON.stringify(auditPolicy));
  const { ready, missing } = await prepared(workspace, (name) => options.only?.has(name) ?? true);
  await using cluster = await startCluster({ apiServerFlags: [`--audit-policy-file=${policy}`] });
  const kubeconfig = cluster.kubeconfigFile('bench');
  const observer = new TenantObserver(await connectionFrom({ kubeconfig }), AGENT);
  const results = new Results<Quantity>();
  let loading = 0;
  try {
    await observer.begin();
    const audit = new AuditLog(join(cluster.details.folder, 'audit.log'), AGENT);
    let before = 0;
    for (const size of options.tenants) {
      const tenants = tenantsOf(size);
      writeDesired(desiredFolder(workspace), tenants);
      const loaded = performance.now();
      await observer.add(tenants.slice(before));
      loading += performance.now() - loaded;
      before = size;
      for (const one of ready) {
        const [{ name }] = one;
        const entrant = entrantOf(one, cluster, workspace.path(`${name}.log`));
        const measured = await race(entrant, {
          observer,
          audit,
          tenants,
          seconds: options.seconds,
        });
        results.add(name, size, 0, measured);
        log(name, size, measured);
      }
    }
    const took = { all: (performance.now() - begun) / 60_000, loading: loading / 60_000 };
    const section = tenantOperator(results, { options, missing, took });
    console.log(section);
    if (options.write) await writeSection('The tenant operator beside dry runs', section);
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
