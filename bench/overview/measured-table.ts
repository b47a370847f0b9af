/** A table of the page with all measurements. */
export interface MeasuredTable {
  /** The first cell of the head: `10,000 tenants`. */
  readonly corner: string;
  /** The other cells of the head. */
  readonly columns: readonly string[];
  /** The other cells of a row, by its first cell. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

/** Returns the tables below a heading of the second level. */
export function readTables(page: string, heading: string): MeasuredTable[] {
  const section = page.split(/^(?=## )/m).find((text) => text.startsWith(`## ${heading}\n`));
  const tables = (section ?? '').match(/^\|.*\n\|[ |-]*\n(?:\|.*\n?)*/gm) ?? [];
  return tables.map(parseTable);
}

/** Returns the number in a cell, or the one in its parentheses; undefined where none was measured. */
export function readNumber(cell: string | undefined): number | undefined {
  const text = /\(([^)]*)\)/.exec(cell ?? '')?.[1] ?? cell ?? '';
  return text === '' ? undefined : Number(text);
}

function parseTable(text: string): MeasuredTable {
  const [[corner = '', ...columns] = [], , ...rows] = text.trimEnd().split('\n').map(cellsOf);
  return { corner, columns, rows: new Map(rows.map(([title = '', ...cells]) => [title, cells])) };
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}
