import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatPath, formatProblem, InvalidInput, nearest, show } from '../../crds/problem.ts';
import { runs } from './yaml/runs.ts';

const problem = { path: 'spec.quota', message: "must be a mapping, got 'x'", rule: 'schema' };

test('a problem says where it is, what must be, and what was got', () => {
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

test('an InvalidInput holds every problem, one a line', () => {
  const error = new InvalidInput([problem, { ...problem, path: 'metadata' }]);
  expect(error).toBeInstanceOf(Error);
  expect(error.problems).toHaveLength(2);
  expect(error.message).toBe(
    "spec.quota must be a mapping, got 'x'\nmetadata must be a mapping, got 'x'",
  );
});

test('a path is written as one would in a program', () => {
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

test('whatever is shown stays on one line and is short', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.anything()), (value) => {
      expect(show(value)).not.toMatch(/[\n\r\0]/);
      expect(show(value).length).toBeLessThan(400);
    }),
    runs(300),
  );
});

test.each([
  ['classname', 'className'],
  ['namspaces', 'namespaces'],
  ['DEPLOYMENT', 'deployments'],
  ['xyz', undefined],
  ['', undefined],
])('who writes %s means %s', (name, meant) => {
  expect(nearest(name, ['namespaces', 'className', 'deployments'])).toBe(meant);
});

test('of two names equally near the first is meant, and the name itself before any', () => {
  expect(nearest('pods', ['pod', 'podz', 'pods'])).toBe('pods');
  expect(nearest('podx', ['pods', 'podz'])).toBe('pods');
});
