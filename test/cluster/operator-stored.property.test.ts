import { expect } from '@jest/globals';
import fc from 'fast-check';
import { isMapping } from '@tenantry/kube/mapping';
import { findObjectDrift, type Drift } from '../../operator/drift/object-drift.ts';
import { isAsExpected, expected } from '../../operator/drift/expected.ts';
import { normalizeContent, digestContent } from '../../operator/stored/content.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { KubeObject } from '@tenantry/kube/object';
import { runs } from '@tenantry/kube/test/yaml/runs';
import {
  anyTwo,
  reordered,
  respelled,
  type ComparedObject,
} from '../operator/stored/any-object.ts';
import { objectOf } from '../operator/stored/objects.ts';
import { toReference, type Reply } from '@tenantry/testing/controlplane/objects';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';

const given = await sharedCluster();
const { test } = given;

let made: Promise<string> | undefined;
const namespace = (): Promise<string> => (made ??= newNamespace(given.cluster, 'stored'));

const words = { labels: { team: 'a' }, annotations: { description: 'ours' } };

/** Builds the declared object, with a name of its own. */
async function declared({ kind, fields }: ComparedObject): Promise<KubeObject> {
  const name = uniqueName('stored');
  const isNamespace = kind === 'Namespace';
  const metadata = { name, ...(!isNamespace && { namespace: await namespace() }), ...words };
  return { ...objectOf(kind, fields), metadata };
}

const apply = (object: KubeObject, options: { fieldManager: string; dryRun?: boolean }) =>
  given.cluster.admin.apply(object, { force: true, fieldValidation: 'Strict', ...options });

const liveOf = ({ body }: Reply): Live => body as unknown as Live;

const driftOf = (object: KubeObject, live: Live): readonly Drift[] => {
  const drift = findObjectDrift(object, live);
  const kept = {
    metadata: live.metadata,
    digest: digestContent(normalizeContent(live as KubeObject)!),
  };
  // The digest that is kept in memory must agree.
  expect(isAsExpected(expected(object), kept)).toBe(drift.length === 0);
  return drift;
};

const units: Readonly<Record<string, number>> = {
  '': 1,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};
const amountFields = new Set([
  'hard',
  'min',
  'max',
  'default',
  'defaultRequest',
  'maxLimitRequestRatio',
]);

/** Returns an amount in the notation of the API server as a number. */
function numberOf(text: unknown): number {
  const [, digits, unit = ''] = /^([\d.]+(?:e\d+)?)(\D*)$/.exec(String(text))!;
  return Number(digits) * units[unit]!;
}

/** Returns a text for a stored value that is the same for every order of its lists. */
function meaningOf(value: unknown, isAmounts = false): string {
  if (Array.isArray(value))
    return `[${value
      .map((one) => meaningOf(one))
      .toSorted()
      .join()}]`;
  if (!isMapping(value)) return isAmounts ? String(numberOf(value)) : JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, one]) => one !== null)
    .map(([key, one]) => `${key}:${meaningOf(one, isAmounts || amountFields.has(key))}`);
  return `{${fields.toSorted().join()}}`;
}

/** Returns a text for the part of a stored object that users write. */
function storedMeaning(live: Live): string {
  const { metadata, status: _, ...rest } = live as Live & { status?: unknown };
  const { labels, annotations } = metadata;
  const written = (map: Readonly<Record<string, string>> = {}) =>
    Object.entries(map)
      .filter(([key]) => key !== 'kubernetes.io/metadata.name')
      .toSorted();
  return meaningOf(emptyLess(rest)) + JSON.stringify([written(labels), written(annotations)]);
}

/** Removes nulls and empty lists: the API server writes a missing list as null, as nothing, or as an empty list. */
function emptyLess(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptyLess);
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]) => [key, emptyLess(one)] as const)
      .filter(([, one]) => one !== null && !(Array.isArray(one) && one.length === 0)),
  );
}

test('a declared object shows no drift against what the API server stores of it', async () => {
  let created = 0;
  let refused = '';
  await fc.assert(
    fc.asyncProperty(anyTwo, async ([first]) => {
      const object = await declared(first);
      const reply = await apply(object, { fieldManager: 'argocd-controller' });
      if (reply.status > 201) return void (refused = String(reply.body.message));
      created++;
      expect(driftOf(object, liveOf(reply))).toEqual([]);
    }),
    runs(240),
  );
  // Refused objects prove nothing.
  expect([created > 100, refused]).toEqual([true, expect.anything()]);
});

