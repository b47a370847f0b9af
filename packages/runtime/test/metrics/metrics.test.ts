import { expect, test } from '@jest/globals';
import { Counter, Registry } from 'prom-client';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import type { ControllerObserver } from '../../controller/observer.ts';
import { Metrics } from '../../metrics/metrics.ts';
import { WorkQueue } from '../../queue/work-queue.ts';
import type { FailureCause, Outage } from '../../watch/failures.ts';
import { promlint } from '@tenantry/test-tools/go/promlint';
import { deployments } from '../kinds/builtin.ts';
import { samplesOf, scraped } from './scraped.ts';

const given = async () => {
  const clock = new VirtualClock();
  const metrics = await Metrics.create({ clock, ofProcess: false });
  const queue = new WorkQueue({
    clock,
    random: () => 0,
    observer: metrics.controllers.queue('shops'),
  });
  return { clock, metrics, queue };
};

const shops = 'controller="shops"';
const ofQueue = (name: string) => `workqueue_${name}{${shops}, name="shops"}`;

test('waiting, running and retried work is counted', async () => {
  const { clock, metrics, queue } = await given();
  for (const key of ['a', 'b', 'c', 'a']) queue.add(key);
  await clock.advance(2000);
  const first = await queue.take();
  await queue.take();
  await clock.advance(3000);
  queue.add('a');
  expect(await scraped(metrics, 'workqueue_')).toMatchObject({
    [ofQueue('depth')]: 2,
    [ofQueue('adds_total')]: 4,
    [ofQueue('unfinished_work_seconds')]: 6,
    [ofQueue('longest_running_processor_seconds')]: 3,
    [ofQueue('queue_duration_seconds_sum')]: 4,
    [ofQueue('queue_duration_seconds_count')]: 2,
    [ofQueue('retries_total')]: 0,
  });
  queue.retry(first!);
  queue.done(first!);
  queue.done('b');
  expect(await scraped(metrics, 'workqueue_')).toMatchObject({
    [ofQueue('unfinished_work_seconds')]: 0,
    [ofQueue('longest_running_processor_seconds')]: 0,
    [ofQueue('work_duration_seconds_sum')]: 6,
    [ofQueue('work_duration_seconds_count')]: 2,
    [`workqueue_work_duration_seconds_bucket{${shops}, le="1", name="shops"}`]: 0,
    [`workqueue_work_duration_seconds_bucket{${shops}, le="10", name="shops"}`]: 2,
    [ofQueue('retries_total')]: 1,
  });
});

test('the reported depth is the depth of the queue, even after it is closed', async () => {
  const { clock, metrics, queue } = await given();
  const depth = async () => (await scraped(metrics, 'workqueue_depth'))[ofQueue('depth')];
  for (const key of ['a', 'b', 'c']) queue.add(key);
  queue.add('later', { after: 1000 });
  expect(await depth()).toBe(3);
  await clock.advance(1000);
  expect(await depth()).toBe(queue.depth);
  await queue.take();
  queue.add('a');
  const closed = queue.close();
  expect(await depth()).toBe(0);
  queue.done('a');
  await closed;
  expect(await depth()).toBe(0);
});

test('a controller that starts again has an empty queue and no paused objects', async () => {
  const { metrics, queue } = await given();
  queue.add('a');
  metrics.controllers.paused('shops', 'shop/a');
  metrics.controllers.queue('shops');
  expect(await scraped(metrics)).toMatchObject({
    [ofQueue('depth')]: 0,
    [ofQueue('adds_total')]: 1,
    [`tenantry_controller_paused_objects{${shops}}`]: 0,
  });
});

test('reconciles are counted by their result, as in controller-runtime', async () => {
  const { metrics } = await given();
  const { controllers } = metrics;
  const observer: ControllerObserver = controllers;
  controllers.declare('shops', 3);
  const results = 'controller_runtime_reconcile_total';
  expect(await scraped(metrics, results)).toEqual({
    [`${results}{${shops}, result="error"}`]: 0,
    [`${results}{${shops}, result="requeue"}`]: 0,
    [`${results}{${shops}, result="requeue_after"}`]: 0,
    [`${results}{${shops}, result="success"}`]: 0,
  });
  const outcomes = [
    'done',
    'done',
    'requeue-after',
    'paused',
    'gone',
    'conflict',
    'error',
  ] as const;
  for (const outcome of [...outcomes, 'aborted'] as const) {
    observer.began?.('shops');
    observer.ended?.('shops', outcome, 300);
  }
  observer.began?.('shops');
  expect(await scraped(metrics, 'controller_runtime')).toMatchObject({
    [`${results}{${shops}, result="error"}`]: 1,
    [`${results}{${shops}, result="requeue"}`]: 1,
    [`${results}{${shops}, result="requeue_after"}`]: 1,
    [`${results}{${shops}, result="success"}`]: 4,
    [`controller_runtime_reconcile_errors_total{${shops}}`]: 1,
    [`controller_runtime_reconcile_time_seconds_count{${shops}}`]: 7,
    [`controller_runtime_reconcile_time_seconds_bucket{${shops}, le="0.25"}`]: 0,
    [`controller_runtime_reconcile_time_seconds_bucket{${shops}, le="0.3"}`]: 7,
    [`controller_runtime_active_workers{${shops}}`]: 1,
    [`controller_runtime_max_concurrent_reconciles{${shops}}`]: 3,
  });
});

