import type { CallOptions, WatchEvent, WatchOptions } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { Unreachable } from '@tenantry/runtime/errors/client-errors';
import { keyOf, resourceOf, type Kind } from '@tenantry/runtime/kinds/kind';
import { NotSimulated } from '../server/errors.ts';
import type { WatchListener, ServerWatch } from '../server/server-watch.ts';
import { WatchQueue, isWrite, type SentCall, type Wire } from '../server/wire.ts';
import type { CallFault, Network, OpenStream } from './network.ts';
import type { PendingCrash, SimulatedProcess } from './process.ts';

/** Observes the calls of a process. */
export interface WireObserver {
  /** A write is sent. */
  writes(process: SimulatedProcess, call: SentCall): void;
  /** A write has ended. `outcome` builds its text only where somebody reads it. */
  wrote(process: SimulatedProcess, call: SentCall, outcome: () => string): void;
  /** The process crashes at a write. */
  crashed(process: SimulatedProcess): void;
  /** A call used something that is not simulated. */
  unknown(error: NotSimulated): void;
}

/** The connection of one process to the server. */
export class ProcessWire implements Wire {
  readonly #process: SimulatedProcess;
  readonly #network: Network;
  readonly #observer: WireObserver;

  constructor(process: SimulatedProcess, network: Network, observer: WireObserver) {
    this.#process = process;
    this.#network = network;
    this.#observer = observer;
  }

  async send<T>(call: SentCall, options: CallOptions, ask: () => T): Promise<T> {
    if (!this.#process.isAlive) return never();
    options.signal?.throwIfAborted();
    options.permit?.();
    const crash = isWrite(call) ? this.#beginWrite(call) : undefined;
    if (crash && !crash.takesEffect) {
      this.#crash(call, 'never leaves');
      return never();
    }
    return new Promise<T>((resolve, reject) => {
      const { clock } = this.#network;
      const end = this.#limitDuration(options, reject);
      const settle = (run: () => void): void => {
        const deliver = (): void => this.#process.clock.runWhenAwake(() => end(run));
        clock.after(this.#network.latency(), deliver);
      };
      const fault = this.#network.takeFault({ kind: call.kind, isWrite: isWrite(call) });
      const arrive = (): void => {
        const answer = this.#done(call, ask, fault);
        if (crash) this.#crash(call, 'takes effect, and its answer is lost');
        else if (fault?.type === 'lost' || fault?.type === 'unanswered') {
          const error = new Unreachable('the connection was reset');
          if (!fault.isSilent) settle(() => reject(error));
        } else if ('error' in answer) settle(() => reject(answer.error));
        else settle(() => resolve(answer.value));
      };
      const more = fault?.type === 'slow' ? fault.milliseconds : 0;
      clock.after(this.#network.latency() + more, arrive);
    });
  }

  async *watch<K extends Kind>(
    kind: K,
    options: WatchOptions,
    open: (hearer: WatchListener) => ServerWatch,
  ): AsyncGenerator<WatchEvent<K>, void, undefined> {
    if (!this.#process.isAlive) await never();
    options.signal?.throwIfAborted();
    const queue = new WatchQueue<K>(options.signal);
    const stream = new Stream(this.#process, this.#network, queue);
    const fault = this.#network.takeFault({ kind, isWrite: false });
    this.#network.streams.add(stream);
    const more = fault?.type === 'slow' ? fault.milliseconds : 0;
    this.#network.clock.after(this.#network.latency() + more, () => {
      const refused = fault && createFaultError(fault);
      if (refused) stream.failed(refused);
      else stream.open(open, (error) => this.#observer.unknown(error));
    });
    try {
      yield* queue.events();
    } finally {
      queue.close();
      stream.drop();
    }
  }

  #beginWrite(call: SentCall): PendingCrash | undefined {
    this.#observer.writes(this.#process, call);
    return call.kind.plural === 'leases' ? undefined : this.#process.takeCrash();
  }

  #done<T>(
    call: SentCall,
    ask: () => T,
    fault: CallFault | undefined,
  ): { readonly value: T } | { readonly error: unknown } {
    const refused =
      fault?.type === 'lost' || fault?.type === 'refused' ? createFaultError(fault) : undefined;
    try {
      if (refused) throw refused;
      const value = ask();
      this.#notifyWrote(call, () =>
        fault?.type === 'unanswered' ? 'done, and its answer is lost' : 'done',
      );
      return { value };
    } catch (error) {
      if (error instanceof NotSimulated) this.#observer.unknown(error);
      this.#notifyWrote(call, () => (error instanceof Error ? error.message : String(error)));
      return { error };
    }
  }

  #notifyWrote(call: SentCall, outcome: () => string): void {
    if (isWrite(call)) this.#observer.wrote(this.#process, call, outcome);
  }

