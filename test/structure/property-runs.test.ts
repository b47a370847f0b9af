import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectFiles, root } from './tracked.ts';

const call = /\bfc\.(?:assert|check|sample)\(/g;

/** Returns the calls of fast-check that run something, as text. */
function callsIn(code: string): string[] {
  return Array.from(code.matchAll(call), ({ index, 0: { length } }) => {
    let [end, depth] = [index + length, 1];
    for (; depth > 0 && end < code.length; end++) {
      if (code[end] === '(') depth += 1;
      else if (code[end] === ')') depth -= 1;
    }
    return code.slice(index, end);
  });
}

test('a call is found up to its end', () => {
  expect(callsIn('await fc.assert(a(b(), 1), runs(3)); fc.check(c); runs(4)')).toEqual([
    'fc.assert(a(b(), 1), runs(3))',
    'fc.check(c)',
  ]);
});

test('every property uses reproducible cases, by the seed of the run or by its own seed', () => {
  const tests = projectFiles().filter((path) => /^test\/.*\.test\.ts$/.test(path));
  const others = tests.flatMap((path) =>
    callsIn(readFileSync(join(root, path), 'utf8'))
      .filter((text) => !/\bruns\(|\bseed\b|\bamount\b/.test(text))
      .map((text) => `${path}: ${text.slice(0, 60)}`),
  );
  expect(others.filter((one) => !one.startsWith('test/structure/property-runs'))).toEqual([]);
});
