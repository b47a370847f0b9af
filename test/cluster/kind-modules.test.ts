import { expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { root } from '../structure/tracked.ts';
import { kindModules } from './kind-modules.ts';
import { testsOfOurMinor } from './minor.ts';
import { openApiOf } from './openapi.ts';

const given = await sharedCluster();
const test = testsOfOurMinor(given.test);

test('the types of Kubernetes’ own kinds match those of an API server', async () => {
  const { admin, details } = given.cluster;
  for (const [path, text] of await kindModules(await openApiOf(admin), details.version)) {
    const ours = readFileSync(join(root, path), 'utf8');
    expect([path, ours === text]).toEqual([path, true]);
  }
});
