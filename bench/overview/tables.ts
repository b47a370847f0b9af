import { FIRST, ONE_CHANGED, UNCHANGED } from '../incremental.ts';
import { number } from '../goal.ts';
import { LATER, MEMORY, WHOLE, type Section } from '../headings.ts';
import { markdownTable } from '../markdown.ts';
import { readNumber, readTables, type MeasuredTable } from './measured-table.ts';
import { inTables, secondsOf } from './programs.ts';

const NOT_MEASURED = '–';
const OPERATOR: Section = 'The tenant operator beside dry runs';
const PLANS: Section = 'Plans of a large fleet';
const RUNTIME: Section = 'Operators beside controller-runtime';

/** A row: its title for readers, its title among the measurements, and its unit. */
type Row = readonly [title: string, measured: string, unit: string];

const LATER_ROWS: readonly Row[] = [
  ['`tenantry synth`, the first run, which fills the cache', `\`tenantry synth\`, ${FIRST}`, 's'],
  ['`tenantry synth`, nothing changed', `\`tenantry synth\`, ${UNCHANGED}`, 's'],
  ['`tenantry synth`, one file changed', `\`tenantry synth\`, ${ONE_CHANGED}`, 's'],
  ['`tenantry check`, nothing changed', '`tenantry check`, nothing changed', 's'],
];

const OPERATOR_ROWS: readonly Row[] = [
  ['start, until every Tenant has a status', 'start until every Tenant has a status, s', 's'],
  [
    'restart, until the drift of the downtime is reported',
    'restart until all drift of the downtime is reported, s',
    's',
  ],
  [
    'a drift, until it is reported (99 of 100 within)',
    'drift to status, 99 of 100 within, ms',
    'ms',
  ],
  [
    'a changed class, until all statuses show it',
    'a class edited, until all statuses show it, s',
    's',
  ],
  ['memory at rest', 'RSS after that, at rest, MB', 'MB'],
  ['most memory during the start', 'the most RSS until then, MB', 'MB'],
  ['CPU at rest, per minute', 'CPU at rest, s a minute', 's'],
  ['requests at rest, per minute', 'requests at rest, a minute', ''],
];

const RUNTIME_ROWS: readonly Row[] = [
  ['start, until all ConfigMaps are created', 'start until all are made, s', 's'],
  ['restart with nothing to do', 'cold restart, nothing to do, s', 's'],
  [
    'a change, until it is written (99 of 100 within)',
    'change to write, 99 of 100 within, ms',
    'ms',
  ],
  ['memory at rest', 'RSS after that, at rest, MB', 'MB'],
  ['CPU until all are created', 'CPU until then, s', 's'],
];

/** Returns the tables of docs/benchmarks.md by their names. */
export function overviewTables(page: string): ReadonlyMap<string, string> {
  const later = readTables(page, LATER)[0];
  const ofTenants = readTables(page, OPERATOR).filter(({ corner }) => corner.endsWith(' tenants'));
  const ofWorkers = readTables(page, RUNTIME).find(({ corner }) => corner === '1 worker');
  return new Map([
    ['synth', synthTable(page)],
    ['memory', memoryTable(page)],
    ['plan', plansTable(page)],
    ['check', measuredRows(LATER_ROWS, later?.corner ?? '', [['time', later, 0]])],
    ['operator', measuredRows(OPERATOR_ROWS, '', operatorColumns(ofTenants))],
    [
      'runtime',
      measuredRows(RUNTIME_ROWS, '', [
        ['`@tenantry/runtime`', ofWorkers, 0],
        ['controller-runtime', ofWorkers, 1],
      ]),
    ],
  ]);
}

function synthTable(page: string): string {
  const sizes = readTables(page, WHOLE)[0]?.columns ?? [];
  return programTable(sizes, (program, size) => withUnit(secondsOf(page, program, size), 's'));
}

function plansTable(page: string): string {
  const rows = readTables(page, PLANS)[0]?.rows ?? new Map<string, readonly string[]>();
  return markdownTable(
    ['one change', 'time', 'processor time'],
    [...rows].map(([title, cells]) => [
      title,
      ...cells.slice(0, 2).map((cell) => withUnit(readNumber(cell), 's')),
    ]),
  );
}

function memoryTable(page: string): string {
  const [table] = readTables(page, MEMORY);
  const sizes = table?.columns ?? [];
  return programTable(sizes, ({ peer }, size) =>
    withUnit(readNumber(table?.rows.get(peer.title)?.[sizes.indexOf(size)]), 'MB'),
  );
}

function programTable(
  sizes: readonly string[],
  cell: (program: (typeof inTables)[number], size: string) => string,
): string {
  return markdownTable(
    ['tenants', ...inTables.map(({ label }) => label)],
    sizes.map((size) => [size, ...inTables.map((program) => cell(program, size))]),
  );
}

type Column = readonly [title: string, table: MeasuredTable | undefined, index: number];

/** The operator with each number of tenants, and the dry runs with the largest. */
function operatorColumns(tables: readonly MeasuredTable[]): Column[] {
  const largest = tables.at(-1);
  return [
    ...tables.map((table): Column => [table.corner, table, 0]),
    ...(largest ? [[`dry runs, ${largest.corner}`, largest, 1] satisfies Column] : []),
  ];
}

function measuredRows(rows: readonly Row[], corner: string, columns: readonly Column[]): string {
  return markdownTable(
    [corner, ...columns.map(([title]) => title)],
    rows.map(([title, measured, unit]) => [
      title,
      ...columns.map(([, table, index]) =>
        withUnit(readNumber(table?.rows.get(measured)?.[index]), unit),
      ),
    ]),
  );
}

function withUnit(value: number | undefined, unit: string): string {
  if (value === undefined) return NOT_MEASURED;
  return unit === '' ? value.toLocaleString('en') : `${number(value)} ${unit}`;
}
