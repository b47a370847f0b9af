import type { FoundTenant } from '../../apps/fleet-lookup.ts';
import type { ExplainedField, ExplainedObject } from '../../model/explain/explain-objects.ts';
import type { ExplainedValue } from '../../model/explain/explained-value.ts';
import { formatPath } from '@tenantry/kube/problem';
import { formatPlace, reportValue } from './report-values.ts';
import type { TreeLeaf, TreeSection } from './tree.ts';

type Locate = FoundTenant['locate'];

/** The number of causes that the tree names for a field; JSON has all. */
const NAMED = 2;

/** Returns the objects with their fields and causes, as JSON has them; the most direct causes first. */
export function reportObjects(objects: readonly ExplainedObject[], locate: Locate): object[] {
  return objects.map(({ cluster, object, causes, fields }) => ({
    ...(cluster !== undefined && { cluster }),
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(object.metadata.namespace !== undefined && { namespace: object.metadata.namespace }),
    name: object.metadata.name,
    causes: causes.map((cause) => reportValue(cause, locate)),
    fields: fields.map((field) => ({
      field: formatPath(field.path),
      path: field.path,
      value: field.value,
      causes: rankCauses(field).map((cause) => reportValue(cause, locate)),
    })),
  }));
}

/** Builds a tree for each object. A field without a cause is the same for every tenant. */
export function buildObjectSections(
  objects: readonly ExplainedObject[],
  locate: Locate,
): TreeSection[] {
  return objects.map(({ cluster, object, causes, fields }) => {
    const { kind, metadata } = object;
    const where = metadata.namespace === undefined ? '' : ` in ${metadata.namespace}`;
    return {
      title: `${kind} ${metadata.name}${where}${cluster === undefined ? '' : ` on ${cluster}`}`,
      leaves: [
        ...(causes.length === 0
          ? []
          : [toLeaf({ path: ['(rendered)'], value: true, causes }, locate)]),
        ...fields.map((field) => toLeaf(field, locate)),
      ],
    };
  });
}

function toLeaf(field: ExplainedField, locate: Locate): TreeLeaf {
  const { path, value } = field;
  const causes = rankCauses(field);
  const direct = causes.filter((cause) => isDirect(field, cause));
  const named = direct.length > 0 ? direct.slice(0, 1) : causes.slice(0, NAMED);
  const rest = direct.length > 0 ? 0 : causes.length - named.length;
  const shown = named.map((cause) => reportValue(cause, locate));
  const more = rest > 0 ? [`${rest} more`] : [];
  const [first] = shown;
  return {
    path: path.map(String),
    value,
    layer:
      first === undefined ? 'always' : [...new Set(shown.map(({ layer }) => layer))].join(', '),
    place: [...shown.map((one) => `${one.field}  ${formatPlace(one)}`), ...more].join(', '),
  };
}

/** Orders the causes: first those whose value the field has, then those whose value is in it. */
function rankCauses(field: ExplainedField): readonly ExplainedValue[] {
  const rank = (cause: ExplainedValue): number => {
    const isNamesake = cause.path.at(-1) === String(field.path.at(-1));
    if (isDirect(field, cause)) return isNamesake ? 0 : 1;
    return String(field.value).includes(String(cause.value)) ? 2 : 3;
  };
  return field.causes.toSorted((a, b) => rank(a) - rank(b));
}

function isDirect({ value }: ExplainedField, cause: ExplainedValue): boolean {
  return String(value) === String(cause.value);
}
