import type { KubeObject } from '../../../kube/object.ts';
import { emitYaml } from '../../../kube/yaml/write.ts';
import { kindOf, type KindCount } from './compare.ts';
import type { DeclaredFleet, Said } from './declared.ts';
import type { Original } from './originals.ts';

/** One kind: how often it was written, rendered equal, and said in `resources` instead of a field. */
export interface Row extends KindCount {
  readonly kind: string;
  readonly throughResources: number;
}

/** The rows, the most frequent kind first. */
export function rowsOf(kinds: ReadonlyMap<string, KindCount>, { tenants }: DeclaredFleet): Row[] {
  const inResources = Map.groupBy(tenants.flatMap(manifestsOf), kindOf);
  return [...kinds]
    .map(([kind, count]) => ({
      kind,
      ...count,
      throughResources: inResources.get(kind)?.length ?? 0,
    }))
    .toSorted((a, b) => b.originals - a.originals || (a.kind < b.kind ? -1 : 1));
}

function manifestsOf({ spec }: KubeObject): KubeObject[] {
  const { resources = [] } = spec as { resources?: readonly { manifest: KubeObject }[] };
  return resources.map(({ manifest }) => manifest);
}

/** Lines of YAML before and after; of ours, the platform and the classes are a part. */
export interface Lines {
  /** As the teams wrote them, comments included. */
  readonly written: number;
  /** The same objects in the block style that ours are in, without comments. */
  readonly restyled: number;
  readonly declared: number;
}

/** The lines of everything, and of what has fields: without what `resources` repeats word for word. */
export function linesOf(
  originals: readonly Original[],
  { platform, classes, tenants }: DeclaredFleet,
): { readonly all: Lines; readonly fields: Lines } {
  const repeated = new Set(tenants.flatMap(manifestsOf).map(kindOf));
  const written = originals.flatMap(({ lines }) => [...lines]);
  const bare = tenants.map((tenant) => {
    const { resources: _left, ...spec } = tenant['spec'] as Readonly<Record<string, unknown>>;
    return { ...tenant, spec };
  });
  const lines = (
    from: readonly (readonly [KubeObject, number])[],
    declared: readonly KubeObject[],
  ): Lines => ({
    written: from.reduce((total, [, count]) => total + count, 0),
    restyled: emittedLines(from.map(([object]) => object)),
    declared: emittedLines([platform, ...classes, ...declared]),
  });
  return {
    all: lines(written, tenants),
    fields: lines(
      written.filter(([object]) => !repeated.has(kindOf(object))),
      bare,
    ),
  };
}

function emittedLines(objects: readonly object[]): number {
  return emitYaml(objects).trimEnd().split('\n').length;
}

/** What a person reads after the run. */
export function describe(
  rows: readonly Row[],
  { all, fields }: { readonly all: Lines; readonly fields: Lines },
  fleet: DeclaredFleet,
): string {
  const line = (kind: string, ...cells: (string | number)[]): string =>
    kind.padEnd(42) + cells.map((cell) => String(cell).padStart(10)).join('');
  const total = (of: (row: Row) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
  const cells = (row: Row): string =>
    line(
      row.kind,
      row.originals,
      row.equal,
      row.originals - row.throughResources,
      row.throughResources,
    );
  const shrunk = (title: string, { written, restyled, declared }: Lines): string => {
    const [ofWritten, ofRestyled] = [written, restyled].map((whole) =>
      ((100 * declared) / whole).toFixed(1),
    );
    return `${title}: ${declared} lines for ${written} as written (${ofWritten}%), ${restyled} in our style (${ofRestyled}%)`;
  };
  return [
    line('kind', 'originals', 'equal', 'fields', 'resources'),
    ...rows.map(cells),
    cells({
      kind: 'all',
      originals: total((row) => row.originals),
      equal: total((row) => row.equal),
      throughResources: total((row) => row.throughResources),
    }),
    '',
    shrunk('what has fields', fields),
    shrunk('with what resources repeats', all),
    '',
    ...rules('refused by the standard class', fleet.beyondStandard),
    ...rules('refused by the exceptional class too', fleet.refused),
    ...rules('warned of', fleet.warned),
    '',
  ].join('\n');
}

function rules(title: string, said: Said): string[] {
  if (said.size === 0) return [`${title}: nothing`];
  return [
    `${title}:`,
    ...[...said].map(
      ([rule, names]) => `  ${rule} in ${names.length}: ${names.slice(0, 3).join(', ')}`,
    ),
  ];
}
