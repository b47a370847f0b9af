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
import { buildSides, formatValue, subtract, type Change, type Judgement } from './change.ts';
import { compareSchemas } from './schemas.ts';
import { compareVersionPriority } from './version-priority.ts';

type ChangeReporter = (field: string, judgement: Judgement) => void;

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
  const report: ChangeReporter = (path, judgement) => {
    found.push({ version: after.name, path, ...judgement });
  };
  compareStatus(before, after, report);
  compareScale(before.subresources?.scale, after.subresources?.scale, report);
  compareColumns(
    before.additionalPrinterColumns ?? [],
    after.additionalPrinterColumns ?? [],
    report,
  );
  compareSelectable(before, after, report);
  compareUnhandled(before, after, report);
  if (!before.served && !isStored) {
    if (found.length > 0 || !isDeepEqual(before.schema, after.schema)) {
      const message = 'OLD neither served it nor stored objects in it: it may change freely';
      return [
        {
          version: after.name,
          path: '',
          rule: 'version-not-served',
          verdict: 'compatible',
          message,
        },
      ];
    }
    return found;
  }
  const [a, b] = [before.schema?.openAPIV3Schema, after.schema?.openAPIV3Schema];
  if (a && b) found.push(...compareSchemas(a, b, after.name));
  else if (a || b) {
    const message = `${a ? 'NEW' : 'OLD'} has no schema, so its objects cannot be compared`;
    report('schema', { rule: 'schema', verdict: 'unknown', message });
  }
  return found;
}

function compareStatus(
  before: CustomResourceDefinitionVersion,
  after: CustomResourceDefinitionVersion,
  report: ChangeReporter,
): void {
  const [a, b] = [before.subresources?.status, after.subresources?.status];
  if ((a === undefined) === (b === undefined)) return;
  const change = { rule: 'status-subresource', ...buildSides(a, b) };
  const field = 'subresources.status';
  const root = before.schema?.openAPIV3Schema;
  const hadStatus =
    Object.hasOwn(root?.properties ?? {}, 'status') ||
    root?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (b === undefined) {
    const message =
      'clients that write to /status fail, and everyone who may write the object may write its status';
    report(field, { ...change, verdict: 'breaking', message });
  } else if (hadStatus) {
    const message =
      'status is written through /status alone: what clients write into it with the object is dropped';
    report(field, { ...change, verdict: 'breaking', message });
  } else {
    const message = 'there was no field status that anybody could have written';
    report(field, { ...change, verdict: 'compatible', message });
  }
}

function compareScale(
  before: ScaleSubresource | undefined,
  after: ScaleSubresource | undefined,
  report: ChangeReporter,
): void {
  if (isDeepEqual(before, after)) return;
  const change = { rule: 'scale-subresource', ...buildSides(before, after) };
  const field = 'subresources.scale';
  if (after === undefined) {
    const message = '`kubectl scale` and autoscalers fail';
    report(field, { ...change, verdict: 'breaking', message });
  } else if (before === undefined) {
    const message = '`kubectl scale` and autoscalers can be used';
    report(field, { ...change, verdict: 'compatible', message });
  } else if (
    isDeepEqual({ ...before, labelSelectorPath: after.labelSelectorPath }, after) &&
    before.labelSelectorPath === undefined
  ) {
    const message = 'autoscalers find the pods';
    report(field, { ...change, verdict: 'compatible', message });
  } else {
    const message = 'autoscalers read and write other fields than before';
    report(field, { ...change, verdict: 'breaking', message });
  }
}

function compareColumns(
  before: readonly PrinterColumn[],
  after: readonly PrinterColumn[],
  report: ChangeReporter,
): void {
  if (isDeepEqual(before, after)) return;
  const [a, b] = [before, after].map(
    (list) => new Map(list.map((column) => [column.name, column])),
  );
  const names = [...new Set([...a!.keys(), ...b!.keys()])].filter(
    (name) => !isDeepEqual(a!.get(name), b!.get(name)),
  );
  const what = names.length === 0 ? 'the order of the columns' : names.map(formatValue).join(', ');
  const message = `${what}: output for people, which is no API`;
  report('additionalPrinterColumns', { rule: 'printer-columns', verdict: 'compatible', message });
}

function compareSelectable(
  before: CustomResourceDefinitionVersion,
  after: CustomResourceDefinitionVersion,
  report: ChangeReporter,
): void {
  const [a, b] = [before, after].map(({ selectableFields = [] }) =>
    selectableFields.map(({ jsonPath }) => jsonPath),
  );
  const rule = 'selectable-fields';
  for (const path of subtract(a!, b!)) {
    const message = `field selectors on ${path} are refused now`;
    report('selectableFields', { rule, verdict: 'breaking', message, before: path });
  }
  for (const path of subtract(b!, a!)) {
    const message = `field selectors may name ${path}`;
    report('selectableFields', { rule, verdict: 'compatible', message, after: path });
  }
}

function compareUnhandled(
  before: CustomResourceDefinitionVersion,
  after: CustomResourceDefinitionVersion,
  report: ChangeReporter,
): void {
  for (const [path, a, b] of unknownDifferences(before, after, understood)) {
    const message = `${path} changed, and no comparison knows what that means`;
    report(path, { rule: 'unhandled', verdict: 'unknown', message, ...buildSides(a, b) });
  }
  const subresources = new Set(['status', 'scale']);
  const [a, b] = [before.subresources ?? {}, after.subresources ?? {}];
  for (const [name, from, to] of unknownDifferences(a, b, subresources)) {
    const path = `subresources.${name}`;
    const message = `${path} changed, and no comparison knows what that means`;
    report(path, { rule: 'unhandled', verdict: 'unknown', message, ...buildSides(from, to) });
  }
}

/** Returns the fields outside of `understood` in which two mappings differ, with their values. */
export function unknownDifferences(
  before: object,
  after: object,
  understood: ReadonlySet<string>,
): [string, unknown, unknown][] {
  const [a, b]: Record<string, unknown>[] = [{ ...before }, { ...after }];
  return [...new Set([...Object.keys(a!), ...Object.keys(b!)])]
    .filter((key) => !understood.has(key) && !isDeepEqual(a![key], b![key]))
    .map((key) => [key, a![key], b![key]]);
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
