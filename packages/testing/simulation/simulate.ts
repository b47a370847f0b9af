import { drawPlan, parseReplay, formatReplay, shrink, type Plan } from './schedule/plan.ts';
import { allFaults, type Drawing } from './schedule/step.ts';
import { deriveSeed } from './random.ts';
import { runPlan, type Failure } from './simulated-run.ts';
import type { SimulateProps } from './simulate-props.ts';

/** The result of a simulation without a failure. */
export interface SimulationReport {
  readonly schedules: number;
  /** The number of actions and faults. */
  readonly steps: number;
  /** The number of the operators' writes. */
  readonly writes: number;
  /** Milliseconds of real time. */
  readonly milliseconds: number;
}

/** The error for a schedule in which a condition did not hold. The message has all that is known of it. */
export class SimulationFailed extends Error {
  /** The condition that did not hold. */
  readonly what: string;
  /** The value for `replay`: the shortest failing schedule that was found. */
  readonly replay: string;
  /** The events of that schedule, in order. */
  readonly lines: readonly string[];
  /** The number of schedules tried, the failed one included. */
  readonly schedules: number;

  constructor(
    message: string,
    found: Pick<SimulationFailed, 'what' | 'replay' | 'lines' | 'schedules' | 'cause'>,
  ) {
    super(message, found.cause === undefined ? {} : { cause: found.cause });
    this.name = 'SimulationFailed';
    this.what = found.what;
    this.replay = found.replay;
    this.lines = found.lines;
    this.schedules = found.schedules;
  }
}

/** The most lines of a failing schedule to print, half of them from its beginning. */
const mostLines = 120;

/**
 * Runs an operator in random schedules on a simulated API server and in virtual time, and checks in
 * each one that your conditions hold. A schedule has faults, and actions of people at the same time.
 * The same seed tries the same schedules.
 *
 * It runs the garbage collector, the namespace controller, and test doubles of those that make pods and
 * Deployments ready. After a crash or a restart it calls `controllers` again.
 *
 * @example
 * ```ts
 * import { allow, controller, core, done, ifExists } from '@tenantry/runtime';
 * import { simulate } from '@tenantry/testing';
 *
 * // Every namespace has a quota.
 * const quotas = controller({
 *   name: 'quotas',
 *   for: core.Namespace,
 *   owns: [core.ResourceQuota],
 *   access: [allow(core.ResourceQuota, 'create')],
 *   async reconcile({ object, cache, client, owned }) {
 *     const metadata = { name: 'quota', namespace: object.metadata.name };
 *     if (cache.get(core.ResourceQuota, metadata)) return done;
 *     const quota = owned({ metadata, spec: { hard: { pods: '10' } } });
 *     await client.create(core.ResourceQuota, quota).catch(ifExists);
 *     return done;
 *   },
 * });
 *
 * const { schedules } = await simulate({
 *   controllers: () => [quotas],
 *   actions: {
 *     'a namespace is made': ({ api, pick }) =>
 *       api.create(core.Namespace, { metadata: { name: pick(['shop', 'bank']) } }),
 *   },
 *   eventually: {
 *     'every namespace has a quota': ({ list }) =>
 *       list(core.Namespace).length === list(core.ResourceQuota).length,
 *   },
 *   schedules: 20,
 * });
 * console.log(schedules); // 20
 * ```
 *
 * @throws {SimulationFailed} with the seed, the shortest failing schedule that was found, its events,
 * and the line that runs only that schedule
 */
export async function simulate(props: SimulateProps): Promise<SimulationReport> {
  const began = performance.now();
  const { schedules = 200, seed = 1, replay } = props;
  const drawing = buildDrawing(props);
  const report = { schedules: 0, steps: 0, writes: 0 };
  const count = replay === undefined ? schedules : 1;
  for (let index = 0; index < count; index += 1) {
    const plan =
      replay === undefined
        ? drawPlan(deriveSeed(seed, `schedule ${index}`), drawing)
        : parseReplay(replay, drawing);
    const { failure, writes } = await runPlan(plan, props);
    report.schedules += 1;
    report.steps += plan.steps.length;
    report.writes += writes;
    if (failure) throw await createFailure(plan, failure, props, report.schedules);
  }
  return { ...report, milliseconds: performance.now() - began };
}

function buildDrawing({
  actions = {},
  faults = allFaults,
  replicas = 1,
  steps = 12,
}: SimulateProps): Drawing {
  return { actions: Object.keys(actions), faults, replicas, longest: steps };
}

async function createFailure(
  plan: Plan,
  first: Failure,
  props: SimulateProps,
  schedules: number,
): Promise<SimulationFailed> {
  const isSame = async (one: Plan): Promise<boolean> =>
    (await runPlan(one, props)).failure?.what === first.what;
  const isAgain = await isSame(plan);
  const shortest =
    isAgain && props.replay === undefined ? await shrink(plan, isSame) : { plan, tries: 0 };
  const { failure = first, lines } = await runPlan(shortest.plan, props, { isTraced: true });
  const replay = formatReplay(shortest.plan);
  const { what, error: cause } = failure;
  const why = cause === undefined ? [] : [cause instanceof Error ? cause.message : String(cause)];
  const message = [
    `it must hold that ${what}`,
    ...why,
    `It did not in schedule ${schedules} of seed ${props.seed ?? 1}. The shortest that was found has ${shortest.plan.steps.length} of its ${plan.steps.length} steps (${shortest.tries} tried):`,
    '',
    ...truncateLines(lines),
    '',
    ...(isAgain
      ? [`To run it alone: simulate({ ..., replay: '${replay}' })`]
      : [
          'The same schedule did not fail again: something in the controllers does not take its time, its chance or its memory from what it is given.',
        ]),
  ].join('\n');
  return new SimulationFailed(message, { what, replay, lines, schedules, cause });
}

function truncateLines(lines: readonly string[]): readonly string[] {
  const left = lines.length - mostLines;
  if (left <= 0) return lines;
  const half = mostLines / 2;
  return [...lines.slice(0, half), `      ... ${left} lines ...`, ...lines.slice(-half)];
}
