import type { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { controller } from '../../controller/controller.ts';
import { done } from '../../controller/context.ts';
import type { LeaderElection } from '../../leader/leader-election.ts';
import { jsonLog } from '../../log/log.ts';
import { Manager, type ManagerProps } from '../../manager/manager.ts';
import type { Runnable } from '../../manager/tasks.ts';
import type { ObservedCluster } from '../observed-cluster.ts';
import { shops, town } from '../controller/running.ts';

export const reconcile = () => Promise.resolve(done);

/** A controller with nothing to do. */
export const idle = controller({ ...shops, reconcile });

/** A manager on a simulated cluster. */
export class Managed {
  readonly clock: VirtualClock;
  readonly cluster: ObservedCluster;
  readonly lines: { readonly [field: string]: unknown }[] = [];
  readonly stopping = new AbortController();
  readonly manager: Manager;
  /** How `run` ended. */
  ended: 'ended' | Error | undefined;

  /** Creates a manager, optionally with the cluster and the clock of another one. */
  constructor(props: ManagerProps, shared?: Pick<Managed, 'cluster'>) {
    this.cluster = shared?.cluster ?? town();
    this.clock = this.cluster.clock;
    const { clock, lines } = this;
    const { client } = this.cluster;
    const log = jsonLog({ clock, level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
    this.manager = new Manager({ client, clock, log, random: () => 0, ...props });
  }

  async start(): Promise<this> {
    void this.manager.run(this.stopping.signal).then(
      () => (this.ended = 'ended'),
      (error: Error) => (this.ended = error),
    );
    await this.pass();
    return this;
  }

  /** Advances the clock, and lets everything run that happens in that time, with its consequences. */
  async pass(milliseconds = 0): Promise<void> {
    for (let count = 0; count < 10; count += 1) await this.clock.advance(0);
    await this.clock.advance(milliseconds);
    for (let count = 0; count < 10; count += 1) await this.clock.advance(0);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('enough'));
    await this.pass();
  }

  /** The log lines of errors. */
  get errors(): { readonly [field: string]: unknown }[] {
    return this.lines.filter(({ level }) => level === 'error');
  }

  get messages(): unknown[] {
    return this.lines.map(({ msg }) => msg);
  }
}

/** An election that the test decides. */
export class Election implements LeaderElection {
  readonly #steps: string[];
  lead = (): void => {};
  lose = (): void => {};
  isSure = true;

  constructor(steps: string[]) {
    this.#steps = steps;
  }

  async run(lead: (leading: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const led: Promise<void>[] = [];
    this.lead = () => {
      const leading = new AbortController();
      this.lose = () => leading.abort(new Error('the lease is lost'));
      led.push(lead(leading.signal));
    };
    await aborted(signal);
    await Promise.all(led);
    this.#steps.push('the lease is given back');
  }

  isLeading(): boolean {
    return this.isSure;
  }
}

/** Returns a runnable that records when it starts and when its signal aborts. */
export function noting(steps: string[], name: string, more: Partial<Runnable> = {}): Runnable {
  return {
    name,
    run: async (signal) => {
      steps.push(`${name} begins`);
      await aborted(signal);
      steps.push(`${name} ends`);
    },
    ...more,
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
