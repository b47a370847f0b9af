/**
 * `npm run bench:cache` measures a cache of 100,000 custom resources of 1.4 KB: its memory for each,
 * the time to fill it, and for how long it blocks the event loop. Each way of listing runs in its own
 * process, against a server in another thread.
 */
import { execFileSync } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Cache } from '@tenantry/runtime/cache/cache';
import { ApiClient } from '@tenantry/runtime/client/api-client';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { Transport } from '@tenantry/runtime/connection/transport';
import type { Kind } from '@tenantry/runtime/kinds/kind';

const OBJECTS = 100_000;
const RUNS = ['stream', '500', '2000', '5000', '20000'];

const shops: Kind<{ spec: object }> = {
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  plural: 'shops',
  scope: 'Cluster',
};

const ofShop = { 'f:replicas': {}, 'f:memory': {}, 'f:storage': {}, 'f:owner': {} };

const ofStatus = {
  manager: 'shopkeeper',
  operation: 'Update',
  time: '2026-01-01T00:00:00Z',
  subresource: 'status',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:status': { 'f:conditions': {}, 'f:observedGeneration': {} } },
};

function shop(index: number): string {
  const id = String(index).padStart(6, '0');
  const managed = {
    manager: 'argocd-controller',
    operation: 'Apply',
    apiVersion: 'example.com/v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:metadata': { 'f:labels': { 'f:app.kubernetes.io/part-of': {}, 'f:example.com/team': {} } },
      'f:spec': { ...ofShop, 'f:network': { 'f:isolation': {}, 'f:allowFrom': {} } },
    },
  };
  return JSON.stringify({
    apiVersion: 'example.com/v1',
    kind: 'Shop',
    metadata: {
      name: `shop-${id}`,
      uid: `5a3b1c9e-1f2d-4c3b-8a7e-9f0e1d${id}`,
      resourceVersion: String(1_000_000 + index),
      generation: 3,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: {
        'app.kubernetes.io/part-of': `shop-${id}`,
        'example.com/team': `team-${index % 300}`,
      },
      annotations: { 'example.com/contact': `team-${index % 300}@example.com` },
      managedFields: [managed, { ...ofStatus, apiVersion: 'example.com/v1' }],
    },
    spec: {
      replicas: 3,
      memory: '512Mi',
      storage: '10Gi',
      owner: `github:team-${index % 300}`,
      namespaces: [`shop-${id}-dev`, `shop-${id}-test`, `shop-${id}-prod`],
      network: { isolation: 'SameTenant', allowFrom: [{ tenant: 'ingress' }] },
    },
    status: {
      observedGeneration: 3,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Reconciled',
          message: 'all objects are as declared',
          observedGeneration: 3,
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  });
}

/** The version of a list of all objects. */
const LATEST = String(1_000_000 + OBJECTS);
const END = {
  metadata: { resourceVersion: LATEST, annotations: { 'k8s.io/initial-events-end': 'true' } },
};

function serve(): void {
  const objects = Array.from({ length: OBJECTS }, (_, index) => shop(index));
  const server = createServer((request, response) => {
    const { searchParams: query } = new URL(request.url ?? '', 'http://127.0.0.1');
    if (query.get('sendInitialEvents')) {
      if (workerData === 'stream') return void stream(objects, response);
      return void response.writeHead(422).end();
    }
    if (query.get('watch')) return void response.flushHeaders();
    const from = Number(query.get('continue') ?? 0);
    const to = from + Number(query.get('limit'));
    const next = to < OBJECTS ? `,"continue":"${to}"` : '';
    const items = objects.slice(from, to).join(',');
    response.end(`{"metadata":{"resourceVersion":"${LATEST}"${next}},"items":[${items}]}`);
  });
  server.listen(0, '127.0.0.1', () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a thread, no window
    parentPort?.postMessage((server.address() as AddressInfo).port);
  });
}

async function stream(objects: readonly string[], response: ServerResponse): Promise<void> {
  for (const object of objects) {
    const isTaken = response.write(`{"type":"ADDED","object":${object}}\n`);
    if (!isTaken) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.write(`${JSON.stringify({ type: 'BOOKMARK', object: { ...END, kind: 'Shop' } })}\n`);
}

/** Measures turns of the event loop by the CPU time of this thread, so that other programs have no effect. */
class Turns {
  readonly #milliseconds: number[] = [];
  #last = process.threadCpuUsage();
  #isOver = false;

  constructor() {
    const turn = (): void => {
      const now = process.threadCpuUsage();
      const spent = now.user + now.system - this.#last.user - this.#last.system;
      this.#milliseconds.push(spent / 1000);
      this.#last = now;
      if (!this.#isOver) setImmediate(turn);
    };
    setImmediate(turn);
  }

  end(): { longest: number; percentile99: number } {
    this.#isOver = true;
    const sorted = this.#milliseconds.filter((one) => one > 0.1).toSorted((a, b) => b - a);
    return { longest: sorted[0] ?? 0, percentile99: sorted[Math.floor(sorted.length / 100)] ?? 0 };
  }
}

async function measure(how: string): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: how });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const connection = {
    server: `http://127.0.0.1:${port}`,
    authorize: () => Promise.resolve({ headers: {}, tls: {} }),
  };
  const client = new ApiClient(new Transport(connection, { qps: Infinity }));
  const pageSize = how === 'stream' ? 500 : Number(how);
  const cache = new Cache(
    { kind: shops, project: (object) => object },
    { reader: client, clock: systemClock, random: Math.random, pageSize, onError: console.error },
  );
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const turns = new Turns();
  const start = performance.now();
  void cache.run(new AbortController().signal);
  await cache.synced;
  const seconds = (performance.now() - start) / 1000;
  const { longest, percentile99 } = turns.end();
  globalThis.gc?.();
  const each = (process.memoryUsage().heapUsed - before) / cache.list().length / 1024;
  console.log(
    [
      `${how === 'stream' ? 'in a stream' : `in pages of ${how}`}: ${each.toFixed(2)} KiB each`,
      `filled in ${seconds.toFixed(1)} s`,
      `the longest stall ${longest.toFixed(0)} ms`,
      `99 % at most ${percentile99.toFixed(0)} ms`,
    ].join(', '),
  );
  process.exit();
}

const [, file = '', how] = process.argv;
if (!isMainThread) serve();
else if (how !== undefined) await measure(how);
else {
  console.log(`${OBJECTS} objects of ${shop(1).length} bytes`);
  for (const run of RUNS) {
    execFileSync(process.execPath, ['--expose-gc', file, run], { stdio: 'inherit' });
  }
}
