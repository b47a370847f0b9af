import {
  type ReportedCluster,
  type ReportedConnection,
  type ReportedNamespace,
  sideText,
} from '../apps/network-report.ts';
import { formatPorts } from '../kube/network-policy.ts';
import { formatList } from '../kube/problem.ts';
import type { Paint } from './words.ts';

/** One row of the table before its columns are aligned. */
type Row = readonly [direction: string, side: string, ports: string, own: string];

/** Formats the table for people: clusters, namespaces with equal rows, rows. */
export function networkLines(clusters: readonly ReportedCluster[], paint: Paint): string[] {
  const blocks = clusters.flatMap(({ name, namespaces }) =>
    grouped(namespaces).map(({ names, tenant, rows }) => {
      const whose = tenant === undefined ? '' : ` (tenant ${tenant})`;
      const title = paint('bold', `${formatList(names)} on ${name}${whose}`);
      return [title, ...aligned(rows)];
    }),
  );
  return blocks.flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]));
}

interface Group {
  readonly names: string[];
  readonly tenant: string | undefined;
  readonly rows: readonly Row[];
}

function grouped(namespaces: readonly ReportedNamespace[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { name, tenant, in: incoming, out } of namespaces) {
    const rows = [...rowsOf('from', incoming), ...rowsOf('to', out)];
    const key = JSON.stringify([tenant, rows]);
    const group = groups.get(key);
    if (group) group.names.push(name);
    else groups.set(key, { names: [name], tenant, rows });
  }
  return [...groups.values()];
}

/** Merges the connections that differ only in the namespace. */
function rowsOf(direction: string, connections: readonly ReportedConnection[]): Row[] {
  if (connections.length === 0) return [[direction, 'no one', '', '']];
  const sides = new Map<string, { readonly one: ReportedConnection; readonly names: string[] }>();
  for (const one of connections) {
    const { namespace, ...side } = { namespace: undefined, ...one.with };
    const { tenant: _, ...alike } = { tenant: undefined, ...side };
    const key = JSON.stringify([one.pods, alike, namespace === undefined, one.ports]);
    const known = sides.get(key);
    if (known && namespace !== undefined) known.names.push(namespace);
    else sides.set(key, { one, names: namespace === undefined ? [] : [namespace] });
  }
  return [...sides.values()].map(({ one, names }) => [
    direction,
    sideText(one.with, names),
    formatPorts(one.ports),
    one.pods === undefined ? '' : `only pods with ${one.pods}`,
  ]);
}

/** The widest other side for which the column of ports is aligned. */
const WIDEST = 100;

function aligned(rows: readonly Row[]): string[] {
  const width = Math.min(WIDEST, Math.max(...rows.map(([, side]) => side.length)));
  const ports = Math.max(...rows.map(([, , text]) => text.length));
  return rows.map(([direction, side, text, own]) =>
    `  ${direction.padEnd(4)}  ${side.padEnd(width)}  ${text.padEnd(own === '' ? 0 : ports)}  ${own}`.trimEnd(),
  );
}
