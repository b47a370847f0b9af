import { sharedCluster } from '../control-plane/shared.ts';
import { isSame, RecordedVerdicts } from '../verdicts/record.ts';
import { tables } from '../verdicts/tables.ts';
import { clusterMinor } from './minor.ts';

const given = await sharedCluster();

for (const { topic, rows, ask } of tables) {
  given.test(
    `the API server says what it was recorded to say: ${topic}`,
    async () => {
      const recorded = RecordedVerdicts.read(topic);
      const answers = await ask(given.cluster.admin);
      const stale = rows.flatMap(({ says }, i) => {
        const was = recorded.of(says, clusterMinor);
        return isSame(was, answers[i]) ? [] : [JSON.stringify({ says, was, is: answers[i] })];
      });
      if (stale.length === 0) return;
      const again = `TENANTRY_KUBERNETES=${clusterMinor} npm run test:record -- ${topic}`;
      throw new Error(`recorded otherwise (again: ${again}):\n${stale.join('\n')}`);
    },
    180_000,
  );
}
