/**
 * `npm run test:record`: sends every case to an API server and records its verdicts. The arguments are topics or their
 * prefixes: `npm run test:record -- schema/cel`. TENANTRY_KUBERNETES=1.35 uses that minor version and keeps the
 * verdicts of the others.
 */
import { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { startFullCluster } from '@tenantry/testing/test/controlplane/shared-server';
import { resolveVersion } from '@tenantry/testing/controlplane/programs';
import { RecordedVerdicts } from './record.ts';
import { tables } from './tables.ts';

const wanted = process.argv.slice(2);
const chosen = tables.filter(
  ({ topic }) => wanted.length === 0 || wanted.some((one) => topic.startsWith(one)),
);
if (chosen.length === 0) throw new Error(`there must be a topic of ${wanted.join(', ')}, got none`);

const { minor } = resolveVersion(process.env);
const cluster = await startFullCluster();
if (typeof cluster === 'string') throw new Error(`there must be an API server: ${cluster}`);
try {
  const { admin } = new ClusterAccess(cluster.details);
  for (const { topic, rows, ask } of chosen) {
    const answers = await ask(admin);
    const byCase = new Map(rows.map(({ title }, i) => [title, answers[i]]));
    const before = RecordedVerdicts.read(topic);
    const after = before.with(minor, byCase);
    after.write(topic);
    const changed = `${after}` === `${before}` ? 'as before' : 'changed';
    console.log(`${topic}: ${rows.length} verdicts of Kubernetes ${minor}, ${changed}`);
  }
} finally {
  await cluster.stop();
}
