import type { Client } from '../client/client.ts';
import {
  ClientDecorator,
  type OptionOverrides,
  type ClientCall,
  type ClientCallOptions,
} from '../client/decorator.ts';
import type { LeaderElection } from './leader-election.ts';
import { NotLeading } from './not-leading.ts';

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