/** A change by another manager. */
interface Change {
  readonly how: 'again' | 'reordered' | 'respelled' | 'other' | 'words';
  readonly turn: number;
  readonly operation: 'Apply' | 'Update';
}

const anyChange: fc.Arbitrary<Change> = fc.record({
  how: fc.constantFrom('again', 'reordered', 'respelled', 'other', 'other', 'other', 'words'),
  turn: fc.nat(11),
  operation: fc.constantFrom('Apply', 'Update'),
});

function changed(object: KubeObject, other: ComparedObject, { how, turn }: Change): KubeObject {
  const { apiVersion, kind, metadata, ...fields } = object;
  const as = (more: object): KubeObject => ({ apiVersion, kind, metadata, ...more });
  if (how === 'reordered') return as(reordered(fields, turn) as object);
  if (how === 'respelled') return as(respelled(fields, turn) as object);
  if (how === 'words') {
    const labels = [
      { team: 'b' },
      {},
      { ...words.labels, 'pod-security.kubernetes.io/enforce': 'privileged' },
    ];
    return { ...object, metadata: { ...metadata, labels: labels[turn % labels.length]! } };
  }
  // The role of a binding is immutable.
  const { roleRef } = object;
  return how === 'other'
    ? as({ ...other.fields, ...(roleRef !== undefined && { roleRef }) })
    : object;
}

async function write(object: KubeObject, operation: Change['operation']): Promise<Reply> {
  if (operation === 'Apply') return apply(object, { fieldManager: 'mallory' });
  const { admin } = given.cluster;
  const options = { fieldManager: 'mallory' };
  for (let left = 5; ; left--) {
    const now = await admin.get(toReference(object));
    const { resourceVersion } = liveOf(now).metadata;
    // Controllers write the status of a budget at the same time.
    const reply = await admin.replace(
      { ...object, metadata: { ...object.metadata, resourceVersion } as KubeObject['metadata'] },
      options,
    );
    if (reply.status !== 409 || left === 0) return reply;
  }
}

test('a change is drift exactly where the API server then stores something else, and its field manager is reported', async () => {
  const count = { same: 0, other: 0, named: 0 };
  await fc.assert(
    fc.asyncProperty(anyTwo, anyChange, async ([first, other], change) => {
      const object = await declared(first);
      const before = await apply(object, { fieldManager: 'argocd-controller' });
      if (before.status > 201) return;
      const after = await write(changed(object, other, change), change.operation);
      if (after.status > 201) return;
      const drift = driftOf(object, liveOf(after));
      const isSame = storedMeaning(liveOf(before)) === storedMeaning(liveOf(after));
      expect(drift.length === 0).toBe(isSame);
      count[isSame ? 'same' : 'other']++;
      for (const one of drift) {
        if (one.live === undefined && one.manager === undefined) continue;
        expect(one).toMatchObject({ manager: 'mallory', operation: change.operation });
        count.named++;
      }
      await expectHealable(object, drift, isSame);
    }),
    runs(240),
  );
  expect(Math.min(count.same, count.other, count.named)).toBeGreaterThan(20);
});

/**
 * Compares the drift with the API server: an apply of the declaration must change exactly what is reported as drift.
 * The apply includes defaults, since a field with a default keeps its value when an apply leaves it out.
 */
async function expectHealable(
  object: KubeObject,
  drift: readonly Drift[],
  isSame: boolean,
): Promise<void> {
  const live = liveOf(await given.cluster.admin.get(toReference(object)));
  const whole = { ...object, ...normalizeContent(object)!.fields };
  const applied = await apply(whole, { fieldManager: 'judge', dryRun: true });
  // An added field may conflict with a declared one: a budget has only one of its two bounds.
  if (applied.status === 422) return expect(drift.map(({ type }) => type)).toContain('Extra');
  expect(applied.status).toBe(200);
  const isLeft = driftOf(object, liveOf(applied));
  // An apply does not change fields that it leaves out.
  expect(isLeft.filter(({ type }) => type !== 'Extra')).toEqual([]);
  const isApplied = storedMeaning(live) === storedMeaning(liveOf(applied));
  if (isSame) expect(isApplied).toBe(true);
  if (isApplied) expect(isLeft).toHaveLength(drift.length);
}
