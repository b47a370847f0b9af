import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dump } from 'js-yaml';
import { readDocuments } from '../../yaml/read.ts';
import { goReader } from '@tenantry/test-tools/go/yaml-json';
import { runs } from './runs.ts';
import { anyCodePoint } from '../code-points.ts';

function valuesOf(text: string): unknown[] {
  const { documents, problems } = readDocuments(text);
  expect(problems).toEqual([]);
  return documents.map((document) => document.value);
}

function problemsOf(text: string): string[] {
  return readDocuments(text).problems.map((p) => `${p.line}:${p.column} ${p.message}`);
}

test('scalars have the values that kubectl reads', () => {
  const text = 'mode: 0644\nflag: yes\ntime: 12:30:45\nday: 2026-01-01\nquoted: "0644"\nnone:\n';
  const value = {
    mode: 420,
    flag: true,
    time: '12:30:45',
    day: '2026-01-01',
    quoted: '0644',
    none: null,
  };
  expect(valuesOf(text)).toEqual([value]);
});

test('documents are in order, and empty and null ones are skipped', () => {
  const text = '\ufeff# one\n---\n---\na: 1\n--- # two\nnull\n---\r\nb: 2\n...\n---\n';
  expect(valuesOf(text)).toEqual([{ a: 1 }, { b: 2 }]);
  expect(readDocuments(text).documents.map((document) => document.index)).toEqual([0, 1]);
  expect(valuesOf('')).toEqual([]);
});

test('an alias is a copy of what its anchor names', () => {
  const [value] = valuesOf('a: &x {b: [1, __proto__]}\nc: *x\n') as [Record<string, unknown>];
  expect(value).toEqual({ a: { b: [1, '__proto__'] }, c: { b: [1, '__proto__'] } });
  expect(value['a']).not.toBe(value['c']);
});

test('the key __proto__ is a key like any other', () => {
  for (const text of ['__proto__:\n  admin: true\n', 'a: &x {__proto__: {admin: true}}\nb: *x\n']) {
    const [value] = valuesOf(text) as [Record<string, Record<string, unknown>>];
    const holder = value['b'] ?? value;
    expect(Object.keys(holder)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(holder)).toBe(Object.getPrototypeOf(value));
    expect(holder['admin']).toBeUndefined();
  }
});

const bomb = `a: &a [1,1,1,1,1,1,1,1,1,1]\n${[...'bcdefg']
  .map((c, i) => `${c}: &${c} [${Array(10).fill(`*${'abcdef'[i]}`).join(',')}]\n`)
  .join('')}`;
const deep = (levels: number) => `a: ${'['.repeat(levels)}${']'.repeat(levels)}\n`;

