import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { isSame, RecordedVerdicts } from '../verdicts/record.ts';
import type { Table } from '../verdicts/table.ts';
import { tables } from '../verdicts/tables.ts';
import { clusterMinor } from './minor.ts';

const given = await sharedCluster();

const isLong = process.env['TENANTRY_LONG'] === '1';
/**
 * The largest number of rows that a short run checks completely. In larger tables it checks every fourth row, which
 * FC_SEED selects.
 */
const SMALL = 400;
const seed = Number(process.env['FC_SEED'] ?? 0);

function askedOf({ rows }: Table): number[] {
  const every = isLong || rows.length <= SMALL ? 1 : 4;
  return rows.map((_, i) => i).filter((i) => (i + seed) % every === 0);
}

for (const table of tables) {
  const { topic, rows, ask } = table;
  const asked = askedOf(table);
  const share = asked.length === rows.length ? '' : ` (${asked.length} of ${rows.length} cases)`;
  given.test(`the API server gives the recorded answers: ${topic}${share}`, async () => {
    const recorded = RecordedVerdicts.read(topic);
    const answers = await ask(given.cluster.admin, asked);
    const stale = asked.flatMap((row, i) => {
      const { title } = rows[row]!;
      const was = recorded.of(title, clusterMinor);
      return isSame(was, answers[i]) ? [] : [JSON.stringify({ title, was, is: answers[i] })];
    });
    if (stale.length === 0) return;
    const again = `TENANTRY_KUBERNETES=${clusterMinor} npm run test:record -- ${topic}`;
    throw new Error(
      `the recorded answers differ (record them again with ${again}):\n${stale.join('\n')}`,
    );
  });
}
