import type { Finding } from '../kube/finding.ts';
import type { Problem } from '../kube/problem.ts';
import type { ClassVerdict } from '../constructs/tenant/class-check.ts';
import type { Fleet } from '../constructs/tenant/fleet.ts';
import { ClassRequirements } from './class-demands.ts';
import type { DeclaredClass, DeclaredTenant } from './declaration-files.ts';
import { MisplacedDeclarations, type MisplacedDeclaration } from './misplaced-files.ts';
import type { PlatformPlace } from './platform-file.ts';
import { UndefinedNames, type LocatedDeclaration } from './shared-names.ts';

export interface AttributionOptions {
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
export type Following = 'no' | 'warned' | 'kept';

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
    this.#names = new UndefinedNames({ platform, classes, ...(place && { place }) });
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
    if (this.#fleet.isTold(one, finding) || (ofDefault && this.#options.place)) {
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
    if (!place || isBroken || this.#fleet.isRefused(tenantWithoutClass)) return undefined;
    const klass = this.#fleet.classOf(tenantWithoutClass);
    return 'severity' in klass ? place({ ...klass, path: ['spec', 'defaultClass'] }) : undefined;
  }
}
