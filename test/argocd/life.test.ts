import { expect } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { until } from '@tenantry/testing/waiting/until';
import { tenant } from '../cli/project.ts';
import { startOperator } from './with-operator.ts';
import { partsOf } from './argocd.ts';
import { argoCdTests } from './tests.ts';
import { CONTROLLER, sharedWorld } from './world.ts';

const given = await argoCdTests();
const { test } = given;

const file = 'tenants/shop.yaml';

/** Returns the commands of every process that has the folder in its arguments or its environment. */
const processesOf = (folder: string): string[] =>
  execFileSync('ps', ['eww', '-A', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder));

interface Namespace {
  readonly name: string;
  readonly lifecycle?: 'Retired';
}

const shop = (
  names: readonly (string | Namespace)[],
  users: readonly string[] = ['alice'],
  more: Readonly<Record<string, unknown>> = {},
): Record<string, string> => ({
  [file]: tenant('shop', {
    namespaces: names.map((one) => (typeof one === 'string' ? { name: one } : one)),
    access: { editors: { users } },
    ...more,
  }),
});

const bank = (pods: number): Record<string, string> => ({
  'tenants/bank.yaml': tenant('bank', {
    access: { editors: { users: ['bea'] } },
    quota: { preset: 'none', hard: { pods } },
  }),
});

const worldOf = sharedWorld(given, () => ({
  files: { ...shop(['shop-dev', 'shop-prod'], ['alice', 'bob']), ...bank(9) },
}));

test('access ends with its declaration, namespaces end with an approval, and no tenant waits for another', async () => {
  const { company, argoCd, seen: cluster } = await worldOf();
  const tenants = ['eu1.shop', 'eu1.bank'];
  const synced = async (revision: string): Promise<void> => {
    await argoCd.refresh(tenants);
    for (const name of tenants) await argoCd.untilTenantSettled(name, revision);
  };

  // The tenant is added.
  await synced(company.git.head);
  for (const namespace of ['shop-dev', 'shop-prod']) {
    await cluster.expectMay(namespace, ['alice', 'bob']);
    await cluster.work('alice', namespace);
  }
  const asAdded = await cluster.kept('shop-');

  // A member is revoked, restored by a Git revert, and revoked again.
  await synced(await company.merge('Revoke bob', shop(['shop-dev', 'shop-prod'])));
  await cluster.expectMay('shop-dev', ['alice']);
  await synced(company.git.revert());
  await cluster.expectMay('shop-dev', ['alice', 'bob']);
  await synced(company.git.revert());
  await cluster.expectMay('shop-dev', ['alice']);
  expect(await cluster.kept('shop-')).toEqual(asAdded);

  // The tenant is changed, and a namespace is added.
  const quota = { quota: { preset: 'none', hard: { pods: 7 } } };
  const three = ['shop-dev', 'shop-prod', 'shop-test'];
  await synced(await company.merge('Add shop-test', shop(three, ['alice'], quota)));
  expect(await cluster.pods('shop-prod')).toBe('7');
  await cluster.expectMay('shop-test', ['alice']);

  // A namespace is renamed: the old one must be retired before it leaves Git.
  const renamed = ['shop-live', 'shop-prod', 'shop-test'];
  await expect(company.merge('Rename', shop(renamed, ['alice'], quota))).rejects.toThrow(
    'namespace shop-dev of tenant shop on eu1 must be Retired before it disappears',
  );
  const retiring = [{ name: 'shop-dev', lifecycle: 'Retired' } as const, ...renamed];
  await synced(await company.merge('Retire shop-dev', shop(retiring, ['alice'], quota)));
  await cluster.expectMay('shop-dev', []);
  await cluster.expectMay('shop-live', ['alice']);
  const retired = await cluster.kept('shop-');
  await synced(await company.merge('Leave shop-dev', shop(renamed, ['alice'], quota)));
  expect(await cluster.kept('shop-')).toEqual(retired);
  await cluster.deleteNamespace('shop-dev');
  expect(cluster.deletions()).toEqual(['shop-dev by admin']);

  // The tenant is suspended, and then active again.
  const { 'shop-dev': _gone, ...kept } = await cluster.kept('shop-');
  const suspended = { ...quota, lifecycle: 'Suspended' };
  await synced(await company.merge('Suspend shop', shop(renamed, ['alice'], suspended)));
  await cluster.expectMay('shop-prod', []);
  expect(await cluster.kept('shop-')).toEqual(kept);
  await synced(company.git.revert());
  await cluster.expectMay('shop-prod', ['alice']);

  // The tenant is removed without retirement, and restored.
  await company.merge('Take shop away', { [file]: undefined }, ['shop']);
  await argoCd.refresh(tenants);
  for (const one of partsOf('eu1.shop')) await argoCd.untilGone(one);
  await cluster.expectMay('shop-prod', []);
  expect(await cluster.tenants()).toEqual(['bank']);
  expect(await cluster.kept('shop-')).toEqual(kept);
  await synced(company.git.revert());
  await cluster.expectMay('shop-prod', ['alice']);
  expect(await cluster.kept('shop-')).toEqual(kept);

  // The tenant is retired and then deleted. Its Application waits for an approval, and no other Application waits.
  const over = { ...quota, lifecycle: 'Retired' };
  await synced(await company.merge('Retire shop', shop(renamed, ['alice'], over)));
  await cluster.expectMay('shop-prod', []);
  expect(await cluster.kept('shop-')).toEqual(kept);
  const deletion = await company.merge('Delete shop', { [file]: undefined });
  await argoCd.refresh(tenants);
  const waits = await argoCd.untilApplication(
    'it is being deleted',
    'eu1.shop',
    ({ metadata }) => metadata?.deletionTimestamp !== undefined,
  );
  const next = await company.merge('Raise the quota of bank', bank(12));
  await argoCd.refresh(tenants);
  await argoCd.untilSettled('eu1.bank', next);
  expect(await cluster.pods('bank')).toBe('12');
  expect(await argoCd.application('eu1.shop')).toMatchObject({
    metadata: { uid: waits.metadata!.uid },
  });
  expect(await cluster.kept('shop-')).toEqual(kept);
  expect(cluster.deletions()).toEqual(['shop-dev by admin']);

  // The deletion was a mistake: a user releases the Application without its objects, and Git restores it.
  const back = company.git.revert(deletion);
  await argoCd.refresh(tenants);
  await argoCd.releaseObjects('eu1.shop');
  await synced(back);
  expect(await cluster.kept('shop-')).toEqual(kept);

  // A user approves the deletion.
  await company.merge('Delete shop', { [file]: undefined });
  await argoCd.refresh(tenants);
  await argoCd.approveDeletion('eu1.shop');
  await argoCd.untilGone('eu1.shop');
  expect(await cluster.kept('shop-')).toEqual({});
  expect(await cluster.tenants()).toEqual(['bank']);
  expect(cluster.deletions().toSorted()).toEqual(
    ['shop-dev by admin', ...renamed.map((name) => `${name} by ${CONTROLLER}`)].toSorted(),
  );
});

