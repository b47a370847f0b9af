import { formatPath, type Path } from '../../kube/problem.ts';
import type { CompiledRule } from '../../schema/cel.ts';
import type { Findings } from '../../kube/finding.ts';
import { formatCostAdvice } from './cost-advice.ts';
import { estimateCosts, type RuleSite } from './rule-price.ts';

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
    const dearest = this.#counted
      .toSorted((a, b) => Number(b.cost - a.cost))
      .slice(0, NAMED)
      .map((one) => `${formatPath(one.path.slice(path.length))} ${one.cost}`);
    const got = excess(total, LIMIT_TOGETHER);
    const message = `${must(LIMIT_TOGETHER)} with all CEL rules, got ${got}; most of it costs ${dearest.join(', ')}`;
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