test('the buckets are those of controller-runtime', async () => {
  const { metrics } = await given();
  metrics.controllers.ended('shops', 'done', 1);
  const bounds = async (name: string) =>
    Object.keys(await scraped(metrics, `${name}_bucket`)).map(
      (one) => /le="([^"]+)"/.exec(one)?.[1],
    );
  expect((await bounds('controller_runtime_reconcile_time_seconds')).join(' ')).toBe(
    '0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1 1.25 1.5 1.75 2 2.5 3 3.5 4 4.5 5 6 7 8 9 10 15 20 25 30 40 50 60 +Inf',
  );
});

test('paused objects are counted for as long as they are paused', async () => {
  const { metrics } = await given();
  const paused = metrics.controllers.paused.bind(metrics.controllers, 'shops');
  paused('shop/a');
  paused('shop/b');
  paused('shop/a');
  const name = `tenantry_controller_paused_objects{${shops}}`;
  expect(await scraped(metrics, 'tenantry_controller_paused')).toEqual({ [name]: 2 });
  metrics.controllers.resumed('shops', 'shop/a');
  expect(await scraped(metrics, 'tenantry_controller_paused')).toEqual({ [name]: 1 });
});

test('requests are counted by status, method and host, and events by their outcome', async () => {
  const { metrics } = await given();
  const request = { method: 'GET', host: '10.0.0.1:443', code: '200', milliseconds: 30 };
  metrics.requests.requested?.(request);
  metrics.requests.requested?.(request);
  metrics.requests.requested?.({ ...request, method: 'POST', code: '<error>' });
  metrics.requests.warned?.('v1beta1 is deprecated', 'GET /apis/apps/v1beta1');
  metrics.events.written?.('created');
  const regarding = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };
  const event = { type: 'Normal', reason: 'A', action: 'B', note: 'c', regarding } as const;
  metrics.events.lost?.({ cause: 'limited', event });
  metrics.leads('shops', { isLeading: true });
  metrics.leads('others', { isLeading: false });
  const host = 'host="10.0.0.1:443"';
  const duration = `rest_client_request_duration_seconds`;
  expect(await scraped(metrics)).toMatchObject({
    [`rest_client_requests_total{code="200", ${host}, method="GET"}`]: 2,
    [`rest_client_requests_total{code="<error>", ${host}, method="POST"}`]: 1,
    [`${duration}_count{${host}, verb="GET"}`]: 2,
    [`${duration}_sum{${host}, verb="GET"}`]: 0.06,
    tenantry_client_warnings_total: 1,
    'tenantry_events_written_total{how="created"}': 1,
    'tenantry_events_lost_total{cause="limited"}': 1,
    'leader_election_master_status{name="shops"}': 1,
    'leader_election_master_status{name="others"}': 0,
  });
});

const outageOf = (cause: FailureCause): Outage => ({
  since: 10_000,
  until: 100_000,
  began: new Date(0),
  during: 'watch',
  cause,
  error: 0,
});

test('lists, watches and caches are counted by kind', async () => {
  const { metrics } = await given();
  const { watches } = metrics;
  const failed = (cause: FailureCause, relists: boolean) =>
    watches.observe(
      {
        type: 'failed',
        during: 'watch',
        cause,
        error: 0,
        retryIn: 1,
        attempt: 1,
        relists,
        outage: outageOf(cause),
      },
      deployments,
    );
  const listed = { objects: 3, resourceVersion: '7', milliseconds: 2000 };
  watches.observe({ type: 'listed', by: 'stream', ...listed }, deployments);
  watches.observe({ type: 'ended', events: 4, milliseconds: 5 }, deployments);
  failed('quiet', false);
  failed('went back', true);
  const [ofDeployments, ofPods] = [outageOf('refused'), undefined];
  const caches = [
    { kind: deployments, objects: 100, unreadable: 2, outage: ofDeployments },
    { kind: deployments, objects: 23, outage: ofPods },
  ];
  watches.countCacheError(deployments);
  watches.countCaches(() => caches);
  const resource = 'resource="deployments.apps"';
  const objects = `tenantry_cache_objects{${resource}}`;
  expect(await scraped(metrics, 'tenantry_')).toMatchObject({
    [`tenantry_watch_list_duration_seconds_sum{by="stream", ${resource}}`]: 2,
    [`tenantry_watch_ends_total{${resource}}`]: 1,
    [`tenantry_watch_failures_total{cause="quiet", during="watch", ${resource}}`]: 1,
    [`tenantry_watch_failures_total{cause="went_back", during="watch", ${resource}}`]: 1,
    [`tenantry_watch_relists_total{${resource}}`]: 1,
    [objects]: 123,
    [`tenantry_cache_unreadable_objects{${resource}}`]: 2,
    [`tenantry_watch_outage_seconds{cause="refused", ${resource}}`]: 90,
    [`tenantry_cache_errors_total{${resource}}`]: 1,
  });
  caches.shift();
  expect(await scraped(metrics, 'tenantry_watch_outage')).toEqual({});
  expect(await scraped(metrics, 'tenantry_cache_objects')).toEqual({ [objects]: 23 });
});

