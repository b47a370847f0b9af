import { enforcedFormat } from '../format.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { undeterminedPasses } from './undetermined.ts';
import { isNumeric } from './equality.ts';
import { typesOf } from './node.ts';
import { brokenNumberKeyword, acceptsNumber } from './numbers.ts';
import { brokenStringKeyword } from './strings.ts';
import { never, type Kinds, type SchemaNode } from './types.ts';

/** The rule of undeclared fields, which is not a keyword of the schema. */
export const UNKNOWN_FIELD = 'unknown-field';

/** Returns the first keyword of the schema, as it is spelled, that an invalid value breaks. */
export function brokenKeyword(node: SchemaNode, value: unknown): string {
  const { schema, kinds } = node;
  const ofType = schema['x-kubernetes-int-or-string'] ? 'x-kubernetes-int-or-string' : 'type';
  if (!isPossible(kinds, value)) {
    const isEnum = value === null && (schema.nullable === true || typesOf(schema).length === 0);
    return isEnum ? 'enum' : ofType;
  }
  if (isNumeric(value)) {
    const broken = brokenByNumber(node, value);
    return broken === 'type' ? ofType : broken;
  }
  return typeof value === 'string' ? brokenStringKeyword(schema, value) : 'enum';
}

function brokenByNumber({ schema, combinators }: SchemaNode, value: number | bigint): string {
  if (
    combinators?.isIntOrString &&
    !acceptsNumber({}, ['integer'], '', value, undeterminedPasses)
  ) {
    return 'type';
  }
  const [types, format] = [typesOf(schema), enforcedFormat(schema)];
  return brokenNumberKeyword(schema, types, format, value, undeterminedPasses) ?? 'enum';
}

/** Whether values of that kind may be valid; an allowed null is. */
function isPossible(kinds: Kinds, value: unknown): boolean {
  if (isNumeric(value)) return kinds.number !== never;
  if (typeof value === 'string') return kinds.string !== never;
  if (typeof value === 'boolean') return kinds.boolean !== never;
  if (Array.isArray(value)) return kinds.array !== never;
  return isMapping(value) && kinds.object !== never;
}
