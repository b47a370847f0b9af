import { expect } from '@jest/globals';
import type { ClusterAccess } from '../../testing/controlplane/access.ts';
import type { Body } from '../../testing/controlplane/objects.ts';
import { until } from '../../testing/waiting/until.ts';
import { tenant } from '../cli/project.ts';
import { ArgoCd } from './argocd.ts';
import { Company } from './company.ts';
import { argoCdTests } from './tests.ts';

const given = await argoCdTests();
const { test } = given;

const CONTROLLER = 'system:serviceaccount:argocd:argocd-application-controller';

const file = 'tenants/shop.yaml';

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

/** What people see and do on the cluster. */
class Cluster {
  readonly #cluster: ClusterAccess;

  constructor(cluster: ClusterAccess) {
    this.#cluster = cluster;
  }

  /** The API server's own answer: may they change what is in a namespace? */
  async may(user: string, namespace: string): Promise<boolean> {
    const resourceAttributes = { namespace, verb: 'update', resource: 'configmaps' };
    const { body } = await this.#cluster.admin.create({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: { user, resourceAttributes },
    });
    return (body.status as { readonly allowed: boolean }).allowed;
  }

  async whoMay(namespace: string): Promise<string[]> {
    const may = await Promise.all(['alice', 'bob'].map((user) => this.may(user, namespace)));
    return ['alice', 'bob'].filter((_, i) => may[i]);
  }

  /** What a team has in its namespace besides what was declared. */
  async work(user: string, namespace: string): Promise<void> {
    const client = this.#cluster.user(user);
    const metadata = { name: 'ledger', namespace };
    const { status } = await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    client.close();
    expect(status).toBe(201);
  }

  /** Namespaces of the tenant that are there, each with what is in it that is not access. */
  async kept(): Promise<Record<string, readonly string[]>> {
    const all = await this.#list('v1', 'Namespace');
    const names = all
      .map(({ metadata }) => metadata!.name!)
      .filter((one) => one.startsWith('shop-'));
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await this.#contents(name)] as const)),
    );
  }

  /** By a person, with kubectl. */
  async deleteNamespace(name: string): Promise<void> {
    const reference = { apiVersion: 'v1', kind: 'Namespace', name };
    await this.#cluster.admin.delete(reference);
    await until(`namespace ${name} is gone`, async () => {
      return (await this.#cluster.admin.get(reference)).status === 404;
    });
  }

  async pods(namespace: string): Promise<unknown> {
    const [quota] = await this.#list('v1', 'ResourceQuota', namespace);
    return (quota?.spec?.['hard'] as Record<string, string> | undefined)?.['pods'];
  }

  async tenants(): Promise<string[]> {
    const all = await this.#list('tenantry.dev/v1alpha1', 'Tenant');
    return all.map(({ metadata }) => metadata!.name!);
  }

  /** Every deletion of a Namespace so far, and who asked for it. */
  deletions(): string[] {
    return this.#cluster
      .auditLog()
      .filter(({ verb, objectRef }) => verb === 'delete' && objectRef?.resource === 'namespaces')
      .map(({ user, objectRef }) => `${objectRef?.name} by ${user.username}`);
  }

  async #contents(namespace: string): Promise<string[]> {
    const kinds = ['ConfigMap', 'LimitRange', 'ResourceQuota'];
    const lists = await Promise.all(kinds.map((kind) => this.#list('v1', kind, namespace)));
    return lists
      .flat()
      .filter(({ metadata }) => metadata?.name !== 'kube-root-ca.crt')
      .map(({ metadata }) => `${metadata?.name} ${metadata?.uid}`);
  }

  async #list(apiVersion: string, kind: string, namespace?: string): Promise<Body[]> {
    const { body } = await this.#cluster.admin.list({ apiVersion, kind, namespace });
    return (body.items ?? []).map((one) => ({ kind, ...one }));
  }
}

