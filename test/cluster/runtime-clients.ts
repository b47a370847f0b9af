import { ApiClient } from '../../runtime/client/api-client.ts';
import { Transport, type TransportObserver } from '../../runtime/connection/transport.ts';
import type { Client as TestClient } from '../../testing/controlplane/client.ts';
import { connectionOfUser } from '../runtime/connection/user-connection.ts';

/** The runtime's clients for the users of a test cluster, which must be closed at the end. */
export class RuntimeClients {
  readonly #transports: Transport[] = [];

  of(user: TestClient, observer?: TransportObserver): ApiClient {
    const transport = new Transport(connectionOfUser(user), { qps: Infinity, observer });
    this.#transports.push(transport);
    return new ApiClient(transport, { fieldManager: 'runtime-test' });
  }

  close(): void {
    for (const transport of this.#transports) transport.close();
  }
}
