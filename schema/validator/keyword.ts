import { enforcedFormat } from '../format.ts';
import { isMapping } from '../../kube/mapping.ts';
import { doubtPasses } from './doubt.ts';
import { isNumeric } from './equality.ts';
import { typesOf } from './node.ts';
import { isNumberOf } from './numbers.ts';
import { brokenStringKeyword } from './strings.ts';
import { never, type Kinds, type Node } from './types.ts';

/** The rule of fields that a schema does not declare, which is no keyword of it. */
export const UNKNOWN_FIELD = 'unknown-field';

/** The first keyword of the schema, as it is spelled, that is in the way of a value that does not fit. */
export function brokenKeyword(node: Node, value: unknown): string {
  const { schema, kinds } = node;
  const ofType = schema['x-kubernetes-int-or-string'] ? 'x-kubernetes-int-or-string' : 'type';
  if (!isPossible(kinds, value)) {
    const isEnum = value === null && (schema.nullable === true || typesOf(schema).length === 0);
    return isEnum ? 'enum' : ofType;
  }
  if (typeof value === 'string') return brokenStringKeyword(schema, value);
  return isNumeric(value) ? (brokenNumberKeyword(node, value) ?? ofType) : 'enum';
}

/** Whether values of that kind may be valid. */
function isPossible(kinds: Kinds, value: unknown): boolean {
  if (value === null) return kinds.null;
  if (typeof value === 'string') return kinds.string !== never;
  if (isNumeric(value)) return kinds.number !== never;
  if (typeof value === 'boolean') return kinds.boolean !== never;
  if (Array.isArray(value)) return kinds.array !== never;
  return isMapping(value) && kinds.object !== never;
}

/** Undefined for a number that is not of the type. */
function brokenNumberKeyword({ schema, combinators }: Node, value: number | bigint) {
  const types = typesOf(schema);
  const format = enforcedFormat(schema);
  const takes = (asked: typeof schema, format: string): boolean =>
    isNumberOf(asked, types, format, value, doubtPasses);
  const isWhole =
    !combinators?.isIntOrString || isNumberOf({}, ['integer'], '', value, doubtPasses);
  if (!takes({}, '') || !isWhole) return undefined;
  if (!takes({}, format)) return 'format';
  const {
    multipleOf,
    maximum,
    minimum,
    exclusiveMaximum = false,
    exclusiveMinimum = false,
  } = schema;
  if (multipleOf !== undefined && !takes({ multipleOf }, format)) return 'multipleOf';
  if (maximum !== undefined && !takes({ maximum, exclusiveMaximum }, format)) return 'maximum';
  return minimum !== undefined && !takes({ minimum, exclusiveMinimum }, format)
    ? 'minimum'
    : 'enum';
}
