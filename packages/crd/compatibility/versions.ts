/**
 * Compares the versions of a definition: the old and the new state of one version, and the served versions with each
 * other.
 */
import type {
  CustomResourceDefinitionVersion,
  PrinterColumn,
  ScaleSubresource,
  CustomResourceDefinitionManifest,
} from '../custom-resource-definition.ts';
import { isDeepEqual, formatCanonicalJson } from '@tenantry/kube/json';
import {
  buildChangesOf,
  findUnhandled,
  formatValue,
  subtract,
  type Change,
  type ChangeBuilder,
} from './change.ts';
import { compareSchemas } from './schemas.ts';
import { compareVersionPriority } from './version-priority.ts';

const understood = new Set(
  (
    'name served storage deprecated deprecationWarning schema subresources ' +
    'additionalPrinterColumns selectableFields'
  ).split(' '),
);

/**
 * Returns every difference between two states of one version, except changes of whether it is
 * served, stored or deprecated.
 */
export function compareVersions(
  before: CustomResourceDefinitionVersion,
  after: CustomResourceDefinitionVersion,
  isStored: boolean,
): Change[] {
  const found: Change[] = [];
  const changeAt = buildChangesOf(found, after.name);
  const [columns, newColumns] = [before, after].map((one) => one.additionalPrinterColumns ?? []);
  compareStatus(before, after, changeAt);
  compareScale(before.subresources?.scale, after.subresources?.scale, changeAt);
  compareColumns(columns!, newColumns!, changeAt);
  compareSelectable(before, after, changeAt);
  compareUnhandled(before, after, changeAt);
  if (!before.served && !isStored) {
    if (found.length === 0 && isDeepEqual(before.schema, after.schema)) return [];
    found.length = 0;
    const change = changeAt('', 'version-not-served');
    change.compatible('OLD neither served it nor stored objects in it: it may change freely');
    return found;
  }
  const [a, b] = [before.schema?.openAPIV3Schema, after.schema?.openAPIV3Schema];
  if (a && b) found.push(...compareSchemas(a, b, after.name));
  else if (a || b) {
    const message = `${a ? 'NEW' : 'OLD'} has no schema, so its objects cannot be compared`;
    changeAt('schema', 'schema').unknown(message);
  }
  return found;
}

function compareStatus(
  before: CustomResourceDefinitionVersion,
  after: CustomResourceDefinitionVersion,
  changeAt: ChangeBuilder,
): void {
  const [a, b] = [before.subresources?.status, after.subresources?.status];
  if ((a === undefined) === (b === undefined)) return;
  const change = changeAt('subresources.status', 'status-subresource', a, b);
  const root = before.schema?.openAPIV3Schema;
  const hadStatus =
    Object.hasOwn(root?.properties ?? {}, 'status') ||
    root?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (b === undefined) {
    change.breaking(
      'clients that write to /status fail, and everyone who may write the object may write its status',
    );
  } else if (hadStatus) {
    change.breaking(
      'status is written through /status alone: what clients write into it with the object is dropped',
    );
  } else change.compatible('there was no field status that anybody could have written');
}

function compareScale(
  before: ScaleSubresource | undefined,
  after: ScaleSubresource | undefined,
  changeAt: ChangeBuilder,
): void {
  if (isDeepEqual(before, after)) return;
  const change = changeAt('subresources.scale', 'scale-subresource', before, after);
  if (after === undefined) change.breaking('`kubectl scale` and autoscalers fail');
  else if (before === undefined) {
    change.compatible('`kubectl scale` and autoscalers can be used');
  } else if (
    isDeepEqual({ ...before, labelSelectorPath: after.labelSelectorPath }, after) &&
    before.labelSelectorPath === undefined
  ) {
    change.compatible('autoscalers find the pods');
  } else change.breaking('autoscalers read and write other fields than before');
}

