import { expect, test } from '@jest/globals';
import { Agent } from 'node:http';
import { sendRequest } from '../../../runtime/connection/exchange.ts';
import { reply, ScriptedServer } from '../../../testing/faults/scripted-server.ts';

test('calls leave nothing behind on their shared connection', async () => {
  const server = await ScriptedServer.start((_, response) => reply(response, {}));
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(server.url);
  const options = { protocol: 'http:', hostname, port, path: '/', agent };
  const counts: number[] = [];
  try {
    for (let call = 0; call < 3; call += 1) {
      const { response } = await sendRequest({
        options,
        body: undefined,
        signal: new AbortController().signal,
      });
      const freed = new Promise((resolve) => agent.once('free', resolve));
      response?.resume();
      await freed;
      const [socket] = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
      counts.push(socket?.listenerCount('connect') ?? -1);
    }
  } finally {
    agent.destroy();
    await server.stop();
  }
  expect(server.connections).toBe(1);
  expect(counts).toEqual([0, 0, 0]);
});
