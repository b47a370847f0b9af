import { expect, test } from '@jest/globals';
import { judge, mutantsOf, scoreOf, type Report } from './mutants.ts';

const source = 'const a = 1;\nif (a > 0 &&\n  b) run();\n';
const place = (line: number, from: number, endLine: number, to: number) => ({
  start: { line, column: from },
  end: { line: endLine, column: to },
});
const report: Report = {
  files: {
    'a.ts': {
      source,
      mutants: [
        { location: place(1, 11, 1, 12), replacement: '2', status: 'Killed' },
        { location: place(2, 5, 2, 10), replacement: 'a >= 0', status: 'Survived' },
        { location: place(2, 5, 3, 4), replacement: 'true', status: 'NoCoverage' },
        { location: place(3, 6, 3, 12), replacement: ';', status: 'Timeout' },
        { location: place(1, 1, 1, 5), replacement: '""', status: 'Ignored' },
      ],
    },
  },
};
const mutants = mutantsOf(report);
const noted = {
  file: 'a.ts',
  line: 'if (a > 0 &&',
  from: 'a > 0',
  to: 'a >= 0',
  why: 'a is 1',
};

test('a mutant has the original code, its replacement, and whether a test detected it', () => {
  expect(mutants.map(({ from, to, killed }) => [from, to, killed])).toEqual([
    ['1', '2', true],
    ['a > 0', 'a >= 0', false],
    ['a > 0 && b', 'true', false],
    ['run();', ';', true],
  ]);
  expect(mutants[2]).toMatchObject({ file: 'a.ts', lineNumber: 2, line: 'if (a > 0 &&' });
});

test('a mutant that is noted as equivalent is neither a survivor nor counted in the score', () => {
  const outcome = judge(mutants, [noted]);
  expect(outcome).toMatchObject({ mutants: 4, killed: 2, equivalent: 1, stale: [] });
  expect(outcome.survivors.map(({ to }) => to)).toEqual(['true']);
  expect(scoreOf(outcome)).toBeCloseTo(200 / 3);
  expect(scoreOf(judge(mutants, []))).toBe(50);
  expect(scoreOf(judge([], []))).toBe(100);
});

test('a note about a killed or missing mutant is stale, and a note about another file is ignored', () => {
  const killed = { ...noted, line: 'const a = 1;', from: '1', to: '2' };
  const gone = { ...noted, line: 'if (a > 7)' };
  const elsewhere = { ...noted, file: 'b.ts' };
  expect(judge(mutants, [noted, killed, gone, elsewhere]).stale).toEqual([killed, gone]);
});
