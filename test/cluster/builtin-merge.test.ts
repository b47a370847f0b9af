import { expect } from '@jest/globals';
import fc from 'fast-check';
import { builtinFields, builtinListKeys } from '@tenantry/kube/builtin-fields';
import { isNonPersisted } from '@tenantry/kube/builtin-kinds';
import { normalizeBuiltinObject } from '@tenantry/kube/builtin-stored';
import { formatFinding, type Finding } from '@tenantry/kube/finding';
import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { validateBuiltinMerge } from '@tenantry/crd/schema/builtin-merge';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { changed, objectOf, placesIn, stableKinds } from './builtinobjects-generated.ts';
import { testsOfOurMinor } from './minor.ts';

const given = await sharedCluster();
const test = testsOfOurMinor(given.test);

/** A fault of a list: the fields on the way to the list, and what is wrong. */
type ListFault = `${string}: ${'again' | 'keyless' | 'null' | 'unmapped'}`;

const words: readonly (readonly [RegExp, string])[] = [
  [/duplicate entries for key/, 'again'],
  [/omits all key fields/, 'keyless'],
  [/may not have a null element|an explicit null/, 'null'],
  [/expected map/, 'unmapped'],
];

/**
 * Reads the faults from a server's message. The server identifies an item by its keys:
 * `.spec.containers[name="a"].env: duplicate entries for key [name="A"]`.
 */
function parseServerFaults(message: unknown): readonly ListFault[] {
  return String(message)
    .split('\n')
    .flatMap((line) => {
      const what = words.find(([pattern]) => pattern.test(line))?.[1];
      const path = /(\.\S*): (?:duplicate entries|element \d+:|expected map)/.exec(
        line.replaceAll(/\[[^\]]*\]/g, ''),
      );
      if (what === undefined) return [];
      if (!path) throw new Error(`must name a list, got ${line}`);
      return [`${path[1]}: ${what}` as ListFault];
    });
}

const listOf = (path: Finding['path']): string =>
  path.map((part) => (typeof part === 'number' ? '' : `.${part}`)).join('');

/** Reads the faults from our own findings. The item is the last number of the path; its key may follow. */
function collectOwnFaults(findings: readonly Finding[]): readonly ListFault[] {
  return findings.map(({ path, message, rule }) => {
    if (rule === 'type') return `${listOf(path)}: unmapped` as const;
    const item = path.findLastIndex((part) => typeof part === 'number');
    const isKeyless = message.startsWith('must not be empty');
    const what = isKeyless ? 'keyless' : message.endsWith('got null') ? 'null' : 'again';
    return `${listOf(path.slice(0, item))}: ${what}` as const;
  });
}

/**
 * Keeps the faults that both sides can find. A server checks a list no further after an item that it cannot identify.
 */
function whereBothLook(
  faults: readonly ListFault[],
  givenUp: readonly string[],
): readonly ListFault[] {
  return faults.filter((one) => !givenUp.some((list) => one.startsWith(list))).toSorted();
}

async function disagreement(object: Body): Promise<unknown> {
  const rendered = normalizeBuiltinObject(object as unknown as KubeObject) as unknown as Body;
  const { status, body } = await given.cluster.admin.apply(rendered, {
    dryRun: true,
    fieldManager: 'a',
    force: true,
  });
  // This server does not serve the kind.
  if (status === 404 || status === 405) return undefined;
  const findings = validateBuiltinMerge(object as unknown as KubeObject);
  const [ours, server] = [collectOwnFaults(findings), parseServerFaults(body.message)];
  const givenUp = server.filter((one) => /keyless|null/.test(one)).map(listIn);
  // A server may accept an item without its key, or report two such items as duplicates.
  const keyless = ours.filter((one) => one.endsWith('keyless')).map(listIn);
  const passed = [...givenUp, ...keyless];
  const agree =
    givenUp.every((list) => ours.some((one) => listIn(one) === list)) &&
    whereBothLook(ours, passed).join() === whereBothLook(server, passed).join() &&
    (keyless.length > 0 || !answersNameless(body));
  return agree
    ? undefined
    : {
        object: JSON.stringify(object),
        ours: findings.map(formatFinding),
        status,
        message: body.message,
      };
}

