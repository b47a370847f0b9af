import { expect, test } from '@jest/globals';
import { KUBERNETES_MINOR } from '../../crds/validation/validate.ts';
import { RecordedVerdicts } from './record.ts';
import type { Row, Table } from './table.ts';

const again = 'npm run test:record';

/** For each table the tests that we say what the API server was recorded to say. */
export function testAgreement(tables: readonly Table[]): void {
  for (const { topic, rows } of tables) {
    const recorded = RecordedVerdicts.read(topic);

    test(`we say what the API server was recorded to say: ${topic}`, () => {
      expect(disagreements(rows, recorded)).toEqual([]);
    });

    test(`the record holds the cases of the table and no others: ${topic}`, () => {
      const cases = new Set(rows.map(({ title }) => title));
      const gone = recorded.cases.filter((title) => !cases.has(title));
      expect({ gone, again }).toEqual({ gone: [], again });
      expect(rows.length).toBeGreaterThan(0);
    });
  }
}

/** All of them, for people; where nobody reads them (TENANTRY_FIRST_FAILURE) the first. */
function disagreements(rows: readonly Row[], recorded: RecordedVerdicts): object[] {
  const all: object[] = [];
  for (const { title, disagreement } of rows) {
    const verdict = recorded.of(title, KUBERNETES_MINOR);
    const found = verdict === undefined ? `not recorded: ${again}` : disagreement(verdict);
    if (found !== undefined) all.push({ says: title, found });
    if (all.length > 0 && process.env['TENANTRY_FIRST_FAILURE'] === '1') break;
  }
  return all;
}
