import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/**
 * Finds free ports of 127.0.0.1. Another process can take them before they are used. All of them are
 * held until the last one is found, so they differ.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(
    servers.map((server) => {
      server.close();
      return once(server, 'close');
    }),
  );
  return ports;
}
