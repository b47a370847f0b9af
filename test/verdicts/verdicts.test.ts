import { expect, test } from '@jest/globals';
import { KUBERNETES_MINOR } from '../../crds/validation/validate.ts';
import { RecordedVerdicts } from './record.ts';
import { tables } from './tables.ts';

const again = 'npm run test:record';

for (const { topic, rows } of tables) {
  const recorded = RecordedVerdicts.read(topic);

  test(`we say what the API server was recorded to say: ${topic}`, () => {
    const disagreements = rows.flatMap(({ says, disagreement }) => {
      const verdict = recorded.of(says, KUBERNETES_MINOR);
      const found = verdict === undefined ? `not recorded: ${again}` : disagreement(verdict);
      return found === undefined ? [] : [{ says, found }];
    });
    expect(disagreements).toEqual([]);
  });

  test(`the record holds the cases of the table and no others: ${topic}`, () => {
    const cases = new Set(rows.map(({ says }) => says));
    const gone = recorded.cases.filter((says) => !cases.has(says));
    expect({ gone, again }).toEqual({ gone: [], again });
    expect(rows.length).toBeGreaterThan(0);
  });
}
