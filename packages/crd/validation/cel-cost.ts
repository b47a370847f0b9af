import { formatPath, type Path } from '@tenantry/kube/problem';
import type { CompiledRule, Estimate, BoundOverrides, SizeKeyword } from '../schema/cel.ts';
import type { Findings } from '@tenantry/kube/finding';
import type { JSONSchemaProps } from '../schema/json-schema.ts';

/** The maximum cost of one expression, in total for one object. */
const LIMIT = 10_000_000n;
/** The maximum cost of all expressions of a schema together. */
const LIMIT_TOGETHER = 100_000_000n;
/** The number of most expensive expressions that a message names. */
const NAMED = 4;

/**
 * Estimates the cost of the rules of one schema as the API server does. It refuses a rule that may
 * cost too much for one object, and rules that may cost too much together.
 *
 * Source: ValidateCustomResourceDefinitionOpenAPISchema of apiextensions-apiserver (validation.go)
 */
export class RuleCosts {
  readonly #findings: Findings;
  readonly #isUnchanged: boolean;
  readonly #counted: { readonly path: Path; readonly cost: bigint }[] = [];

  /** @param isUnchanged whether an update leaves the schema unchanged: then only the total cost is limited */
  constructor(findings: Findings, isUnchanged: boolean) {
    this.#findings = findings;
    this.#isUnchanged = isUnchanged;
  }

  /** Checks the cost of one rule at a path of the manifest. */
  check(rule: CompiledRule, path: Path, site: RuleSite): void {
    for (const price of estimateCosts(rule, site)) {
      const cost = price.cost();
      const at = [...path, price.field];
      // An expression that is refused by itself is not reported again for the total.
      if (cost <= LIMIT || this.#isUnchanged) {
        this.#counted.push({ path: at, cost });
        continue;
      }
      const message = `${must(LIMIT)}, got ${excess(cost, LIMIT)}; ${formatCostAdvice(price, site, LIMIT)}`;
      this.#findings.addError(at, message, 'cel-cost');
    }
  }

  /** Checks the total after the last rule of the schema at a path. */
  finish(path: Path): void {
    const total = this.#counted.reduce((sum, { cost }) => sum + cost, 0n);
    if (total <= LIMIT_TOGETHER) return;
    const mostExpensive = this.#counted
      .toSorted((a, b) => Number(b.cost - a.cost))
      .slice(0, NAMED)
      .map((one) => `${formatPath(one.path.slice(path.length))} ${one.cost}`);
    const got = excess(total, LIMIT_TOGETHER);
    const message = `${must(LIMIT_TOGETHER)} with all CEL rules, got ${got}; most of it costs ${mostExpensive.join(', ')}`;
    this.#findings.addError(path, message, 'cel-cost-together');
  }
}

const must = (limit: bigint): string =>
  `must cost at most ${limit} by the estimate of the API server`;

/** Formats by what factor the cost is too high, without large numbers. */
function excess(cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  if (factor > 100) return 'more than 100 times as much';
  return `${cost}, ${factor.toFixed(factor < 1.1 ? 6 : 1)} times as much`;
}

interface RuleSite {
  readonly schema: JSONSchemaProps;
  /** The path of its schema in the manifest. */
  readonly path: Path;
  /** The lists and mappings that contain the schema, outermost first. */
  readonly around: readonly EnclosingCollection[];
}

/** The total cost of a rule's expression for one object. */
interface ExpressionCost {
  readonly field: 'rule' | 'messageExpression';
  readonly estimate: Estimate;
  /** The lists and mappings that multiply the cost. */
  readonly around: readonly EnclosingCollection[];
  /** Returns the cost; with other bounds, the cost if the schemas had those. */
  cost(others?: BoundOverrides): bigint;
}

/**
 * Estimates the cost of a rule, which is evaluated for each possible value, while its message is
 * evaluated once. A rule that is invalid or could not be parsed has no cost.
 *
 * Source: getExpressionCost of apiextensions-apiserver (validation.go)
 */
