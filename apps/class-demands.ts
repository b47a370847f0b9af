import { errorAt, type Finding } from '../kube/finding.ts';
import { formatList, type Problem } from '../kube/problem.ts';
import type { ClassVerdict } from '../constructs/tenant/class-check.ts';
import type { DeclaredClass, DeclaredTenant } from './declaration-files.ts';

/** A class requirement that tenants with defaults do not meet, and the problems of those tenants. */
interface Demand {
  readonly klass: DeclaredClass;
  readonly finding: Finding;
  readonly tenants: string[];
  readonly problems: Problem[];
}

/**
 * Collects what classes refuse of tenants that keep the defaults, such as a ceiling below a
 * built-in default. A single tenant gets the problem itself, since it may only lack a setting. If
 * several tenants have it, it is reported once, at the class.
 */
export class ClassRequirements {
  /** By class, rule and setting. */
  readonly #demands = new Map<string, Demand>();
  readonly #warned = new Set<string>();

  add(klass: DeclaredClass, { findings, demands, inherited }: ClassVerdict): void {
    for (const finding of findings.filter(({ severity }) => severity === 'warning')) {
      this.#warned.add(keyOf(klass.name, finding));
    }
    for (const finding of demands.filter(({ severity }) => severity === 'error')) {
      const key = keyOf(klass.name, finding);
      if (!this.#demands.has(key)) {
        this.#demands.set(key, { klass, finding, tenants: [], problems: [] });
      }
    }
    for (const finding of inherited) this.#inherit(klass, finding);
  }

  /** Copies to a class the findings of the class that it extends. */
  #inherit({ name, spec }: DeclaredClass, finding: Finding): void {
    if (finding.severity === 'warning') this.#warned.add(keyOf(name, finding));
    const demand = this.#demands.get(keyOf(spec.extends ?? '', finding));
    if (demand) this.#demands.set(keyOf(name, finding), demand);
  }

  /** Whether a finding of a tenant repeats a warning that is reported at its class. */
  isWarned(klass: string, finding: Finding): boolean {
    const { severity, about } = finding;
    return (
      severity === 'warning' && about?.isUnsaid === true && this.#warned.has(keyOf(klass, finding))
    );
  }

  /** Defers a finding of a tenant that follows from its class; returns whether it did. */
  tryDefer(tenant: DeclaredTenant, klass: string, finding: Finding): boolean {
    if (finding.severity !== 'error' || finding.about?.isUnsaid !== true) return false;
    const demand = this.#demands.get(keyOf(klass, finding));
    if (!demand) return false;
    if (!demand.tenants.includes(tenant.name)) demand.tenants.push(tenant.name);
    demand.problems.push(tenant.problem(finding));
    return true;
  }

  flush(): Problem[] {
    return [...new Set(this.#demands.values())].flatMap(({ klass, finding, tenants, problems }) => {
      if (tenants.length < 2) return problems;
      const { path, message, rule } = finding;
      const must = 'must fit the defaults of the class, or be met by each tenant';
      const got = `${tenants.length} tenants that do not set it (${formatList(tenants)})`;
      return [klass.problem(errorAt(path, `${must}, got ${got}: ${message}`, rule))];
    });
  }
}

/** Identifies a requirement by class, rule and setting, independent of the tenant. */
function keyOf(klass: string, { rule, about }: Finding): string {
  return JSON.stringify([klass, rule, about?.setting]);
}