test('the life of a tenant: access goes with its declaration, namespaces with a person’s word, and nobody waits for another', async () => {
  await using started = await given.newCluster();
  using company = new Company(
    {},
    { ...shop(['shop-dev', 'shop-prod'], ['alice', 'bob']), ...bank(9) },
  );
  await using argoCd = await ArgoCd.start(started, { ...given, resync: 300 });
  const cluster = new Cluster(started);
  const tenants = ['eu1.shop', 'eu1.bank'];
  const synced = async (revision: string): Promise<void> => {
    await argoCd.refresh(tenants);
    for (const name of tenants) await argoCd.untilSettled(name, revision);
  };

  // It is added.
  const first = await company.merge('Add shop and bank');
  await company.install(argoCd);
  await synced(first);
  expect(await cluster.whoMay('shop-dev')).toEqual(['alice', 'bob']);
  for (const namespace of ['shop-dev', 'shop-prod']) await cluster.work('alice', namespace);
  const asAdded = await cluster.kept();

  // A member is revoked, comes back by a Git revert, and is revoked again.
  await synced(await company.merge('Revoke bob', shop(['shop-dev', 'shop-prod'])));
  expect(await cluster.whoMay('shop-dev')).toEqual(['alice']);
  await synced(company.git.revert());
  expect(await cluster.whoMay('shop-dev')).toEqual(['alice', 'bob']);
  await synced(company.git.revert());
  expect(await cluster.whoMay('shop-dev')).toEqual(['alice']);
  expect(await cluster.kept()).toEqual(asAdded);

  // It is changed, and a namespace is added.
  const quota = { quota: { preset: 'none', hard: { pods: 7 } } };
  const three = ['shop-dev', 'shop-prod', 'shop-test'];
  await synced(await company.merge('Add shop-test', shop(three, ['alice'], quota)));
  expect(await cluster.pods('shop-prod')).toBe('7');
  expect(await cluster.whoMay('shop-test')).toEqual(['alice']);

  // A namespace gets another name: what leaves Git is retired before.
  const renamed = ['shop-live', 'shop-prod', 'shop-test'];
  await expect(company.merge('Rename', shop(renamed, ['alice'], quota))).rejects.toThrow(
    'namespace shop-dev of tenant shop on eu1 must be Retired before it disappears',
  );
  const retiring = [{ name: 'shop-dev', lifecycle: 'Retired' } as const, ...renamed];
  await synced(await company.merge('Retire shop-dev', shop(retiring, ['alice'], quota)));
  expect(await cluster.whoMay('shop-dev')).toEqual([]);
  expect(await cluster.whoMay('shop-live')).toEqual(['alice']);
  const retired = await cluster.kept();
  await synced(await company.merge('Leave shop-dev', shop(renamed, ['alice'], quota)));
  expect(await cluster.kept()).toEqual(retired);
  await cluster.deleteNamespace('shop-dev');
  expect(cluster.deletions()).toEqual(['shop-dev by admin']);

  // It is suspended, and active again.
  const { 'shop-dev': _gone, ...kept } = await cluster.kept();
  const suspended = { ...quota, lifecycle: 'Suspended' };
  await synced(await company.merge('Suspend shop', shop(renamed, ['alice'], suspended)));
  expect(await cluster.whoMay('shop-prod')).toEqual([]);
  expect(await cluster.kept()).toEqual(kept);
  await synced(company.git.revert());
  expect(await cluster.whoMay('shop-prod')).toEqual(['alice']);

  // It is taken away abruptly, and comes back.
  await company.merge('Take shop away', { [file]: undefined }, ['shop']);
  await argoCd.refresh(tenants);
  await argoCd.untilGone('eu1.shop');
  expect(await cluster.whoMay('shop-prod')).toEqual([]);
  expect(await cluster.tenants()).toEqual(['bank']);
  expect(await cluster.kept()).toEqual(kept);
  await synced(company.git.revert());
  expect(await cluster.whoMay('shop-prod')).toEqual(['alice']);
  expect(await cluster.kept()).toEqual(kept);

  // It is retired, and then deleted: its Application waits for a person, and nobody else does.
  const over = { ...quota, lifecycle: 'Retired' };
  await synced(await company.merge('Retire shop', shop(renamed, ['alice'], over)));
  expect(await cluster.whoMay('shop-prod')).toEqual([]);
  expect(await cluster.kept()).toEqual(kept);
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
  expect(await cluster.kept()).toEqual(kept);
  expect(cluster.deletions()).toEqual(['shop-dev by admin']);

  // That was a mistake: a person lets the Application go without what it holds, and Git brings it back.
  const back = company.git.revert(deletion);
  await argoCd.refresh(tenants);
  await argoCd.releaseObjects('eu1.shop');
  await synced(back);
  expect(await cluster.kept()).toEqual(kept);

  // The person's word.
  await company.merge('Delete shop', { [file]: undefined });
  await argoCd.refresh(tenants);
  await argoCd.approveDeletion('eu1.shop');
  await argoCd.untilGone('eu1.shop');
  expect(await cluster.kept()).toEqual({});
  expect(await cluster.tenants()).toEqual(['bank']);
  expect(cluster.deletions().toSorted()).toEqual(
    ['shop-dev by admin', ...renamed.map((name) => `${name} by ${CONTROLLER}`)].toSorted(),
  );
});
