import { expect, test } from '@jest/globals';
import { buildRoles } from '@tenantry/kube/access';
import { ApiError } from '../../errors/api-error.ts';
import { CustomResourceDefinition } from '../../kinds/apiextensions.ts';
import {
  storageMigration,
  type StorageMigrationProps,
} from '../../storage-migration/storage-migration.ts';
import { integer, object } from '@tenantry/crd/schema/language';
import { Metrics } from '../../metrics/metrics.ts';
import { Running } from '../controller/running.ts';
import { refused, type ObservedCluster } from '../observed-cluster.ts';
import { box, Box, defined, definitionIn, name, storedIn, warehouse } from './stored-boxes.ts';

const second = 1000;
const minute = 60 * second;
const done = ['v2'];
const both = ['v1', 'v2'];

const migrating = (cluster: ObservedCluster, props?: StorageMigrationProps): Promise<Running> =>
  new Running(storageMigration(box, props), { cluster }).start();

/** Returns the names of the rewritten boxes, in order. */
const rewritten = ({ calls }: ObservedCluster): string[] =>
  calls.flatMap((call) => /^patch boxes\.example\.com store\/(.*)/.exec(call)?.[1] ?? []);

const struck = ({ calls }: ObservedCluster): number =>
  calls.filter(
    (call) => call === `patch customresourcedefinitions.apiextensions.k8s.io/status ${name}`,
  ).length;

test('each object is written once, without a change, and then the older version is removed from the status', async () => {
  const cluster = warehouse(3);
  const before = cluster.api.list(Box).items;
  await using running = await migrating(cluster);
  await running.pass(minute + second);
  expect(rewritten(cluster)).toEqual(['box-0', 'box-1', 'box-2']);
  expect(cluster.api.list(Box).items).toEqual(before);
  expect(storedIn(cluster)).toEqual(done);
  expect(running.errors).toEqual([]);
  const line = running.lines.find(({ msg }) => msg === 'all objects are stored in one version');
  expect(line).toMatchObject({ version: 'v2', struck: ['v1'], rewritten: 3 });
  const { length } = cluster.calls;
  await running.pass(60 * minute);
  expect(cluster.calls).toHaveLength(length);
});

test('nothing is written until the definition has been unchanged for a minute', async () => {
  const cluster = warehouse(1);
  await using running = await migrating(cluster);
  await running.pass(minute - second);
  expect(rewritten(cluster)).toEqual([]);
  // A conversion webhook gets another certificate, which is another generation.
  cluster.put(CustomResourceDefinition, {
    ...defined(both),
    spec: { ...defined(both).spec, group: 'Example.com' },
  } as never);
  cluster.put(CustomResourceDefinition, defined(both));
  await running.pass(minute - second);
  expect(rewritten(cluster)).toEqual([]);
  await running.pass(2 * second);
  expect(storedIn(cluster)).toEqual(done);
});

test('a change of the definition’s metadata or status does not restart the wait', async () => {
  const cluster = warehouse(1);
  await using running = await migrating(cluster);
  await running.pass(minute / 2);
  cluster.touch(CustomResourceDefinition, { name });
  await running.pass(minute / 2 + second);
  expect(storedIn(cluster)).toEqual(done);
});

test('nothing happens if only one version is stored, or none is served yet', async () => {
  const unborn = { ...defined(both), status: { storedVersions: both, conditions: [] } };
  for (const definition of [defined(done), unborn as unknown as ReturnType<typeof defined>]) {
    const cluster = warehouse(1, definition);
    await using running = await migrating(cluster, { settle: 0 });
    await running.pass(10 * minute);
    expect(cluster.calls).toEqual([]);
  }
});

test('objects are read and written in a served version', async () => {
  const cluster = warehouse(1, defined(both, both, ['v1']));
  const { patch } = cluster.client;
  const versions: string[] = [];
  cluster.client.patch = (kind, ...rest) => {
    versions.push(`${kind.kind} ${kind.version}`);
    return patch.call(cluster.client, kind, ...rest) as never;
  };
  await using running = await migrating(cluster, { settle: 0 });
  await running.pass(second);
  expect(storedIn(cluster)).toEqual(done);
  expect(versions).toEqual(['Box v1', 'CustomResourceDefinition v1']);
});

