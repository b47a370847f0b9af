import { truncate } from '@tenantry/kube/printable';
import { formatPath, type Path } from '@tenantry/kube/problem';
import type { Paint } from '../console-output.ts';
import { formatLine, measureWidths, type Cell, type Table } from '../tenants/table.ts';

/** A leaf of the tree: a value, the name of its layer, and its place. */
export interface TreeLeaf {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly layer: string;
  readonly place: string;
}

/** A part of the tree with a title. */
export interface TreeSection {
  readonly title: string;
  readonly leaves: readonly TreeLeaf[];
}

/** The widest value that is printed whole. JSON has all. */
const WIDEST = 60;

/** Formats sections as an indented tree, with the values, layers and places in columns. */
export function treeLines(sections: readonly TreeSection[], paint: Paint): string[] {
  const blocks = sections.map(({ title, leaves }) => ({ title, rows: buildRows(leaves) }));
  const table: Table = { head: ['', '', ''], rows: blocks.flatMap(({ rows }) => rows) };
  const widths = measureWidths(table);
  return blocks.flatMap(({ title, rows }, i) => [
    ...(i === 0 ? [] : ['']),
    paint('bold', title),
    ...rows.map((row) => formatLine(row, widths, paint)),
  ]);
}

function buildRows(leaves: readonly TreeLeaf[], depth = 0): Cell[][] {
  const shown = leaves.filter((one) => !isKey(one));
  const indent = '  '.repeat(depth + 1);
  return [...Map.groupBy(shown, ({ path }) => path[depth]!)].flatMap(([key, some]) => {
    const ends = some.filter(({ path }) => path.length === depth + 1);
    const deeper = some.filter(({ path }) => path.length > depth + 1);
    const label = /^\d+$/.test(key) ? '-' : key;
    return [
      ...ends.map(({ value, layer, place }): Cell[] => [
        { text: `${indent}${label}${label === '-' ? '' : ':'} ${formatValue(value)}` },
        { text: layer, style: 'cyan' },
        { text: place, style: 'dim' },
      ]),
      ...(deeper.length > 0 ? [[{ text: `${indent}${label}` }]] : []),
      ...buildRows(deeper, depth + 1),
    ];
  });
}

/** Whether a leaf only repeats the key of its item. */
function isKey({ path, value }: TreeLeaf): boolean {
  return ['name', 'type'].includes(path.at(-1)!) && path.length > 1 && path.at(-2) === value;
}

/** Formats a value on one line, as YAML in flow style would have it. */
export function formatValue(value: unknown): string {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return truncate(text.replaceAll('\n', String.raw`\n`), WIDEST);
}

/** Formats the path of an origin without its document. */
export function formatOriginPath([document, ...rest]: Path): string {
  const isInTenant = document === 'spec' || document === 'metadata';
  return formatPath(isInTenant ? [document, ...rest] : rest);
}
