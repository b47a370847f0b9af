import { expect, test } from '@jest/globals';
import { define } from '../define.ts';
import { referencePage } from '../reference.ts';
import {
  boolean,
  enumOf,
  immutable,
  integer,
  list,
  listMap,
  map,
  nullable,
  number,
  object,
  required,
  string,
} from '../schema/language.ts';

const limits = object('What may be used.', { cpu: integer('Cores.', { maximum: 9 }) });
const status = object('What it is.', { ready: boolean('Whether it is up.') });
const current = object('A box.', {
  spec: required(
    object(
      'What it should be.',
      {
        color: required(enumOf('Its colour.', ['red', 'blue'], { example: 'red' })),
        size: integer('How big.', { minimum: 1, default: 3 }),
        note: nullable(string('For people | robots.', { absent: 'no note', must: 'a line' })),
        parts: listMap(
          'Its parts.',
          'name',
          object('A part.', { name: required(string('Its name.')) }),
        ),
        day: limits,
        night: limits,
        labels: map('Labels.', string('One.'), { maxProperties: 4 }),
      },
      { atLeastOneOf: ['day', 'night'] },
    ),
  ),
  status,
});
const older = object('A box.', {
  spec: object('What it should be.', { paint: string('Its colour.') }),
});

const box = define({
  group: 'example.com',
  kind: 'Box',
  plural: 'boxes',
  shortNames: ['bx'],
  scope: 'Namespaced',
  versions: {
    v1: { schema: current, storage: true },
    v1alpha1: { schema: older, deprecated: true, deprecationWarning: 'use v1' },
  },
});

const page = referencePage(box);

test('the reference page has one line per field: type, meaning, bounds, default, example', () => {
  for (const line of [
    '| `color` | `red`, `blue` | *required* Its colour. Example: `"red"`. |',
    '| `size` | integer | How big. (from 1) Default: `3`. |',
    '| `note` | string or null | For people \\| robots. Must be a line. Absent: no note. |',
    '| `labels` | map to string | Labels. (at most 4 entries) |',
    '| `ready` | boolean | Whether it is up. |',
    'It must have at least one of day, night.',
    'Also: `kubectl get bx`.',
  ]) {
    expect(page.split('\n')).toContain(line);
  }
});

test('an object that occurs in two places is described once', () => {
  expect(page.match(/^## v1 spec\.(day|night)$/gm)).toEqual(['## v1 spec.day']);
  expect(page).toContain(
    '| `night` | object | What may be used. See [v1 spec.day](#v1-specday). |',
  );
  expect(page).toContain(
    'list of object by `name` | Its parts. See [v1 spec.parts[]](#v1-specparts).',
  );
});

test('each version has its part, and a deprecated one is marked', () => {
  expect(page).toContain('## v1\n\nA box.\n\n(the version in which objects are stored)');
  expect(page).toContain('## v1alpha1\n\nA box.\n\n(deprecated: use v1)');
  expect(page).toContain('## v1alpha1 spec\n\nWhat it should be.\n');
  expect(page).toContain('apiVersion: example.com/v1alpha1\nkind: Box\n');
});

/** Returns the lines of the page of a kind with this schema. */
function linesOf(schema: ReturnType<typeof object>): string[] {
  const names = {
    group: 'example.com',
    kind: 'Box',
    plural: 'boxes',
    scope: 'Namespaced',
  } as const;
  return referencePage(define({ ...names, versions: { v1: { schema } } })).split('\n');
}

test('the reference page shows lengths, patterns, formats and exclusive bounds, also of items', () => {
  const lines = linesOf(
    object('', {
      spec: object('What it should be.', {
        name: string('Its name.', { minLength: 1, maxLength: 9, pattern: '^(a|b)' }),
        since: string('Since when.', { format: 'date-time' }),
        ratio: number('A part.', { minimum: 0, exclusiveMinimum: true, maximum: 1 }),
        pairs: integer('An even number.', { multipleOf: 2 }),
        zones: list('Where.', string('One.', { maxLength: 3 }), { minItems: 1 }),
      }),
    }),
  );
  for (const line of [
    '| `name` | string | Its name. (1 to 9 characters, matches `^(a\\|b)`) |',
    '| `since` | string | Since when. (format date-time) |',
    '| `ratio` | number | A part. (more than 0, to 1) |',
    '| `pairs` | integer | An even number. (a multiple of 2) |',
    '| `zones` | list of string | Where. (at least 1 item; each at most 3 characters) |',
  ]) {
    expect(lines).toContain(line);
  }
});

test('rules on the reference page are sentences about their field', () => {
  const rules = [
    { rule: 'self.low <= self.high', message: 'low must be at most high', fieldPath: '.low' },
    { rule: 'self.high != 7', message: 'must not be 7', fieldPath: '.high' },
    { rule: 'self.low != 7' },
    { rule: 'self.low != 8', message: 'low.est must not be 8' },
  ];
  const bound = required(integer('A bound.'));
  const spec = object(
    'What it should be.',
    { low: bound, high: bound, place: immutable(string('Where.', { maxLength: 9 })) },
    { rules },
  );
  const lines = linesOf(object('', { spec }));
  for (const line of [
    'Low must be at most high.',
    '`high` must not be 7.',
    'It must fulfil `self.low != 7`.',
    'low.est must not be 8.',
    '`place` must be neither added nor taken away later.',
    '| `place` | string | Where. (at most 9 characters) Must not change. |',
  ]) {
    expect(lines).toContain(line);
  }
});

test('fields beside spec and status and rules of the whole object are on the reference page', () => {
  const lines = linesOf(
    object(
      '',
      { size: required(integer('How big.')), data: map('What is in it.', string('Text.')) },
      { rules: [{ rule: 'self.size > 0', message: 'must have a size' }] },
    ),
  );
  for (const line of [
    '## fields',
    '| `size` | integer | *required* How big. |',
    '| `data` | map to string | What is in it. |',
    'It must have a size.',
  ]) {
    expect(lines).toContain(line);
  }
});
