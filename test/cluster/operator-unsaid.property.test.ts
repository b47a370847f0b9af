import { expect } from '@jest/globals';
import fc from 'fast-check';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { diffObject, findObjectDrift } from '../../operator/drift/object-drift.ts';
import { formatSteps } from '../../operator/drift/difference.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { toReference, type Reply } from '@tenantry/testing/controlplane/objects';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { samples } from '../operator/drift/builtin-samples.ts';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';

const given = await sharedCluster();
const { test } = given;

let made: Promise<string> | undefined;
const namespace = (): Promise<string> => (made ??= newNamespace(given.cluster, 'unsaid'));

type Place = readonly (string | number)[];
type Sample = (typeof samples)[number];

/** Returns the paths within a declared object. */
function placesIn(value: unknown, path: Place = []): Place[] {
  const inner = Array.isArray(value)
    ? value.flatMap((one, i) => placesIn(one, [...path, i]))
    : isMapping(value)
      ? Object.entries(value).flatMap(([key, one]) => placesIn(one, [...path, key]))
      : [];
  const isName = path.length < 2 && ['apiVersion', 'kind', 'metadata'].includes(String(path[0]));
  return path.length === 0 ? inner : isName ? [] : [path, ...inner];
}

/** Returns the value with the part at a path replaced by the result of `change`; undefined removes it. */
function changed(
  value: unknown,
  [first, ...rest]: Place,
  change: (value: unknown) => unknown,
): unknown {
  if (first === undefined) return change(value);
  if (Array.isArray(value)) {
    const inside = changed(value[Number(first)], rest, change);
    return inside === undefined
      ? value.toSpliced(Number(first), 1)
      : value.with(Number(first), inside);
  }
  if (!isMapping(value)) return value;
  const { [first]: before, ...others } = value;
  const inside = changed(before, rest, change);
  return inside === undefined ? others : { ...value, [first]: inside };
}

const gone = (): undefined => undefined;

/** A sample without some of its fields. */
const anySample: fc.Arbitrary<Sample> = fc
  .tuple(fc.constantFrom(...samples), fc.array(fc.nat(), { maxLength: 4 }))
  .map(([sample, picks]) =>
    picks.reduce<Sample>((reduced, pick) => {
      const places = placesIn(reduced);
      if (places.length === 0) return reduced;
      return changed(reduced, places[pick % places.length]!, gone) as Sample;
    }, sample),
  );

async function declaredOf(sample: Sample): Promise<KubeObject> {
  const name = uniqueName('unsaid');
  const { apiVersion, kind, ...rest } = sample;
  const metadata = { name, namespace: await namespace(), labels: { a: 'b' } };
  return { apiVersion, kind, metadata, ...rest };
}

const apply = (object: KubeObject, options: { fieldManager: string; dryRun?: boolean }) =>
  given.cluster.admin.apply(object, { force: true, fieldValidation: 'Strict', ...options });

const liveOf = ({ body }: Reply): Live => body as unknown as Live;

const describeDiff = (object: KubeObject, live: Live): readonly string[] =>
  diffObject(object, live as Live & KubeObject).map(
    (one) =>
      `${object.kind} ${formatSteps(one.path)} ${JSON.stringify([one.desired ?? null, one.live ?? null])}`,
  );

test('a declared object of a further kind shows no drift against what the API server stores of it', async () => {
  const accepted = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(anySample, async (sample) => {
      const object = await declaredOf(sample);
      const reply = await apply(object, { fieldManager: 'argocd-controller', dryRun: true });
      if (reply.status > 201) return;
      accepted.set(object.kind, (accepted.get(object.kind) ?? 0) + 1);
      expect(describeDiff(object, liveOf(reply))).toEqual([]);
    }),
    runs(800),
  );
  // Refused objects prove nothing.
  expect(accepted.size).toBeGreaterThanOrEqual(12);
  expect([...accepted.values()].reduce((a, b) => a + b)).toBeGreaterThan(150);
});

/** A change of a value by another manager. */
interface Change {
  readonly how: 'other' | 'gone' | 'added' | 'reordered';
  readonly turn: number;
  readonly operation: 'Apply' | 'Update';
}

