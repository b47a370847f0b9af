import { afterAll, expect, test } from '@jest/globals';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { layoutOf, tarOf } from '@tenantry/olm/test/folder/archive';
import { UserProject } from '../surface/user-project.ts';
import { filesOf, place, type Texts } from '../synth/output/folders.ts';
import { readPage, readSection, type Page } from './pages.ts';
import { redisBundle } from './redis-bundles.ts';
import { isPrinted, Shell, shownCommands } from './shell.ts';

const OLD = 'operators/redis/1.2.3';
const CSV = `${OLD}/manifests/redis-operator.clusterserviceversion.yaml`;
const sound = redisBundle(OLD, '1.2.3');

/** A user's folder with the files that the pages name; the clone is next to it. */
const user = new UserProject({});
afterAll(() => user.remove());
const folder = join(user.folder, 'work');
place(folder, { ...sound, ...redisBundle('operators/redis/1.3.0', '1.3.0') });
place(user.folder, redisBundle('community-operators/operators/redis-operator/1.2.3', '1.2.3'));
const pushed = Object.entries(redisBundle('', '1.2.3')).map(([path, text]) => ({
  path: path.slice(1),
  text,
}));
for (const [path, bytes] of Object.entries(layoutOf([tarOf(pushed)]))) {
  const blob = join(user.folder, 'pushed', path);
  mkdirSync(dirname(blob), { recursive: true });
  writeFileSync(blob, bytes);
}
const shell = new Shell(folder, { skopeo: '[ "$1" = copy ] && cp -R ../pushed "${3#oci:}"\n' });

/**
 * Runs the commands of a page in order, each block unchanged.
 * @param given the files that must exist before these commands, besides those made earlier
 */
async function runPage(page: Page, given: (commands: string) => Texts) {
  const blocks = shownCommands(page);
  for (const { place: where, commands, prints } of blocks) {
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    place(folder, given(commands));
    const { code, out, err } = await shell.run(commands);
    // The pages document that errors and breaking changes mean exit code 1.
    const fails = /\b[1-9]\d* (?:problem|breaking)/.test(prints ?? '');
    const wanted = fails ? 1 : 0;
    expect({ where, code, ...(code !== wanted && { err }) }).toEqual({ where, code: wanted });
    if (prints === undefined) continue;
    const printed = `${err}${out}`;
    expect({ where, output: isPrinted(prints, printed) ? prints : printed }).toEqual({
      where,
      output: prints,
    });
  }
  return blocks;
}

/** Returns the page on bundles without its section on catalogs, which has a test of its own. */
function bundlesPage(): Page {
  const page = readPage('docs/bundles.md');
  const catalogs = readSection('docs/bundles.md', 'Catalogs');
  return { ...page, text: page.text.replace(catalogs.text, () => '') };
}

test('the commands of the page on bundles work as on the page', async () => {
  const misspelt = { [CSV]: sound[CSV]!.replace('minKubeVersion', 'miniKubeVersion') };
  const ran = await runPage(bundlesPage(), (commands) => ({
    ...(commands.includes(`validate ${OLD}`) ? misspelt : sound),
    ...(commands.includes('dist/') && redisBundle('dist/olm/bundle/1.3.0', '1.3.0')),
  }));
  expect(ran).toHaveLength(6);
  expect(Object.keys(filesOf(join(folder, 'redis')))).toContain('app.ts');
  expect(Object.keys(filesOf(join(folder, 'dist/olm/bundle')))).toContain(
    '1.2.3/manifests/redis-operator.clusterserviceversion.yaml',
  );
});

test('the commands of the page on OLM work as on the page', async () => {
  const given = redisBundle('dist/olm/bundle/0.1.0', '1.2.3');
  expect(
    await runPage(readSection('docs/package-your-operator.md', 'Installing with OLM'), () => given),
  ).toHaveLength(2);
  expect(filesOf(folder)['install.yaml']).toMatch(/^kind: ClusterExtension$/m);
});

test('the commands of the page on catalogs work as on the page', async () => {
  const render = "tenantry catalog render operators --image 'quay.io/example/x:v{version}'";
  const { out } = await shell.run(render);
  const given = { 'dist/olm/catalog/catalog.yaml': out };
  expect(await runPage(readSection('docs/bundles.md', 'Catalogs'), () => given)).toHaveLength(3);
  expect(filesOf(folder)['catalog.yaml']).toMatch(/^schema: olm\.channel$/m);
});
