import { afterAll, expect } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR, listOperatorAccess } from '../../model/operator/access.ts';
import { writeImage } from '../../scripts/image-files.ts';
import { until } from '@tenantry/testing/waiting/until';
import { clientOf, closeClients } from '../examples/operator.ts';
import { packed } from '../packages/packed.ts';
import { assignmentsOf, execForm, instructionsOf } from '../structure/dockerfile.ts';
import { root } from '../structure/tracked.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { Account } from './accounts.ts';
import { notReady, runInstalled } from './operator-program.ts';
import { applyDist } from './tenants.ts';

const given = await ownClusters();
const { test } = given;
const namespace = 'tenantry-system';
const instructions = instructionsOf(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const wordsOf = (name: string): string => instructions.findLast((one) => one.name === name)!.words;

const folder = await mkdtemp(join(tmpdir(), 'tenantry-image-'));
afterAll(async () => {
  closeClients();
  await rm(folder, { recursive: true, force: true });
});

const filesOf = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted();

test('the image contains all files that the operator needs, and the operator writes none', async () => {
  const app = join(folder, 'app');
  const { copy } = await packed();
  writeImage({ root: copy, target: app });
  const before = filesOf(app);
  const others = /^build\/testing|\/(typescript|cdk8s|jest)(\/|$)/;
  expect(before.filter((path) => others.test(path))).toEqual([]);

  await using cluster = await given.newCluster();
  const applied = await applyDist(cluster.admin, 'fra1');
  const access = listOperatorAccess(namespace, { policy: 'Observe', clusterRoles: [] });
  const account = await Account.of(cluster, { name: OPERATOR, namespace }, access);
  const entry = execForm(wordsOf('ENTRYPOINT'))!;
  const command = entry.map((word) =>
    word === '/nodejs/bin/node' ? process.execPath : word.replace(/^\/app\//, `${app}/`),
  );
  const etc = join(folder, 'etc');
  await mkdir(etc);
  const environment = assignmentsOf(wordsOf('ENV'));
  const props = { cluster, applied, folder: etc, account, command, cwd: app, environment };
  const operator = await runInstalled(props);
  try {
    const admin = clientOf(cluster.admin);
    expect(await until('all tenants are compared', () => notReady(admin))).toEqual([]);
    const { port } = await operator.logged(
      'metrics are served to everybody who can reach the port',
    );
    const page = await fetch(`http://127.0.0.1:${String(port)}/metrics`);
    expect(await page.text()).toContain('controller_runtime_reconcile_total');
  } catch (error) {
    throw new Error(operator.stderr.slice(-3000), { cause: error });
  } finally {
    expect(await operator.stop()).toBe(0);
  }
  expect(filesOf(app)).toEqual(before);
});
