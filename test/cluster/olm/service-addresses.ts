import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

/** Addresses for Services that a process on this machine can use: Linux treats all of 127/8 as local. */
export const SERVICE_ADDRESSES = '127.77.0.0/16';

/** Returns why no process of the test can listen at port 443; undefined if one can. */
export async function whyNoService(): Promise<string | undefined> {
  try {
    const server = await listening(createServer(), '127.77.255.254', 443);
    server.close();
    return undefined;
  } catch (error) {
    return `no Service can be reached here: ${(error as Error).message}`;
  }
}

/** Forwards connections to an address to a port of this machine, as kube-proxy does for a Service. */
export async function forward(address: string, port: number, to: number): Promise<AsyncDisposable> {
  const server = createServer((asking) => {
    const answering = connect(to, '127.0.0.1');
    asking.pipe(answering).pipe(asking);
    for (const [one, other] of [
      [asking, answering],
      [answering, asking],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    open.add(asking);
    asking.on('close', () => open.delete(asking));
  });
  const open = new Set<ReturnType<typeof connect>>();
  await listening(server, address, port);
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function listening(server: Server, address: string, port: number): Promise<Server> {
  server.listen(port, address);
  await once(server, 'listening');
  return server;
}
