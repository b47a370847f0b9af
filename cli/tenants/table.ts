import { escapeForTerminal } from '@tenantry/kube/printable';
import { escaped } from '../markdown.ts';
import type { Paint } from '../console-output.ts';

type Style = Parameters<Paint>[0];

/** One cell: its text and its color. */
export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

/** A table, independent of the output format. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Returns the width of each column. The last one is not padded. */
export function measureWidths({ head, rows }: Table): readonly number[] {
  return head.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => escapeForTerminal(row[at]?.text ?? '').length)),
  );
}

/** Formats a table for a terminal: titles, then one line per row, in columns. */
export function tableLines(table: Table, paint: Paint): readonly string[] {
  const widths = measureWidths(table);
  const head = formatLine(
    table.head.map((text) => ({ text, style: 'bold' as const })),
    widths,
    paint,
  );
  return [head, ...table.rows.map((row) => formatLine(row, widths, paint))];
}

/** Formats one row. Text from the cluster is escaped, so that it cannot control the terminal. */
export function formatLine(
  cells: readonly Cell[],
  widths: readonly number[],
  paint: Paint,
): string {
  const last = cells.findLastIndex(({ text }) => text !== '');
  const shown = cells.slice(0, last + 1).map(({ text, style }, at) => {
    const seen = escapeForTerminal(text);
    const gap = at === last ? '' : ' '.repeat(Math.max(0, (widths[at] ?? 0) - seen.length));
    return (style === undefined ? seen : paint(style, seen)) + gap;
  });
  return shown.join('   ');
}

/** Formats a table for a comment on a merge request. */
export function markdownTable({ head, rows }: Table): readonly string[] {
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  return [
    line(head),
    line(head.map(() => '---')),
    ...rows.map((row) => line(row.map(({ text }) => escaped(text)))),
  ];
}
