import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { compareBranches } from './branches.ts';
import { isDeepEqual } from '@tenantry/kube/json';
import { compareChanges, findUnhandled, formatValue, type Change } from './change.ts';
import { compareItems, compareMerging } from './lists.ts';
import { compareBounds, compareLimits, compareMultiple } from './limits.ts';
import { compareObjects } from './mappings.ts';
import { ComparisonContext, type SchemaComparison } from './comparison-context.ts';
import { compareRules } from './cel-rules.ts';
import {
  compareEnum,
  compareFormat,
  compareNullable,
  comparePattern,
  compareType,
} from './scalars.ts';

/**
 * Judges every difference between the schemas of one version, sorted by path. If all are
 * compatible, each object that is valid under `before` and keeps all its fields is also valid under
 * `after` and keeps them.
 */
export function compareSchemas(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  version?: string,
): Change[] {
  const found: Change[] = [];
  const comparison = { version, found, compare: compareNodes };
  new ComparisonContext(comparison, '', { mode: 'structural', root: true }).compare(before, after);
  return found.toSorted(compareChanges);
}

/** The keywords that one of the comparisons below covers. */
const understood = new Set(
  (
    'type x-kubernetes-int-or-string format enum default nullable pattern ' +
    'minimum exclusiveMinimum maximum exclusiveMaximum multipleOf ' +
    'minLength maxLength minItems maxItems minProperties maxProperties ' +
    'properties required additionalProperties items ' +
    'x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource ' +
    'x-kubernetes-list-type x-kubernetes-list-map-keys x-kubernetes-map-type ' +
    'x-kubernetes-validations allOf anyOf oneOf not title description example externalDocs'
  ).split(' '),
);

function compareNodes(
  noisyBefore: JSONSchemaProps,
  noisyAfter: JSONSchemaProps,
  around: ComparisonContext,
): void {
  if (isDeepEqual(noisyBefore, noisyAfter) && around.kept.before === around.kept.after) return;
  const [before, after] = [removeRedundantAnyOf(noisyBefore), removeRedundantAnyOf(noisyAfter)];
  const place = around.with({
    guarded: around.guarded || hasWholeValueChecks(after),
    ruled: around.ruled || isFilled(after['x-kubernetes-validations']),
  });
  for (const compare of comparisons) compare(before, after, place);
}

/**
 * Compares defaults. A default is part of what a field means, because an object without the field
 * has that value. The API server also fills in defaults on reading, so a new one changes stored
 * objects.
 */
const compareDefault: SchemaComparison = ({ default: a }, { default: b }, place) => {
  if (isDeepEqual(a, b)) return;
  const change = place.change('default', a, b);
  const [had, gets] = [formatValue(a), formatValue(b)];
  if (a === undefined) {
    change.breaking(`objects that leave it out get ${gets} now, and were without it`);
  } else if (b === undefined) {
    change.breaking(`objects that leave it out got ${had}, and are without it now`);
  } else change.breaking(`objects that leave it out get ${gets} now, and got ${had}`);
};

const compareDocumentation: SchemaComparison = (before, after, place) => {
  const changed = (['title', 'description', 'example', 'externalDocs'] as const).filter(
    (key) => !isDeepEqual(before[key], after[key]),
  );
  if (changed.length === 0) return;
  place.change('documentation').compatible(`${changed.join(' and ')}: words for people`);
};

/** Reports changed keywords that no other comparison covers. The API server refuses most of them. */
const compareUnhandled: SchemaComparison = (before, after, place) => {
  for (const [key, a, b] of findUnhandled(before, after, understood)) {
    const message = `${key} changed, and no comparison knows what that means`;
    place.change('unhandled', a, b).unknown(message);
  }
};

const comparisons: readonly SchemaComparison[] = [
  compareType,
  compareFormat,
  compareEnum,
  compareDefault,
  // For null, an enumeration of the schema itself is checked separately from enclosing ones.
  compareNullable,
  compareBounds,
  compareMultiple,
  compareLimits,
  comparePattern,
  compareObjects,
  compareItems,
  compareMerging,
  compareRules,
  compareBranches,
  compareDocumentation,
  compareUnhandled,
];

/** Returns whether a branch of anyOf, oneOf, not or an enumeration checks the value as a whole. */
function hasWholeValueChecks(schema: JSONSchemaProps): boolean {
  return (
    isFilled(schema.allOf) ||
    isFilled(schema.anyOf) ||
    isFilled(schema.oneOf) ||
    schema.not !== undefined ||
    isFilled(schema.enum)
  );
}

function isFilled(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

const intOrString: readonly JSONSchemaProps[] = [{ type: 'integer' }, { type: 'string' }];

/**
 * Removes the `anyOf` that generators put beside x-kubernetes-int-or-string, and that restricts
 * nothing. Also removes it from the first branch of allOf.
 */
function removeRedundantAnyOf(schema: JSONSchemaProps): JSONSchemaProps {
  if (schema['x-kubernetes-int-or-string'] !== true) return schema;
  const { anyOf, allOf, ...rest } = schema;
  const first = allOf?.[0];
  const restOfAll =
    first?.anyOf && isDeepEqual(first.anyOf, intOrString) && Object.keys(first).length === 1
      ? allOf!.slice(1)
      : allOf;
  return {
    ...rest,
    ...(anyOf && !isDeepEqual(anyOf, intOrString) && { anyOf }),
    ...(restOfAll && restOfAll.length > 0 && { allOf: restOfAll }),
  };
}
