import { expect, test } from '@jest/globals';
import { KUBERNETES_MINOR } from '@tenantry/crd/validation/validate';
import { RecordedVerdicts } from './record.ts';
import type { Row, Table } from './table.ts';

const again = 'npm run test:record';

/** Defines the tests of each table: Tenantry's verdicts equal those that were recorded from the API server. */
export function testAgreement(tables: readonly Table[]): void {
  for (const { topic, rows } of tables) {
    const recorded = RecordedVerdicts.read(topic);

    test(`the verdicts equal those recorded from the API server: ${topic}`, () => {
      expect(disagreements(rows, recorded)).toEqual([]);
    });

    test(`the record contains exactly the cases of the table: ${topic}`, () => {
      const cases = new Set(rows.map(({ title }) => title));
      const gone = recorded.cases.filter((title) => !cases.has(title));
      expect({ gone, again }).toEqual({ gone: [], again });
      expect(rows.length).toBeGreaterThan(0);
    });
  }
}

/** Returns all disagreements, for people; or only the first if TENANTRY_FIRST_FAILURE is set and nobody reads them. */
function disagreements(rows: readonly Row[], recorded: RecordedVerdicts): object[] {
  const all: object[] = [];
  for (const { title, disagreement } of rows) {
    const verdict = recorded.of(title, KUBERNETES_MINOR);
    const found = verdict === undefined ? `not recorded: ${again}` : disagreement(verdict);
    if (found !== undefined) all.push({ title, found });
    if (all.length > 0 && process.env['TENANTRY_FIRST_FAILURE'] === '1') break;
  }
  return all;
}
