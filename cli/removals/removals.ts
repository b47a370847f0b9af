import { show, type Problem } from '@tenantry/kube/problem';
import type { Summary } from '../../synth/report.ts';
import type { Base } from '../git/base.ts';
import { formatRemoval, type NamespaceRemoval } from './outcomes.ts';
import { checkRemovals } from './check.ts';

/** Removals that were not retired first. */
interface CombinedRemovals {
  readonly gone: readonly Problem[];
  /** Reasons why removals cannot be determined, and allowances without effect. */
  readonly unsure: readonly Problem[];
  readonly removals: readonly NamespaceRemoval[];
}

/**
 * Merges what several bases hold but a new output does not.
 * @param allowed names that may disappear
 */
export function combineRemovals(
  bases: readonly Base[],
  summary: Summary,
  { out, allowed }: { readonly out: string; readonly allowed: readonly string[] },
): CombinedRemovals {
  const found = bases.map((base) => checkRemovals(base, summary, allowed));
  const messages = new Set<string>();
  const gone: Problem[] = [];
  for (const problem of found.flatMap(({ problems }) => problems)) {
    if (messages.has(problem.message)) continue;
    messages.add(problem.message);
    gone.push({ ...problem, file: `${out}/${problem.file}` });
  }
  const isUsed = (name: string) => found.some(({ used }) => used.has(name));
  const idle = found.length === 0 ? [] : [...new Set(allowed)].filter((name) => !isUsed(name));
  const removals = new Map(
    found.flatMap((one) => one.removals).map((one) => [formatRemoval(one), one]),
  );
  return {
    gone,
    removals: [...removals.values()],
    unsure: [...found.flatMap((one) => one.warnings), ...idle.map(idleAllowance)],
  };
}

/** Reports an allowance without effect: the name is misspelled or was removed already. */
function idleAllowance(name: string): Problem {
  const must = '--allow-removal must name a tenant, or tenant/namespace, that disappears';
  const message = `${must}, got ${show(name)}, which does not disappear`;
  return { path: '', message, rule: 'allow-removal' };
}
