import { afterAll, expect } from '@jest/globals';
import { join } from 'node:path';
import { rbac } from '@tenantry/runtime';
import { readSection } from '../docs/pages.ts';
import { UserProject } from '../surface/user-project.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { startControlPlane } from '@tenantry/testing/controlplane/start-control-plane';

const { test } = await ownClusters();
const { blocks } = readSection(join('docs', 'operators.md'), 'Run it in a cluster');
const program = blocks.find(({ language }) => language === 'ts');
const project = new UserProject({ 'program/main.ts': program?.text ?? '' });
afterAll(() => project.remove());

test('an API server accepts the output of the program on the page, and gives its pods the roles', async () => {
  const printed = await project.run('program/main.ts');
  const { items } = JSON.parse(printed) as { readonly items: readonly object[] };
  expect(items.length).toBeGreaterThan(8);
  const cluster = await startControlPlane({ scheduler: false, readyPods: false });
  try {
    await cluster.apply(...items);
    const { items: bindings } = await cluster.client.list(rbac.RoleBinding, {
      namespace: 'shops-system',
    });
    const subject = { kind: 'ServiceAccount', name: 'shops', namespace: 'shops-system' };
    expect(bindings.map(({ subjects }) => subjects)).toEqual([[subject]]);
  } finally {
    await cluster.stop();
  }
});
