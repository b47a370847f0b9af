import { expect } from '@jest/globals';
import fc from 'fast-check';
import { builtinFields, builtinVersions } from '../../kube/builtinfields.ts';
import { builtinNamespaced } from '../../kube/builtinkinds.ts';
import { formatFinding } from '../../kube/finding.ts';
import { isMapping } from '../../kube/mapping.ts';
import type { KubeObject } from '../../kube/object.ts';
import { builtinFaults } from '../../schema/builtinobject.ts';
import { runs } from '../kube/yaml/runs.ts';
import type { Client } from '../../testing/controlplane/client.ts';
import type { Body } from '../../testing/controlplane/objects.ts';
import { sharedCluster } from '../testing/controlplane/shared.ts';
import { distClusters, distFolders } from './dist.ts';
import { testsOfOurMinor } from './minor.ts';

const given = await sharedCluster();
const test = testsOfOurMinor(given.test);

/** Kinds of stable versions, which every API server serves. */
const types = [...builtinNamespaced.keys()].flatMap((id) => {
  const [group, kind] = id.split('/') as [string, string];
  const stable = builtinVersions(group, kind).filter((one) => /v[0-9]+$/.test(one));
  return stable.map((apiVersion) => ({ apiVersion, kind }));
});

const scalars: Readonly<Record<string, readonly unknown[]>> = {
  string: ['', 'a', '80', 'true'],
  boolean: [true, false],
  int32: [0, 1, -1, 2_147_483_647],
  int64: [0, 1, -1, 9_007_199_254_740_991],
  number: [0, 1.5],
  bytes: ['', 'YQ=='],
  time: ['2026-01-31T12:00:00Z', '2024-02-29T12:00:00.5+01:00'],
  microtime: ['2026-01-31T12:00:00.000000Z'],
  quantity: ['1', '500m', '2Gi', 1, 1.5],
  'int-or-string': [80, 'web', '50%'],
  any: [{}, { a: 1 }],
};

/** A value of a type, as its decoder takes it; rules are not asked of it. */
function valueOf(type: string, depth: number): fc.Arbitrary<unknown> {
  const known = scalars[type];
  if (known) return fc.constantFrom(...known);
  const few = { maxLength: depth > 0 ? 2 : 0 };
  if (type.startsWith('[]')) return fc.array(valueOf(type.slice(2), depth - 1), few);
  if (type.startsWith('{}')) {
    return fc.dictionary(fc.constantFrom('a', 'b'), valueOf(type.slice(2), depth - 1), {
      maxKeys: few.maxLength,
    });
  }
  return structOf([...builtinFields(type)!], depth);
}

function structOf(
  fields: readonly (readonly [string, string])[],
  depth: number,
): fc.Arbitrary<unknown> {
  if (depth <= 0 || fields.length === 0) return fc.constant({});
  return fc
    .subarray([...fields], { minLength: 1, maxLength: Math.min(4, fields.length) })
    .chain((some) =>
      fc.record(Object.fromEntries(some.map(([key, type]) => [key, valueOf(type, depth - 1)]))),
    );
}

const anyObject = fc.constantFrom(...types).chain(({ apiVersion, kind }) => {
  const fields = [...builtinFields(`${apiVersion}/${kind}`)!];
  const own = fields.filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key));
  return structOf(own, 7).map((rest) => ({
    apiVersion,
    kind,
    metadata: { name: 'a', namespace: 'default' },
    ...(rest as object),
  }));
});

/** Objects that are rendered, in a namespace that there is. */
const rendered: readonly Body[] = distClusters()
  .flatMap((cluster) => distFolders(cluster))
  .flatMap(({ objects }) => objects)
  .filter(({ apiVersion, kind }) => builtinFields(`${apiVersion}/${kind}`) !== undefined)
  .map((object) => ({ ...object, metadata: { ...object.metadata, namespace: 'default' } }));

const texts = ['', 'x', '1.5', '2026-01-31T12:00:00Z', 'YQ=='];
const numbers = [5, -1, 1.5, 2_147_483_648, 1e30];
const holders = [[], [null], ['x'], [5], {}, { x: 'y' }, { name: 'x' }];
const wrongs: readonly unknown[] = [null, true, ...texts, ...numbers, ...holders];
const keys = ['dta', 'Spec', 'name', 'spec', 'x', 'constructor', 'kind', 'labels'];

type Place = readonly (string | number)[];

/** The places of an object that may be changed: not which object it is, nor where. */
function placesIn(value: unknown, path: Place = []): Place[] {
  const inner = Array.isArray(value)
    ? value.flatMap((one, i) => placesIn(one, [...path, i]))
    : isMapping(value)
      ? Object.entries(value).flatMap(([key, one]) => placesIn(one, [...path, key]))
      : [];
  const isFixed = path.length === 0 || ['apiVersion', 'kind', 'metadata'].includes(String(path[0]));
  return isFixed ? inner.filter(([first]) => first !== 'metadata') : [path, ...inner];
}

function changed(value: unknown, [first, ...rest]: Place, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((one, i) => (i === first ? changed(one, rest, by) : one));
  }
  if (!isMapping(value)) return by;
  return { ...value, [first]: changed(value[first], rest, by) };
}

/** Of every fourth nothing is changed, of others a value, or what stands at a key. */
const mutation = fc.record({
  at: fc.nat(),
  by: fc.constantFrom(...wrongs),
  key: fc.constantFrom(...keys),
  how: fc.constantFrom('none', 'value', 'value', 'key'),
});

const anyMutated = fc
  .tuple(fc.oneof(anyObject, fc.constantFrom(...rendered)), mutation)
  .map(([object, { at, by, key, how }]) => {
    const places = placesIn(object);
    const place = places[at % Math.max(1, places.length)];
    if (how === 'none') return object as Body;
    if (how === 'value' && place) return changed(object, place, by) as Body;
    const around = place?.slice(0, -1) ?? [];
    // Which object it is stays.
    return changed(
      object,
      [...around, around.length === 0 && key === 'kind' ? 'x' : key],
      by,
    ) as Body;
  });

const options = { dryRun: true, fieldValidation: 'Strict' } as const;

/** Bytes as a list of numbers are the one thing that a request to create reads, and one to apply does not. */
async function isUnreadToApply(client: Client, object: Body): Promise<boolean> {
  const { status } = await client.apply(object, { ...options, fieldManager: 'a', force: true });
  return status === 400 || status === 500;
}

test('we refuse of objects of Kubernetes’ own kinds what an API server cannot read, and nothing else', async () => {
  const { admin } = given.cluster;
  const { seed, numRuns } = runs(800);
  const objects = fc.sample(anyMutated, { seed, numRuns });
  const wrong: unknown[] = [];
  let refused = 0;
  for (let i = 0; i < objects.length; i += 20) {
    await Promise.all(
      objects.slice(i, i + 20).map(async (object) => {
        const ours = builtinFaults(object as unknown as KubeObject)!;
        const { status, body } = await admin.create(object, options);
        if (status === 400) refused += 1;
        if (ours.length > 0 === (status === 400)) return;
        if (ours.length > 0 && (await isUnreadToApply(admin, object))) return;
        wrong.push({
          object: JSON.stringify(object),
          ours: ours.map(formatFinding),
          status,
          message: body.message,
        });
      }),
    );
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(numRuns / 5);
  expect(refused).toBeLessThan((numRuns * 4) / 5);
});
