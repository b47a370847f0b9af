import {
  connectionFrom,
  electionForLife,
  jsonLog,
  leaseElection,
  Manager,
  openClient,
  systemClock,
  type ManagerProps,
} from '@tenantry/runtime';
import { OperatorConditions } from '@tenantry/olm/operator-conditions';
import { NAME } from './deployment.ts';
import { flagsOf, type Flags } from './flags.ts';
import { controllersOf, releaseOf } from './releases.ts';
import { webhookServer } from './webhooks.ts';

/** Runs in a pod, or with the kubeconfig of your machine, until SIGTERM or Ctrl-C. */
async function run(flags: Flags): Promise<void> {
  const log = jsonLog({ clock: systemClock });
  const connection = await connectionFrom();
  // A client of its own: the manager counts only the requests of the client that it creates.
  const client = openClient(connection, { log });
  // In a pod. On your machine there is no pod name, and no other replica that could lead.
  const { POD_NAMESPACE: namespace = NAME, POD_NAME: pod } = process.env;
  const { serves, ports, election } = flags;
  const release = releaseOf(flags.release);
  const webhooks =
    serves && release.converts ? webhookServer(flags, { client, namespace, log }) : undefined;
  const lease = { name: NAME, namespace };
  const elections: Readonly<Record<Flags['election'], ManagerProps['leaderElection']>> = {
    none: undefined,
    lease: (deps) => leaseElection({ ...deps, lease }),
    'for-life': (deps) => electionForLife({ ...deps, lease, pod }),
  };
  const isServing = (): void => {
    if (webhooks && !webhooks.isServing) throw new Error('webhooks are not served yet');
  };
  const conditions = new OperatorConditions({ namespace });
  const manager = new Manager({
    connection,
    controllers: controllersOf(release, {
      settle: flags.migrationSettle,
      report: (condition) => void conditions.set(condition),
    }),
    operatorConditions: conditions,
    runnables: webhooks && [{ name: 'webhooks', run: (signal) => webhooks.run(signal) }],
    leaderElection: elections[election],
    ...(serves && {
      health: { port: ports.health, ready: [{ name: 'webhooks', check: isServing }] },
      metrics: { port: ports.metrics },
    }),
    log,
  });
  try {
    await manager.run();
  } finally {
    client.close();
  }
}

let flags: Flags | undefined;
try {
  flags = flagsOf(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
if (flags) await run(flags);
