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
  /** The platform is broken: nothing is known of what it gives. */
  readonly isBroken: boolean;
  /** The classes of files. */
  readonly classes: ReadonlyMap<string, DeclaredClass>;
  /** All files, below the folder of tenants. */
  readonly names: readonly string[];
}

/** See `FindingAttribution.follows`. */
export type Following = 'no' | 'warned' | 'kept';

/**
 * Whose mistake it is: one is told once, where it stands, and what follows from it is not told.
 * Findings of tenants and classes are put to it one by one; what it kept comes when all are known.
 */
export class FindingAttribution {
  readonly #fleet: Fleet;
  readonly #options: AttributionOptions;
  readonly #demands = new ClassRequirements();
  readonly #names: UndefinedNames;
  readonly #misplaced: MisplacedDeclarations;
  /** Problems of tenants that follow from others. */
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

  /** Whether it may be the mistake of the table that a file is where it is. */
  tryDeferMisplaced(misplaced: MisplacedDeclaration): boolean {
    return this.#misplaced.tryDefer(misplaced);
  }

  /** Takes what a class is on its own, and gives the problems and warnings to tell now. */
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
   * Whether a finding of a tenant follows from something that is told elsewhere: not, since the class
   * is warned of it, or since it may turn out so, for which it is kept until all is known.
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

  /** Whether a tenant has no objects for somebody else's mistake. */
  get hasDependentProblems(): boolean {
    return this.#following.length > 0;
  }

  /**
   * What can be said only when all is known.
   * @param everything all that was declared
   * @param hasOtherProblems whether any problem is told. If none is, those that follow are: a tenant with
   * a mistake has no objects, so it must not go by in silence
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

  /** The platform's default class is one that there is; those with mistakes are told elsewhere. */
  #defaultClassFault(): Problem | undefined {
    const { place, isBroken } = this.#options;
    const tenantWithoutClass = { name: '', spec: {} };
    if (!place || isBroken || this.#fleet.isRefused(tenantWithoutClass)) return undefined;
    const klass = this.#fleet.classOf(tenantWithoutClass);
    return 'severity' in klass ? place({ ...klass, path: ['spec', 'defaultClass'] }) : undefined;
  }
}
