import type { Chance } from '../random.ts';

/** The name of a fault in a simulation; `faults` selects faults by name. */
export type FaultName =
  /** A call never arrives: the connection breaks, or there is no answer. */
  | 'lost calls'
  /** A call takes effect, and its answer is lost. */
  | 'lost answers'
  /** The server answers 409, 429, 500 or 503, without an effect. */
  | 'refusals'
  /** Calls take seconds, and others overtake them. */
  | 'slow calls'
  /** Watches break. */
  | 'cut watches'
  /** Watches stop sending events, but stay open. */
  | 'hung watches'
  /** Watches deliver events seconds later. */
  | 'late watches'
  /** Watches deliver their last events again. */
  | 'repeated events'
  /** The server drops its history: a client that resumes a watch gets 410. */
  | 'compaction'
  /**
   * The operator ends at its n-th write, with or without the write's effect, and starts with nothing in
   * memory.
   */
  | 'crashes'
  /** The operator is requested to end, and restarts. */
  | 'restarts'
  /** The event loop of a replica stalls for longer than a lease is valid. */
  | 'pauses'
  /** The clock of a replica's machine is set to another time. */
  | 'clock jumps'
  /** Somebody deletes an object that the operator owns. */
  | 'deleted objects';

/** An event of a schedule, other than what the operator does. */
export type SimulationEvent =
  | { readonly do: 'action'; readonly name: string; readonly seed: number }
  | {
      readonly do: 'lost calls' | 'lost answers';
      readonly isSilent: boolean;
      readonly calls: 'writes' | 'all';
    }
  | {
      readonly do: 'refusals';
      readonly status: 409 | 429 | 500 | 503;
      readonly count: number;
      readonly calls: 'writes' | 'all';
    }
  | { readonly do: 'slow calls'; readonly milliseconds: number; readonly count: number }
  | { readonly do: 'cut watches' }
  | { readonly do: 'hung watches' }
  | { readonly do: 'compaction' }
  | { readonly do: 'late watches'; readonly milliseconds: number }
  | { readonly do: 'repeated events'; readonly count: number }
  | {
      readonly do: 'crashes';
      readonly replica: number;
      readonly writes: number;
      readonly takesEffect: boolean;
    }
  | { readonly do: 'restarts'; readonly replica: number }
  | { readonly do: 'pauses'; readonly replica: number; readonly milliseconds: number }
  | { readonly do: 'clock jumps'; readonly replica: number; readonly milliseconds: number }
  | { readonly do: 'deleted objects'; readonly seed: number };

/** An event and its time, in milliseconds from the start. */
export interface Step {
  readonly at: number;
  readonly event: SimulationEvent;
}

/** Draws each fault by chance, and lists whether it is among the faults that are always on. */
const draws: { readonly [N in FaultName]: (chance: Chance, replicas: number) => SimulationEvent } =
  {
    'lost calls': (chance) => ({
      do: 'lost calls',
      isSilent: chance.happens(0.2),
      calls: chance.happens(0.7) ? 'writes' : 'all',
    }),
    'lost answers': (chance) => ({
      do: 'lost answers',
      isSilent: chance.happens(0.2),
      calls: chance.happens(0.9) ? 'writes' : 'all',
    }),
    refusals: (chance) => ({
      do: 'refusals',
      status: chance.pick([409, 429, 500, 503] as const),
      count: chance.whole(1, 4),
      calls: chance.happens(0.7) ? 'writes' : 'all',
    }),
    'slow calls': (chance) => ({
      do: 'slow calls',
      milliseconds: chance.whole(500, 20_000),
      count: chance.whole(1, 4),
    }),
    'cut watches': () => ({ do: 'cut watches' }),
    'hung watches': () => ({ do: 'hung watches' }),
    'late watches': (chance) => ({ do: 'late watches', milliseconds: chance.whole(200, 20_000) }),
    'repeated events': (chance) => ({ do: 'repeated events', count: chance.whole(1, 5) }),
    compaction: () => ({ do: 'compaction' }),
    crashes: (chance, replicas) => ({
      do: 'crashes',
      replica: chance.whole(0, replicas - 1),
      writes: chance.whole(1, 5),
      takesEffect: chance.happens(0.6),
    }),
    restarts: (chance, replicas) => ({ do: 'restarts', replica: chance.whole(0, replicas - 1) }),
    pauses: (chance, replicas) => ({
      do: 'pauses',
      replica: chance.whole(0, replicas - 1),
      milliseconds: chance.whole(500, 25_000),
    }),
    'clock jumps': (chance, replicas) => ({
      do: 'clock jumps',
      replica: chance.whole(0, replicas - 1),
      milliseconds: chance.whole(-600_000, 600_000),
    }),
    'deleted objects': (chance) => ({ do: 'deleted objects', seed: chance.whole(0, 0x7fff_ffff) }),
  };