/** Makes everything happen that can happen with an object of this name. */
async function live(
  { clock, metrics, queue }: Awaited<ReturnType<typeof given>>,
  name: string,
): Promise<void> {
  const { controllers, watches, events, requests } = metrics;
  const outcomes = ['done', 'error', 'conflict', 'paused', 'requeue-after'] as const;
  for (const outcome of outcomes) {
    queue.add(name);
    const key = await queue.take();
    controllers.began('shops');
    if (outcome === 'paused') controllers.paused('shops', name);
    if (outcome === 'error') queue.retry(name);
    await clock.advance(10);
    controllers.ended('shops', outcome, 10);
    queue.done(key!);
  }
  queue.add(name);
  await queue.take();
  controllers.handlerFailed('shops');
  const error = new Error(name);
  const outage = outageOf('absent');
  const failed = { type: 'failed', during: 'list', cause: 'absent', error, outage } as const;
  watches.observe({ ...failed, retryIn: 1, attempt: 1, relists: true }, deployments);
  const regarding = { apiVersion: 'v1', kind: 'Pod', metadata: { name } };
  const event = { type: 'Normal', reason: name, action: name, note: name, regarding } as const;
  events.lost?.({ cause: 'refused', event, error });
  requests.warned?.(name, `GET /api/v1/pods/${name}`);
}

test('no label takes its value from an object: a hundred objects have as many series as one', async () => {
  const one = await given();
  await live(one, 'object-0');
  const many = await given();
  for (let n = 0; n < 100; n += 1) await live(many, `object-${n}`);
  const series = Object.keys(await scraped(many.metrics));
  expect(series).toEqual(Object.keys(await scraped(one.metrics)));
  expect(series.length).toBeGreaterThan(80);
  expect(series.filter((name) => name.includes('object-'))).toEqual([]);
});

test('your own metrics are served as well, and each name can be registered once', async () => {
  const registry = new Registry();
  new Counter({ name: 'shops_opened_total', help: 'Shops', registers: [registry] }).inc(7);
  const metrics = await Metrics.create({ registry });
  expect(metrics.registry).toBe(registry);
  const all = await scraped(metrics);
  expect(all['shops_opened_total']).toBe(7);
  expect(all['process_resident_memory_bytes']).toBeGreaterThan(1_000_000);
  await expect(Metrics.create({ registry })).rejects.toThrow('already been registered');
  const foreign = { contentType: '', metrics: () => Promise.resolve('') };
  await expect(Metrics.create({ registry: foreign })).rejects.toThrow('must be a Registry of');
});

test('the parser of the tests refuses any other text', () => {
  const wrong = ['a 1', 'a{b="c"} 1\n', '# TYPE a counter\na{b=c} 1\n', '# TYPE a counter\na x\n'];
  for (const page of wrong) expect(() => samplesOf(page)).toThrow();
  const twice = '# TYPE a counter\na{b="c"} 1\na{b="c"} 2\n';
  expect(() => samplesOf(twice)).toThrow('must occur once');
});

const ask = await promlint();
const withGo = ask === undefined ? test.skip : test;

withGo('promtool reports nothing, and Prometheus reads the intended values', async () => {
  const world = await given();
  world.metrics.controllers.declare('shops', 1);
  await live(world, 'object');
  world.metrics.watches.countCaches(() => [{ kind: deployments, objects: 5 }]);
  world.metrics.leads('shops', { isLeading: true });
  world.metrics.requests.requested?.({
    method: 'GET',
    host: 'a"b\\c\nd',
    code: '200',
    milliseconds: 1,
  });
  const { text } = await world.metrics.page();
  const answer = ask!(text);
  if (answer.error !== undefined) throw new Error(answer.error);
  expect(answer.problems).toEqual([]);
  // Prometheus writes bounds in another notation: 1e-08.
  const plain = (series: string) =>
    series.replace(/le="([\d.e-]+)"/, (_, le) => `le="${Number(le)}"`);
  const read = Object.entries(answer.samples).map(([series, value]) => [
    plain(series),
    Number(value),
  ]);
  expect(Object.fromEntries(read)).toEqual(Object.fromEntries(samplesOf(text)));
});

withGo('the metrics of the process are read as well', async () => {
  const metrics = await Metrics.create();
  const answer = ask!((await metrics.page()).text);
  if (answer.error !== undefined) throw new Error(answer.error);
  expect(answer.samples).toHaveProperty('process_cpu_seconds_total');
});
