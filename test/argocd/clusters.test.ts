import { expect } from '@jest/globals';
import { rejects } from 'node:assert';
import { execFileSync } from 'node:child_process';
import type { ObjectReference } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { tenant } from '../cli/project.ts';
import { ArgoCd, partsOf } from './argocd.ts';
import { Company } from './company.ts';
import { argoCdTests } from './tests.ts';

const given = await argoCdTests();
const { test } = given;

/** An address without a server. */
const away = 'https://127.0.0.1:9';

const clusters = [
  { name: 'us1', server: away },
  { name: 'eu1', server: 'https://kubernetes.default.svc', targetRevision: 'env/eu1' },
];

const declared = (name: string, users: readonly string[]): Record<string, string> => ({
  [`tenants/${name}.yaml`]: tenant(name, {
    clusters: clusters.map((one) => one.name),
    access: { editors: { users } },
  }),
});

const editorsOf = (namespace: string): ObjectReference => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  namespace,
  name: 'tenant-clusterrole-edit',
});

test('a cluster has what was promoted to its environment branch, and needs no other cluster to be reachable', async () => {
  using company = new Company({ clusters }, declared('shop', ['alice']));
  const inRepository = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: company.git.folder, encoding: 'utf8' }).trim();
  inRepository('remote', 'add', 'origin', company.git.url);
  inRepository('config', 'user.name', 'pipeline');
  inRepository('config', 'user.email', 'pipeline@example.com');
  const promote = async (): Promise<string> => {
    await company.tenantry(['promote', 'eu1', '--quiet']);
    return inRepository('rev-parse', 'env/eu1');
  };
  await using place = await given.newCluster();
  const { admin } = place;
  await using argoCd = await ArgoCd.start(place, { ...given, defaultProject: false });
  await argoCd.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'us1', labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
    stringData: { name: 'us1', server: away, config: '{"tlsClientConfig":{"insecure":true}}' },
  });
  const settled = async (name: string, revision: string): Promise<void> => {
    await argoCd.refresh();
    for (const one of partsOf(name)) {
      await until(`${one} is there`, async () => await argoCd.application(one), { every: 250 });
    }
    await argoCd.untilTenantSettled(name, revision);
  };

  const main = await company.merge('Begin');
  const first = await promote();
  await argoCd.bootstrap(company.dist);
  await settled('eu1.shop', first);
  await argoCd.untilSettled('tenantry-cluster-eu1', main);
  expect((await admin.get(editorsOf('shop'))).status).toBe(200);
  await argoCd.untilApplication('it is out of reach', 'tenantry-crds-us1', ({ status }) =>
    Boolean(status?.conditions?.some(({ message }) => message.includes('connection refused'))),
  );

  // A merge waits for its promotion: it removes a user's access and adds a tenant.
  await company.merge('Revoke alice, and add a bank', {
    ...declared('shop', []),
    ...declared('bank', ['bea']),
  });
  await argoCd.refresh();
  await argoCd.refreshed('eu1.shop');
  await settled('eu1.shop', first);
  expect((await admin.get(editorsOf('shop'))).status).toBe(200);
  expect(await argoCd.application('eu1.bank')).toBeUndefined();

  const second = await promote();
  await settled('eu1.bank', second);
  await settled('eu1.shop', second);
  expect((await admin.get(editorsOf('shop'))).status).toBe(404);
  expect((await admin.get(editorsOf('bank'))).status).toBe(200);

  // A tenant that disappears without having been retired is not promoted.
  await company.merge('Without the bank', { 'tenants/bank.yaml': undefined }, ['bank']);
  await rejects(promote(), /bank/);
  await settled('eu1.bank', second);
});
