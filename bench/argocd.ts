/**
 * `npm run bench:argocd` syncs the folders of many tenants with the real Argo CD in several
 * arrangements, each on its own API server. It builds Argo CD and the control plane where they are not
 * in the cache.
 */
import { ArgoCd } from '../test/argocd/argocd.ts';
import { GitRepository } from '../test/argocd/git-repository.ts';
import { findArgoCd, type ArgoCdPrograms } from '../test/argocd/programs.ts';
import { startCluster } from '@tenantry/testing/controlplane/cluster';
import { arrangements, type Arrangement } from './argocd/arrangements.ts';
import { argoCdSection } from './argocd/document.ts';
import { parseOptions, type Options } from './argocd/options.ts';
import { RESYNC, run as race, type ArgoCdRun, type Endless, type Quantity } from './argocd/race.ts';
import { tenantFolders, type TenantFolder } from './argocd/tenants.ts';
import { grouped } from './markdown.ts';
import { writeSection } from './page.ts';
import { Results } from './results.ts';

async function arranged(
  arrangement: Arrangement,
  programs: ArgoCdPrograms,
  tenants: readonly TenantFolder[],
): Promise<ArgoCdRun | Endless> {
  // The controller manager deletes namespaces and pruned objects.
  await using cluster = await startCluster({ controllerManager: true });
  using git = new GitRepository();
  git.commit(
    'Render',
    Object.assign({}, ...tenants.map(({ files }) => files)) as TenantFolder['files'],
  );
  await using argoCd = await ArgoCd.start(cluster, { programs, resync: RESYNC });
  return await race(arrangement, { argoCd, git, tenants });
}

async function run(options: Options): Promise<void> {
  const { programs, reason } = await findArgoCd();
  if (!programs) throw new Error(reason);
  const results = new Results<Quantity>();
  const endless: string[] = [];
  const wanted = arrangements.filter(({ name }) => options.only?.has(name) ?? true);
  for (const size of options.tenants) {
    const tenants = tenantFolders(size);
    for (const one of wanted) {
      const measured = await arranged(one, programs, tenants);
      if ('refused' in measured) {
        const { refused, after, load } = measured;
        results.add(one.name, size, 0, { load });
        const message = `Never synced: ${one.title}, with ${grouped(size)} tenants. After ${after.toFixed(0)} s the API server refused what Argo CD writes into its status (\`${refused}\`), and does so again and again from then on.`;
        endless.push(message);
        console.error(`  ${message}`);
        continue;
      }
      results.add(one.name, size, 0, measured);
      const words = Object.entries(measured).map(([of, value]) => `${of} ${value.toFixed(2)}`);
      console.error(`  ${one.name}, ${size} tenants: ${words.join(', ')}`);
    }
  }
  const section = argoCdSection(results, { ...options, endless }, programs.version);
  console.log(section);
  if (options.write) await writeSection('Tenants synced by Argo CD', section);
}

const options = parseOptions(
  process.argv.slice(2),
  arrangements.map(({ name }) => name),
);
// Lets the started processes end too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (options) await run(options);
