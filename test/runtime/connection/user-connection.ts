import type { Connection } from '../../../runtime/connection/connection.ts';
import { connectionTo } from '../../../runtime/connection/explicit.ts';
import type { Client } from '../../../testing/controlplane/client.ts';

/** The connection of somebody of a test's cluster, for the runtime; `server` may be a proxy before it. */
export function connectionOfUser(user: Client, server = user.credentials.server): Connection {
  return connectionTo({ ...user.credentials, server });
}
