import { omitUndefined } from '@tenantry/kube/mapping';
import type { Client } from '../client/client.ts';
import {
  ClientDecorator,
  type OptionOverrides,
  type ClientCall,
  type ClientCallOptions,
} from '../client/decorator.ts';

/** Elects the one of several replicas of an operator that works. */
export interface LeaderElection {
  /** The name of the lock in metrics. @default leader */
  readonly name?: string | undefined;
  /**
   * Calls `lead` each time this replica begins to lead. `leading` aborts as soon as the leadership is not certain any
   * more; from then on nothing may be written. Once `signal` aborts, `lead` must end; the lease is kept until then, and
   * released afterwards. Resolves after that, and rejects with the error of `lead`.
   */
  run(lead: (leading: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
  /**
   * Whether a write may start now. It reads the clock, so it is right even if the event loop was blocked and `leading`
   * could not abort yet.
   */
  isLeading(): boolean;
}

/** Leads at once and forever. Only for a single replica. */
export const alwaysLeads: LeaderElection = {
  run: (lead, signal) => (signal.aborted ? Promise.resolve() : lead(new AbortController().signal)),
  isLeading: () => true,
};

/** A lock that at most one replica holds. Each method makes one attempt, and ends with the signal. */
export interface Lock {
  /** The name in logs: `lease shop/operator`. */
  readonly description: string;
  /** The last known holder. */
  readonly holder: string | undefined;
  /**
   * Tries to acquire the lock, and returns whether it is held now. No other replica has relied on it since by its own
   * clock, which may differ from this one by the rate that the timing allows for.
   */
  acquire(signal: AbortSignal): Promise<boolean>;
  /** Returns whether it is still held; rejects if that is not known. */
  renew(signal: AbortSignal): Promise<boolean>;
  /** Releases the lock for the next replica. Does nothing if another one holds it. */
  release(signal: AbortSignal): Promise<void>;
}

/**
 * Returns a client that sends no write unless this replica surely leads; a write then rejects with `NotLeading`. The
 * check runs right before a write is sent, retries included. Reads pass through.
 */
export function createFencedClient(
  client: Client,
  election: Pick<LeaderElection, 'isLeading'>,
): Client {
  return new FencedClient(client, election);
}

class FencedClient extends ClientDecorator {
  readonly #election: Pick<LeaderElection, 'isLeading'>;

  constructor(client: Client, election: Pick<LeaderElection, 'isLeading'>) {
    super(client);
    this.#election = election;
  }

  /** @throws {NotLeading} */
  protected override before(
    { verb }: ClientCall,
    options: ClientCallOptions,
  ): OptionOverrides | undefined {
    if (verb === 'get' || verb === 'list' || verb === 'watch') return undefined;
    const permit = (): void => {
      if (!this.#election.isLeading()) throw new NotLeading();
      options.permit?.();
    };
    permit();
    return { permit };
  }
}

/**
 * This replica is not certain to lead any more. It is the reason of the signal of the led work, and the rejection of an
 * election with `exit`.
 */
export class LeadershipLost extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, omitUndefined({ cause }));
    this.name = 'LeadershipLost';
  }
}

/** A write was not sent, because this replica is not certain to lead. */
export class NotLeading extends Error {
  constructor() {
    super('nothing is written: this replica is not sure to lead');
    this.name = 'NotLeading';
  }
}
