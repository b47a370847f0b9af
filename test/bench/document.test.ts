import { expect, test } from '@jest/globals';
import { benchmarks } from '../../bench/document.ts';
import { cueJson } from '../../bench/peers/cue.ts';
import { declared } from '../../bench/peers/declared.ts';
import { helm } from '../../bench/peers/helm.ts';
import { Results } from '../../bench/results.ts';

const results = new Results();
results.add('ours', 100, 0, { wall: 0.5, load: 0.1 });
results.add('helm', 100, 0, { wall: 0.25, load: 0.1 });
const page = benchmarks(results, {
  peers: [declared, helm, cueJson],
  missing: [cueJson],
  sizes: [100],
  runs: 1,
  real: undefined,
  profiles: new Map([['tenants in YAML', new Map([['YAML text', 0.25]])]]),
});

test('a missed goal is reported in a sentence, not only in a table', () => {
  expect(page).toContain(
    '0 of 18 goals are met. Missed: YAML at 100: time of Helm. 17 were not measured.',
  );
  expect(page).toContain('| YAML at 100: time of Helm | at most 1.00 x | 2.00 x | **missed** |');
});

test('a missing peer is named with its install command', () => {
  expect(page).toMatch(/cue export, JSON: \*\*not measured\*\*.*go install cuelang\.org/);
  expect(page).not.toMatch(/helm template: \*\*not measured\*\*/);
});

test('without a real fleet the page reports that it is missing', () => {
  expect(page).toMatch(/## A real fleet\n\nNot measured: `TENANTRY_FLEET` named no folder/);
});

test('the table has the shares of a profile, and empty cells for missing ones', () => {
  expect(page).toContain('| 100 tenants | tenants in YAML |');
  expect(page).toContain('| YAML text | 25% |');
  expect(page).toContain('| garbage collection |  |');
});
