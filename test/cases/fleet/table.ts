import type { KubeObject } from '@tenantry/kube/object';
import type { ResourceEntry } from '../../../crds/resources.ts';
import type { TenantClassSpec } from '../../../crds/tenant-class.ts';
import { listExceptionParts } from '../../../model/classes/exceptions.ts';
import type { ClassException } from '../../../crds/types.ts';
import { formatPath } from '@tenantry/kube/problem';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { compactLines } from './compact.ts';
import { kindOf, type KindCount } from './compare.ts';
import type { DeclaredFleet, NamespacesByRule } from './declared.ts';
import type { Original } from './originals.ts';

/** One kind: how often it was written, rendered equal, made by a preset, and declared as a whole manifest. */
export interface Row extends KindCount {
  readonly kind: string;
  readonly throughPresets: number;
  readonly throughResources: number;
}

/** Returns the rows, the most frequent kind first. */
export function rowsOf(kinds: ReadonlyMap<string, KindCount>, fleet: DeclaredFleet): Row[] {
  const entries = fleet.tenants.flatMap((tenant) => entriesOf(tenant, fleet));
  const written = Map.groupBy(entries, ({ kind, preset }) => `${kind} ${preset !== undefined}`);
  return [...kinds]
    .map(([kind, count]) => ({
      kind,
      ...count,
      throughPresets: written.get(`${kind} true`)?.length ?? 0,
      throughResources: written.get(`${kind} false`)?.length ?? 0,
    }))
    .toSorted((a, b) => b.originals - a.originals || (a.kind < b.kind ? -1 : 1));
}

interface Layered {
  readonly className?: string;
  readonly resources?: readonly ResourceEntry[];
  readonly namespaces?: readonly { readonly resources?: readonly ResourceEntry[] }[];
}

const specOf = (tenant: KubeObject) => tenant['spec'] as Layered;

/** Returns the entries in `resources` of a tenant with their kinds. */
function entriesOf(tenant: KubeObject, { classes }: DeclaredFleet) {
  const { className = 'standard', resources = [], namespaces = [] } = specOf(tenant);
  const klass = classes.find(({ metadata }) => metadata.name === className)!;
  const presets = (klass['spec'] as TenantClassSpec).presets?.resources ?? [];
  const all = [...resources, ...namespaces.flatMap((one) => one.resources ?? [])];
  return all.map((entry) => {
    const made = presets.find(({ name }) => name === entry.preset)?.manifests[0];
    return { ...entry, kind: kindOf((entry.manifest ?? made) as KubeObject) };
  });
}

/** Returns a tenant without literal manifests in `resources`. */
function withoutManifests(tenant: KubeObject): KubeObject {
  const bare = <T extends Layered>({ resources = [], ...rest }: T) => {
    const left = resources.filter(({ manifest }) => manifest === undefined);
    return { ...rest, ...(left.length > 0 && { resources: left }) };
  };
  const { namespaces, ...spec } = specOf(tenant);
  return {
    ...tenant,
    spec: { ...(namespaces && { namespaces: namespaces.map(bare) }), ...bare(spec) },
  };
}

/** Lines of YAML before and after; the result includes the platform and the classes. */
export interface Lines {
  /** As the teams wrote them, including comments. */
  readonly written: number;
  /** The same objects in block style, without comments. */
  readonly block: number;
  /** The same in the style of the documentation: what fits on one line is in braces. */
  readonly compact: number;
  readonly declared: { readonly block: number; readonly compact: number };
}

/** Counts the lines of everything, and of the part that is declared with fields or presets. */
export function linesOf(
  originals: readonly Original[],
  fleet: DeclaredFleet,
): { readonly all: Lines; readonly fields: Lines } {
  const { platform, classes, tenants } = fleet;
  const entries = tenants.flatMap((tenant) => entriesOf(tenant, fleet));
  const repeated = new Set(entries.flatMap(({ kind, manifest }) => (manifest ? [kind] : [])));
  const written = originals.flatMap(({ lines }) => [...lines]);
  const lines = (
    from: readonly (readonly [KubeObject, number])[],
    declared: readonly KubeObject[],
  ): Lines => ({
    written: from.reduce((total, [, count]) => total + count, 0),
    ...styles(from.map(([object]) => object)),
    declared: styles([platform, ...classes, ...declared]),
  });
  return {
    all: lines(written, tenants),
    fields: lines(
      written.filter(([object]) => !repeated.has(kindOf(object))),
      tenants.map(withoutManifests),
    ),
  };
}

/** Counts the lines in each style, with one line between two documents. */
function styles(objects: readonly KubeObject[]): { block: number; compact: number } {
  return {
    block: emitYaml(objects).trimEnd().split('\n').length,
    compact: objects.reduce((sum, object) => sum + compactLines(object) + 1, -1),
  };
}

/** Returns the report that people read after the run. */
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
      row.originals - row.throughPresets - row.throughResources,
      row.throughPresets,
      row.throughResources,
    );
  const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)}%`;
  const shrunk = (title: string, { written, block, compact, declared }: Lines): string[] => [
    `${title}, as written: ${written} lines, of which we need ${declared.compact} (${share(declared.compact, written)})`,
    `  both in braces where they fit: ${declared.compact} for ${compact} (${share(declared.compact, compact)})`,
    `  both in blocks: ${declared.block} for ${block} (${share(declared.block, block)})`,
  ];
  return [
    line('kind', 'originals', 'equal', 'fields', 'presets', 'resources'),
    ...rows.map(cells),
    cells({
      kind: 'all',
      originals: total((row) => row.originals),
      equal: total((row) => row.equal),
      throughPresets: total((row) => row.throughPresets),
      throughResources: total((row) => row.throughResources),
    }),
    '',
    `tenants: ${fleet.tenants.length}`,
    ...shrunk('what has a field or a preset', fields),
    ...shrunk('with what resources repeat', all),
    '',
    ...rules('refused by the class without exceptions', fleet.beyondStandard),
    'exceptions:',
    ...fleet.exceptions.flatMap(exceptionLines),
    ...rules('refused all the same', fleet.refused),
    ...rules('warned of', fleet.warned),
    '',
  ].join('\n');
}

/** Describes the tenants of an exception and each thing that it allows. */
function exceptionLines(exception: ClassException): string[] {
  const { tenants, namespaces } = exception;
  const whom = `${tenants.join(', ')}${namespaces ? ` in ${namespaces.join(', ')}` : ''}`;
  return listExceptionParts(exception).map(
    ({ path, value }) => `  ${whom}: ${formatPath(path)} ${JSON.stringify(value)}`,
  );
}

function rules(title: string, byRule: NamespacesByRule): string[] {
  if (byRule.size === 0) return [`${title}: nothing`];
  return [
    `${title}:`,
    ...[...byRule].map(
      ([rule, names]) => `  ${rule} in ${names.length}: ${names.slice(0, 3).join(', ')}`,
    ),
  ];
}