test('beside Argo CD the operator fights with nobody, and restores nothing that was deleted with its tenant', async () => {
  const { argoCd, cluster, company, seen } = await worldOf();
  const members = { editors: { users: ['alice'] }, viewers: { users: ['bob'] } };
  const namespaces = ['mint-a', 'mint-b', 'mint-c', 'mint-d'].map((name) => ({ name }));
  const mint = tenant('mint', { driftPolicy: 'Heal', access: members, namespaces });
  const revision = await company.merge('Add mint', { 'tenants/mint.yaml': mint });
  await argoCd.refresh([]);
  await argoCd.untilTenantSettled('eu1.mint', revision);
  const bindings = await seen.bindings('mint-a');
  const kept = await seen.kept('mint-');

  const operator = await startOperator(cluster, company.platform);
  try {
    await until('the operator finds mint as declared', () => operator.isWell('mint'));
    const quiet = (): Promise<string[]> =>
      operator.writesDuring(async () => {
        for (const how of ['normal', 'hard'] as const) {
          for (const one of partsOf('eu1.mint')) await argoCd.refreshed(one, how);
        }
      });
    expect(await quiet()).toEqual([]);

    // A user changes a quota and deletes a binding.
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      namespace: 'mint-a',
      name: 'tenant-quota',
    };
    const before = (await cluster.admin.get(quota)).body.spec;
    await cluster.admin.patch(
      quota,
      { spec: { hard: { pods: '999' } } },
      { fieldManager: 'kubectl-edit' },
    );
    const [name = ''] = bindings;
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const binding = { apiVersion, kind: 'RoleBinding', namespace: 'mint-a', name };
    await cluster.admin.delete(binding);
    await until('both are as declared, and Argo CD’s', async () => {
      const [one, other] = await Promise.all([
        cluster.admin.get(quota),
        cluster.admin.get(binding),
      ]);
      const marks = other.body.metadata?.annotations ?? {};
      return isDeepStrictEqual(one.body.spec, before) && 'argocd.argoproj.io/tracking-id' in marks;
    });
    await until('the operator finds mint as declared', () => operator.isWell('mint'));
    await argoCd.refresh(['eu1.mint']);
    await argoCd.untilTenantSettled('eu1.mint', revision);
    expect(await quiet()).toEqual([]);
    // At most one report exists, whether Argo CD or the operator healed it first, and it names the field manager.
    const healed = (await operator.events('mint')).filter((one) =>
      one.startsWith('Healed: ResourceQuota'),
    );
    expect(healed.length).toBeLessThanOrEqual(1);
    expect(healed.filter((one) => !one.includes('by kubectl-edit'))).toEqual([]);

    // The tenant is removed without retirement.
    await company.merge('Take mint away', { 'tenants/mint.yaml': undefined }, ['mint']);
    await argoCd.refresh([]);
    for (const one of partsOf('eu1.mint')) await argoCd.untilGone(one);
    expect(await seen.tenants()).not.toContain('mint');
    for (const { name: namespace } of namespaces) {
      expect([namespace, await seen.bindings(namespace)]).toEqual([namespace, []]);
      await seen.expectMay(namespace, []);
    }
    expect(await seen.kept('mint-')).toEqual(kept);
    expect(operator.marked()).toEqual([]);
  } finally {
    await operator.stop();
  }
});

test('Argo CD leaves no process and no file behind', async () => {
  const { argoCd } = await worldOf();
  expect(processesOf(argoCd.folder)).not.toEqual([]);
  await argoCd.stop();
  // A `git` process that Argo CD had started ends by itself.
  await until('no process is left', () => processesOf(argoCd.folder).length === 0);
  expect(existsSync(argoCd.folder)).toBe(false);
});
