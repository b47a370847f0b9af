import { type Connection, connectionTo } from '../../connection/connection.ts';
import type { Client } from '@tenantry/testing/controlplane/client';

/** Returns the runtime's connection for a user of a test cluster; `server` may be a proxy in front of it. */
export function connectionOfUser(user: Client, server = user.credentials.server): Connection {
  return connectionTo({ ...user.credentials, server });
}
