import type { VirtualClock } from '../../clock/virtual-clock.ts';
import type { Chance } from '../random.ts';
import type { SentCall } from '../server/wire.ts';
import type { SimulatedProcess } from './process.ts';

/** What becomes of a call on its way. */
export type CallFault =
  /** It never arrives. */
  | { readonly type: 'lost'; readonly isSilent: boolean }
  /** It is done, and nobody hears of it. */
  | { readonly type: 'unanswered'; readonly isSilent: boolean }
  /** The server refuses, and does nothing. */
  | { readonly type: 'refused'; readonly status: 409 | 429 | 500 | 503 }
  /** It takes so many milliseconds more to arrive. */
  | { readonly type: 'slow'; readonly milliseconds: number };

/** What waits for calls that it will befall. */
export interface ArmedFault {
  readonly fault: CallFault;
  readonly calls: 'writes' | 'all';
  /** How many it befalls. */
  left: number;
}

/** An open watch of a process. */
export interface OpenStream {
  readonly process: SimulatedProcess;
  /** The connection breaks. */
  cut(): void;
  /** Nothing comes any more, and nobody says so. */
  hang(): void;
  /** What is told from now on comes later, by so many milliseconds. */
  slow(milliseconds: number): void;
  /** So many of the last events come once more. */
  repeat(count: number): void;
  /** It is forgotten. */
  drop(): void;
}

/** What lies between the replicas of an operator and the server, with its faults. */
export class Network {
  readonly clock: VirtualClock;
  readonly #chance: Chance;
  readonly #armed: ArmedFault[] = [];
  readonly streams = new Set<OpenStream>();
  /** Everything takes a millisecond. */
  readonly isEven: boolean;

  constructor(clock: VirtualClock, chance: Chance, isEven: boolean) {
    this.clock = clock;
    this.#chance = chance;
    this.isEven = isEven;
  }

  arm(fault: ArmedFault): void {
    this.#armed.push(fault);
  }

  /** No fault waits for a call any more. */
  disarm(): void {
    this.#armed.length = 0;
  }

  /** What befalls this call. */
  takeFault(isWrite: boolean, { kind }: Pick<SentCall, 'kind'>): CallFault | undefined {
    const isLease = kind.plural === 'leases';
    const at = this.#armed.findIndex(({ calls }) => calls === 'all' || (isWrite && !isLease));
    const armed = this.#armed[at];
    if (!armed) return undefined;
    armed.left -= 1;
    if (armed.left <= 0) this.#armed.splice(at, 1);
    return armed.fault;
  }

  /** Milliseconds that a message takes: mostly few, sometimes many. */
  latency(): number {
    if (this.isEven) return 1;
    return this.#chance.happens(0.1) ? this.#chance.whole(20, 800) : this.#chance.whole(1, 20);
  }

  /** What one process had open is closed. */
  dropStreamsOf(process: SimulatedProcess): void {
    for (const stream of this.streams) if (stream.process === process) stream.drop();
  }
}