const anyChange: fc.Arbitrary<Change> = fc.record({
  how: fc.constantFrom('other', 'other', 'other', 'gone', 'added', 'reordered'),
  turn: fc.nat(),
  operation: fc.constantFrom('Apply', 'Update'),
});

function otherValue(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return value;
  const amount = /^(\d+)(.*)$/.exec(value);
  if (amount) return `${Number(amount[1]) + 1}${amount[2]}`;
  return value === '' ? 'x' : `${value}x`;
}

function changeOf({ how }: Change): (value: unknown) => unknown {
  if (how === 'gone') return gone;
  if (how === 'other') return otherValue;
  if (how === 'reordered') return (value) => (Array.isArray(value) ? value.toReversed() : value);
  return (value) =>
    Array.isArray(value)
      ? [
          ...value,
          ...value.slice(0, 1).map((one) => (isMapping(one) ? { ...one, name: 'added' } : 'added')),
        ]
      : value;
}

async function write(object: KubeObject, operation: Change['operation']): Promise<Reply> {
  if (operation === 'Apply') return apply(object, { fieldManager: 'mallory' });
  const { admin } = given.cluster;
  for (let left = 5; ; left--) {
    const { resourceVersion } = liveOf(await admin.get(toReference(object))).metadata;
    const metadata = { ...object.metadata, resourceVersion } as KubeObject['metadata'];
    const reply = await admin.replace({ ...object, metadata }, { fieldManager: 'mallory' });
    if (reply.status !== 409 || left === 0) return reply;
  }
}

/** The keys by which the API server identifies entries of lists. The order of such lists has no meaning. */
const keys = ['name', 'containerPort', 'mountPath', 'port', 'ip', 'whenUnsatisfiable'];

/**
 * Returns what is stored, without the fields that every write changes and without annotations, which controllers may
 * write at any time.
 */
function stored(live: Live): string {
  const { metadata, status: _, ...rest } = live as Live & { status?: unknown };
  return JSON.stringify([ordered(rest), ordered(metadata.labels)]);
}

function ordered(value: unknown): unknown {
  if (isMapping(value)) {
    const fields = Object.entries(value).map(([key, one]) => [key, ordered(one)] as const);
    return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
  if (!Array.isArray(value)) return value;
  const items = value.map(ordered);
  const isKeyed = items.every((one) => isMapping(one) && keys.some((key) => key in one));
  return isKeyed
    ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : items;
}

test('a change to an object of a further kind is drift exactly where an apply of the declaration would revert it', async () => {
  const count = { same: 0, other: 0, named: 0 };
  await fc.assert(
    fc.asyncProperty(anySample, anyChange, async (sample, change) => {
      const object = await declaredOf(sample);
      const places = placesIn(sample);
      if (places.length === 0) return;
      const first = await apply(object, { fieldManager: 'argocd-controller' });
      if (first.status > 201) return;
      const place = places[change.turn % places.length]!;
      const after = await write(
        changed(object, place, changeOf(change)) as KubeObject,
        change.operation,
      );
      if (after.status > 201) return;
      // Controllers write at the same time.
      const live = liveOf(await given.cluster.admin.get(toReference(object)));
      const restored = await apply(object, { fieldManager: 'argocd-controller', dryRun: true });
      if (restored.status > 201) return;
      const drift = findObjectDrift(object, live);
      const isSame = stored(live) === stored(liveOf(restored));
      count[isSame ? 'same' : 'other']++;
      // An apply removes no field that it leaves out.
      const undone = drift.filter(({ type }) => type !== 'Extra');
      const fields = undone.map(({ field = '', desired, live: is }) => `${field} ${desired} ${is}`);
      expect({ place, change, fields, isSame: fields.length === 0 }).toMatchObject({ isSame });
      for (const one of drift) {
        if (one.live === undefined && one.manager === undefined) continue;
        expect(one).toMatchObject({ manager: 'mallory', operation: change.operation });
        count.named++;
      }
    }),
    runs(400),
  );
  expect(Math.min(count.same, count.other, count.named)).toBeGreaterThan(15);
});
