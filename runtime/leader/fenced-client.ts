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
 * A client that starts no write while this replica is not sure to lead: it then rejects with
 * `NotLeading`. That is asked when a write is to be sent, and each time that it is sent again, after
 * whatever it waited for. Reads go through.
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
