import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { sendRequest, readBody } from '../../connection/exchange.ts';
import { reply, ScriptedServer } from '@tenantry/testing/faults/scripted-server';
import { splitLines } from '../../client/answers.ts';
import { TooLarge } from '../../errors/client-errors.ts';

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

/** Reads an answer of this many characters, which the server never ends. */
async function read(characters: number, most: number): Promise<string> {
  const server = await ScriptedServer.start((_, response) => {
    response.write('é'.repeat(characters));
    if (characters <= most) response.end();
  });
  try {
    const [response] = (await once(get(server.url), 'response')) as [IncomingMessage];
    return await readBody(response, new AbortController().signal, most);
  } finally {
    await server.stop();
  }
}

test('an answer is read up to the maximum length, in characters', async () => {
  expect(await read(1000, 1000)).toBe('é'.repeat(1000));
});

test('a longer answer is aborted while it still arrives', async () => {
  await expect(read(1001, 1000)).rejects.toMatchObject({
    name: 'TooLarge',
    message: 'the answer must be at most 1,000 characters long, got more',
  });
});

async function linesFrom(chunks: readonly string[], most: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of splitLines(Readable.from(chunks), most)) lines.push(line);
  return lines;
}

test('an endless line of a stream is not kept', async () => {
  expect(await linesFrom(['abc', 'def', '\nabcdef\n', 'abcde'], 6)).toEqual([
    'abcdef\n',
    'abcdef\n',
    'abcde',
  ]);
  await expect(linesFrom(['abc\nabc', 'def', 'g'], 6)).rejects.toBeInstanceOf(TooLarge);
});