test('the number of objects written per second is limited', async () => {
  const cluster = warehouse(30);
  await using running = await migrating(cluster, { settle: 0, perSecond: 10 });
  await running.pass(0.95 * second);
  expect(rewritten(cluster)).toHaveLength(10);
  await running.pass(second);
  expect(rewritten(cluster)).toHaveLength(20);
});

test('a long migration runs in slices of a minute, and writes nothing twice', async () => {
  const cluster = warehouse(150);
  await using running = await migrating(cluster, { settle: 0, perSecond: 1 });
  await running.pass(150 * second);
  expect(new Set(rewritten(cluster)).size).toBe(150);
  expect(rewritten(cluster)).toHaveLength(150);
  expect(running.outcomes.filter((outcome) => outcome === 'requeue-after')).toHaveLength(2);
  const lines = running.lines.filter(({ msg }) => msg === 'objects are being rewritten');
  expect(lines.map(({ rewritten }) => rewritten)).toEqual([61, 122]);
  expect(storedIn(cluster)).toEqual(done);
});

test('after a program that ended midway, the next one starts again, and removes the version once all is done', async () => {
  const cluster = warehouse(30);
  const first = await migrating(cluster, { settle: 0 });
  await first.pass(second / 2);
  first.cutting.abort();
  await first.stop();
  const before = rewritten(cluster).length;
  expect(before).toBeLessThan(30);
  expect(storedIn(cluster)).toEqual(both);
  await using next = await migrating(cluster, { settle: 0 });
  await next.pass(minute);
  expect(rewritten(cluster).slice(before)).toHaveLength(30);
  expect(storedIn(cluster)).toEqual(done);
});

test('a program that is stopping does not continue with the next object', async () => {
  const cluster = warehouse(30);
  const running = await migrating(cluster, { settle: 0 });
  await running.pass(second / 2);
  await running.stop();
  expect(rewritten(cluster).length).toBeLessThan(15);
  expect(running.errors).toEqual([]);
  expect(storedIn(cluster)).toEqual(both);
});

test('an object that cannot be written is named, the others are rewritten, and the version is kept', async () => {
  const cluster = warehouse(3);
  let isRefused = true;
  cluster.before = (call) => {
    if (isRefused && call.endsWith('store/box-1')) throw refused(422, 'Invalid', 'too wide');
  };
  await using running = await migrating(cluster, { settle: 0 });
  await running.pass(minute);
  expect(new Set(rewritten(cluster))).toEqual(new Set(['box-0', 'box-1', 'box-2']));
  expect(storedIn(cluster)).toEqual(both);
  expect(running.errors[0]?.['error']).toMatchObject({
    message:
      'boxes.example.com: each object must be stored in v2 before v1 can go, but the API server refuses to write 1 without a change: store/box-1: too wide',
  });
  const others = rewritten(cluster).filter((one) => one !== 'box-1');
  expect(others).toEqual(['box-0', 'box-2']);
  isRefused = false;
  await running.pass(20 * minute);
  expect(storedIn(cluster)).toEqual(done);
  expect(rewritten(cluster).filter((one) => one !== 'box-1')).toEqual(others);
});

test('if everything is refused, not all objects are tried, and the migration ends once the cause is fixed', async () => {
  const cluster = warehouse(250);
  let isRefused = true;
  cluster.before = (call) => {
    if (isRefused && call.includes('boxes')) throw refused(403, 'Forbidden', 'by policy');
  };
  await using running = await migrating(cluster, { settle: 0, perSecond: 1000 });
  await running.pass(second / 5);
  expect(new Set(rewritten(cluster)).size).toBe(100);
  expect(String(Reflect.get(running.errors[0]?.['error'] as object, 'message'))).toMatch(
    /refuses to write 100 .*; and 95 more$/,
  );
  isRefused = false;
  await running.pass(20 * minute);
  expect(storedIn(cluster)).toEqual(done);
});

test('an object that is deleted meanwhile need not be rewritten', async () => {
  const cluster = warehouse(3);
  cluster.before = (call) => {
    if (call.endsWith('store/box-0')) cluster.remove(Box, { name: 'box-1', namespace: 'store' });
  };
  await using running = await migrating(cluster, { settle: 0 });
  await running.pass(second);
  expect([storedIn(cluster), running.errors]).toEqual([done, []]);
});

