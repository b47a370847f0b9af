import { afterAll, describe, expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAMESPACE, PortRule } from '../../examples/portrule/host.ts';
import { manifestsOf } from '../../examples/portrule/manifests.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { ConfigMap, Node } from '@tenantry/runtime/kinds/core';
import { roleObjects } from '@tenantry/kube/access';
import { readDocuments } from '@tenantry/kube/yaml/read';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { isWatch } from '@tenantry/testing/faults/requests';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { Account } from '../cluster/accounts.ts';
import { applyManifests, clientOf, closeClients, tableOf, whileProgramRuns } from './operator.ts';
import { neverUsed, RunningWay, ways, type Way } from './port-rule-ways.ts';
import { restoredTables } from './restored-rules.ts';

const given = await sharedCluster();
const { test } = given;
afterAll(closeClients);

const folder = join(import.meta.dirname, '../../examples/portrule');

let opened: Client | undefined;
const admin = (): Client => (opened ??= clientOf(given.cluster.admin));

async function newNode(name = uniqueName('node')): Promise<string> {
  await admin().create(Node, { metadata: { name } });
  return name;
}

interface RuleFields {
  readonly name?: string;
  readonly port?: number;
  readonly isPermanent?: boolean;
}

/** Makes a rule and returns its name. */
async function newRule(host: string, { name = 'Web', port = 80, ...fields }: RuleFields = {}) {
  const metadata = { name: uniqueName('rule') };
  await admin().create(PortRule, { metadata, spec: { name, port, host, ...fields } });
  return metadata.name;
}

const configMapOf = (name: string) =>
  admin().get(ConfigMap, { name, namespace: NAMESPACE }).catch(ifGone);

/** Returns the lines that iptables-restore would load on the host; undefined if there is no ConfigMap. */
async function loadedOn(host: string): Promise<string[] | undefined> {
  const found = await configMapOf(host);
  return found?.data?.['rules'] === undefined
    ? undefined
    : restoredTables(found.data['rules'])
        .flatMap(({ rules }) => rules)
        .map(({ chain, port, comment }) => `${chain} ${port} ${comment}`);
}

async function untilLoaded(host: string, ...lines: string[]): Promise<void> {
  await until(`${host} has ${lines.join(', ') || 'nothing'}`, async () => {
    return ((await loadedOn(host)) ?? []).join() === lines.join();
  });
}

async function applied(name: string) {
  const { status } = await admin().get(PortRule, { name });
  return findCondition(status?.conditions, 'Applied');
}

async function waitForReason(name: string, reason: string): Promise<void> {
  await until(`${name} has the reason ${reason}`, async () => {
    return (await applied(name))?.reason === reason;
  });
}

/** Applies the operator's manifests and makes an account with the access that it declares. */
async function accountOf({ access }: Way): Promise<Account> {
  await applyManifests(given.cluster, manifestsOf());
  return Account.make(given.cluster, NAMESPACE, access);
}

