import { afterAll, expect } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderFleet } from '../../apps/built-in-app.ts';
import { listOperatorAccess, OPERATOR } from '../../model/operator/access.ts';
import type { Hook } from '../../crds/types.ts';
import { matchesPods, PodNetwork, formatPorts } from '@tenantry/kube/network-policy';
import type { KubeObject } from '@tenantry/kube/object';
import { Tenant } from '../../operator/cluster/kinds.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { eventAccess } from '@tenantry/runtime/events/events';
import { Event } from '@tenantry/runtime/kinds/events';
import { Authority } from '@tenantry/testing/controlplane/credentials';
import { startCluster, type ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { ScriptedServer } from '@tenantry/testing/faults/scripted-server';
import { until } from '@tenantry/testing/waiting/until';
import { clientOf, closeClients } from '../examples/operator.ts';
import { connectionJudge } from '../go/connections.ts';
import { JenkinsDouble } from '../operator/hooks/doubles/jenkins.ts';
import type { Double } from '../operator/hooks/doubles/served.ts';
import { SlackDouble } from '../operator/hooks/doubles/slack.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { Account, STREAMED } from './accounts.ts';
import { deploymentIn, mountSecrets, runInstalled, templateOf } from './operator-program.ts';
import { applyDist } from './tenants.ts';

const given = await ownClusters();
const { test } = given;
afterAll(closeClients);

const namespace = 'tenantry-system';
const authority = new Authority();
const pair = authority.issue({ commonName: 'receivers', hosts: ['127.0.0.1'] });

/** Serves a double of a receiver over TLS. */
function serve(double: Double): Promise<ScriptedServer> {
  return ScriptedServer.start(({ method, url, headers, body }, response) => {
    const { pathname: path, searchParams: query } = new URL(url, 'https://127.0.0.1');
    const {
      status,
      headers: more,
      body: text,
    } = double.answer({ method, path, query, headers, body });
    response.writeHead(status, more).end(text);
  }, pair);
}

const portOf = (server: ScriptedServer): number => Number(new URL(server.url).port);

const hooksAt = (jenkins: string, slack: string): readonly Hook[] => {
  const authorities = authority.pair.certificate;
  const about = { events: ['Onboarded', 'Offboarding'], authorities } as const;
  return [
    {
      ...about,
      name: 'job',
      secret: 'jenkins',
      jenkins: {
        url: `${jenkins}/ci`,
        job: 'platform/tenants',
        parameters: { TENANT: 'tenant', EVENT: 'event', NAMESPACES: 'namespaces' },
      },
    },
    {
      ...about,
      name: 'channels',
      secret: 'slack',
      slack: {
        url: `${slack}/api`,
        channel: 'team-{tenant}',
        invite: ['platform@example.com'],
        onboarded: 'Welcome, {contact.team}: {namespaces}',
        offboarding: '{tenant} is being removed.',
      },
    },
  ];
};

const documentOf = (kind: string, name: string, spec: object): string =>
  JSON.stringify({ apiVersion: 'tenantry.dev/v1alpha1', kind, metadata: { name }, spec });

/** Renders one tenant of a platform with these hooks. */
async function rendered(folder: string, hooks: readonly Hook[]): Promise<string> {
  const input = { tenants: join(folder, 'tenants'), platform: join(folder, 'tenantry.yaml') };
  const image = 'registry.example.com/tenantry:0.1.0';
  const files = {
    'classes/default.yaml': documentOf('TenantClass', 'default', {}),
    'pay.yaml': documentOf('Tenant', 'pay', {
      contact: { team: 'Payments' },
      namespaces: [{ name: 'pay-dev' }, { name: 'pay-prod' }],
    }),
  };
  await mkdir(join(input.tenants, 'classes'), { recursive: true });
  for (const [name, text] of Object.entries(files))
    await writeFile(join(input.tenants, name), text);
  const metadataKeys = { team: 'example.com/team' };
  await writeFile(
    input.platform,
    documentOf('Platform', 'platform', { metadataKeys, operator: { image, hooks } }),
  );
  const out = join(folder, 'dist');
  renderFleet(input, { mode: 'write', out, constructMetadata: false, progress: false });
  return join(out, 'clusters');
}

async function putSecret(
  { admin }: ClusterAccess,
  name: string,
  stringData: Readonly<Record<string, string>>,
): Promise<void> {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData };
  const { status, body } = await admin.create(secret as Body);
  if (status !== 201) throw new Error(body.message);
}