export const allFaults = Object.keys(draws) as readonly FaultName[];

export interface Drawing {
  readonly actions: readonly string[];
  readonly faults: readonly FaultName[];
  readonly replicas: number;
  /** The most steps. */
  readonly longest: number;
}

/** Draws the steps of a schedule, in their order. */
export function drawSteps(chance: Chance, { actions, faults, replicas, longest }: Drawing): Step[] {
  if (actions.length + faults.length === 0) return [];
  const steps: Step[] = [];
  let at = 0;
  for (let left = chance.whole(1, longest); left > 0; left -= 1) {
    at += chance.happens(0.6) ? chance.whole(0, 400) : chance.whole(400, 8000);
    const isAction = faults.length === 0 || (actions.length > 0 && chance.happens(0.5));
    const event: SimulationEvent = isAction
      ? { do: 'action', name: chance.pick(actions), seed: chance.whole(0, 0x7fff_ffff) }
      : draws[chance.pick(faults)](chance, replicas);
    steps.push({ at, event });
  }
  return steps;
}

/** Returns the same event in its simplest form; undefined where it already has it. */
export function simplifyEvent(event: SimulationEvent): SimulationEvent | undefined {
  switch (event.do) {
    case 'lost calls':
    case 'lost answers':
      return event.isSilent ? { ...event, isSilent: false } : undefined;
    case 'refusals':
      return event.count > 1 ? { ...event, count: 1 } : undefined;
    case 'slow calls':
      return event.count > 1 ? { ...event, count: 1 } : undefined;
    case 'crashes':
      return event.writes > 1 ? { ...event, writes: 1 } : undefined;
    case 'repeated events':
      return event.count > 1 ? { ...event, count: 1 } : undefined;
    default:
      return undefined;
  }
}

/** Describes an event. Returns undefined for an action and for a deletion, whose writes are in the trace. */
export function describeEvent(event: SimulationEvent): string | undefined {
  switch (event.do) {
    case 'action':
    case 'deleted objects':
      return undefined;
    case 'lost calls':
      return `the next ${formatCalls(event.calls)} never arrives${formatSilence(event.isSilent)}`;
    case 'lost answers':
      return `the next ${formatCalls(event.calls)} is done, and its answer lost${formatSilence(event.isSilent)}`;
    case 'refusals':
      return `the next ${event.count} ${event.calls === 'all' ? 'calls are' : 'writes are'} answered ${event.status}`;
    case 'slow calls':
      return `the next ${event.count} calls take ${event.milliseconds / 1000} s`;
    case 'cut watches':
      return 'all watches break';
    case 'hung watches':
      return 'all watches fall silent';
    case 'late watches':
      return `watches deliver events ${event.milliseconds / 1000} s later`;
    case 'repeated events':
      return `watches deliver their last ${event.count} events again`;
    case 'compaction':
      return 'the server forgets its history';
    case 'crashes':
      return `replica ${event.replica} is to crash at its write number ${event.writes}, ${event.takesEffect ? 'which is done' : 'which is not done'}`;
    case 'restarts':
      return `replica ${event.replica} is requested to end`;
    case 'pauses':
      return `replica ${event.replica} stalls for ${event.milliseconds / 1000} s`;
    case 'clock jumps':
      return `the clock of replica ${event.replica} is set by ${event.milliseconds / 1000} s`;
  }
}

const formatCalls = (calls: 'writes' | 'all'): string => (calls === 'all' ? 'call' : 'write');
const formatSilence = (isSilent: boolean): string => (isSilent ? ', without an error' : '');
