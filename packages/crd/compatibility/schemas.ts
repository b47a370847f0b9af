import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { compareBounds } from './bounds.ts';
import { compareBranches } from './branches.ts';
import { isDeepEqual } from '@tenantry/kube/json';
import { compareChanges, buildSides, formatValue, type Change } from './change.ts';
import { compareItems, compareMerging } from './lists.ts';
import { hasWholeValueChecks, hasRules, removeRedundantAnyOf } from './schema-subjects.ts';
import { compareObjects } from './mappings.ts';
import { ComparisonContext } from './comparison-context.ts';
import { compareRules } from './cel-rules.ts';
import {
  compareEnum,
  compareFormat,
  compareLimits,
  compareMultiple,
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
  const named = version === undefined ? {} : { version };
  compareNodes(
    before,
    after,
    new ComparisonContext(found, { ...named, path: '', mode: 'structural', root: true }),
  );
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
    ruled: around.ruled || hasRules(after),
  });
  compareType(before, after, place);
  compareFormat(before, after, place);
  compareEnum(before, after, place);
  compareDefault(before, after, place);
  // For null, an enumeration of the schema itself is checked separately from enclosing ones.
  compareNullable(before, after, place);
  compareBounds(before, after, place);
  compareMultiple(before, after, place);
  compareLimits(before, after, place);
  comparePattern(before, after, place);
  compareObjects(before, after, place, compareNodes);
  compareItems(before, after, place, compareNodes);
  compareMerging(before, after, place);
  compareRules(before, after, place);
  compareBranches(before, after, place, compareNodes);
  compareDocumentation(before, after, place);
  compareUnhandled(before, after, place);
}

/**
 * Compares defaults. A default is part of what a field means, because an object without the field
 * has that value. The API server also fills in defaults on reading, so a new one changes stored
 * objects.
 */
function compareDefault(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const [a, b] = [before.default, after.default];
  if (isDeepEqual(a, b)) return;
  const change = { rule: 'default', verdict: 'breaking', ...buildSides(a, b) } as const;
  if (a === undefined) {
    const message = `objects that leave it out get ${formatValue(b)} now, and were without it`;
    place.report({ ...change, message });
  } else if (b === undefined) {
    const message = `objects that leave it out got ${formatValue(a)}, and are without it now`;
    place.report({ ...change, message });
  } else {
    const message = `objects that leave it out get ${formatValue(b)} now, and got ${formatValue(a)}`;
    place.report({ ...change, message });
  }
}

function compareDocumentation(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const changed = (['title', 'description', 'example', 'externalDocs'] as const).filter(
    (key) => !isDeepEqual(before[key], after[key]),
  );
  if (changed.length === 0) return;
  const message = `${changed.join(' and ')}: words for people`;
  place.report({ rule: 'documentation', verdict: 'compatible', message });
}

/** Reports changed keywords that no comparison above covers. The API server refuses most of them. */
function compareUnhandled(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const [a, b]: Readonly<Record<string, unknown>>[] = [{ ...before }, { ...after }];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (understood.has(key) || isDeepEqual(a![key], b![key])) continue;
    const message = `${key} changed, and no comparison knows what that means`;
    place.report({
      rule: 'unhandled',
      verdict: 'unknown',
      message,
      ...buildSides(a![key], b![key]),
    });
  }
}
