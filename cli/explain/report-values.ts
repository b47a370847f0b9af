import type { FilePlace, FoundTenant } from '../../apps/fleet-lookup.ts';
import type { ExplainedTenant } from '../../model/explain/explain-tenant.ts';
import type { ExplainedValue } from '../../model/explain/explained-value.ts';
import { selectValues, type FieldSelection } from '../../model/explain/select-field.ts';
import { nameLayer } from '../../model/origins.ts';
import { formatOriginPath, type TreeLeaf, type TreeSection } from './tree.ts';

type Locate = FoundTenant['locate'];

/** A value and its origin, as JSON has it. */
export interface ReportedValue extends FilePlace {
  readonly field: string;
  readonly path: readonly string[];
  readonly value: unknown;
  readonly layer: string;
  /** The path in the document that declares it. */
  readonly declaredAt: string;
}

/** Returns a value with its layer, file and line. */
export function reportValue(
  { path, value, origin }: ExplainedValue,
  locate: Locate,
): ReportedValue {
  return {
    field: path.join('.'),
    path,
    value,
    layer: nameLayer(origin),
    declaredAt: formatOriginPath(origin),
    ...locate(origin),
  };
}

/** Formats the place of a value: `tenants/shop.yaml:12`, or where it is without a file. */
export function formatPlace({ file, line }: FilePlace): string {
  return file === undefined ? 'built in' : `${file}:${line}`;
}

/** Returns the selected values of a tenant, as JSON has them. */
export function reportTenant(
  explained: ExplainedTenant,
  selection: FieldSelection,
  locate: Locate,
): { readonly values: readonly ReportedValue[]; readonly namespaces: readonly object[] } {
  const report = (values: readonly ExplainedValue[]): ReportedValue[] =>
    selectValues(values, selection).map((one) => reportValue(one, locate));
  return {
    values: selection.namespace === undefined ? report(explained.values) : [],
    namespaces: selectNamespaces(explained, selection).map(({ name, cluster, values }) => ({
      name,
      cluster,
      values: report(values),
    })),
  };
}

/** Builds the tree: what all namespaces share is in it once, then each namespace with what differs. */
export function buildSections(
  explained: ExplainedTenant,
  selection: FieldSelection,
  locate: Locate,
): TreeSection[] {
  const namespaces = selectNamespaces(explained, selection).map(({ values, ...one }) => ({
    ...one,
    leaves: selectValues(values, selection).map((value) => toLeaf(value, locate)),
  }));
  const keys = namespaces.map(({ leaves }) => new Set(leaves.map(keyOf)));
  const isShared = (leaf: TreeLeaf): boolean => keys.every((own) => own.has(keyOf(leaf)));
  const tenant = selection.namespace === undefined ? selectValues(explained.values, selection) : [];
  const names = namespaces.map(formatNamespace);
  const isOne = namespaces.length === 1;
  const sections = [
    {
      title: `tenant ${explained.resolved.declaration.name}`,
      leaves: tenant.map((value) => toLeaf(value, locate)),
    },
    {
      title: isOne ? names[0]! : formatAllNamespaces(namespaces),
      leaves: (namespaces[0]?.leaves ?? []).filter(isShared),
    },
    ...namespaces.map(({ leaves }, i) => ({
      title: names[i]!,
      leaves: leaves.filter((leaf) => !isShared(leaf)),
    })),
  ];
  return sections.filter(({ leaves }) => leaves.length > 0);
}

function selectNamespaces({ namespaces }: ExplainedTenant, { namespace }: FieldSelection) {
  return namespaces.filter(({ name }) => namespace === undefined || name === namespace);
}

function toLeaf(value: ExplainedValue, locate: Locate): TreeLeaf {
  const { path, layer, ...place } = reportValue(value, locate);
  return { path, value: value.value, layer, place: formatPlace(place) };
}

function keyOf({ path, value, layer, place }: TreeLeaf): string {
  return JSON.stringify([path, value, layer, place]);
}

function formatNamespace(one: { readonly name: string; readonly cluster: string }): string {
  return `namespace ${one.name} on ${one.cluster}`;
}

/** Formats `all namespaces: shop-dev, shop-prod on eu1`. */
function formatAllNamespaces(
  namespaces: readonly { readonly name: string; readonly cluster: string }[],
): string {
  const names = [...new Set(namespaces.map(({ name }) => name))];
  const clusters = [...new Set(namespaces.map(({ cluster }) => cluster))];
  return `all namespaces: ${names.join(', ')} on ${clusters.join(', ')}`;
}
