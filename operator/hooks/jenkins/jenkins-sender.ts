import type { JenkinsHook } from '../../../crds/types.ts';
import type { Clock } from '@tenantry/runtime/clock/clock';
import {
  resolveFact,
  HookRefused,
  type HookCall,
  type HookContext,
  type Sender,
} from '../sender.ts';
import { JenkinsJob, type Build } from './jenkins.ts';

/** Milliseconds between two checks of a build's progress. */
const PAUSE = 1000;
/** Seconds after which a failed build is checked again: somebody may have rebuilt it. */
const AFTER_FAILURE = 300;
/** The most milliseconds by which the clocks of Jenkins and of the operator may differ. */
const CLOCKS = 3_600_000;

/**
 * Builds a Jenkins job once for each call. The call's key is a parameter of the build. Before a second attempt, the
 * queue and the builds are searched for it. Two concurrent operators may build the job twice, unless both builds wait
 * in the queue at once: Jenkins merges those.
 */
export function jenkinsSender(hook: JenkinsHook, clock: Pick<Clock, 'sleep'>): Sender {
  const attempt = async (call: HookCall, context: HookContext): Promise<JenkinsDelivery> =>
    new JenkinsDelivery(
      hook,
      clock,
      call,
      context,
      await JenkinsJob.open(hook.job, hook.url, context),
    );
  return {
    find: async (call, context) => (await attempt(call, context)).find(),
    send: async (call, context) => (await attempt(call, context)).send(),
  };
}

class JenkinsDelivery {
  readonly #hook: JenkinsHook;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #call: HookCall;
  readonly #context: HookContext;
  readonly #job: JenkinsJob;
  readonly #key: string;

  constructor(
    hook: JenkinsHook,
    clock: Pick<Clock, 'sleep'>,
    call: HookCall,
    context: HookContext,
    job: JenkinsJob,
  ) {
    this.#hook = hook;
    this.#clock = clock;
    this.#call = call;
    this.#context = context;
    this.#job = job;
    this.#key = hook.keyParameter ?? 'TENANTRY_KEY';
  }

  /** Searches the queue first: an item that leaves it before the second request is a build by then. */
  async find(): Promise<string | undefined> {
    const item = await this.#job.queued(this.#key, this.#call.key);
    if (item !== undefined) return this.#reachFrom(item);
    const build = await this.#built();
    return build && this.#reach(build);
  }

  async send(): Promise<string> {
    const parameters = this.#parameters();
    await this.#check(Object.keys(parameters));
    const item = await this.#job.build(parameters);
    if (item !== undefined) return this.#reachFrom(item);
    const found = await this.find();
    if (found !== undefined) return found;
    throw this.#notYet('was accepted, and is not found yet');
  }

  #parameters(): Record<string, string> {
    const declared = Object.entries(this.#hook.parameters ?? {});
    const values = declared.map(([name, fact]) => [name, resolveFact(this.#call, fact)]);
    return { ...Object.fromEntries(values), [this.#key]: this.#call.key };
  }

  /** Jenkins drops undeclared parameters, and a build without the key could never be found again. */
  async #check(names: readonly string[]): Promise<void> {
    const { parameters } = await this.#job.setUp();
    const missing = names.filter((name) => !parameters.has(name));
    if (missing.length === 0) return;
    const list = missing.join(', ').slice(0, 128);
    const message = `job ${this.#hook.job} must have the parameters that the hook sets, lacks ${list}`;
    throw new HookRefused(message, { final: false });
  }

  async #reachFrom(item: number): Promise<string> {
    if (this.#hook.wait === 'Queued') return `${this.#hook.job}, queue item ${item}`;
    for (;;) {
      const found = await this.#job.queueItem(item);
      if (found?.state === 'left') return this.#reach(await this.#job.buildNumbered(found.build));
      if (found === undefined) return this.#reach(await this.#built());
      if (found.state === 'cancelled') {
        const message = `${this.#hook.job}: queue item ${item} was cancelled`;
        throw new HookRefused(message, { final: true });
      }
      await this.#pause(`waits in the queue as item ${item}`);
    }
  }

  /** Waits until the build has begun or succeeded, as the hook requires. */
  async #reach(build: Build | undefined): Promise<string> {
    if (build === undefined) throw this.#notYet('has left the queue, and is not found yet');
    const name = `${this.#hook.job} #${build.number}`;
    let now: Build | undefined = build;
    while (this.#hook.wait === 'Succeeded' && now?.result !== 'SUCCESS') {
      if (now && !now.isRunning) {
        const message = `${name} ended with ${String(now.result).slice(0, 32)}: build it again with the same parameters`;
        throw new HookRefused(message, { final: false, retryAfter: AFTER_FAILURE });
      }
      await this.#pause(`runs as #${build.number}`);
      now = await this.#job.buildNumbered(build.number);
    }
    return name;
  }

  #built(): Promise<Build | undefined> {
    const since = new Date(Date.parse(this.#call.at) - CLOCKS);
    return this.#job.built(this.#key, this.#call.key, since);
  }

  async #pause(state: string): Promise<void> {
    try {
      await this.#clock.sleep(PAUSE, this.#context.signal);
    } catch (cause) {
      throw this.#notYet(state, cause);
    }
  }

  #notYet(state: string, cause?: unknown): HookRefused {
    return new HookRefused(`${this.#hook.job} ${state}`, { final: false, cause });
  }
}
