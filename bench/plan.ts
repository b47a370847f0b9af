/**
 * `npm run bench:plan` measures `tenantry plan`, with its verdict, for one change in a large fleet that is rendered and
 * committed. TENANTRY_FLEET names the folder of a real fleet, which is measured too. With `-- --write`, it writes its
 * section of docs/reference/benchmarks.md.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { members, platform, productClass, specOf } from './fleet.ts';
import { goalTable, most, number } from './goal.ts';
import { commitOutput } from './incremental.ts';
import { grouped } from './markdown.ts';
import { measure, median, type Command, type Measurement } from './measure.ts';
import { machine, writeSection } from './page.ts';
import { VARIABLE } from './real.ts';
import { repeatedFleet, writeRealFleet } from './real-fleet.ts';
import { Workspace } from './workspace.ts';

const { values } = parseArgs({
  options: {
    namespaces: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
const [namespaces, runs] = [Number(values.namespaces), Number(values.runs)];

/** The goal for a plan. */
const SECONDS = 3;

interface PlannedFleet {
  readonly title: string;
  readonly platform: KubeObject;
  readonly klass: KubeObject;
  readonly tenants: readonly KubeObject[];
}

const object = (kind: string, name: string, spec: object): KubeObject => ({
  apiVersion: 'tenantry.dev/v1alpha1',
  kind,
  metadata: { name },
  spec,
});

/** The fleet of `bench:synth`, for Argo CD on one cluster: four files for each tenant in its folder. */
function syntheticFleet(): PlannedFleet {
  const source = { repoURL: 'https://git.example.com/platform/tenants.git' };
  const clusters = [{ name: 'fra1', server: 'https://api.fra1.example.com:6443' }];
  return {
    title: `${grouped(namespaces)} tenants`,
    platform: object('Platform', 'bench', { ...platform, argocd: { source }, clusters }),
    klass: object('TenantClass', 'product', productClass),
    tenants: members(namespaces).map((one) => object('Tenant', one.name, specOf(one))),
  };
}

function realFleet(folder: string): PlannedFleet {
  const fleet = repeatedFleet(folder, namespaces);
  return { ...fleet, title: `${grouped(fleet.namespaces)} real namespaces` };
}

/** Gives access to a group: to the tenant, or to its first namespace where that has access of its own. */
function withAnotherGroup(tenant: KubeObject): KubeObject {
  const { spec } = structuredClone(tenant) as unknown as { spec: Record<string, unknown> };
  const first = valueAt(spec, ['namespaces', 0]);
  const place = isMapping(first) ? first : spec;
  const access = isMapping(place['access']) ? place['access'] : {};
  const viewers = isMapping(access['viewers']) ? access['viewers'] : {};
  const groups = Array.isArray(viewers['groups']) ? viewers['groups'] : [];
  place['access'] = { ...access, viewers: { ...viewers, groups: [...groups, 'newcomers'] } };
  return { ...tenant, spec };
}

const workspace = new Workspace();

/** Measures plans in a folder of their own, in the order of the rows. */
function measurePlans({ title, ...fleet }: PlannedFleet): [row: string, taken: Measurement[]][] {
  const cwd = workspace.fresh('plan');
  const cache = workspace.fresh('cache');
  writeRealFleet(cwd, fleet);
  const run = (env: Readonly<Record<string, string>>, ...args: string[]): Measurement => {
    const main = workspace.built('cli/main.js');
    const command: Command = { file: process.execPath, args: [main, ...args, '--quiet'], cwd, env };
    return measure(command, workspace.path('plan.txt'));
  };
  const inCi = { CI: 'true' };
  const cached = { CI: '', TENANTRY_CACHE: cache };
  run(inCi, 'synth');
  commitOutput(cwd);
  const tenant = fleet.tenants[Math.floor(fleet.tenants.length / 2)]!;
  const file = join(cwd, 'tenants', `${tenant.metadata.name}.yaml`);
  writeFileSync(file, emitYaml([withAnotherGroup(tenant)]));
  // Fills the cache.
  run(cached, 'plan');
  const rows: [string, Measurement[]][] = [
    [`\`tenantry plan\` in a pipeline, ${title}`, []],
    [`\`tenantry plan\` with the cache, ${title}`, []],
    [`\`tenantry plan --rendered dist\`, ${title}`, []],
  ];
  for (let i = 0; i < runs; i += 1) {
    rows[0]![1].push(run(inCi, 'plan'));
    rows[1]![1].push(run(cached, 'plan'));
  }
  run(inCi, 'synth');
  for (let i = 0; i < runs; i += 1) rows[2]![1].push(run(inCi, 'plan', '--rendered', 'dist'));
  return rows;
}

try {
  workspace.build();
  const folder = process.env[VARIABLE];
  const fleets = [syntheticFleet(), ...(folder ? [realFleet(folder)] : [])];
  const rows = fleets.flatMap(measurePlans);
  const middle = (taken: readonly Measurement[], of: 'wall' | 'cpu' | 'memory'): number =>
    median(taken.flatMap((one) => one[of] ?? []));
  const loads = rows.flatMap(([, taken]) => taken.map(({ load }) => load));
  const text = `One tenant gets another group of viewers, in a fleet that is rendered and committed. The plan reads all files of
the cluster, since a verdict depends on them. Whole processes, medians of ${runs} runs; on ${machine()}. Load average before
the runs: ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}.

| command | s | s of processor time | MB |
|---|---|---|---|
${rows.map(([title, taken]) => `| ${title} | ${number(middle(taken, 'wall'))} | ${number(middle(taken, 'cpu'))} | ${Math.round(middle(taken, 'memory'))} |`).join('\n')}

${goalTable(rows.map(([title, taken]) => most(title, middle(taken, 'wall'), SECONDS, 's')))}
`;
  console.log(text);
  if (values.write) await writeSection('Plans of a large fleet', text);
} finally {
  workspace.remove();
}
