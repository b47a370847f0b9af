import { afterAll, expect } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { ApiClient } from '@tenantry/runtime/client/api-client';
import type { Client } from '@tenantry/runtime/client/client';
import { Transport } from '@tenantry/runtime/connection/transport';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import type { Outcome } from '@tenantry/runtime/controller/observer';
import { jsonLog } from '@tenantry/runtime/log/log';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { Manager, type ManagerProps } from '@tenantry/runtime/manager/manager';
import { Account, type NeverUsed } from '../cluster/accounts.ts';
import { untilServed } from '../cluster/crds.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Client as Asker } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import type { SharedClusterTests } from '@tenantry/testing/test/controlplane/shared';

const transports: Transport[] = [];

/** Returns a client of the runtime that acts as this user; `closeClients` closes it. */
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
  /** The outcomes of the reconciles, in order. */
  readonly outcomes: readonly Outcome[];
  /** The log lines, each a JSON object. */
  readonly logs: readonly string[];
  /** Stops the operator. Rejects with the error that ended it earlier. */
  stop(): Promise<void>;
}

/** Runs a controller as this user. */
export function runAs(
  user: Asker,
  controller: Controller,
  leaderElection?: ManagerProps['leaderElection'],
): RunningOperator {
  const outcomes: Outcome[] = [];
  const logs: string[] = [];
  const manager = new Manager({
    controllers: [controller],
    leaderElection,
    client: clientOf(user),
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

/** Applies the manifests of an operator to a cluster. */
export async function applyManifests(
  { admin }: ClusterAccess,
  manifests: readonly object[],
): Promise<void> {
  for (const manifest of manifests as readonly Body[]) {
    const options = { fieldManager: 'test', fieldValidation: 'Strict' } as const;
    const { status, body } = await admin.apply(manifest, options);
    if (status > 201) throw new Error(`no ${manifest.kind}: ${status} ${body.message}`);
    if (manifest.kind === 'CustomResourceDefinition') await untilServed(admin, manifest);
  }
}

/**
 * Applies the manifests of an operator and runs its controller as the ServiceAccount `name` in the namespace `name`.
 */
async function runOperator(
  cluster: ClusterAccess,
  name: string,
  manifests: readonly object[],
  controller: Controller,
): Promise<RunningOperator & { readonly account: Account }> {
  await applyManifests(cluster, manifests);
  const account = await Account.of(cluster, { name, namespace: name }, controller.access);
  return { account, ...runAs(account.client, controller) };
}

export interface ExampleProps {
  /** The folder in examples/. */
  readonly folder: string;
  /** The name of its ServiceAccount and of the ServiceAccount's namespace. */
  readonly account: string;
  readonly manifests: readonly object[];
  readonly controller: Controller;
}

/** An operator of examples/. It starts when a test first needs it and runs until the file ends. */
export class Example {
  readonly #given: SharedClusterTests;
  readonly #props: ExampleProps;
  #running: ReturnType<typeof runOperator> | undefined;
  #admin: Client | undefined;

  constructor(given: SharedClusterTests, props: ExampleProps) {
    this.#given = given;
    this.#props = props;
    afterAll(async () => {
      await (await this.#running)?.stop();
      closeClients();
    });
  }

  get admin(): Client {
    return (this.#admin ??= clientOf(this.#given.cluster.admin));
  }

  get running(): ReturnType<typeof runOperator> {
    const { account, manifests, controller } = this.#props;
    return (this.#running ??= runOperator(this.#given.cluster, account, manifests, controller));
  }

  /** Checks that no request was refused and every granted right was used, except the rights in `neverUsed`. */
  async expectExactAccess(neverUsed: readonly NeverUsed[]): Promise<void> {
    await (await this.running).account.expectExactAccess(neverUsed);
  }

  /** Makes the sample in a namespace, runs the program instead of the operator, and ends it. */
  async runProgram(namespace: string, during: () => Promise<void>): Promise<void> {
    const { stop, account } = await this.running;
    await stop();
    const path = join(import.meta.dirname, '../../examples', this.#props.folder);
    const [read] = readDocuments(readFileSync(join(path, 'sample.yaml'), 'utf8')).documents;
    const object = read?.value as Body;
    const metadata = { ...object.metadata, namespace };
    const { cluster } = this.#given;
    expect((await cluster.admin.create({ ...object, metadata })).status).toBe(201);
    const kubeconfig = cluster.kubeconfigFile(`${this.#props.account}.json`, account.client);
    const { exit, logs } = await whileProgramRuns(join(path, 'main.ts'), kubeconfig, during);
    expect(exit).toBe(0);
    expect(logs.filter(({ level }) => level === 'error')).toEqual([]);
  }
}

/** Returns the table that `kubectl get` shows: a row per object, keyed by column names. */
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

/** Runs a program with a kubeconfig until `during` has finished, and returns its exit code and its log. */
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