function compareColumns(
  before: readonly PrinterColumn[],
  after: readonly PrinterColumn[],
  changeAt: ChangeBuilder,
): void {
  if (isDeepEqual(before, after)) return;
  const [a, b] = [before, after].map(
    (list) => new Map(list.map((column) => [column.name, column])),
  );
  const names = [...new Set([...a!.keys(), ...b!.keys()])].filter(
    (name) => !isDeepEqual(a!.get(name), b!.get(name)),
  );
  const what = names.length === 0 ? 'the order of the columns' : names.map(formatValue).join(', ');
  const change = changeAt('additionalPrinterColumns', 'printer-columns');
  change.compatible(`${what}: output for people, which is no API`);
}

function compareSelectable(
  before: CustomResourceDefinitionVersion,
  after: CustomResourceDefinitionVersion,
  changeAt: ChangeBuilder,
): void {
  const [a, b] = [before, after].map(({ selectableFields = [] }) =>
    selectableFields.map(({ jsonPath }) => jsonPath),
  );
  for (const path of subtract(a!, b!)) {
    const change = changeAt('selectableFields', 'selectable-fields', path);
    change.breaking(`field selectors on ${path} are refused now`);
  }
  for (const path of subtract(b!, a!)) {
    const change = changeAt('selectableFields', 'selectable-fields', undefined, path);
    change.compatible(`field selectors may name ${path}`);
  }
}

function compareUnhandled(
  before: CustomResourceDefinitionVersion,
  after: CustomResourceDefinitionVersion,
  changeAt: ChangeBuilder,
): void {
  const inSubresources = findUnhandled(
    before.subresources ?? {},
    after.subresources ?? {},
    new Set(['status', 'scale']),
  );
  for (const [path, a, b] of [
    ...findUnhandled(before, after, understood),
    ...inSubresources.map(([name, a, b]) => [`subresources.${name}`, a, b] as const),
  ]) {
    const message = `${path} changed, and no comparison knows what that means`;
    changeAt(path, 'unhandled', a, b).unknown(message);
  }
}

/**
 * Reports what is lost or refused when an object of one served version is read in another, and was
 * not in OLD. The strategy None only converts apiVersion, so all served versions must accept the
 * same. Reports nothing for a webhook, because its behavior is unknown.
 */
export function compareServedVersions(
  before: CustomResourceDefinitionManifest,
  after: CustomResourceDefinitionManifest,
): Change[] {
  const known = new Set(findVersionDifferences(before).map(({ key }) => key));
  return findVersionDifferences(after)
    .filter(({ key }) => !known.has(key))
    .map(({ change }) => change);
}

interface Difference {
  readonly change: Change;
  /** The same key means the same kind of difference in the same place, whatever its size. */
  readonly key: string;
}

function findVersionDifferences({ spec }: CustomResourceDefinitionManifest): Difference[] {
  if (spec.conversion?.strategy === 'Webhook') return [];
  const served = spec.versions
    .filter((version) => version.served)
    .toSorted((a, b) => compareVersionPriority(b.name, a.name));
  return served.flatMap((from, i) =>
    served.slice(i + 1).flatMap((to) => [...compareOneWay(from, to), ...compareOneWay(to, from)]),
  );
}

/** Reports what is lost on the way from one version to another. */
function compareOneWay(
  from: CustomResourceDefinitionVersion,
  to: CustomResourceDefinitionVersion,
): Difference[] {
  const [a, b] = [from.schema?.openAPIV3Schema, to.schema?.openAPIV3Schema];
  if (!a || !b) return [];
  return compareSchemas(a, b)
    .filter(({ verdict }) => verdict !== 'compatible')
    .map(({ path, rule, message, ...change }) => ({
      key: formatCanonicalJson([from.name, to.name, path, rule]),
      change: {
        ...change,
        version: to.name,
        path,
        rule: 'served-versions',
        message: `objects of ${from.name} read in ${to.name} (conversion None; ${rule}): ${message}`,
      },
    }));
}