describe.each(ways)('$name', (way) => {
  let started: Promise<RunningWay> | undefined;
  let made: Promise<Account> | undefined;
  const account = () => (made ??= accountOf(way));
  const running = () => (started ??= account().then((one) => RunningWay.start(way, one)));
  const stop = async (): Promise<void> => {
    await (await started)?.stop();
    started = undefined;
  };
  afterAll(stop);

  test('the rules of a node are in its ConfigMap and report that they are applied', async () => {
    await running();
    const host = await newNode();
    const web = await newRule(host);
    await newRule(host, { name: 'Redis of the shop', port: 6379, isPermanent: true });
    await untilLoaded(host, 'PORTS-RUNTIME 80 Web', 'PORTS-PERMANENT 6379 Redis of the shop');
    await waitForReason(web, 'Rendered');
    const { status } = await admin().get(PortRule, { name: web });
    expect(status).toMatchObject({
      configMap: `${NAMESPACE}/${host}`,
      conditions: [{ type: 'Applied', status: 'True', observedGeneration: 1 }],
    });
    const { uid } = (await admin().get(Node, { name: host })).metadata;
    expect((await configMapOf(host))?.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Node',
        name: host,
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });

  test('a rule that moves leaves one ConfigMap and appears in the other', async () => {
    await running();
    const [one, other] = [await newNode(), await newNode()];
    const [stays, moves] = [await newRule(one, { port: 22 }), await newRule(one)];
    await untilLoaded(one, 'PORTS-RUNTIME 22 Web', 'PORTS-RUNTIME 80 Web');
    await admin().patch(PortRule, { name: moves }, { spec: { host: other } });
    await untilLoaded(one, 'PORTS-RUNTIME 22 Web');
    await untilLoaded(other, 'PORTS-RUNTIME 80 Web');
    await until('the status names the ConfigMap', async () => {
      const { status } = await admin().get(PortRule, { name: moves });
      return status?.configMap === `${NAMESPACE}/${other}`;
    });
    expect((await applied(moves))?.observedGeneration).toBe(2);
    expect((await applied(stays))?.observedGeneration).toBe(1);
  });

  test('a deleted rule leaves its ConfigMap, which is deleted with its last rule', async () => {
    await running();
    const host = await newNode();
    const [one, last] = [await newRule(host, { port: 22 }), await newRule(host)];
    await untilLoaded(host, 'PORTS-RUNTIME 22 Web', 'PORTS-RUNTIME 80 Web');
    await admin().delete(PortRule, { name: one });
    await untilLoaded(host, 'PORTS-RUNTIME 80 Web');
    await admin().delete(PortRule, { name: last });
    await until('the ConfigMap is gone', async () => !(await configMapOf(host)));
  });

  test('a rule reports that its host is missing, before the node exists and after it was deleted', async () => {
    await running();
    const host = uniqueName('node');
    const rule = await newRule(host);
    await waitForReason(rule, 'NoSuchHost');
    await newNode(host);
    await waitForReason(rule, 'Rendered');
    await untilLoaded(host, 'PORTS-RUNTIME 80 Web');
    await admin().delete(Node, { name: host });
    await waitForReason(rule, 'NoSuchHost');
    await until('the ConfigMap is gone', async () => !(await configMapOf(host)));
    expect((await admin().get(PortRule, { name: rule })).status?.configMap).toBeUndefined();
  });

  test('of two rules for one port the older applies, and the other after its deletion', async () => {
    await running();
    const host = await newNode();
    const older = await newRule(host);
    await waitForReason(older, 'Rendered');
    // The API server records creation times in seconds.
    const { creationTimestamp } = (await admin().get(PortRule, { name: older })).metadata;
    await until('a second has passed', () => Date.now() >= Date.parse(creationTimestamp) + 1000);
    const younger = await newRule(host);
    await waitForReason(younger, 'PortTaken');
    expect((await applied(younger))?.message).toBe(`${older} has the port 80 of ${host}`);
    await admin().delete(PortRule, { name: older });
    // The ConfigMap does not change, as both rules have the same text.
    await waitForReason(younger, 'Rendered');
    expect(await loadedOn(host)).toEqual(['PORTS-RUNTIME 80 Web']);
  });

  test('manual changes of a ConfigMap are reverted, and a deleted ConfigMap is created again', async () => {
    await running();
    const host = await newNode();
    await newRule(host);
    await untilLoaded(host, 'PORTS-RUNTIME 80 Web');
    const name = { name: host, namespace: NAMESPACE };
    await admin().patch(ConfigMap, name, { data: { rules: '*filter\nCOMMIT\n', more: 'x' } });
    await until('it is as it was', async () => {
      const data = (await configMapOf(host))?.data ?? {};
      return Object.keys(data).join() === 'rules' && data['rules']?.includes('--dport 80');
    });
    const uid = (await configMapOf(host))?.metadata.uid;
    await admin().delete(ConfigMap, name);
    await until('there is another', async () => {
      const found = await configMapOf(host);
      return found !== undefined && found.metadata.uid !== uid;
    });
    await untilLoaded(host, 'PORTS-RUNTIME 80 Web');
  });

  test('a foreign ConfigMap with the name is left alone, and its deletion is awaited', async () => {
    await running();
    const host = uniqueName('node');
    const metadata = { name: host, namespace: NAMESPACE };
    await admin().create(ConfigMap, { metadata, data: { mine: 'x' } });
    const rule = await newRule(host);
    await waitForReason(rule, 'NoSuchHost');
    await newNode(host);
    await waitForReason(rule, 'NameTaken');
    expect((await configMapOf(host))?.data).toEqual({ mine: 'x' });
    await admin().delete(ConfigMap, metadata);
    await untilLoaded(host, 'PORTS-RUNTIME 80 Web');
    await waitForReason(rule, 'Rendered');
  });

  test('a status that someone else wrote is corrected', async () => {
    await running();
    const rule = await newRule(await newNode());
    await waitForReason(rule, 'Rendered');
    const status = { configMap: 'somewhere/else', conditions: null };
    await admin().patch(PortRule, { name: rule }, { status }, { subresource: 'status' });
    await waitForReason(rule, 'Rendered');
    const { status: now } = await admin().get(PortRule, { name: rule });
    expect(now?.configMap).toMatch(new RegExp(`^${NAMESPACE}/node-`));
  });

  test('changes are caught up with after watches were cut and refused', async () => {
    const { proxy, lines } = await running();
    const host = await newNode();
    const [goes, stays] = [await newRule(host, { port: 22 }), await newRule(host)];
    await untilLoaded(host, 'PORTS-RUNTIME 22 Web', 'PORTS-RUNTIME 80 Web');
    const busy = { kind: 'refuse', status: 503, reason: 'ServiceUnavailable' } as const;
    const free = proxy.always(busy, isWatch);
    expect(proxy.cut(isWatch)).toBeGreaterThanOrEqual(3);
    await admin().delete(PortRule, { name: goes });
    await admin().patch(PortRule, { name: stays }, { spec: { port: 8080 } });
    await newRule(host, { port: 443 });
    await until('a watch was refused', () => lines.some((line) => line.includes('503')));
    expect(await loadedOn(host)).toHaveLength(2);
    free();
    await untilLoaded(host, 'PORTS-RUNTIME 443 Web', 'PORTS-RUNTIME 8080 Web');
  });

  test('nothing is written without a change, not even after a restart', async () => {
    await running();
    const host = await newNode();
    const rule = await newRule(host);
    await waitForReason(rule, 'Rendered');
    const annotations = { 'example.com/note': 'x' };
    const { metadata } = await admin().patch(
      PortRule,
      { name: rule },
      { metadata: { annotations } },
    );
    const versions = async () => [
      (await admin().get(PortRule, { name: rule })).metadata.resourceVersion,
      (await configMapOf(host))?.metadata.resourceVersion,
    ];
    const before = [metadata.resourceVersion, (await configMapOf(host))?.metadata.resourceVersion];
    await waitForReason(await newRule(await newNode()), 'Rendered');
    expect(await versions()).toEqual(before);
    await stop();
    const again = await running();
    await waitForReason(await newRule(await newNode()), 'Rendered');
    const [nodes, rules] = await Promise.all([admin().list(Node), admin().list(PortRule)]);
    const objects = nodes.items.length + rules.items.length;
    await until('all were looked at', () => way.main !== 'main.ts' || again.turns >= objects);
    expect(await versions()).toEqual(before);
  });

  test('the program serves the sample and ends at SIGTERM', async () => {
    await running();
    await stop();
    const name = { name: NAMESPACE, namespace: NAMESPACE };
    const { client } = await Account.of(given.cluster, name, way.access);
    const kubeconfig = given.cluster.kubeconfigFile(`${NAMESPACE}.json`, client);
    const main = join(folder, way.main);
    const { exit, logs } = await whileProgramRuns(main, kubeconfig, async () => {
      const [read] = readDocuments(readFileSync(join(folder, 'sample.yaml'), 'utf8')).documents;
      const host = await newNode();
      const object = read?.value as Body;
      const spec = { ...object.spec, host };
      const metadata = { ...object.metadata, name: uniqueName('redis') };
      expect((await given.cluster.admin.create({ ...object, metadata, spec })).status).toBe(201);
      await untilLoaded(host, 'PORTS-PERMANENT 6379 Redis of the shop');
      await waitForReason(metadata.name, 'Rendered');
    });
    expect(exit).toBe(0);
    expect(logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('no request was refused for a lack of rights, and every right was needed', async () => {
    await (await account()).expectExactAccess(neverUsed);
  });
});

test('both ways need the same roles, which are those of the manifests', async () => {
  const [one, other] = ways.map(({ access }) =>
    Object.values(roleObjects({ name: NAMESPACE, namespace: NAMESPACE, access })),
  );
  expect(other).toEqual(one);
  expect(manifestsOf()).toEqual(expect.arrayContaining(one!));
});

test('ports from 1 to 65535 are accepted, and ambiguous names are not', async () => {
  await applyManifests(given.cluster, manifestsOf());
  const answers = async (specs: readonly object[]) =>
    Promise.all(
      specs.map(async (fields) => {
        const object = {
          apiVersion: 'firewalld.fedoraproject.org/v1',
          kind: 'PortRule',
          metadata: { name: uniqueName('rule') },
          spec: { name: 'Web', port: 80, host: 'node-1', ...fields },
        };
        return (await given.cluster.admin.create(object, { dryRun: true })).status;
      }),
    );
  const ports = [0, 1, 65_535, 65_536].map((port) => ({ port }));
  expect(await answers(ports)).toEqual([422, 201, 201, 422]);
  const names = ['Büro "Ost" – 50 %', '\u4f01'.repeat(60), '', 'a\nb', 'a\u202eb', 'a'.repeat(61)];
  expect(await answers(names.map((name) => ({ name })))).toEqual([201, 201, 422, 422, 422, 422]);
  const hosts = ['node-1.example.com', 'Node', 'a\n*filter', undefined];
  expect(await answers(hosts.map((host) => ({ host })))).toEqual([201, 422, 422, 422]);
});

test('kubectl knows the short name fp and shows where the port is open', async () => {
  const started = await RunningWay.start(ways[0]!, await accountOf(ways[0]!));
  const host = await newNode();
  const rule = await newRule(host, { isPermanent: true });
  await waitForReason(rule, 'Rendered');
  const { body } = await given.cluster.admin.request({
    method: 'GET',
    path: '/apis/firewalld.fedoraproject.org/v1',
  });
  expect(body).toMatchObject({
    resources: expect.arrayContaining([
      expect.objectContaining({ name: 'ports', kind: 'PortRule', shortNames: ['fp'] }),
    ]),
  });
  const rows = await tableOf(given.cluster.admin, '/apis/firewalld.fedoraproject.org/v1/ports');
  expect(rows.find(({ Name }) => Name === rule)).toMatchObject({
    Host: host,
    Port: 80,
    Permanent: true,
    Applied: 'True',
    Age: expect.any(String),
  });
  await started.stop();
});
