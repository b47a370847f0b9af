import { ApiClient } from '../../runtime/client/apiclient.ts';
import { connectionTo } from '../../runtime/connection/explicit.ts';
import { Transport, type TransportObserver } from '../../runtime/connection/transport.ts';
import type { Client as TestClient } from '../control-plane/client.ts';

/** The runtime's clients of who asks a test cluster; to be closed at the end. */
export class RuntimeClients {
  readonly #transports: Transport[] = [];

  of(user: TestClient, observer?: TransportObserver): ApiClient {
    const { server, authority: ca, identity } = user.connection;
    const proof =
      'token' in identity
        ? { token: identity.token }
        : { cert: identity.certificate, key: identity.key };
    const connection = connectionTo({ server, ca, ...proof });
    const transport = new Transport(connection, { qps: Infinity, observer });
    this.#transports.push(transport);
    return new ApiClient(transport, { fieldManager: 'runtime-test' });
  }

  close(): void {
    for (const transport of this.#transports) transport.close();
  }
}