test.each([
  ['a syntax error', 'a: 1\nb: [1\n', /^2:4 must be YAML: /],
  ['a tab as indentation', 'a:\n\tb: 1\n', /^2:1 must be YAML: tab characters/],
  ['a repeated key', 'a: 1\nb: 2\na: 3\n', "3:1 must be a key of its own, got 'a' again"],
  ['a key repeated as number', '1: a\n"1": b\n', "2:1 must be a key of its own, got '1' again"],
  ['an alias without an anchor', 'a: *x\n', /^1:4 must name an anchor before it, got '\*x'; /],
  ['an alias in its own anchor', 'a: &x\n  b: *x\n', "2:6 must not contain itself, got '*x'"],
  ['too many values by aliases', bomb, /must add at most 100000 values to a file/],
  ['nesting', deep(64), '1:67 must be nested at most 64 deep, got more'],
  ['deep nesting', deep(5000), /must be nested at most 64 deep, got more/],
  ['a list as a key', '? [a]\n: 1\n', '1:3 must be a string as a key, got a list'],
  ['a mapping as a key', '{{a: 1}: 2}\n', '1:2 must be a string as a key, got a mapping'],
  ['an alias as a key', 'a: &x b\n*x : 1\n', '2:1 must be a string as a key, got an alias'],
  ['null as a key', '~: 1\n', '1:1 must be in quotes as a key, since YAML reads it as null, got ~'],
  [
    'a float as a key',
    '1.5: 1\n',
    '1:1 must be in quotes as a key, since YAML reads it as the number 1.5, got 1.5',
  ],
  [
    'an exponent as a key of data',
    'data: {1e3: a}\n',
    '1:8 must be in quotes as a key, since YAML reads it as the number 1000, got 1e3',
  ],
  [
    'infinity as a key of data',
    'data: {.inf: a}\n',
    '1:8 must be in quotes as a key, since YAML reads it as a number, got .inf',
  ],
  ['no key', 'data: {: a}\n', '1:7 must be a string as a key (write it in quotes), got nothing'],
  ['a merge key', 'a: &x {b: 1}\n<<: *x\n', /^2:1 must be written out \(merge keys/],
  ['binary', 'a: !!binary aGk=\n', /^1:4 must have no tag or one of !!str, .*, got !!binary$/],
  [
    'a local tag',
    'a: !foo 1\n',
    /^1:4 must have no tag or one of .*, got !foo; a text that begins with '!' needs quotes$/,
  ],
  ['a tag of a list', 'a: !!set {b}\n', '1:4 must have no tag, got !!set'],
  ['a tag that does not fit', 'a: !!int b\n', "1:4 must be an integer, got 'b'"],
  ['infinity', 'a: .inf\n', "1:4 must be a number that JSON can hold, got '.inf'"],
  [
    'an inexact integer',
    '- 9007199254740993\n',
    /^1:3 must be an integer within ±9007199254740991/,
  ],
  ['NUL', 'a: "\0"\n', /^1:5 must be an escape in double quotes, got the raw character U\+0000$/],
  ['a line separator', 'a: "\u2028"\n', /got the raw character U\+2028$/],
  ['half a surrogate pair', 'a: \ud800\n', /got the raw character U\+D800$/],
  [
    'escaped surrogates',
    'a: "\\ud83d "\n',
    "1:5 must be the escape of a whole character, got '\\ud83d'",
  ],
  ['a directive', '%YAML 1.1\n---\na: 1\n', /^1:1 must not start with a directive/],
  ['text on a separator', 'a: 1\n--- {b: 1}\n', "2:1 must be '---' alone on its line, got more"],
  ['a second document', 'a: 1\n...\nb: 2\n', "2:1 must be a line '---' between two documents"],
  ['an open flow key', 'a: {b:}\n', "1:5 must be in quotes, got 'b'"],
])('%s is one problem with its place', (_what, text, problem) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(1);
  if (typeof problem === 'string') expect(problems).toEqual([problem]);
  else expect(problems[0]).toMatch(problem);
});

test('problems of all documents are found, and documents without problems are read', () => {
  const text = 'a: .nan\na: 1\n---\nb: [\n---\nc: 3\n---\nd: !x 1\n';
  expect(problemsOf(text).map((problem) => problem.slice(0, 3))).toEqual([
    '1:4',
    '2:1',
    '4:4',
    '8:4',
  ]);
  const { documents } = readDocuments(text);
  expect(documents.map(({ value, index }) => ({ value, index }))).toEqual([
    { value: { c: 3 }, index: 2 },
  ]);
});

test('64 levels and 100,000 values from aliases are allowed', () => {
  expect(problemsOf(deep(63))).toEqual([]);
  const list = `a: &a [${Array(999).fill('1').join(', ')}]\n`;
  expect(problemsOf(`${list}b: [${Array(100).fill('*a').join(', ')}]\n`)).toEqual([]);
  expect(problemsOf(`${list}b: [${Array(101).fill('*a').join(', ')}]\n`)).toHaveLength(1);
});

