import { afterAll, expect } from '@jest/globals';
import { restrictClient } from '@tenantry/runtime/access/restricted-client';
import type { Client } from '@tenantry/runtime/client/client';
import { Metrics } from '@tenantry/runtime/metrics/metrics';
import { scrapeAccess, ScrapeAccess } from '@tenantry/runtime/metrics/scrape-access';
import { configMaps } from '@tenantry/runtime/test/kinds/builtin';
import { scraped } from '@tenantry/runtime/test/metrics/scraped';
import type { Client as TestClient } from '@tenantry/testing/controlplane/client';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { RuntimeClients } from './runtime-clients.ts';

const given = await sharedCluster();
const { test } = given;
const clients = new RuntimeClients();
afterAll(() => clients.close());

const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };

async function made(object: Parameters<TestClient['create']>[0]): Promise<void> {
  const { status, body } = await given.cluster.admin.create(object);
  if (status !== 201) throw new Error(body.message);
}

/** Creates a service account, and returns its token. */
async function tokenOf(namespace: string, name: string): Promise<string> {
  await made({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } });
  const { token = '' } = (await given.cluster.serviceAccount(namespace, name)).credentials;
  return token;
}

const bearer = (token: string): string => `Bearer ${token}`;

/** Returns a client with no more than the declared access. */
const reviewer = (): Client =>
  restrictClient(clients.of(given.cluster.admin), scrapeAccess, 'metrics');

test('only a user whom RBAC allows to get /metrics may read it', async () => {
  const namespace = await newNamespace(given.cluster, 'scrape');
  const [scraper, other] = await Promise.all([
    tokenOf(namespace, 'scraper'),
    tokenOf(namespace, 'other'),
  ]);
  const name = uniqueName('scrape');
  const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
  await made({ ...rbac, kind: 'ClusterRole', metadata: { name }, rules });
  await made({
    ...rbac,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', namespace, name: 'scraper' }],
  });
  const decide = (authorization?: string, path = '/metrics') =>
    new ScrapeAccess({ client: reviewer() }).decide(authorization, path);
  await until('the role is known', async () => (await decide(bearer(scraper))) === 'allowed');
  expect(await decide(bearer(scraper), '/other')).toBe('forbidden');
  expect(await decide(bearer(other))).toBe('forbidden');
  expect(await decide(bearer(`${scraper}x`))).toBe('unknown');
  expect(await decide()).toBe('unknown');
});

test('the metrics count exactly the requests of a test', async () => {
  const metrics = await Metrics.create({ ofProcess: false });
  const client = clients.of(given.cluster.admin, metrics.requests);
  const namespace = await newNamespace(given.cluster, 'counted');
  await client.create(configMaps, { metadata: { namespace, name: 'a' } });
  for (let times = 0; times < 3; times += 1) await client.get(configMaps, { namespace, name: 'a' });
  await client.get(configMaps, { namespace, name: 'b' }).catch(() => {});
  const { host } = new URL(given.cluster.server);
  const series = (code: number, method: string) =>
    `rest_client_requests_total{code="${code}", host="${host}", method="${method}"}`;
  expect(await scraped(metrics, 'rest_client_requests_total')).toEqual({
    [series(201, 'POST')]: 1,
    [series(200, 'GET')]: 3,
    [series(404, 'GET')]: 1,
  });
});
