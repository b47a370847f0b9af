import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readDocuments } from '../../yaml/read.ts';
import { emitYaml } from '../../yaml/write.ts';
import { runs } from './runs.ts';
import { goReader } from '@tenantry/test-tools/go/yaml-json';
import { anyCodePoint } from '../code-points.ts';

test('objects are written as kubectl writes them, in the given order', () => {
  const deployment = {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name: 'web', labels: {}, annotations: undefined, finalizers: [] },
    spec: {
      replicas: 2,
      containers: [
        { name: 'x', args: ['-c', '--flag=1', 'yes'], env: [{ name: 'A', value: '' }] },
        [['a'], [], {}],
        null,
      ],
      script: 'echo a\n\necho b\n',
      note: 'one\ntwo',
    },
  };
  expect(emitYaml([deployment, { a: true }, {}])).toBe(`kind: Deployment
apiVersion: apps/v1
metadata:
  name: web
  labels: {}
  finalizers: []
spec:
  replicas: 2
  containers:
  - name: x
    args:
    - -c
    - --flag=1
    - "yes"
    env:
    - name: A
      value: ""
  - - - a
    - []
    - {}
  - null
  script: |
    echo a

    echo b
  note: |-
    one
    two
---
a: true
---
{}
`);
});

test('no objects give an empty text, and undefined fields are left out', () => {
  expect(emitYaml([])).toBe('');
  expect(emitYaml([{ a: undefined }, { b: { c: undefined } }])).toBe('{}\n---\nb: {}\n');
});

const cyclic: Record<string, unknown> = { a: [] };
cyclic['a'] = [{ b: cyclic }];

test.each([
  [
    'NaN',
    { spec: { replicas: Number.NaN } },
    'objects[0].spec.replicas must be a finite number, got NaN',
  ],
  ['infinity', { a: [-Infinity] }, 'objects[0].a[0] must be a finite number, got -Infinity'],
  ['a bigint', { a: 1n }, 'objects[0].a must be a number, got the bigint 1'],
  ['a function', { a: () => 1 }, 'objects[0].a must be plain data, got a function'],
  ['a symbol', { a: Symbol('x') }, 'objects[0].a must be plain data, got a symbol'],
  ['a date', { a: new Date(0) }, 'objects[0].a must be plain data, got an object of class Date'],
  ['a map', { a: [new Map()] }, 'objects[0].a[0] must be plain data, got an object of class Map'],
  ['a gap in a list', { a: [1, undefined] }, 'objects[0].a[1] must be a value, got nothing'],
  ['half a surrogate pair', { a: '\ud800' }, /^objects\[0\]\.a must be text of whole characters/],
  ['half a pair as key', { 'a\udc00': 1 }, /must be a key of whole characters$/],
  ['a value inside itself', cyclic, 'objects[0].a[0].b must not contain itself'],
  ['a list as an object', ['a'], 'objects[0] must be a mapping, got a list'],
])('%s is refused with its path', (_what, object, message) => {
  expect(() => emitYaml([object])).toThrow(TypeError);
  expect(() => emitYaml([object])).toThrow(message);
});

const words =
  '0o7 -0o7 0O7 0o17_7 1_000 1__0 yes no on off y n Y NO 1e3 .5 0x1F 0b1 0644 12:30:45 12:30 ~ ' +
  'null NULL = << true 2026-01-01 2026-01-01T00:00:00Z +.inf .nan - -- --- ... ? : a: #a a#b %a @a ' +
  '`a &a *a !a | > { } [ ] {} [] , " \' a"b it\'s \\ a\\n \0 \x07 \x1b \x7f \u0080 \u0085 a\u0085b ' +
  '\ufeff \ufffe \uffff \u{1f600} é 日本語 \u{10ffff} __proto__ 0 -1 1.0 08 0b-1 .5_5 1.2.3 1:2 x:y ' +
  'http://a/b?c#d C:\\a $(A)';
const phrases =
  '- a|--- a|? a|: a|a: b|a #b| a|a || |\n|\n\n|a\n|a\n\n|\na| a\nb|a\n b|a \nb|a\nb |a\n\nb|a\nb\n|' +
  'a\n\n\nb\n|#a\nb|- a\n- b|a\tb|\ta|a\n\tb|a\r\nb|\r|\u00a0|\u2028|a\u2029b\nc|a\ufeff\nb|' +
  'Grüße\nan alle\n|---\na: 1|a\n---\nb|a\n...\nb|%YAML 1.1\n';
const long = ['x'.repeat(3000), `${'x '.repeat(2000)}x`];
const adversarial = [...words.split(' '), ...phrases.split('|'), ...long];

const awkward = fc.string({
  unit: fc.constantFrom(
    ...' \n-:#?"\'\\{}[],&*!|>%@`=<~.0123456789_eExoyntf\t\r\u0085\u2028\ufeffé😀ab',
  ),
  maxLength: 10,
});
const text = fc.oneof(
  awkward,
  awkward,
  fc.string({ unit: anyCodePoint, maxLength: 6 }),
  fc.constantFrom(...adversarial),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));
const objects: readonly object[] = [
  ...adversarial.map((string) => ({
    [string]: string,
    [`${string}2`]: [string, { [string]: [string] }],
  })),
  ...[
    1e21,
    -1e21,
    1e-7,
    5e-324,
    1.7976931348623157e308,
    -0,
    0.1,
    2 ** 53,
    2 ** 60,
    2 ** 64,
    1e20,
  ].map((number) => ({ a: number, b: [number] })),
  { ['k'.repeat(5000)]: { a: [{ ['l'.repeat(2000)]: [1, { b: 2 }], c: 3 }] }, d: 1, 10: 1, 2: 2 },
  ...fc.sample(fc.dictionary(text, value, { minKeys: 1, maxKeys: 6 }), runs(6000)),
];

/** Returns the JSON of an object, with sorted keys. */
function canonical(object: unknown): string {
  return JSON.stringify(object, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

function hasLargeInteger(item: unknown): boolean {
  if (typeof item === 'number') return Number.isInteger(item) && !Number.isSafeInteger(item);
  return typeof item === 'object' && item !== null && Object.values(item).some(hasLargeInteger);
}

const ask = await goReader();
const withGo = ask === undefined ? test.skip : test;

withGo('every object comes back from the parser of kubectl as the same JSON', () => {
  const answers = ask!(objects.map((object) => emitYaml([object])));
  const wrong = objects.filter((object, i) => {
    const answer = answers[i]!;
    return answer.error !== undefined || canonical(answer.value) !== canonical(object);
  });
  expect(wrong.map((object) => emitYaml([object]))).toEqual([]);
});

test('every object comes back from our own reader as the same JSON, all in one text', () => {
  const exact = objects.filter((object) => !hasLargeInteger(object));
  const { documents, problems } = readDocuments(emitYaml(exact));
  expect(problems).toEqual([]);
  const wrong = exact.filter((object, i) => canonical(documents[i]!.value) !== canonical(object));
  expect(wrong).toEqual([]);
});

test('in the order of cdk8s a field that is null is left out, as cdk8s does, but for the group of a reference', () => {
  const reference = { name: 'a', kind: 'B', apiGroup: null };
  const object = { spec: { reference, other: null, empty: { a: null } }, kind: 'C' };
  expect(emitYaml([object], { canonical: true })).toBe(`kind: C
spec:
  empty: {}
  reference:
    apiGroup: null
    kind: B
    name: a
`);
});