test('every value and key knows its line and column', () => {
  const text = `# first\n---\nkind: Tenant\nspec:\n  "a b": 'x'\n  list:\n  - name: n\n    more: |\n      text\n  empty:\n  flow: {k: [1, &x 2, *x]}\n`;
  const [document] = readDocuments(`x: 1\n---\n${text}`).documents.slice(1);
  const at = (...path: (string | number)[]) => {
    const { line, column } = document!.positionAt(path);
    const key = document!.keyPositionAt(path);
    return `${line}:${column} ${key.line}:${key.column}`;
  };
  expect(at()).toBe('5:1 5:1');
  expect(at('kind')).toBe('5:7 5:1');
  expect(at('spec')).toBe('7:3 6:1');
  expect(at('spec', 'a b')).toBe('7:10 7:3');
  expect(at('spec', 'list', 0)).toBe('9:5 9:5');
  expect(at('spec', 'list', 0, 'name')).toBe('9:11 9:5');
  expect(at('spec', 'list', 0, 'more')).toBe('10:11 10:5');
  expect(at('spec', 'empty')).toBe('12:3 12:3');
  expect(at('spec', 'flow', 'k', 1)).toBe('13:20 13:20');
  expect(at('spec', 'flow', 'k', 2)).toBe('13:23 13:23');
  expect(at('spec', 'list', 7, 'name')).toBe(at('spec', 'list'));
  expect(at('spec', 'missing')).toBe(at('spec'));
});

test('a line ends with LF, CRLF or CR for positions', () => {
  const [document] = readDocuments('a: 1\r\nb:\n  c: 2\r\n').documents;
  expect(document!.positionAt(['b', 'c'])).toEqual({ line: 3, column: 6 });
});

const json = fc.jsonValue({ maxDepth: 4, stringUnit: anyCodePoint });
const documents = fc
  .tuple(
    json,
    fc.record({
      indent: fc.constantFrom(2, 4),
      seqNoIndent: fc.boolean(),
      flowLevel: fc.constantFrom(-1, 1, 2),
      quoteStyle: fc.constantFrom('single' as const, 'double' as const),
      forceQuotes: fc.boolean(),
      lineWidth: fc.constantFrom(-1, 20, 80),
    }),
  )
  .map(([value, style]) => dump({ a: value }, { ...style, noRefs: true }));
/** Splits at bars, because spaces and commas are pieces themselves. */
const pieces =
  'a¦b: ¦b:¦- ¦-¦? ¦: ¦:¦ ¦  ¦\n¦\n  ¦\n- ¦\nc: ¦{¦}¦[¦]¦,¦, ¦"¦\'¦"x"¦\'y\'¦"x": ¦#¦ # c¦|¦>¦|-\n¦' +
  '|\n  x\n¦>+\n  x\n\n¦&a ¦*a¦!!str ¦!!int ¦!foo ¦0644¦yes¦~¦1.5¦\t¦\\¦%¦@¦`¦=¦<<: ¦a?b¦x:y¦{a:1}¦' +
  '\n...\n¦\r\n';
const soup = fc
  .array(fc.constantFrom(...pieces.split('¦')), { maxLength: 12 })
  .map((parts) => `a: ${parts.join('')}\n`);

const ask = await goReader();
const withGo = ask === undefined ? test.skip : test;

withGo('a document that we and kubectl both accept has one value', () => {
  const written = fc.sample(documents, runs(1500));
  const texts = [...written, ...fc.sample(soup, runs(15_000))];
  const answers = ask!(texts);
  let agreed = 0;
  const wrong = texts.filter((text, i) => {
    const answer = answers[i]!;
    const { documents, problems } = readDocuments(text);
    if (answer.error !== undefined || problems.length > 0) return false;
    agreed += 1;
    return !sameJson(documents[0]?.value ?? null, answer.value);
  });
  expect(wrong).toEqual([]);
  expect(agreed).toBeGreaterThan(written.length);
});

function sameJson(a: unknown, b: unknown): boolean {
  return sorted(a) === sorted(b);
}

/** Formats JSON with sorted keys. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
