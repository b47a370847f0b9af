import { formatPath, type Path } from '../../kube/problem.ts';
import type { SizeKeyword } from '../../schema/cel.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import type { ExpressionCost, RuleSite } from './rule-price.ts';

/** A bound that a schema has or could have, and its field. */
interface AdjustableBound {
  readonly schema: JSONSchemaProps;
  readonly bound: SizeKeyword;
  readonly field: string;
}

/** The maximum number of sufficient single bounds in the advice. */
const WAYS = 2;
/** A bound below this is too low for most uses. */
const TIGHT = 10;
/** No list, text or mapping in a request can be this large. */
const HIGHEST = 2 ** 22;

/** Formats the advice on a cost that is too high: bounds that are each sufficient alone, and a bound for all. */
export function formatCostAdvice(price: ExpressionCost, site: RuleSite, limit: bigint): string {
  const levers = collectAdjustableBounds(price, site);
  const single = levers.flatMap((lever) => {
    const most = highestWithin(price, [lever], limit);
    return most === undefined ? [] : [{ most, way: `${lever.bound} ${most} at ${lever.field}` }];
  });
  const needed = levers.filter((lever) => isNeeded(price, lever, levers));
  const together = needed.length > 1 ? highestWithin(price, needed, limit) : undefined;
  const named = needed.map(({ bound, field }) => `${bound} at ${field}`).join(' and ');
  const loose = single.filter(({ most }) => most >= TIGHT);
  const alone = loose.length > 0 || together !== undefined ? loose : single;
  const ways = alone.slice(0, WAYS).map(({ way }) => way);
  // If one bound alone allows the same value, a bound for all is no alternative.
  const isOneEnough = single.some(({ most }) => most === together);
  if (together !== undefined && !isOneEnough) ways.push(`at most ${together} for ${named}`);
  return ways.length === 0 ? 'simplify the rule' : `it fits with ${ways.join(', or with ')}`;
}

/** Collects the bounds of the enclosing collections, and those that the estimate was made from. */
function collectAdjustableBounds(
  { around, estimate }: ExpressionCost,
  site: RuleSite,
): readonly AdjustableBound[] {
  const levers = new Map<JSONSchemaProps, AdjustableBound>();
  for (const { schema, bound, path } of around) {
    levers.set(schema, { schema, bound, field: fieldOf(path) });
  }
  for (const { schema, bound } of estimate.sizes) {
    const within = pathTo(schema, site.schema);
    if (bound === undefined || !within || levers.has(schema)) continue;
    levers.set(schema, { schema, bound, field: fieldOf([...site.path, ...within]) });
  }
  return [...levers.values()];
}

const bounds = (levers: readonly AdjustableBound[], most: number): Map<JSONSchemaProps, number> =>
  new Map(
    levers.map(({ schema, bound }) => [schema, Math.min(most, schema[bound] ?? Number.MAX_VALUE)]),
  );

/** Returns whether a bound makes a difference when all others are as low as possible. */
function isNeeded(
  price: ExpressionCost,
  lever: AdjustableBound,
  levers: readonly AdjustableBound[],
): boolean {
  const others = levers.filter((one) => one !== lever);
  return price.cost(bounds(others, 1)) > 2n * price.cost(bounds(levers, 1));
}

/** Returns the highest bound for all of them that keeps the cost within the limit, if there is one. */
function highestWithin(
  price: ExpressionCost,
  levers: readonly AdjustableBound[],
  limit: bigint,
): number | undefined {
  const fits = (most: number): boolean => price.cost(bounds(levers, most)) <= limit;
  if (!fits(1)) return undefined;
  let low = 1;
  for (let high = HIGHEST; high - low > 1;) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the path from one schema down to another. */
function pathTo(wanted: JSONSchemaProps, from: JSONSchemaProps): Path | undefined {
  if (from === wanted) return [];
  const { items, additionalProperties: values, properties = {} } = from;
  const parts = Object.entries(properties).map(
    ([name, schema]): readonly [Path, JSONSchemaProps] => [['properties', name], schema],
  );
  if (items) parts.push([['items'], items]);
  if (typeof values === 'object') parts.push([['additionalProperties'], values]);
  for (const [step, schema] of parts) {
    const rest = pathTo(wanted, schema);
    if (rest) return [...step, ...rest];
  }
  return undefined;
}

/** Formats the path of a schema as a path in an object, such as `spec.hosts[*].name`. */
function fieldOf(path: Path): string {
  let text = '';
  let isName = false;
  for (const part of path.slice(path.lastIndexOf('openAPIV3Schema') + 1)) {
    if (isName) {
      const name = formatPath([part]);
      text += text === '' || name.startsWith('[') ? name : `.${name}`;
    } else if (part !== 'properties') text += '[*]';
    isName = !isName && part === 'properties';
  }
  return text === '' ? 'the root' : text;
}