test('a webhook that refuses with "not found" does not count as a deletion', async () => {
  const cluster = warehouse(2);
  cluster.before = (call) => {
    if (call.endsWith('store/box-1')) throw refused(404, 'NotFound', 'admission webhook denied');
  };
  await using running = await migrating(cluster, { settle: 0 });
  await running.pass(minute);
  expect(storedIn(cluster)).toEqual(both);
  expect(JSON.stringify(running.errors)).toContain('store/box-1: admission webhook denied');
});

test('an object that others write at the same time is written again', async () => {
  const cluster = warehouse(1);
  let conflicts = 0;
  cluster.before = (call) => {
    if (call.endsWith('store/box-0') && (conflicts += 1) < 4) throw refused(409, 'Conflict');
  };
  await using running = await migrating(cluster, { settle: 0 });
  await running.pass(second);
  expect([conflicts, storedIn(cluster), running.errors]).toEqual([4, done, []]);
});

test('an unavailable API server is waited for, and rewritten objects are not rewritten again', async () => {
  const cluster = warehouse(3);
  let isAway = false;
  cluster.before = (call) => {
    if (call.endsWith('store/box-1') && rewritten(cluster).length < 5) isAway = true;
    else if (call.endsWith('store/box-1')) isAway = false;
    if (isAway) throw refused(503, 'ServiceUnavailable');
  };
  await using running = await migrating(cluster, { settle: 0 });
  await running.pass(minute);
  expect(rewritten(cluster)).toEqual(['box-0', 'box-1', 'box-1', 'box-1', 'box-1', 'box-2']);
  expect(storedIn(cluster)).toEqual(done);
});

test('the version is kept while objects cannot be listed because one of them cannot be converted', async () => {
  const cluster = warehouse(1);
  let isBroken = true;
  const why = 'conversion webhook failed: Box box-0 must be convertible';
  cluster.beforeRead = (resource) => {
    if (isBroken && resource === name) throw refused(500, 'InternalError', why);
  };
  await using running = await migrating(cluster, { settle: 0 });
  await running.pass(minute);
  expect([storedIn(cluster), rewritten(cluster)]).toEqual([both, []]);
  expect(JSON.stringify(running.errors[0])).toContain(why);
  isBroken = false;
  await running.pass(20 * minute);
  expect(storedIn(cluster)).toEqual(done);
});

test('expired pages continue at the token of the server, and otherwise from the start', async () => {
  for (const next of [undefined, 'the rest']) {
    const cluster = warehouse(501);
    let lists = 0;
    const asked: unknown[] = [];
    cluster.beforeRead = (resource) => {
      if (resource === name && (lists += 1) === 2) {
        throw new ApiError({
          code: 410,
          reason: 'Expired',
          ...(next && { metadata: { continue: next } }),
        });
      }
    };
    const { list } = cluster.client;
    cluster.client.list = (kind, options) => {
      if (kind.plural === 'boxes') asked.push(options?.continue);
      const isOurs = options?.continue === 'the rest';
      return list.call(cluster.client, kind, isOurs ? {} : options) as never;
    };
    await using running = await migrating(cluster, { settle: 0, perSecond: 1000 });
    await running.pass(minute);
    expect(asked.slice(0, 3)).toEqual([undefined, expect.any(String), next]);
    expect(new Set(rewritten(cluster)).size).toBe(501);
    expect(storedIn(cluster)).toEqual(done);
  }
});

test('a version is removed only from the generation that was migrated; another generation starts again', async () => {
  const cluster = warehouse(2);
  let isMoved = false;
  cluster.before = (call) => {
    if (!call.includes('customresourcedefinitions') || isMoved) return;
    isMoved = true;
    // The storage version went back, objects were written, and it was restored.
    cluster.put(CustomResourceDefinition, defined(both, ['v2', 'v1']));
    cluster.put(CustomResourceDefinition, defined(both));
  };
  await using running = await migrating(cluster, { settle: minute });
  await running.pass(minute + second);
  expect([storedIn(cluster), rewritten(cluster).length]).toEqual([both, 2]);
  await running.pass(minute + second);
  expect([storedIn(cluster), rewritten(cluster).length, struck(cluster)]).toEqual([done, 4, 2]);
  expect(definitionIn(cluster)?.metadata.generation).toBe(3);
  expect(running.errors).toEqual([]);
});