const listIn = (fault: ListFault): string => fault.split(':')[0]!;

/**
 * Returns whether a pod in an answer has a pull secret without a name. Servers do not identify the pull secrets of a
 * ServiceAccount by name.
 */
function answersNameless(body: Body): boolean {
  return placesIn(body)
    .filter((place) => place.at(-1) === 'imagePullSecrets' && place.length > 1)
    .some((place) => listAt(body, place).some((one) => isMapping(one) && !one['name']));
}

async function disagreements(objects: readonly Body[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let i = 0; i < objects.length; i += 20) {
    found.push(...(await Promise.all(objects.slice(i, i + 20).map(disagreement))));
  }
  return found.filter((one) => one !== undefined);
}

const two: Readonly<Record<string, readonly [unknown, unknown]>> = {
  string: ['a', 'b'],
  boolean: [true, false],
  int32: [1, 2],
  int64: [1, 2],
  number: [1, 1.5],
  bytes: ['YQ==', 'Yg=='],
  time: ['2026-01-31T12:00:00Z', '2024-02-29T12:00:00Z'],
  microtime: ['2026-01-31T12:00:00.000000Z', '2024-02-29T12:00:00.000000Z'],
  quantity: ['1', '500m'],
  'int-or-string': [80, 'web'],
  any: [{}, 'a'],
};

/** Builds one of two values of a type. For a structure, only fields without nested fields are set. */
function whole(type: string, which: 0 | 1): unknown {
  const known = two[type];
  if (known) return known[which];
  const fields = [...(builtinFields(type) ?? [])].filter(([, inner]) => two[inner]);
  return Object.fromEntries(fields.map(([field, inner]) => [field, two[inner]![which]]));
}

/** Builds test lists: with duplicate items, items that lack a field, and items that differ in one field. */
function lists(itemType: string): readonly (readonly unknown[])[] {
  const [one, other] = [whole(itemType, 0), whole(itemType, 1)];
  const plain = [[one, one], [one, other], [one, other, one], [null], [one, null]];
  if (!isMapping(one) || !isMapping(other)) return plain;
  const varied = Object.keys(one).flatMap((field) => {
    const { [field]: value, ...rest } = one;
    return [
      [one, { ...one, [field]: other[field] }],
      [{ [field]: value }, { [field]: value }],
      [rest, { ...rest, [field]: typeof value === 'string' ? 'TCP' : 0 }],
      [rest, { ...rest, [field]: '' }],
    ];
  });
  return [...plain, [{}], [{}, {}], [one, {}], ...varied];
}

/** Builds a list that is replaced as a whole; its items are not compared with each other. */
function replacedWhole(itemType: string): readonly unknown[] {
  const one = whole(itemType, 0);
  return [one, one, null, ...(isMapping(one) ? [{}, {}] : [])];
}

interface Held {
  readonly isMerged: boolean;
  readonly itemType: string;
  readonly holder: (list: readonly unknown[]) => Body;
}

/** Returns every list of the types that kinds consist of, each in the first object found to have it. */
function everyList(): Held[] {
  const found: Held[] = [];
  const seen = new Set<string>();
  const queue = stableKinds
    .filter(({ apiVersion, kind }) => !isNonPersisted(groupOf(apiVersion), kind))
    .map(({ apiVersion, kind }) => ({
      type: `${apiVersion}/${kind}`,
      make: objectMaker(apiVersion, kind),
    }));
  for (const { type, make } of queue) {
    if (seen.has(type)) continue;
    seen.add(type);
    for (const [field, inner] of builtinFields(type) ?? []) {
      if (field === 'managedFields') continue;
      const holder = (value: unknown): Body => make({ [field]: value });
      if (inner.startsWith('[]')) {
        const isMerged = builtinListKeys(type, field) !== undefined;
        found.push({ isMerged, itemType: inner.slice(2), holder });
      }
      const plain = inner.replace(/^(?:\[\]|\{\})/, '');
      const wrap = (value: unknown) =>
        inner.startsWith('[]') ? [value] : inner.startsWith('{}') ? { a: value } : value;
      queue.push({ type: plain, make: (value) => holder(wrap(value)) });
    }
  }
  return found;
}

