import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WarmCommand } from './warm-command.ts';
import type { Order } from './warm-program.ts';

/** The environment variable with the address of the server for test workers. */
export const commandVariable = 'TENANTRY_COMMANDS';

/** The key under which jest's globalSetup stores the server for its globalTeardown. */
export const commandKey = 'tenantry command server';

/** The number of processes that are kept, one for each worker. */
const MAX_PROCESSES = 4;

/**
 * Runs the built command for all tests of a run in warm processes (`WarmCommand`). If all are busy,
 * it starts a new one, so that no test waits for another. An order is a connection, which a shell
 * can make too. It sends texts that end with a NUL: the secret, the folder, the number of
 * arguments, the arguments, the environment as `env -0` prints it, and an empty text.
 *
 * The answer is a line with the exit code and a folder with the files `out` and `err`. The folder
 * is removed when the connection ends. If the connection ends first, the run is stopped.
 */
export class CommandServer {
  readonly #main: string;
  readonly #secret = randomBytes(16).toString('hex');
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #all = new Set<WarmCommand>();
  readonly #free: WarmCommand[] = [];

  /** @param main the built `cli/main.js` */
  constructor(main: string) {
    this.#main = main;
    this.#server = createServer((socket) => this.#take(socket));
    this.#server.unref();
  }

  /** Starts the server and returns its address. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `${(this.#server.address() as AddressInfo).port}:${this.#secret}`;
  }

  /** Resolves once all processes have ended. */
  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([...this.#all].map((command) => command.close()));
  }

  #take(socket: Socket): void {
    this.#sockets.add(socket);
    let received = '';
    let isTaken = false;
    // A client that disconnects before the answer no longer needs it.
    socket.on('error', () => socket.destroy()).on('close', () => this.#sockets.delete(socket));
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
      const order = isTaken ? undefined : orderOf(received, this.#secret);
      if (order === undefined) return;
      isTaken = true;
      if (order === 'refused') socket.destroy();
      else void this.#run(order, socket).catch(() => socket.destroy());
    });
  }

  async #run(order: Order, socket: Socket): Promise<void> {
    const command = this.#free.pop() ?? new WarmCommand(this.#main);
    this.#all.add(command);
    const gone = (): void => void this.#end(command);
    socket.once('close', gone);
    const { code, out, err } = await command.run(order);
    socket.off('close', gone);
    if (socket.destroyed) return;
    if (this.#free.length < MAX_PROCESSES) this.#free.push(command);
    else void this.#end(command);
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-output-'));
    socket.once('close', () => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'out'), out);
    writeFileSync(join(folder, 'err'), err);
    // A shell reports this code for a program that a signal ended.
    socket.write(`${code ?? 137} ${folder}\n`);
  }

  async #end(command: WarmCommand): Promise<void> {
    await command.close();
    this.#all.delete(command);
  }
}

/** Parses an order once it is complete. */
function orderOf(received: string, secret: string): Order | 'refused' | undefined {
  const texts = received.split('\0');
  // The last text is not complete yet.
  const [asked, cwd, count, ...rest] = texts.slice(0, -1);
  if (asked !== undefined && asked !== secret) return 'refused';
  const args = rest.slice(0, Number(count));
  const pairs = rest.slice(args.length);
  if (cwd === undefined || args.length < Number(count) || pairs.pop() !== '') return undefined;
  const env = pairs.map((pair) => {
    const end = pair.indexOf('=');
    return [pair.slice(0, end), pair.slice(end + 1)] as const;
  });
  return { args, cwd, env: Object.fromEntries(env) };
}
