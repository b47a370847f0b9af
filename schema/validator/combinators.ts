import type { JSONSchemaProps } from '../jsonschema.ts';
import { doubts, takeDoubts } from './doubt.ts';
import type { Check, Combinators, Node } from './types.ts';

/** Undefined where a schema has none. */
export function combinatorsOf(
  schema: JSONSchemaProps,
  nodeOf: (schema: JSONSchemaProps) => Node,
): Combinators | undefined {
  const [allOf = [], oneOf = []] = [schema.allOf, schema.oneOf].map((list) => list?.map(nodeOf));
  const isIntOrString = isPlainIntOrString(schema);
  const anyOf = isIntOrString ? [] : (schema.anyOf ?? []).map(nodeOf);
  const not = schema.not && nodeOf(schema.not);
  if (allOf.length + anyOf.length + oneOf.length === 0 && !not && !isIntOrString) return undefined;

  const acceptsAny: Check = (value) => anyOf.length === 0 || howMany(anyOf, value, 1) > 0;
  const acceptsOne: Check = (value) => oneOf.length === 0 || howMany(oneOf, value, 2) === 1;
  const acceptsNot: Check = (value) => !not || isRefused(not, value);
  const accepts: Check = (value) =>
    value === null ||
    (allOf.every((node) => node.accepts(value)) &&
      acceptsAny(value) &&
      acceptsOne(value) &&
      acceptsNot(value));
  const isNeeded = allOf.length + anyOf.length + oneOf.length > 0 || not !== undefined;
  return {
    allOf,
    anyOf,
    oneOf,
    isIntOrString,
    accepts: isNeeded ? accepts : undefined,
    acceptsAny,
    acceptsOne,
    acceptsNot,
  };
}

function isPlainIntOrString({ anyOf, ...schema }: JSONSchemaProps): boolean {
  if (!schema['x-kubernetes-int-or-string'] || anyOf?.length !== 2) return false;
  const types = anyOf.map((one) => (Object.keys(one).join() === 'type' ? one.type : ''));
  return types.toSorted().join() === 'integer,string';
}

/**
 * How many of the schemas accept the value, counted up to `enough`. Where that is in doubt, one: it
 * may be so, and the doubt remains noted.
 */
function howMany(nodes: readonly Node[], value: unknown, enough: number): number {
  const before = doubts();
  let certain = 0;
  let doubtful = 0;
  for (const node of nodes) {
    const since = doubts();
    if (!node.accepts(value)) takeDoubts(since);
    else if (doubts() > since) doubtful += 1;
    else if ((certain += 1) === enough) break;
  }
  if (certain === 0 && doubtful > 0) return 1;
  if (certain === enough) takeDoubts(before);
  return certain;
}

function isRefused(node: Node, value: unknown): boolean {
  const before = doubts();
  if (node.accepts(value)) return doubts() > before;
  takeDoubts(before);
  return true;
}
