import type { Connection } from '../../../runtime/connection/connection.ts';
import type { Client } from '../../control-plane/client.ts';

/** The connection of somebody of a test's cluster, for the runtime; `server` may be a proxy before it. */
export function connectionOfUser(user: Client, server = user.connection.server): Connection {
  const { authority, identity } = user.connection;
  const authorization =
    'token' in identity
      ? { headers: { authorization: `Bearer ${identity.token}` }, tls: { ca: authority } }
      : { headers: {}, tls: { ca: authority, cert: identity.certificate, key: identity.key } };
  return { server, authorize: () => Promise.resolve(authorization) };
}
