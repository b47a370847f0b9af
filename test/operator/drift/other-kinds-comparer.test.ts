import { expect, test } from '@jest/globals';
import { otherKind } from '../../../operator/cluster/other-kinds.ts';
import { TenantObjects, type KeptLive } from '../../../operator/cluster/tenant-objects.ts';
import { nothingRollsOut, type IsRollingOut } from '../../../operator/drift/expected.ts';
import { createLiveReader } from '../../../operator/drift/object-drift.ts';
import { OtherKindsComparer } from '../../../operator/drift/tenant-drift.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { TooDeep } from '@tenantry/runtime/errors/client-errors';
import type { Live } from '@tenantry/runtime/kinds/kind';

const configMaps = otherKind({ group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' });

const live = (data: object, metadata: Partial<Live['metadata']> = {}): Live =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'a',
      namespace: 'shop',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'tenantry.dev/tenant': 'acme' },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'x'.repeat(5000) },
      ...metadata,
    },
    data,
  }) as Live;

const declared = (data: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'shop', labels: { 'tenantry.dev/tenant': 'acme' } },
  data,
});

class Given {
  readonly others = new OtherKindsComparer();
  there: Live | undefined;
  isLabelled = true;
  isRead = true;
  isFollowing: IsRollingOut = nothingRollsOut;
  refusal: Error | undefined;
  reads = 0;

  async look(object: KubeObject) {
    const kept = this.there && (configMaps.project(this.there) as KeptLive);
    const cache = {
      get: () => (this.isLabelled ? kept : undefined),
      list: () => [],
      isRead: () => this.isRead,
      outageOf: () => undefined,
      unreadableOf: () => [],
    } as unknown as CacheView<never>;
    const objects = new TenantObjects(cache, [configMaps]);
    const read = createLiveReader(async () => {
      this.reads += 1;
      if (this.refusal) throw this.refusal;
      return this.there;
    }, new AbortController().signal);
    const { drift, notCompared, following } = await this.others.compare([object], {
      tenant: 'acme',
      objects,
      read,
      isFollowing: this.isFollowing,
    });
    return [drift.map(({ type, field }) => `${type} ${field}`), notCompared.length, following];
  }
}

test('each state of an object is read once, and a change of only the status is not read again', async () => {
  const given = new Given();
  given.there = live({ a: '1' }, { generation: 1 });
  expect(await given.look(declared({ a: '1' }))).toEqual([[], 0, 0]);
  given.there = live({ a: '1' }, { generation: 1, resourceVersion: '2' });
  expect(await given.look(declared({ a: '1' }))).toEqual([[], 0, 0]);
  expect(given.reads).toBe(1);
  given.there = live({ a: '2' }, { generation: 2, resourceVersion: '3' });
  expect(await given.look(declared({ a: '1' }))).toEqual([['Changed data.a'], 0, 0]);
  expect(await given.look(declared({ a: '1' }))).toEqual([['Changed data.a'], 0, 0]);
  expect(given.reads).toBe(2);
  // A changed declaration is compared with a new read.
  expect(await given.look(declared({ a: '2' }))).toEqual([[], 0, 0]);
  expect(given.reads).toBe(3);
});

test('of kinds without a generation each write is a new state, and changed labels are one too', async () => {
  const given = new Given();
  for (const metadata of [{}, { resourceVersion: '2' }, { generation: 1 }]) {
    given.there = live({ a: '1' }, metadata);
    await given.look(declared({ a: '1' }));
  }
  given.there = live({ a: '1' }, { generation: 1, labels: {} });
  expect(await given.look(declared({ a: '1' }))).toEqual([
    ['Missing metadata.labels["tenantry.dev/tenant"]'],
    0,
    0,
  ]);
  expect(given.reads).toBe(4);
});

test('an object that the watch lacks is read before it is reported missing', async () => {
  const given = new Given();
  expect(await given.look(declared({ a: '1' }))).toEqual([['Missing undefined'], 0, 0]);
  given.there = live({ a: '1' }, { labels: {} });
  given.isLabelled = false;
  const found = [['Missing metadata.labels["tenantry.dev/tenant"]'], 0, 0];
  expect(await given.look(declared({ a: '1' }))).toEqual(found);
  expect(await given.look(declared({ a: '1' }))).toEqual(found);
  expect(given.reads).toBe(3);
});

test('a state that was declared shortly before is rolling out', async () => {
  const given = new Given();
  const before = declared({ a: '0' });
  given.isFollowing = ({ live, isAs }) => live !== undefined && isAs!(before);
  given.there = live({ a: '0' });
  expect(await given.look(declared({ a: '1' }))).toEqual([[], 0, 1]);
  given.there = live({ a: '7' }, { resourceVersion: '2' });
  expect(await given.look(declared({ a: '1' }))).toEqual([['Changed data.a'], 0, 0]);
  given.there = live({ a: '0' }, { resourceVersion: '3' });
  await given.look(declared({ a: '1' }));
  given.isFollowing = nothingRollsOut;
  expect(await given.look(declared({ a: '1' }))).toEqual([['Changed data.a'], 0, 0]);
});

test('an object whose kind is missing or that may not be read is not compared', async () => {
  const given = new Given();
  given.there = live({ a: '2' });
  given.isRead = false;
  expect(await given.look(declared({ a: '1' }))).toEqual([[], 1, 0]);
  expect(given.reads).toBe(0);
  given.isRead = true;
  given.refusal = new ApiError({ code: 403, reason: 'Forbidden' });
  expect(await given.look(declared({ a: '1' }))).toEqual([[], 1, 0]);
  given.refusal = new ApiError({ code: 500 });
  expect(await given.look(declared({ a: '1' }))).toEqual([[], 1, 0]);
});

test('a temporary error keeps the last result, and a lasting one drops it', async () => {
  const given = new Given();
  given.there = live({ a: '2' });
  expect(await given.look(declared({ a: '1' }))).toEqual([['Changed data.a'], 0, 0]);
  given.there = live({ a: '3' }, { resourceVersion: '2' });
  given.refusal = new ApiError({ code: 500 });
  expect(await given.look(declared({ a: '1' }))).toEqual([['Changed data.a'], 0, 0]);
  given.refusal = new ApiError({ code: 403, reason: 'Forbidden' });
  expect(await given.look(declared({ a: '1' }))).toEqual([[], 1, 0]);
});

test('only the fields that distinguish states of an object are kept', () => {
  const kept = configMaps.project(live({ a: 'x'.repeat(60_000) }));
  expect(JSON.stringify(kept).length).toBeLessThan(400);
});

test('an object that is nested too deeply is not compared, whatever its earlier result', async () => {
  const given = new Given();
  given.there = live({ a: '1' }, { generation: 1 });
  expect(await given.look(declared({ a: '1' }))).toEqual([[], 0, 0]);
  given.there = live({ a: '1' }, { generation: 2, resourceVersion: '2' });
  given.refusal = new TooDeep('GET /api/v1/namespaces/shop/configmaps/a');
  expect(await given.look(declared({ a: '1' }))).toEqual([[], 1, 0]);
});
