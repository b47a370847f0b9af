import { formatPath, type Path } from '../../kube/problem.ts';
import type { CompiledRule } from '../../schema/cel.ts';
import type { Findings } from '../../kube/finding.ts';
import { formatCostAdvice } from './cost-advice.ts';
import { estimateCosts, type RuleSite } from './rule-price.ts';

/** What an expression may cost, however often it is asked about one object. */
const LIMIT = 10_000_000n;
/** What all expressions of a schema may cost together. */
const LIMIT_TOGETHER = 100_000_000n;
/** So many are named of those that cost most. */
const NAMED = 4;

/**
 * What the rules of one schema cost by the estimate of the API server, which refuses a rule that may
 * cost too much about one object, and rules that may cost too much together.
 *
 * Source: ValidateCustomResourceDefinitionOpenAPISchema of apiextensions-apiserver (validation.go)
 */
export class RuleCosts {
  readonly #findings: Findings;
  readonly #isUnchanged: boolean;
  readonly #counted: { readonly path: Path; readonly cost: bigint }[] = [];

  /**
   * @param isUnchanged on an update that leaves the schema as it was: a rule may cost what it costs,
   * and only together they may not
   */
  constructor(findings: Findings, isUnchanged: boolean) {
    this.#findings = findings;
    this.#isUnchanged = isUnchanged;
  }

  /** What one rule costs, which stands at a path of the manifest. */
  check(rule: CompiledRule, path: Path, site: RuleSite): void {
    for (const price of estimateCosts(rule, site)) {
      const cost = price.cost();
      const at = [...path, price.field];
      // What is refused by itself is not told of twice.
      if (cost <= LIMIT || this.#isUnchanged) {
        this.#counted.push({ path: at, cost });
        continue;
      }
      const message = `${must(LIMIT)}, got ${excess(cost, LIMIT)}; ${formatCostAdvice(price, site, LIMIT)}`;
      this.#findings.addError(at, message, 'cel-cost');
    }
  }

  /** After the last rule of the schema at a path. */
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

/** By what factor; a number that nobody reads is left out. */
function excess(cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  if (factor > 100) return 'more than 100 times as much';
  return `${cost}, ${factor.toFixed(factor < 1.1 ? 6 : 1)} times as much`;
}
