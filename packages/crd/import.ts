/** Definitions that others wrote, as TypeScript. */
import { isDeepEqual } from '@tenantry/kube/json';
import { buildRepeatedProblem, CappedProblems, type LocatedDefinition } from './manifests.ts';
import { errorAt } from '@tenantry/kube/finding';
import { show, type Problem } from '@tenantry/kube/problem';
import { validateDefinition } from './validation/validate.ts';
import { renderModule, type ImportedModule } from './import/module.ts';

export { pascal } from './import/identifiers-and-literals.ts';
export type { ImportedModule } from './import/module.ts';

/** A definition and what was imported to find it. */
export interface FoundDefinition {
  readonly located: LocatedDefinition;
  /** The argument of `tenantry crd import`. */
  readonly source: string;
}

export interface ImportResult {
  /** Sorted by path. */
  readonly modules: readonly ImportedModule[];
  /** Definitions that cannot be imported; nothing of them is among `modules`. */
  readonly problems: readonly Problem[];
  /** Definitions at which the import itself broke down; nothing of them is among `modules`. */
  readonly failures: readonly ImportFailure[];
  /** Places where types are wider than they could be, and what the API server would refuse. */
  readonly warnings: readonly Problem[];
}

/** An internal error, at one definition. */
export interface ImportFailure {
  readonly problem: Problem;
  /** The stack trace. */
  readonly error: string;
}

/**
 * The TypeScript of definitions, a module each. One that is found twice counts once; two that differ
 * under one name are a problem. The order of the definitions changes nothing but which of two equal
 * ones is named as the source: the first by file. What is wrong with one keeps no other from being
 * imported.
 */
export function importDefinitions(found: readonly FoundDefinition[]): ImportResult {
  const modules: ImportedModule[] = [];
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const failures: ImportFailure[] = [];
  const seen = new Map<string, LocatedDefinition>();
  const sorted = found.toSorted(
    (a, b) => compare(a.located.file, b.located.file) || compare(a.source, b.source),
  );
  for (const { located, source } of sorted) {
    const { group, names } = located.manifest.spec;
    const key = `${names.plural}.${group}`;
    const first = seen.get(key);
    if (first) {
      if (!isDeepEqual(first.manifest, located.manifest))
        problems.push(buildRepeatedProblem(first, located));
      continue;
    }
    seen.set(key, located);
    try {
      const imported = renderModule(located, source);
      if ('problems' in imported) {
        problems.push(...imported.problems);
        continue;
      }
      warnings.push(...findRefusals(located), ...imported.warnings);
      modules.push(imported);
    } catch (error) {
      failures.push(failureAt(located, error));
    }
  }
  return {
    modules: modules.toSorted((a, b) => compare(a.path, b.path)),
    problems,
    failures,
    warnings,
  };
}

function failureAt(located: LocatedDefinition, error: unknown): ImportFailure {
  const name = show(located.manifest.metadata.name);
  const message = `${name} could not be turned into TypeScript, internal error: ${String(error)}`;
  return {
    problem: located.problem(errorAt([], message, 'internal')),
    error: error instanceof Error ? (error.stack ?? String(error)) : String(error),
  };
}

/**
 * Finds what the API server would refuse. It is imported anyway, because a cluster may have
 * accepted it in the past.
 */
function findRefusals({ manifest, problem }: LocatedDefinition): Problem[] {
  const problems: Problem[] = [];
  const some = new CappedProblems(problem, problems);
  for (const finding of validateDefinition(manifest).errors) {
    const message = `${finding.message} (the API server would refuse it)`;
    some.report({ ...finding, message, severity: 'warning' });
  }
  some.finish();
  return problems;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