const objectMaker =
  (apiVersion: string, kind: string) =>
  ({ metadata = {}, ...rest }: Readonly<Record<string, unknown>>): Body => ({
    apiVersion,
    kind,
    metadata: { name: 'a', namespace: 'default', ...(metadata as object) },
    ...rest,
  });

const isRefused = (object: Body): boolean =>
  validateBuiltinMerge(object as unknown as KubeObject).length > 0;

test('in each list of the built-in kinds, validation refuses what server-side apply refuses, and items without their key', async () => {
  const objects = everyList().flatMap(({ isMerged, itemType, holder }) =>
    (isMerged ? lists(itemType) : [replacedWhole(itemType)]).map(holder),
  );
  expect(await disagreements(objects)).toEqual([]);
  expect(objects.filter(isRefused).length).toBeGreaterThan(500);
});

test('a server drops the empty name of a pull secret from its answer, and validation refuses such a name', async () => {
  const ofPod = (imagePullSecrets: readonly unknown[]) =>
    objectMaker(
      'v1',
      'Pod',
    )({ spec: { containers: [{ name: 'a', image: 'x' }], imagePullSecrets } });
  for (const list of [[{}], [{ name: '' }], [{ name: 'a' }, { name: '' }]]) {
    const pod = ofPod(list);
    const options = { dryRun: true, fieldManager: 'a', force: true } as const;
    const { status, body } = await given.cluster.admin.apply(pod, options);
    expect([status, answersNameless(body), isRefused(pod)]).toEqual([201, true, true]);
  }
  expect(isRefused(ofPod([{ name: 'a' }, { name: 'b' }]))).toBe(false);
  // The schema that Argo CD reads has no default for a missing name.
  const { body } = await given.cluster.admin.request({ method: 'GET', path: '/openapi/v2' });
  const type = 'io.k8s.api.core.v1.LocalObjectReference';
  const name = valueAt(body, ['definitions', type, 'properties', 'name']);
  expect(name).toMatchObject({ type: 'string' });
  expect(name).not.toHaveProperty('default');
});

const itemChange = fc.record({
  list: fc.nat(),
  item: fc.nat(),
  at: fc.nat(),
  field: fc.nat(),
  how: fc.constantFrom('none', 'again', 'again', 'less', 'less', 'empty', 'null'),
});

/** Kinds that contain pods have lists within lists, so they are generated more often. */
const anyObject = fc.oneof(
  objectOf(stableKinds),
  objectOf(stableKinds.filter(({ apiVersion }) => ['apps/v1', 'batch/v1'].includes(apiVersion))),
  objectOf(stableKinds.filter(({ kind }) => ['Pod', 'PodTemplate'].includes(kind))),
);

/** An object with one more item in one of its lists, most often one that resembles an existing item. */
const anyRepeating = fc.tuple(anyObject, itemChange).map(([object, change]): Body => {
  const places = placesIn(object).filter((place) => listAt(object, place).length > 0);
  const place = places[change.list % Math.max(1, places.length)];
  if (!place || change.how === 'none') return object;
  const list = listAt(object, place);
  const more = itemLike(list[change.item % list.length], change);
  return changed(object, place, list.toSpliced(change.at % (list.length + 1), 0, more)) as Body;
});

function itemLike(item: unknown, { how, field }: { how: string; field: number }): unknown {
  if (how === 'null') return null;
  if (how === 'again' || !isMapping(item)) return item;
  if (how === 'empty') return {};
  const fields = Object.keys(item);
  const { [fields[field % fields.length] ?? '']: _, ...rest } = item;
  return rest;
}

test('in generated objects with repeated items, validation refuses exactly those that server-side apply refuses', async () => {
  const { seed, numRuns } = runs(400);
  const objects = fc.sample(anyRepeating, { seed, numRuns });
  expect(await disagreements(objects)).toEqual([]);
  const refused = objects.filter(isRefused).length;
  expect(refused).toBeGreaterThan(numRuns / 10);
  expect(refused).toBeLessThan((numRuns * 9) / 10);
});
