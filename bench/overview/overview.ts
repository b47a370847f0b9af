/** Writes the tables and the chart of docs/benchmarks.md from the page with all measurements. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { MEASUREMENTS } from '../headings.ts';
import { grouped } from '../markdown.ts';
import { LARGE } from '../sizes.ts';
import { drawChart } from './chart.ts';
import { inChart, secondsOf } from './programs.ts';
import { overviewTables } from './tables.ts';

const root = join(import.meta.dirname, '..', '..');
const PAGE = join(root, 'docs', 'benchmarks.md');
const CHART = join(root, 'docs', 'benchmarks.svg');
/** A comment with the name of a table, and the table below it. */
const TABLE = /(<!-- table: ([\w-]+) -->\n\n)(?:\|.*\n)*\n*/g;

/** Writes docs/benchmarks.md and its chart; the text around the tables stays. */
export async function writeOverview(): Promise<void> {
  const measurements = readFileSync(join(root, MEASUREMENTS), 'utf8');
  const filled = fillTables(readFileSync(PAGE, 'utf8'), measurements);
  const style = await resolveConfig(PAGE);
  writeFileSync(PAGE, await format(filled, { ...style, parser: 'markdown' }));
  writeFileSync(CHART, drawOverviewChart(measurements));
}

/**
 * Replaces the tables of the overview.
 * @throws {Error} if the overview names a table that does not exist
 */
export function fillTables(overview: string, measurements: string): string {
  const tables = overviewTables(measurements);
  return overview.replaceAll(TABLE, (_, comment: string, name: string) => {
    const table = tables.get(name);
    if (table === undefined) {
      throw new Error(
        `docs/benchmarks.md must name one of ${[...tables.keys()].join(', ')}, got '${name}'`,
      );
    }
    return `${comment}${table}\n\n`;
  });
}

/** Draws how long each program takes to render a large fleet. */
export function drawOverviewChart(measurements: string): string {
  const bars = inChart.flatMap((program) => {
    const value = secondsOf(measurements, program, grouped(LARGE));
    const { label } = program;
    return value === undefined ? [] : [{ label, value, isOurs: label.startsWith('Tenantry') }];
  });
  const title = `Seconds to render ${grouped(LARGE)} tenants (shorter is better)`;
  return drawChart({ title, unit: 's', bars });
}
