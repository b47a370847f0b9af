import { goalTable, most, number, type Goal } from '../goal.ts';
import { grouped, markdownTable } from '../markdown.ts';
import { machine } from '../page.ts';
import { sharesTable, type Profiles } from '../profile.ts';
import type { Results } from '../results.ts';
import { controllerRuntime, FLAGS, ours } from './contenders.ts';
import type { Options } from './options.ts';
import { purposes } from './profile.ts';
import { SETTLED, type Quantity } from './race.ts';

/** The contenders and the options of a run. */
export interface Scope {
  readonly options: Pick<Options, 'objects' | 'runs' | 'workers' | 'changes'>;
  /** Contenders whose program could not be built. */
  readonly missing: readonly { readonly title: string; readonly reason: string }[];
  /** KiB of a cached custom resource; undefined where it was not measured. */
  readonly cached: number | undefined;
  /** Undefined where no profile was recorded. */
  readonly shares: Profiles | undefined;
}

const ROWS: readonly (readonly [title: string, of: Quantity])[] = [
  ['start until all are made, s', 'wall'],
  ['CPU until then, s', 'cpu'],
  ['RSS after that, at rest, MB', 'memory'],
  ['the most RSS until then, MB', 'peak'],
  ['CPU at rest, ms a second', 'rest'],
  ['change to write, half within, ms', 'median'],
  ['change to write, 99 of 100 within, ms', 'percentile99'],
  ['cold restart, nothing to do, s', 'restart'],
  ['CPU of it, s', 'restartCpu'],
  ['RSS after it, at rest, MB', 'restartMemory'],
  ['writes of it', 'restartWrites'],
];

/** Renders the section of docs/reference/benchmarks.md, without its title. */
export function operators(results: Results<Quantity>, scope: Scope): string {
  return [
    introduction(results, scope),
    goalTable(goals(results, scope)),
    ...scope.options.workers.map((workers) => table(results, workers)),
    ...(scope.shares ? [WHERE_TIME_GOES, sharesTable('', purposes, scope.shares)] : []),
  ].join('\n\n');
}

function introduction(
  results: Results<Quantity>,
  { options: { objects, runs, workers, changes }, missing }: Scope,
): string {
  const [calm, busy] = results.load();
  const rounds = [runs, ...workers.slice(1).map(() => Math.max(1, runs - 1))].join(' and ');
  return `The same operator on ${ours.title} (\`bench/programs/operator.ts\`) and on ${controllerRuntime.title}
(\`bench/runtime/go\`): ${grouped(objects)} custom resources of 1.4 KB, and for each a ConfigMap that it owns. Both run
against one API server, by the same kubeconfig, in turns; medians of ${rounds} rounds, with ${workers.join(' and ')} workers. A
ratio is the median of the ratios inside the rounds.

- Neither has a limit of the rate on its side, as both come. Both drop
  managedFields from their caches, ours because it always does, controller-runtime by
  \`cache.TransformStripManagedFields\`. Neither elects a leader, nor serves metrics.
- Ours is the JavaScript that npm gets, in Node with \`${FLAGS.join(' ')}\`, as
  [the runtime's page](../runtime.md#memory) advises; the other one is built by \`go build\`.
- A third process watches custom resources and ConfigMaps, and takes the times: of a change, from the event
  of the custom resource to that of its ConfigMap; ${changes} changes, 50 a second. CPU and RSS are of /proc, RSS
  ${SETTLED} s after an operator came to rest; the writes are of the server's audit log.
- A cold restart ends when it has looked at all custom resources; it has nothing to write.
- The machine: ${machine()}, API server and etcd on it too. Load average before the runs: ${calm.toFixed(1)} to ${busy.toFixed(1)}.
${missing.map(({ title, reason }) => `- **${title} was not measured**: ${reason.split('\n')[0]}\n`).join('')}`.trimEnd();
}

/** The goals for the speed of the runtime. */
export function goals(
  results: Results<Quantity>,
  { options, cached }: Pick<Scope, 'options' | 'cached'>,
): Goal[] {
  const against = (workers: number, of: Quantity) =>
    results.ratio(ours.name, controllerRuntime.name, workers, of);
  return [
    ...options.workers.flatMap((workers) => {
      const by = workersOf(workers);
      return [
        most(`${by}: time until all are made`, against(workers, 'wall'), 1, 'x'),
        most(`${by}: change to write, p99`, against(workers, 'percentile99'), 1, 'x'),
        most(`${by}: cold restart`, against(workers, 'restart'), 1, 'x'),
        most(`${by}: RSS after a cold restart`, against(workers, 'restartMemory'), 1, 'x'),
        most(
          `${by}: writes of a restart`,
          results.median(ours.name, workers, 'restartWrites'),
          0,
          '',
        ),
      ];
    }),
    most('a cached custom resource of 1.4 KB, of 100,000', cached, 1.5, 'KiB'),
  ];
}

function table(results: Results<Quantity>, workers: number): string {
  const names = [ours, controllerRuntime].filter(({ name }) => results.has(name, workers));
  const body = ROWS.map(([title, of]) => {
    const scale = of === 'rest' ? 1000 : 1;
    const medians = names.map(({ name }) => {
      const value = results.median(name, workers, of);
      return value === undefined ? '' : number(value * scale);
    });
    return [
      title,
      ...medians,
      ratio(results.ratio(ours.name, controllerRuntime.name, workers, of)),
    ];
  });
  return markdownTable([workersOf(workers), ...names.map(({ title }) => title), 'ratio'], body);
}

/** '1 worker' */
export function workersOf(workers: number): string {
  return `${workers} ${workers === 1 ? 'worker' : 'workers'}`;
}

/** A division by 0 gives no ratio. */
function ratio(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '' : number(value);
}

const WHERE_TIME_GOES = `Where our time goes with one worker, in shares of the time in which the main thread was busy (\`node
--cpu-prof\`), by what the innermost function on the stack is for:`;