function estimateCosts(rule: CompiledRule, { around }: RuleSite): readonly ExpressionCost[] {
  const now = rule.estimate();
  if (!now) return [];
  const given = (others?: BoundOverrides) => (others && rule.estimate(others)) ?? now;
  const price: ExpressionCost = {
    field: 'rule',
    estimate: now.rule,
    around,
    cost: (others) => {
      const { rule: once, count } = given(others);
      return once.cost * (timesWithin(around, others) ?? count);
    },
  };
  const { messageExpression: message } = now;
  if (!message) return [price];
  return [
    price,
    {
      field: 'messageExpression',
      estimate: message,
      around: [],
      cost: (others) => (given(others).messageExpression ?? message).cost,
    },
  ];
}

/** A list or a mapping that contains a schema. */
export interface EnclosingCollection {
  readonly schema: JSONSchemaProps;
  readonly path: Path;
  /** The field that limits the number of its elements. */
  readonly bound: 'maxItems' | 'maxProperties';
}

/**
 * Returns what makes the fields and items of a schema occur several times in an object; undefined
 * if they occur as often as the schema itself.
 *
 * Source: extractMaxElements of apiextensions-apiserver (cel_validation.go)
 */
export function findRepetition(
  schema: JSONSchemaProps,
  path: Path,
): EnclosingCollection | undefined {
  if (schema.type === 'array') return { schema, path, bound: 'maxItems' };
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  return isMap ? { schema, path, bound: 'maxProperties' } : undefined;
}

/** Returns how often a schema can occur in one object; undefined if an enclosing collection has no bound. */
export function timesWithin(
  around: readonly EnclosingCollection[],
  others?: BoundOverrides,
): bigint | undefined {
  let times = 1n;
  for (const { schema, bound } of around) {
    const most = others?.get(schema) ?? schema[bound];
    if (most === undefined) return undefined;
    times *= BigInt(Math.max(most, 0));
  }
  return times;
}

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
const MAX_SIZE = 2 ** 22;

/** Formats the advice on a cost that is too high: bounds that are each sufficient alone, and a bound for all. */
function formatCostAdvice(price: ExpressionCost, site: RuleSite, limit: bigint): string {
  const candidates = collectAdjustableBounds(price, site);
  const single = candidates.flatMap((candidate) => {
    const most = highestWithin(price, [candidate], limit);
    return most === undefined
      ? []
      : [{ most, way: `${candidate.bound} ${most} at ${candidate.field}` }];
  });
  const needed = candidates.filter((candidate) => isNeeded(price, candidate, candidates));
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
  const candidates = new Map<JSONSchemaProps, AdjustableBound>();
  for (const { schema, bound, path } of around) {
    candidates.set(schema, { schema, bound, field: fieldOf(path) });
  }
  for (const { schema, bound } of estimate.sizes) {
    const within = pathTo(schema, site.schema);
    if (bound === undefined || !within || candidates.has(schema)) continue;
    candidates.set(schema, { schema, bound, field: fieldOf([...site.path, ...within]) });
  }
  return [...candidates.values()];
}

const bounds = (
  candidates: readonly AdjustableBound[],
  most: number,
): Map<JSONSchemaProps, number> =>
  new Map(
    candidates.map(({ schema, bound }) => [
      schema,
      Math.min(most, schema[bound] ?? Number.MAX_VALUE),
    ]),
  );

/** Returns whether a bound makes a difference when all others are as low as possible. */
function isNeeded(
  price: ExpressionCost,
  candidate: AdjustableBound,
  candidates: readonly AdjustableBound[],
): boolean {
  const others = candidates.filter((one) => one !== candidate);
  return price.cost(bounds(others, 1)) > 2n * price.cost(bounds(candidates, 1));
}

/** Returns the highest bound for all of them that keeps the cost within the limit, if there is one. */
function highestWithin(
  price: ExpressionCost,
  candidates: readonly AdjustableBound[],
  limit: bigint,
): number | undefined {
  const fits = (most: number): boolean => price.cost(bounds(candidates, most)) <= limit;
  if (!fits(1)) return undefined;
  let low = 1;
  for (let high = MAX_SIZE; high - low > 1;) {
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
