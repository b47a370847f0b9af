import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  formatBrief,
  formatPath,
  formatProblem,
  formatProblemAndRule,
  InvalidInput,
  formatList,
  findNearest,
  show,
} from '../problem.ts';
import { runs } from './yaml/runs.ts';
import { anyCodePoint } from './code-points.ts';

const problem = { path: 'spec.quota', message: "must be a mapping, got 'x'", rule: 'schema' };

test('a problem contains its place, what must be, and what it got', () => {
  expect(formatProblem({ ...problem, file: 'tenants/acme.yaml', line: 12, column: 9 })).toBe(
    "tenants/acme.yaml:12:9 spec.quota must be a mapping, got 'x'",
  );
  expect(formatProblem({ ...problem, file: 'a.yaml', line: 3 })).toBe(
    "a.yaml:3:1 spec.quota must be a mapping, got 'x'",
  );
  expect(formatProblem({ ...problem, file: 'a.yaml' })).toBe(
    "a.yaml spec.quota must be a mapping, got 'x'",
  );
  expect(formatProblem({ ...problem, path: '' })).toBe("must be a mapping, got 'x'");
});

test('a printed problem ends with its rule, once, on one line', () => {
  const format = (message: string, rule = 'schema') =>
    formatProblemAndRule({ path: '', message, rule });
  expect(formatProblemAndRule(problem)).toBe("spec.quota must be a mapping, got 'x' (schema)");
  expect(formatProblemAndRule(problem, (rule) => `<${rule}>`)).toBe(
    "spec.quota must be a mapping, got 'x' <(schema)>",
  );
  expect(format('a', '')).toBe('a');
  expect(format('a (schema)')).toBe('a (schema)');
  expect(format('a (schema, accepted)')).toBe('a (schema, accepted)');
  expect(format('a (schemas, accepted)')).toBe('a (schemas, accepted) (schema)');
  expect(format('a (schema) b')).toBe('a (schema) b (schema)');
  expect(format('a\nb')).toBe(String.raw`a\u000ab (schema)`);
});

test('an InvalidInput contains every problem, one a line', () => {
  const error = new InvalidInput([problem, { ...problem, path: 'metadata' }]);
  expect(error).toBeInstanceOf(Error);
  expect(error.problems).toHaveLength(2);
  expect(error.message).toBe(
    "spec.quota must be a mapping, got 'x'\nmetadata must be a mapping, got 'x'",
  );
});

test('a path is written as in a program', () => {
  expect(formatPath(['spec', 'namespaces', 0, 'labels', 'a.b/c'])).toBe(
    'spec.namespaces[0].labels["a.b/c"]',
  );
  expect(formatPath(['hard', 'requests.cpu'])).toBe('hard["requests.cpu"]');
  expect(formatPath(['$ref', 'ingress-class'])).toBe('$ref.ingress-class');
  expect(formatPath(['a', 'b"\n'])).toBe('a["b\\"\\n"]');
  expect(formatPath([])).toBe('');
});

test.each([
  ['half', "'half'"],
  ['', "''"],
  ['say "hi"', `'say "hi"'`],
  ['two\nlines\u0000', "'two\\nlines\\u0000'"],
  ['x'.repeat(61), `'${'x'.repeat(57)}...'`],
  [1.5, '1.5'],
  [true, 'true'],
  [null, 'null'],
  [undefined, 'nothing'],
  [[], 'an empty list'],
  [[1], 'a list'],
  [{ a: 1 }, 'a mapping'],
  [() => 'one line\nand another', 'a function'],
])('%j is shown as %s', (value, text) => {
  expect(show(value)).toBe(text);
});

/** Characters that a terminal would obey, or that a person would not see as they are. */
const OBEYED = /[^\P{C}\p{Cn}\p{Co}]|[\u2028\u2029]/u;

const anyText = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        '\u001b[2J',
        '\u009b31m',
        '\u007f',
        '\r',
        '\n',
        '\u2028',
        '\u202e',
        '\u200b',
        '\ud800',
        '\u{e0001}',
        'a',
        "'",
        '"',
        '\\',
      ),
      { maxLength: 80 },
    )
    .map((parts) => parts.join('')),
);

test('a shown value stays on one line, is short, and contains nothing that a terminal obeys', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.anything()), (value) => {
      expect(show(value)).not.toMatch(OBEYED);
      expect(show(value).length).toBeLessThan(800);
    }),
    runs(1000),
  );
});

test('neither does a whole problem, whatever its file and path', () => {
  const paths = fc.array(fc.oneof(anyText, fc.nat()), { maxLength: 5 });
  fc.assert(
    fc.property(anyText, paths, anyText, (file, path, message) => {
      const line = formatProblem({ file, path: formatPath(path), message, rule: 'r' });
      expect(line).not.toMatch(OBEYED);
    }),
    runs(1000),
  );
});

test('a short text without such characters is shown unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      fc.pre(
        /^(?:(?![\p{DI}\u2800])[\p{L}\p{M}\p{N}\p{P}\p{S} ])*$/u.test(text) &&
          !text.includes('\\') &&
          text.length <= 60,
      );
      expect(show(text)).toBe(`'${text}'`);
      expect(formatBrief(text)).toBe(text);
    }),
    runs(300),
  );
});

test('a list of names is cut after the tenth', () => {
  const names = Array.from({ length: 12 }, (_, i) => `n${i}`);
  expect(formatList(names.slice(0, 2))).toBe('n0, n1');
  expect(formatList(names.slice(0, 10))).not.toContain('more');
  expect(formatList(names)).toBe('n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 2 more');
  expect(formatList(['a\u001b', 'b'.repeat(61)])).toBe(`a\\u001b, ${'b'.repeat(57)}...`);
  expect(formatList([])).toBe('');
});

test.each([
  ['classname', 'className'],
  ['namspaces', 'namespaces'],
  ['DEPLOYMENT', 'deployments'],
  ['namepsaecs', 'namespaces'],
  ['calssName', 'className'],
  ['xyz', undefined],
  ['', undefined],
])('the nearest name to %s is %s', (name, meant) => {
  expect(findNearest(name, ['namespaces', 'className', 'deployments'])).toBe(meant);
});

test('of two equally near names the first is suggested, and the name itself before any', () => {
  expect(findNearest('pods', ['pod', 'podz', 'pods'])).toBe('pods');
  expect(findNearest('podx', ['pods', 'podz'])).toBe('pods');
  expect(findNearest('nmae', ['names', 'name'])).toBe('name');
});
