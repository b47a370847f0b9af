import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { ApiClient } from '../../runtime/client/apiclient.ts';
import type { Client } from '../../runtime/client/client.ts';
import { Transport } from '../../runtime/connection/transport.ts';
import type { Controller } from '../../runtime/controller/declaration.ts';
import type { Outcome } from '../../runtime/controller/observer.ts';
import { jsonLog } from '../../runtime/log/log.ts';
import { systemClock } from '../../runtime/clock/systemclock.ts';
import { Manager } from '../../runtime/manager/manager.ts';
import { untilServed } from '../cluster/crds.ts';
import type { ClusterAccess } from '../../testing/controlplane/access.ts';
import type { Client as Asker } from '../../testing/controlplane/client.ts';
import type { Body } from '../../testing/controlplane/objects.ts';
import { connectionOfUser } from '../runtime/connection/userconnection.ts';

const transports: Transport[] = [];

/** A client of the runtime that is this user; `closeClients` ends it. */
export function clientOf(user: Asker): Client {
  return new ApiClient(transportOf(user));
}

function transportOf(user: Asker): Transport {
  const transport = new Transport(connectionOfUser(user), { qps: Infinity });
  transports.push(transport);
  return transport;
}

export function closeClients(): void {
  for (const transport of transports) transport.close();
}

/** An operator that runs in a test. */
export interface RunningOperator {
  /** How the reconciles ended, in order. */
  readonly outcomes: readonly Outcome[];
  /** Each as one object of JSON. */
  readonly logs: readonly string[];
  /** Rejects with what ended it before. */
  stop(): Promise<void>;
}

/** Applies what an operator needs, and runs its controller as the ServiceAccount `name` in `name`. */
export async function runOperator(
  cluster: ClusterAccess,
  name: string,
  manifests: readonly object[],
  controller: Controller,
): Promise<RunningOperator> {
  for (const manifest of manifests as readonly Body[]) {
    const options = { fieldManager: 'test', fieldValidation: 'Strict' } as const;
    const { status, body } = await cluster.admin.apply(manifest, options);
    if (status > 201) throw new Error(`no ${manifest.kind}: ${status} ${body.message}`);
    if (manifest.kind === 'CustomResourceDefinition') await untilServed(cluster.admin, manifest);
  }
  const outcomes: Outcome[] = [];
  const logs: string[] = [];
  const manager = new Manager({
    controllers: [controller],
    client: clientOf(await cluster.serviceAccount(name, name)),
    log: jsonLog({ clock: systemClock, write: (line) => void logs.push(line) }),
    observer: { ended: (_, outcome) => void outcomes.push(outcome) },
  });
  const end = new AbortController();
  const ended = manager.run(end.signal);
  ended.catch(() => undefined);
  return {
    outcomes,
    logs,
    stop: async () => {
      end.abort(new Error('the test is over'));
      await ended;
    },
  };
}

/** What `kubectl get` shows: a row an object, by the names of the columns. */
export async function tableOf(user: Asker, path: string): Promise<Record<string, unknown>[]> {
  const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const { columnDefinitions, rows } = (await transportOf(user).call({
    method: 'GET',
    path,
    accept,
  })) as {
    readonly columnDefinitions: readonly { readonly name: string }[];
    readonly rows: readonly { readonly cells: readonly unknown[] }[];
  };
  return rows.map(({ cells }) =>
    Object.fromEntries(columnDefinitions.map(({ name }, i) => [name, cells[i]])),
  );
}

/** Runs a program with a kubeconfig until what is done meanwhile is done; gives its exit code and its log. */
export async function whileProgramRuns(
  file: string,
  kubeconfig: string,
  during: () => Promise<void>,
): Promise<{ readonly exit: unknown; readonly logs: readonly { readonly level: string }[] }> {
  const program = spawn(process.execPath, [file], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(program, 'exit');
  const logged = text(program.stderr);
  try {
    await during();
  } finally {
    program.kill('SIGTERM');
  }
  const [exit] = (await ended) as unknown[];
  const lines = (await logged).trim().split('\n');
  return { exit, logs: lines.map((line) => JSON.parse(line) as { level: string }) };
}
