import { ApiClient } from '@tenantry/runtime/client/api-client';
import { Transport, type TransportObserver } from '@tenantry/runtime/connection/transport';
import type { Client as TestClient } from '@tenantry/testing/controlplane/client';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';

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