/** Returns a line such as `job Onboarded Delivered` for each receipt. */
async function receiptsOf(admin: Client): Promise<readonly string[]> {
  const { status } = await admin.get(Tenant, { name: 'pay' });
  return (status?.hooks ?? []).map(({ hook, event, state }) => `${hook} ${event} ${state}`);
}

async function untilReceipts(admin: Client, expected: readonly string[]): Promise<void> {
  const wanted = JSON.stringify(expected.toSorted());
  await until(
    `the receipts are ${wanted}`,
    async () => JSON.stringify((await receiptsOf(admin)).toSorted()) === wanted,
  );
}

test('an operator rendered with hooks notifies Jenkins and Slack of onboarding and offboarding, with exactly its rights', async () => {
  const jenkins = new JenkinsDouble();
  jenkins.jobs.set('platform/tenants', {
    parameters: ['TENANT', 'EVENT', 'NAMESPACES', 'TENANTRY_KEY'],
  });
  const slack = new SlackDouble();
  slack.people.set('platform@example.com', 'U0PLATFORM');
  const servers = [await serve(jenkins), await serve(slack)] as const;
  const hooks = hooksAt(servers[0].url, servers[1].url);
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-operator-'));
  await using cluster = await startCluster({ binaries: given.binaries });
  const applied = await applyDist(cluster.admin, 'in-cluster', await rendered(folder, hooks));
  const admin = clientOf(cluster.admin);
  await putSecret(cluster, 'slack', { token: slack.token });
  const access = listOperatorAccess(namespace, {
    policy: 'Observe',
    clusterRoles: [],
    hasHooks: true,
  });
  const account = await Account.of(cluster, { name: OPERATOR, namespace }, access);
  const command = [process.execPath, join(import.meta.dirname, '../../cli/main.ts')];
  const operator = await runInstalled({ cluster, applied, folder, account, command });
  try {
    // A hook whose Secret lacks a key delays no other hook, and is called once the key exists.
    await untilReceipts(admin, ['job Onboarded Failed', 'channels Onboarded Delivered']);
    const { status } = await admin.get(Tenant, { name: 'pay' });
    const failed = status!.hooks!.find(({ state }) => state === 'Failed');
    expect(failed?.message).toMatch(/^Secret jenkins must have the key 'username'/);
    await putSecret(cluster, 'jenkins', { username: jenkins.user, token: jenkins.token });
    await mountSecrets(cluster, applied, folder);
    await untilReceipts(admin, ['job Onboarded Delivered', 'channels Onboarded Delivered']);

    await admin.delete(Tenant, { name: 'pay' });
    const isGone = async () => (await admin.list(Tenant)).items.length === 0;
    await until('the Tenant is gone', isGone);
    const builds = jenkins.builds.map(({ parameters }) => parameters);
    const about = { TENANT: 'pay', NAMESPACES: 'pay-dev, pay-prod' };
    expect(builds.toReversed()).toEqual([
      { ...about, EVENT: 'Onboarded', TENANTRY_KEY: expect.stringMatching(/^[0-9a-f]{32}$/) },
      { ...about, EVENT: 'Offboarding', TENANTRY_KEY: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
    expect(slack.channels).toMatchObject([{ name: 'team-pay', is_archived: true }]);
    expect(slack.posts.map(({ text }) => text)).toEqual([
      'Welcome, Payments: pay-dev, pay-prod',
      'pay is being removed.',
    ]);
    const events = (await admin.list(Event)).items.map(({ reason }) => reason);
    expect(events.filter((one) => one === 'HookDelivered')).toHaveLength(4);
    expect(events.filter((one) => one === 'HookFailed')).toHaveLength(1);

    expect(await operator.stop()).toBe(0);
    const ofWatched = access.filter(({ verbs }) => verbs.includes('list'));
    await account.expectExactAccess([
      ...ofWatched.map((rule) => [{ ...rule, verbs: ['list'] }, STREAMED] as const),
      ...ofWatched
        .filter(({ verbs }) => verbs.includes('get'))
        .map(
          (rule) =>
            [{ ...rule, verbs: ['get'] }, 'only objects that differ are read whole'] as const,
        ),
      ...eventAccess.map(
        (rule) => [{ ...rule, verbs: ['patch'] }, 'only a repeated event is patched'] as const,
      ),
    ]);
    for (const secret of [jenkins.token, slack.token])
      expect(operator.stderr).not.toContain(secret);
    await expectEgress(applied, servers.map(portOf));
  } catch (error) {
    throw new Error(operator.stderr.slice(-3000), { cause: error });
  } finally {
    await operator.stop();
    for (const server of servers) await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

const dnsLabels = { 'k8s-app': 'kube-dns' };

/** Expects that the pods of the operator reach only DNS, the API server and the receivers of hooks. */
async function expectEgress(applied: readonly Body[], hookPorts: readonly number[]): Promise<void> {
  const objects = applied as unknown as readonly KubeObject[];
  const { labels } = templateOf(deploymentIn(applied)).metadata as {
    readonly labels: Readonly<Record<string, string>>;
  };
  const ports = [443, 6443, ...hookPorts].toSorted((a, b) => a - b);
  const network = new PodNetwork(objects.filter(({ kind }) => kind !== 'Tenant'));
  const out = network
    .connections(namespace, 'Egress')
    .filter(({ pods }) => matchesPods(pods, labels))
    .map(({ with: other, ports }) => [
      other.kind === 'external' ? `${other.namespace}` : other.kind,
      formatPorts(ports),
    ]);
  expect(out.toSorted()).toEqual([
    ['anyone', ports.map((port) => `${port}/TCP`).join(', ')],
    ['kube-system', '53/TCP, 53/UDP'],
  ]);

  const ask = await connectionJudge();
  if (!ask) return;
  const asked = [...new Set([22, 53, 80, 443, 2379, 5432, 6443, 8080, 10_250, ...ports])];
  const all = asked.flatMap((port) =>
    ['TCP', 'UDP'].map((protocol) => ({ port, name: '', protocol })),
  );
  const named = (name: string) => ({ 'kubernetes.io/metadata.name': name });
  const ends = [
    { namespace, namespaceLabels: named(namespace), labels, address: '10.0.0.1' },
    {
      namespace: 'kube-system',
      namespaceLabels: named('kube-system'),
      labels: dnsLabels,
      address: '10.0.0.2',
    },
    { namespace: 'pay-prod', namespaceLabels: named('pay-prod'), labels: {}, address: '10.0.0.3' },
    { address: '192.0.2.1' },
  ];
  const policies = objects.filter(
    ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.namespace === namespace,
  );
  const [isAllowed] = ask([{ policies, ends, ports: all }]);
  const open = ends.map((_, to) =>
    all
      .filter((_, port) => isAllowed!(0, to, port))
      .map(({ port, protocol }) => `${port}/${protocol}`),
  );
  const everywhere = ports.map((port) => `${port}/TCP`);
  const sorted = (some: readonly string[]): string[] => some.toSorted();
  expect(open.slice(1).map(sorted)).toEqual(
    [[...everywhere, '53/TCP', '53/UDP'], everywhere, everywhere].map(sorted),
  );
}