test('a version that is stored again is migrated again', async () => {
  const cluster = warehouse(1);
  await using running = await migrating(cluster, { settle: 0 });
  await running.pass(second);
  expect(storedIn(cluster)).toEqual(done);
  cluster.put(CustomResourceDefinition, defined(both, ['v2', 'v1']));
  await running.pass(second);
  expect([storedIn(cluster), rewritten(cluster).length]).toEqual([['v1'], 2]);
});

test('metrics report the outcome of objects, and whether work is left', async () => {
  const metrics = await Metrics.create({ ofProcess: false });
  const read = async (name: string): Promise<string[]> => {
    const { text } = await metrics.page();
    const prefix = `tenantry_storage_migration_${name}{`;
    return text.split('\n').filter((line) => line.startsWith(prefix));
  };
  const cluster = warehouse(2);
  const other = storageMigration({ ...box, plural: 'tins' });
  const { instruments } = metrics;
  other.metrics?.({ instruments, cache: () => undefined, clock: cluster.clock });
  const running = new Running(storageMigration(box), { cluster });
  running.run.registerMetrics(instruments);
  await running.start();
  await using _ = running;
  const resource = `resource="${name}"`;
  const pending = 'tenantry_storage_migration_pending';
  expect(await read('pending')).toEqual([`${pending}{${resource}} 1`]);
  await running.pass(minute + second);
  expect(await read('pending')).toEqual([`${pending}{${resource}} 0`]);
  const objects = `tenantry_storage_migration_objects_total{${resource},result="rewritten"}`;
  expect(await read('objects_total')).toEqual([`${objects} 2`]);
});

test('the access is to read and patch only this definition, and to list and patch its objects', () => {
  expect(buildRoles(storageMigration(box).access).cluster).toEqual([
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
      resourceNames: [name],
      verbs: ['list', 'watch'],
    },
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions/status'],
      resourceNames: [name],
      verbs: ['patch'],
    },
    { apiGroups: ['example.com'], resources: ['boxes'], verbs: ['list', 'patch'] },
  ]);
});

test('invalid durations and rates are refused, and two controllers of one plural can have different names', () => {
  expect(() => storageMigration(box, { settle: -1 })).toThrow(
    'settle must be milliseconds from 0 on, got -1',
  );
  for (const perSecond of [0, Number.NaN, Infinity]) {
    expect(() => storageMigration(box, { perSecond })).toThrow(`above 0, got ${perSecond}`);
  }
  expect(storageMigration(box).name).toBe('storage-of-boxes');
  expect(storageMigration(box, { name: 'moving' }).name).toBe('moving');
});

test('nothing is rewritten while a field would be lost without a conversion', async () => {
  const cluster = warehouse(2, lossy());
  await using running = await migrating(cluster, { settle: 0 });
  await running.pass(minute);
  expect(rewritten(cluster)).toEqual([]);
  expect(storedIn(cluster)).toEqual(both);
  const message =
    'boxes.example.com: spec.conversion must be of the strategy Webhook before objects are stored in v2, which has no spec.size of v1: it would be lost';
  expect(running.errors[0]).toHaveProperty('error.message', message);
  // OLM does this once the new pods exist.
  cluster.put(CustomResourceDefinition, lossy({ strategy: 'Webhook' }));
  await running.pass(20 * minute);
  expect(rewritten(cluster)).toEqual(['box-0', 'box-1']);
  expect(storedIn(cluster)).toEqual(done);
});

test('fields may be dropped if the option allows it', async () => {
  const cluster = warehouse(1, lossy());
  await using running = await migrating(cluster, { settle: 0, dropsFields: true });
  await running.pass(second);
  expect(storedIn(cluster)).toEqual(done);
});

/** Returns a definition whose v1 has a field that v2 does not have. */
function lossy(conversion?: { readonly strategy: 'Webhook' }): ReturnType<typeof defined> {
  const { spec, ...rest } = defined(both);
  const fields = { v1: { size: integer('') }, v2: { width: integer('') } };
  const versions = spec.versions.map((version) => {
    const own = fields[version.name as keyof typeof fields];
    const openAPIV3Schema = object('A box.', { spec: object('', own) });
    return { ...version, schema: { openAPIV3Schema } };
  });
  return { ...rest, spec: { ...spec, versions, ...(conversion && { conversion }) } } as never;
}
