import { ruleSets, statuses } from '../../examples/portrule/controllers.ts';
import { NAMESPACE, PortRule } from '../../examples/portrule/host.ts';
import { access, Loop } from '../../examples/portrule/loop.ts';
import type { AccessRule } from '@tenantry/kube/access';
import { allow } from '@tenantry/runtime/access/grant';
import type { Client } from '@tenantry/runtime/client/client';
import { openClient } from '@tenantry/runtime/client/open-client';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { ConfigMap, Node } from '@tenantry/runtime/kinds/core';
import { jsonLog, type Log } from '@tenantry/runtime/log/log';
import { Manager } from '@tenantry/runtime/manager/manager';
import { FaultyProxy } from '@tenantry/testing/faults/faulty-proxy';
import { ASKED_BY_ADMISSION, STREAMED, type Account, type NeverUsed } from '../cluster/accounts.ts';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';

/** One of the two ways in which the operator is written. */
export interface Way {
  readonly name: string;
  /** The file that runs it. */
  readonly main: string;
  readonly access: readonly AccessRule[];
  /** Runs the operator. `turn` is called at the end of each reconcile, if the way has reconciles. */
  run(client: Client, log: Log, signal: AbortSignal, turn: () => void): Promise<void>;
}

export const ways: readonly Way[] = [
  {
    name: 'as two controllers',
    main: 'main.ts',
    access: [...ruleSets.access, ...statuses.access],
    run: (client, log, signal, turn) => {
      const observer = { ended: turn };
      return new Manager({ controllers: [ruleSets, statuses], client, log, observer }).run(signal);
    },
  },
  {
    name: 'as a loop',
    main: 'loop-main.ts',
    access,
    run: (client, log, signal) => new Loop(client, log).run(signal),
  },
];

/** Access that both ways grant and that these tests never use. */
export const neverUsed: readonly NeverUsed[] = [
  [allow(Node, 'list'), STREAMED],
  [allow(PortRule, 'list'), STREAMED],
  [allow(ConfigMap, 'list').in(NAMESPACE), STREAMED],
  [allow(Node, 'update').subresource('finalizers'), ASKED_BY_ADMISSION],
];

/** An operator that runs as this account, behind a proxy that can disturb its network. */
export class RunningWay {
  readonly proxy: FaultyProxy;
  readonly lines: string[] = [];
  /** The number of reconciles that have ended. */
  turns = 0;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  private constructor(way: Way, proxy: FaultyProxy) {
    this.proxy = proxy;
    const client = openClient(proxy.connection, { qps: Infinity });
    const log = jsonLog({ clock: systemClock, write: (line) => void this.lines.push(line) });
    this.#ended = way
      .run(client, log, this.#stop.signal, () => (this.turns += 1))
      .finally(() => client.close());
    this.#ended.catch(() => undefined);
  }

  static async start(way: Way, { client }: Account): Promise<RunningWay> {
    return new RunningWay(way, await FaultyProxy.start(connectionOfUser(client)));
  }

  /** Stops the operator. Rejects with the error that ended it earlier. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the test is over'));
    await this.#ended.finally(() => this.proxy.stop());
  }
}
