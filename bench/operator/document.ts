import { goalTable, most, number, type Goal } from '../goal.ts';
import { grouped, markdownTable } from '../markdown.ts';
import { machine } from '../page.ts';
import type { Results } from '../results.ts';
import { FLAGS } from '../runtime/contenders.ts';
import { OBJECTS } from '../fleet.ts';
import { dryRuns, ours, PERIOD, WORKERS } from './contenders.ts';
import type { Options } from './options.ts';
import { CHANGED, SETTLED, type Quantity } from './race.ts';

/** The contenders and the duration of a run. */
export interface Scope {
  readonly options: Pick<Options, 'tenants' | 'seconds'>;
  /** Contenders whose program could not be built. */
  readonly missing: readonly { readonly title: string; readonly reason: string }[];
  /** The duration in minutes. */
  readonly took: { readonly all: number; readonly loading: number };
}

const ROWS: readonly (readonly [title: string, of: Quantity])[] = [
  ['start until every Tenant has a status, s', 'wall'],
  ['CPU until then, s', 'cpu'],
  ['RSS after that, at rest, MB', 'memory'],
  ['the most RSS until then, MB', 'peak'],
  ['CPU at rest, s a minute', 'restCpu'],
  ['requests at rest, a minute', 'restRequests'],
  ['writes at rest, a minute', 'restWrites'],
  ['drift to status, half within, ms', 'median'],
  ['drift to status, 99 of 100 within, ms', 'percentile99'],
  ['CPU under change, s a minute', 'changeCpu'],
  ['requests under change, a minute', 'changeRequests'],
  ['restart until all drift of the downtime is reported, s', 'restart'],
  ['CPU of it, s', 'restartCpu'],
  ['RSS after it, at rest, MB', 'restartMemory'],
  ['writes of it', 'restartWrites'],
  ['a class edited, until all statuses show it, s', 'classEdit'],
  ['a scrape of the metrics, ms', 'scrape'],
  ['the same, MB', 'scrapeSize'],
];

/** Renders the section of docs/reference/benchmarks.md, without its title. */
export function tenantOperator(results: Results<Quantity>, scope: Scope): string {
  return [
    introduction(results, scope),
    goalTable(goals(results, scope)),
    ...scope.options.tenants.map((size) => table(results, size)),
  ].join('\n\n');
}

function introduction(
  results: Results<Quantity>,
  { options: { tenants, seconds }, missing, took }: Scope,
): string {
  const [calm, busy] = results.load();
  return `Tenants of ${OBJECTS} objects each, ${tenants.map(grouped).join(' and ')} of them, on one API server: \`tenantry serve\`, and a
controller on controller-runtime (\`bench/operator/go\`) that compares as Argo CD and Flux can. It sends each object as a
server-side apply with dry run and compares the answer with the object in the cluster, once in ${PERIOD / 60} minutes and
whenever the object changes. Both run once, one after the other; the whole took ${took.all.toFixed(0)} minutes, ${took.loading.toFixed(0)} of them loading objects.

- The controller watches the same kinds. It writes a condition and counts, but no fields, writers or times.
  It reads the declared objects from files that \`desired()\` wrote, and renders nothing. A change makes it compare
  that object, ${WORKERS} of a kind at a time; the comparisons every ${PERIOD / 60} minutes are spread evenly. It has no
  rate limit, drops managedFields from its caches, and serves no metrics.
- Tenantry runs as the JavaScript of its npm package, in Node with \`${FLAGS.join(' ')}\`, as in its image, with its metrics.
  Neither elects a leader, which would be 30 requests a minute.
- A third process acts as Argo CD and as users, and watches statuses. It measures ${seconds} s at rest and under change each.
  Under change ${(100 * CHANGED).toFixed(0)}% of the objects a minute are changed by hand, each in another tenant, and
  changed back; drift to status is from when the change is sent until the status that reports it arrives.
- While the operator is stopped for the restart, an object of one tenant in a hundred is changed. The writes of the
  restart report these changes: a status for each, and an event by Tenantry.
- The edited class changes a label of all Namespaces, which counts as a pending change.
- CPU and RSS are from /proc, RSS after ${SETTLED} s at rest; requests and writes are from the server's audit log, by user.
- The machine: ${machine()}, API server and etcd on it too. Load average before the runs: ${calm.toFixed(1)} to ${busy.toFixed(1)}.
${missing.map(({ title, reason }) => `- **${title} was not measured**: ${reason.split('\n')[0]}\n`).join('')}`.trimEnd();
}

/** The goals of the operator. */
export function goals(results: Results<Quantity>, { options }: Pick<Scope, 'options'>): Goal[] {
  const largest = options.tenants.at(-1)!;
  return [
    ...options.tenants.flatMap((size) => {
      const own = (of: Quantity) => results.median(ours.name, size, of);
      const share = (of: Quantity) => results.ratio(ours.name, dryRuns.name, size, of);
      const what = `${grouped(size)} tenants`;
      return [
        most(`${what}: drift to status, p99`, own('percentile99'), 1000, 'ms'),
        most(`${what}: writes at rest`, own('restWrites'), 0, ''),
        most(`${what}: requests at rest, of those of dry runs`, share('restRequests'), 0.1, 'x'),
        most(
          `${what}: requests under change, of those of dry runs`,
          share('changeRequests'),
          1,
          'x',
        ),
      ];
    }),
    most(
      `RSS at ${grouped(largest * OBJECTS)} watched objects`,
      results.median(ours.name, largest, 'memory'),
      400,
      'MB',
    ),
    most(
      `a restart at ${grouped(largest)} tenants`,
      results.median(ours.name, largest, 'restart'),
      60,
      's',
    ),
  ];
}

function table(results: Results<Quantity>, size: number): string {
  const names = [ours, dryRuns].filter(({ name }) => results.has(name, size));
  const body = ROWS.map(([title, of]) => {
    const medians = names.map(({ name }) => number(results.median(name, size, of)));
    return [title, ...medians, ratio(results.ratio(ours.name, dryRuns.name, size, of))];
  });
  return markdownTable(
    [`${grouped(size)} tenants`, ...names.map(({ title }) => title), 'ratio'],
    body,
  );
}

/** A division by 0 gives no ratio. */
function ratio(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '' : number(value);
}