  #crash(call: SentCall, outcome: string): void {
    if (!this.#process.isAlive) return;
    this.#notifyWrote(call, () => outcome);
    this.#observer.crashed(this.#process);
  }

  /**
   * Rejects at the timeout of the call, and when the signal aborts. The returned function stops both
   * and passes on the answer.
   */
  #limitDuration(
    { timeout = 30_000, signal }: CallOptions,
    reject: (error: unknown) => void,
  ): (answer: () => void) => void {
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = this.#process.clock.after(timeout, () => {
      signal?.removeEventListener('abort', onAbort);
      reject(new Unreachable(`there was no answer in ${timeout} ms`));
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    return (answer) => {
      cancel();
      signal?.removeEventListener('abort', onAbort);
      answer();
    };
  }
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

function createFaultError(fault: CallFault): Error | undefined {
  if (fault.type === 'lost') return new Unreachable('the connection was reset');
  if (fault.type === 'unanswered') return new Unreachable('the connection was reset');
  if (fault.type !== 'refused') return undefined;
  const { status } = fault;
  const details = status === 429 || status === 503 ? { retryAfterSeconds: 1 } : {};
  return new ApiError({ code: status, message: `the server answers ${status} by chance`, details });
}

interface FailableWatchListener extends WatchListener {
  fail(error: unknown): void;
}

/** One watch on its way to a process: events arrive in order, each some time after the server sent it. */
class Stream implements OpenStream {
  readonly process: SimulatedProcess;
  readonly #network: Network;
  readonly #queue: FailableWatchListener;
  #watch: ServerWatch | undefined;
  #due = 0;
  #delay = 0;
  #isClosed = false;
  #isHung = false;

  constructor(process: SimulatedProcess, network: Network, queue: FailableWatchListener) {
    this.process = process;
    this.#network = network;
    this.#queue = queue;
  }

  open(open: (hearer: WatchListener) => ServerWatch, unknown: (error: NotSimulated) => void): void {
    if (this.#isClosed) return;
    try {
      this.#watch = open({
        event: (event) => this.#deliver(() => this.#queue.event(event)),
        end: () => this.#deliver(() => this.#queue.end()),
      });
    } catch (error) {
      if (error instanceof NotSimulated) unknown(error);
      this.failed(error);
    }
  }

  failed(error: unknown): void {
    this.#watch?.close();
    this.#deliver(() => this.#queue.fail(error));
  }

  cut(): void {
    this.failed(new Unreachable('the connection was reset'));
  }

  hang(): void {
    this.#isHung = true;
    this.#watch?.close();
  }

  slow(milliseconds: number): void {
    this.#delay = milliseconds;
  }

  repeat(count: number): void {
    this.#watch?.repeat(count);
  }

  drop(): void {
    this.#isClosed = true;
    this.#watch?.close();
    this.#network.streams.delete(this);
  }

  #deliver(run: () => void): void {
    const { clock } = this.#network;
    const soonest = clock.now() + this.#network.latency() + this.#delay;
    this.#due = Math.max(this.#due, soonest);
    clock.after(this.#due - clock.now(), () => {
      if (!this.#isClosed && !this.#isHung) this.process.clock.runWhenAwake(run);
    });
  }
}

/** Formats a call for people: `creates pods shop/a-0`. */
export function describeCall({ verb, kind, name, subresource }: SentCall): string {
  const words = { get: 'gets', list: 'lists', create: 'creates', update: 'updates' } as const;
  const more = { patch: 'patches', apply: 'applies', delete: 'deletes' } as const;
  const verbs: Readonly<Record<string, string>> = { ...words, ...more };
  const part = subresource === undefined ? '' : `/${subresource}`;
  const what = name ? ` ${keyOf(name)}` : '';
  return `${verbs[verb] ?? 'deletes all'} ${resourceOf(kind)}${part}${what}`;
}
