import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createConnection,
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import {
  ClusterAccess,
  startCluster,
  type ClusterDetails,
  type Cluster,
} from '../../controlplane/cluster.ts';
import { AuditLog } from '../../controlplane/audit-log.ts';
import { AsNew } from './as-new.ts';

/** The variable with the address of the pool, for the workers of a run. */
export const clusterPoolVariable = 'TENANTRY_LENT_CLUSTERS';

/** The key in globalThis under which the setup of jest leaves the pool for its teardown. */
export const clusterPoolKey = 'tenantry lender';

/** A control plane that no other test uses until it is stopped. */
export interface OwnCluster extends ClusterAccess, AsyncDisposable {
  stop(): Promise<void>;
}

interface Kept {
  readonly cluster: Cluster;
  readonly asNew: AsNew;
}

/** The answer to a borrower, as one line of JSON. */
type Answer =
  | { readonly details: ClusterDetails; readonly error?: undefined }
  | { readonly error: string; readonly details?: undefined };

/**
 * Lends control planes without controllers to the tests of a run: to one test at a time, and each time in their initial
 * state.
 *
 * So a test has one to itself without starting an API server, which takes seconds of processor time. A loan lasts as
 * long as its connection: a worker that dies returns the control plane.
 */
export class ClusterPool {
  readonly #secret = randomBytes(16).toString('hex');
  readonly #server: Server;
  readonly #kept = new Set<Kept>();
  readonly #back: Promise<Kept | undefined>[] = [];
  readonly #loans = new Set<Socket>();
  readonly #report: (line: string) => void;
  #isClosed = false;

  /** `report` gets a line for each control plane that is not lent again. @default - lines are written to stderr */
  constructor(report: (line: string) => void = (line) => void process.stderr.write(`${line}\n`)) {
    this.#report = report;
    this.#server = createServer((socket) => {
      void this.#lend(socket).catch(() => socket.destroy());
    });
    this.#server.unref();
  }

  /** Starts to listen and returns the address for borrowers. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `${(this.#server.address() as AddressInfo).port}:${this.#secret}`;
  }

  /** Ends all control planes, including the lent ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#server.close();
    for (const socket of this.#loans) socket.destroy();
    await Promise.all(this.#back);
    await Promise.all([...this.#kept].map(({ cluster }) => cluster.stop()));
  }

  async #lend(socket: Socket): Promise<void> {
    this.#loans.add(socket);
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        this.#loans.delete(socket);
        resolve();
      });
    });
    if ((await lineOf(socket)) !== this.#secret) throw new Error('not of this run');
    let kept: Kept;
    try {
      kept = await this.#next();
      const answer: Answer = { details: kept.cluster.details };
      socket.write(`${JSON.stringify(answer)}\n`);
    } catch (error) {
      const answer: Answer = { error: error instanceof Error ? error.message : String(error) };
      socket.end(`${JSON.stringify(answer)}\n`);
      return;
    }
    await closed;
    if (!this.#isClosed) this.#back.push(this.#restored(kept));
  }

  async #next(): Promise<Kept> {
    for (let back = this.#back.shift(); back; back = this.#back.shift()) {
      const kept = await back;
      if (kept) return kept;
    }
    const cluster = await startCluster();
    const kept = { cluster, asNew: await AsNew.of(cluster) };
    this.#kept.add(kept);
    return kept;
  }

  async #restored(kept: Kept): Promise<Kept | undefined> {
    try {
      await kept.asNew.restore();
      return kept;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#report(`tenantry: a control plane of a test is not used again: ${why}`);
      this.#kept.delete(kept);
      await kept.cluster.stop();
      return undefined;
    }
  }
}

/** Borrows a control plane from the pool of a run; `stop` returns it. */
export async function borrowCluster(address: string): Promise<OwnCluster> {
  const [port = '', secret = ''] = address.split(':');
  const socket = createConnection(Number(port), '127.0.0.1');
  socket.write(`${secret}\n`);
  const { details, error } = JSON.parse(await lineOf(socket)) as Answer;
  if (!details) throw new Error(error);
  socket.unref();
  return new LentCluster(details, socket);
}

/** A lent control plane, whose audit log starts at the loan. */
class LentCluster extends ClusterAccess implements OwnCluster {
  readonly #socket: Socket;

  constructor(details: ClusterDetails, socket: Socket) {
    super(details, AuditLog.fromNow(details.folder));
    this.#socket = socket;
  }

  stop(): Promise<void> {
    this.admin.close();
    this.#socket.destroy();
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Returns the first received line; the socket stays open. */
function lineOf(socket: Socket): Promise<string> {
  let received = '';
  return new Promise((resolve, reject) => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
      const end = received.indexOf('\n');
      if (end >= 0) resolve(received.slice(0, end));
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the lender has gone')));
  });
}
