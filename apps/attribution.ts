import { type Finding, errorAt } from '@tenantry/kube/finding';
import { omitUndefined } from '@tenantry/kube/mapping';
import { type Problem, formatList } from '@tenantry/kube/problem';
import type { ClassVerdict } from '../model/class-check.ts';
import type { Fleet } from '../model/fleet.ts';
import type { DeclaredClass, DeclaredTenant } from './declaration-files.ts';
import { MisplacedDeclarations, type MisplacedDeclaration } from './delegation.ts';
import type { PlatformPlace } from './platform-file.ts';
import { UndefinedNames, type LocatedDeclaration } from './undefined-names.ts';

interface AttributionOptions {
  /** Undefined where there is no platform file. */
  readonly place: PlatformPlace | undefined;
  /** Whether the platform file has errors; what it defines is then unknown. */
  readonly isBroken: boolean;
  /** The classes that are declared in files. */
  readonly classes: ReadonlyMap<string, DeclaredClass>;
  /** The paths of all files, relative to the folder of tenants. */
  readonly names: readonly string[];
}

/** Whether a finding is independent (`no`), replaced by a warning about the class, or deferred. */
type Following = 'no' | 'warned' | 'kept';

/**
 * Reports each mistake once, where it was made, and suppresses the findings that follow from it.
 * The caller passes in the findings of tenants and classes one by one. `flush` returns the deferred
 * ones when all declarations are known.
 */
export class FindingAttribution {
  readonly #fleet: Fleet;
  readonly #options: AttributionOptions;
  readonly #demands = new ClassRequirements();
  readonly #names: UndefinedNames;
  readonly #misplaced: MisplacedDeclarations;
  /** Problems of tenants that follow from other problems. */
  readonly #following: Problem[] = [];

  constructor(fleet: Fleet, options: AttributionOptions) {
    this.#fleet = fleet;
    this.#options = options;
    const { platform } = fleet;
    const { place, classes } = options;
    const { delegation } = platform;
    this.#names = new UndefinedNames(omitUndefined({ platform, classes, place }));
    const table = place && delegation.isGiven ? { delegation, place } : undefined;
    this.#misplaced = new MisplacedDeclarations(table);
  }

  /** Defers a misplaced file if the delegation table may be at fault; returns whether it did. */
  tryDeferMisplaced(misplaced: MisplacedDeclaration): boolean {
    return this.#misplaced.tryDefer(misplaced);
  }

  /** Registers the verdict on a class and returns the findings to report now. */
  filterClassFindings(
    placed: LocatedDeclaration & { readonly one: DeclaredClass },
    verdict: ClassVerdict,
  ): Finding[] {
    this.#demands.add(placed.one, verdict);
    return verdict.findings.filter(
      (finding) => finding.severity !== 'error' || !this.#names.tryDefer(placed, finding),
    );
  }

  /**
   * Classifies a finding of a tenant: independent, covered by a warning about the class, or
   * deferred. A finding that may follow from another one is deferred until all declarations are
   * known.
   */
  classifyTenantFinding(
    { file, one }: LocatedDeclaration & { readonly one: DeclaredTenant },
    finding: Finding,
  ): Following {
    const klass = one.spec.className ?? this.#fleet.platform.defaultClass;
    const ofDefault = finding.rule === 'class' && one.spec.className === undefined;
    if (this.#fleet.classes.isReported(one, finding) || (ofDefault && this.#options.place)) {
      this.#following.push(one.problem(finding));
      return 'kept';
    }
    if (this.#demands.isWarned(klass, finding)) return 'warned';
    const isKept =
      this.#names.tryDefer({ file, one }, finding) || this.#demands.tryDefer(one, klass, finding);
    return isKept ? 'kept' : 'no';
  }

  /** Whether some tenant has no objects because of a mistake elsewhere. */
  get hasDependentProblems(): boolean {
    return this.#following.length > 0;
  }

  /**
   * Returns the problems that can be attributed only when all declarations are known.
   * @param everything all declarations
   * @param hasOtherProblems whether any problem was reported. If none was, this returns the
   * problems that follow from others too: a tenant with a mistake has no objects, and that must be
   * reported
   */
  flush(everything: () => Iterable<LocatedDeclaration>, hasOtherProblems: boolean): Problem[] {
    const fault = this.#defaultClassFault();
    const problems = [
      ...(fault ? [fault] : []),
      ...this.#misplaced.flush(this.#options.names),
      ...this.#names.flush(everything),
      ...this.#demands.flush(),
    ];
    return problems.length > 0 || hasOtherProblems ? problems : this.#following;
  }

  /** Reports a default class that does not exist. Mistakes inside the class are reported elsewhere. */
  #defaultClassFault(): Problem | undefined {
    const { place, isBroken } = this.#options;
    const tenantWithoutClass = { name: '', spec: {} };
    if (!place || isBroken || this.#fleet.classes.isUnusable(tenantWithoutClass)) return undefined;
    const klass = this.#fleet.classes.resolve(tenantWithoutClass);
    return 'severity' in klass ? place({ ...klass, path: ['spec', 'defaultClass'] }) : undefined;
  }
}

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
class ClassRequirements {
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
      severity === 'warning' &&
      about?.isImplicit === true &&
      this.#warned.has(keyOf(klass, finding))
    );
  }

  /** Defers a finding of a tenant that follows from its class; returns whether it did. */
  tryDefer(tenant: DeclaredTenant, klass: string, finding: Finding): boolean {
    if (finding.severity !== 'error' || finding.about?.isImplicit !== true) return false;
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
