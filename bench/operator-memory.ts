/**
 * `npm run bench:operator-memory` measures the memory of the tenant operator when a user creates role
 * bindings with annotations as large as the API server allows. It builds the program, starts an API
 * server and loads it.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectionFrom, openClient, rbac } from '@tenantry/runtime';
import { startCluster } from '@tenantry/testing/controlplane/cluster';
import { grouped, markdownTable } from './markdown.ts';
import { ours } from './operator/contenders.ts';
import { isReady, TenantObserver } from './operator/observer.ts';
import { SETTLED } from './operator/race.ts';
import { tenantsOf } from './operator/tenants.ts';
import { machine, writeSection } from './page.ts';
import { runConcurrently } from './runtime/run-concurrently.ts';
import { FLAGS } from './runtime/contenders.ts';
import type { Memory } from './runtime/proc.ts';
import { OperatorProcess } from './runtime/process.ts';
import { Workspace } from './workspace.ts';

const BINDINGS = 240;
/** Characters of annotations in a binding; the API server accepts 256 KiB. */
const CHARACTERS = 250_000;

async function measured(): Promise<readonly [before: Memory, after: Memory]> {
  const workspace = new Workspace();
  await using cluster = await startCluster();
  const kubeconfig = cluster.kubeconfigFile('bench');
  const connection = await connectionFrom({ kubeconfig });
  const observer = new TenantObserver(connection, 'tenantry-bench');
  const client = openClient(connection, { qps: Infinity });
  const prepared = await ours.prepare(workspace);
  if (prepared.missing !== undefined) throw new Error(prepared.missing);
  try {
    const tenants = tenantsOf(1);
    const names = tenants.map(({ member }) => member.name);
    await observer.begin();
    await observer.add(tenants);
    const first = observer.waitForStatuses(names, isReady);
    const env = { ...prepared.env, KUBECONFIG: kubeconfig };
    const log = workspace.path('operator.log');
    const operator = new OperatorProcess({ ...prepared, env, log });
    const unlessItEnds = <T>(promise: Promise<T>): Promise<T> =>
      Promise.race([promise, operator.reconciled.then(() => promise)]);
    const settled = async (): Promise<Memory> => {
      await operator.rest();
      await pause(SETTLED * 1000);
      return operator.memory;
    };
    try {
      await unlessItEnds(first);
      const before = await settled();
      const all = observer.waitForStatuses(
        names,
        (status) => status?.counts?.undeclared === BINDINGS,
      );
      const namespace = tenants[0]!.objects.find(({ kind }) => kind === 'ResourceQuota')!.metadata
        .namespace!;
      await runConcurrently(BINDINGS, (index) => {
        // Different texts: equal ones could be stored once.
        const annotations = { notes: randomBytes(CHARACTERS / 2).toString('hex') };
        return client.create(rbac.RoleBinding, {
          metadata: { name: `large-${index}`, namespace, annotations },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        });
      });
      await unlessItEnds(all);
      return [before, await settled()];
    } finally {
      await operator.stop();
    }
  } finally {
    client.close();
    observer.close();
    workspace.remove();
  }
}

const mb = (value: number): string => value.toFixed(0);

function sectionOf(before: Memory, after: Memory): string {
  return `\`tenantry serve\` on an API server with one tenant, before and after somebody makes ${grouped(BINDINGS)} role bindings
with ${grouped(CHARACTERS)} characters of annotations each in its namespace (\`npm run bench:operator-memory -- --write\`). Each is in
\`status.undeclared\` or counted there when memory is read. It is the JavaScript that npm gets, in Node with
\`${FLAGS.join(' ')}\`; RSS is of /proc, ${SETTLED} s after the operator came to rest. The machine: ${machine()}.

${markdownTable(
  ['MB', 'before', 'after', 'times as much'],
  [
    ['RSS at rest', mb(before.now), mb(after.now), (after.now / before.now).toFixed(2)],
    [
      'the most RSS until then',
      mb(before.most),
      mb(after.most),
      (after.most / before.most).toFixed(2),
    ],
    ['annotations', '0', mb((BINDINGS * CHARACTERS) / 1e6), ''],
  ],
)}`;
}

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
// Lets the started processes end too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const section = sectionOf(...(await measured()));
console.log(section);
if (values.write) await writeSection('The tenant operator and large annotations', section);
