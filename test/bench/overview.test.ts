import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEASUREMENTS } from '../../bench/headings.ts';
import { drawChart } from '../../bench/overview/chart.ts';
import { readNumber, readTables } from '../../bench/overview/measured-table.ts';
import { drawOverviewChart, fillTables } from '../../bench/overview/overview.ts';
import { overviewTables } from '../../bench/overview/tables.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8');
const measurements = read(MEASUREMENTS);
const overview = read('docs/benchmarks.md');

/** Returns a text without the spaces that only align tables. */
const unaligned = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');

test('docs/benchmarks.md and its chart have the recorded numbers', () => {
  expect(unaligned(fillTables(overview, measurements))).toBe(unaligned(overview));
  expect(drawOverviewChart(measurements)).toBe(read('docs/benchmarks.svg'));
});

test('docs/benchmarks.md has every table, and the numbers of each were found', () => {
  const tables = overviewTables(measurements);
  const named = [...overview.matchAll(/^<!-- table: (\w+) -->$/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...tables.keys()].toSorted());
  const empty = [...tables.values()].flatMap((table) =>
    table
      .split('\n')
      .slice(2)
      .filter((row) => !/\d/.test(row.slice(row.indexOf('|', 1)))),
  );
  expect(empty).toEqual([]);
});

test('a measurement of the page appears in the table and in the chart', () => {
  const page = `## Whole process: times as long as \`tenantry synth\`

| tenants | 100 | 10,000 |
| --- | --- | --- |
| tenantry synth, tenants in YAML | 1.00 (0.42) | 1.00 (4.4) |
| helm template | | 2.61 (11.5) |
`;
  const { synth, memory } = Object.fromEntries(overviewTables(page));
  expect(synth).toContain('| 100 | 0.42 s | – | – |');
  expect(synth).toContain('| 10,000 | 4.4 s | 11.5 s | – |');
  expect(memory!.split('\n')).toHaveLength(2);
  expect(drawOverviewChart(page)).toContain(
    'Tenantry, tenants in YAML: 4.4 s; Helm: 11.5 s</desc>',
  );
});

test('a table that does not exist is an error', () => {
  expect(() => fillTables('<!-- table: speed -->\n\n', measurements)).toThrow(
    /^docs\/benchmarks\.md must name one of synth, .*, got 'speed'$/,
  );
});

test('the tables of one section are read, with the number of a cell', () => {
  const page = '## A\n\n| x | y |\n| --- | --- |\n| a | 1 |\n\n## B\n\n| z |\n| --- |\n';
  expect(readTables(page, 'A')).toEqual([
    { corner: 'x', columns: ['y'], rows: new Map([['a', ['1']]]) },
  ]);
  expect(readTables(page, 'C')).toEqual([]);
  expect(['1.36 (1.11)', '796', '', undefined].map(readNumber)).toEqual([
    1.11,
    796,
    undefined,
    undefined,
  ]);
});

test('bars are sorted, and their length is proportional to their value', () => {
  const bars = [
    { label: 'slow & old', value: 4, isOurs: false },
    { label: 'fast', value: 1, isOurs: true },
  ];
  const svg = drawChart({ title: 'Time', unit: 's', bars });
  const widths = [...svg.matchAll(/class="(ours|peer)" .*? width="([\d.]+)"/g)];
  expect(widths.map(([, kind, width]) => [kind, Number(width)])).toEqual([
    ['ours', 105],
    ['peer', 420],
  ]);
  expect(svg).toContain('>slow &amp; old</text>');
});
