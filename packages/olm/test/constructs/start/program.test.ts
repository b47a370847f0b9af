import { afterAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { renderNewProgram } from '../../../constructs/start/program.ts';
import { importDefinitions } from '@tenantry/crd/import';
import { readDefinitions } from '@tenantry/crd/manifests';
import { readBundle } from '../../../folder/read-bundle.ts';
import { validateBundle } from '../../../rules/validate-bundle.ts';
import { crd } from '../../sample.ts';
import { UserProject } from '@tenantry/test-tools/surface/user-project';

const { definitions } = readDefinitions('crd.yaml', crd);
const { modules } = importDefinitions(
  definitions.map((located) => ({ located, source: 'crd.yaml' })),
);
const files = renderNewProgram(
  {
    package: 'shops',
    displayName: 'Shops',
    description: 'Runs shops.\n\nAll of them.',
    version: '1.0.0',
    image: 'quay.io/example/shops:1.0.0',
    channels: ['candidate', 'stable'],
    maintainers: ['Shops <shops@example.com>'],
    provider: 'Example',
    capabilities: 'Basic Install',
    categories: ['Database'],
    minKubeVersion: '1.30.0',
  },
  modules,
);
const project = new UserProject(Object.fromEntries(files.map(({ path, text }) => [path, text])));
afterAll(() => project.remove());

test('the program of a new bundle compiles, and its output is valid', async () => {
  expect(await project.compile()).toBe('');
  await project.run('app.ts');
  const bundle = readBundle(join(project.folder, 'dist', 'olm', 'bundle', '1.0.0'));
  const findings = validateBundle(bundle, { suite: 'operatorhub' });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(bundle.csv?.name).toBe('shops.v1.0.0');
});
