import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isMapping } from '@tenantry/kube/mapping';
import { diffContent, type FieldDiff, type PathStep } from '../../../operator/drift/difference.ts';
import { type Content, digestContent, normalizeValue } from '../../../operator/stored/content.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { anyTwo, reordered, respelled, type ComparedObject } from '../stored/any-object.ts';
import { buildContent } from '../stored/objects.ts';

const contentOf = ({ kind, fields }: ComparedObject): Content => buildContent(kind, fields);

/** Two objects of which the second has some fields of the first, so that they are mostly equal. */
const alike = anyTwo.chain(([one, other]) =>
  fc.subarray(Object.keys(one.fields)).map((kept): [ComparedObject, ComparedObject] => {
    const from = Object.fromEntries(kept.map((key) => [key, one.fields[key]]));
    return [one, { kind: one.kind, fields: mixed(other.fields, from) }];
  }),
);

function mixed(base: Readonly<Record<string, unknown>>, over: object): Record<string, unknown> {
  return { ...base, ...over };
}

test('two objects have one digest if and only if they do not differ', () => {
  fc.assert(
    fc.property(fc.oneof(anyTwo, alike), ([one, other]) => {
      const [a, b] = [contentOf(one), contentOf(other)];
      expect(diffContent(a, b).length === 0).toBe(digestContent(a) === digestContent(b));
    }),
    runs(1000),
  );
});

test('differences are symmetric: missing on one side is extra on the other', () => {
  fc.assert(
    fc.property(alike, ([one, other]) => {
      const [a, b] = [contentOf(one), contentOf(other)];
      const kinds = (all: readonly FieldDiff[], wanted: 'desired' | 'live') =>
        all.filter((difference) => !(wanted in difference)).length;
      const [there, back] = [diffContent(a, b), diffContent(b, a)];
      expect(back).toHaveLength(there.length);
      expect(kinds(back, 'live')).toBe(kinds(there, 'desired'));
      expect(kinds(back, 'desired')).toBe(kinds(there, 'live'));
    }),
    runs(500),
  );
});

test('order and the spelling of amounts never matter', () => {
  fc.assert(
    fc.property(anyTwo, fc.nat(11), ([one], turn) => {
      const fields = respelled(reordered(one.fields, turn), turn) as ComparedObject['fields'];
      const [a, b] = [contentOf(one), contentOf({ ...one, fields })];
      expect(diffContent(a, b)).toEqual([]);
      expect(digestContent(b)).toBe(digestContent(a));
    }),
    runs(500),
  );
});

test('applying the reported differences gives the declared object', () => {
  fc.assert(
    fc.property(fc.oneof(anyTwo, alike), ([one, other]) => {
      const [a, b] = [contentOf(one), contentOf(other)];
      const found = diffContent(a, b);
      // An entry without a name is shown by its position on one side, which does not reveal the other position.
      fc.pre(
        found.every(({ path }) => !path.slice(0, -1).some((step) => typeof step === 'number')),
      );
      const fields = found.reduce<unknown>(
        (live, { path, ...difference }) => repaired(live, path, difference, b),
        b.fields,
      );
      const then: Content = { ...b, fields: withoutHoles(fields) as Content['fields'] };
      expect(digestContent(then)).toBe(digestContent(a));
    }),
    runs(500),
  );
});

/** Marks a value that is to be removed, so that the positions of others stay. */
const HOLE = Symbol('nothing');

/** Returns the live object with one difference reverted. */
function repaired(
  live: unknown,
  [step, ...rest]: readonly PathStep[],
  difference: Omit<FieldDiff, 'path'>,
  content: Content,
  place: readonly (string | number)[] = [],
): unknown {
  const desired = 'desired' in difference ? difference.desired : HOLE;
  if (step === undefined) return desired;
  if (typeof step === 'string') {
    const held = isMapping(live) ? live : {};
    const inner = repaired(held[step], rest, difference, content, [...place, step]);
    return { ...held, [step]: inner };
  }
  const list: readonly unknown[] = Array.isArray(live) ? live : [];
  if (rest.length === 0 && !('live' in difference)) return [...list, desired];
  const meaning = (value: unknown) => normalizeValue(value, [...place, 0], content);
  const isMeant = (item: unknown): boolean => {
    if (typeof step === 'object' && !hasKeys(item, step.by)) return false;
    return rest.length > 0 || (item !== HOLE && meaning(item) === meaning(difference.live));
  };
  const at = list.findIndex(isMeant);
  expect(at).toBeGreaterThanOrEqual(0);
  return list.with(at, repaired(list[at], rest, difference, content, [...place, at]));
}

function hasKeys(item: unknown, by: Readonly<Record<string, unknown>>): boolean {
  return isMapping(item) && Object.entries(by).every(([key, is]) => item[key] === is);
}

function withoutHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => one !== HOLE).map(withoutHoles);
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== HOLE)
      .map(([key, one]) => [key, withoutHoles(one)]),
  );
}
