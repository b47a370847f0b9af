import type { Declarations } from '../crds/declarations.ts';
import { tenantClass as classKind } from '../crds/tenant-class.ts';
import type { Delegation } from '../model/delegation.ts';
import type { Fleet } from '../model/fleet.ts';
import { toProblem, type Finding } from '@tenantry/kube/finding';
import type { Problem } from '@tenantry/kube/problem';
import { FindingAttribution } from './attribution.ts';
import type { DeclarationFiles, DeclaredClass, DeclaredTenant } from './declaration-files.ts';
import { checkPlacement, checkTrustedNames } from './delegation.ts';
import type { PlatformPlace } from './platform-file.ts';

/** Rules that need the platform file, since it names the kinds that a class may use and their schemas. */
const NEEDS_PLATFORM: ReadonlySet<string> = new Set(['resource-scope', 'resource-schema']);

/**
 * The TenantClasses of a folder. The constructor reads all of them, adds them to the fleet and
 * validates them, before the first tenant is read.
 */
export class ClassDeclarations {
  readonly #fleet: Fleet;
  readonly #files: DeclarationFiles;
  /** Undefined while the platform has errors. */
  readonly #delegation: Delegation | undefined;
  /** The files that were read for their classes. */
  readonly #read = new Map<string, Declarations<DeclaredTenant | DeclaredClass>>();
  /** The classes by name, without duplicates. */
  readonly #classes = new Map<string, DeclaredClass>();
  readonly #fileOf = new Map<string, string>();
  readonly #origins = new Map<string, string>();
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  /** Attributes problems of classes and tenants to the declaration that causes them. */
  readonly attribution: FindingAttribution;

  constructor(
    fleet: Fleet,
    files: DeclarationFiles,
    delegation: Delegation | undefined,
    place: PlatformPlace | undefined,
  ) {
    this.#fleet = fleet;
    this.#files = files;
    this.#delegation = delegation;
    const isBroken = delegation === undefined;
    this.attribution = new FindingAttribution(fleet, {
      place,
      isBroken,
      classes: this.#classes,
      names: files.names,
    });
    if (files.isPartial) fleet.classes.refuseUnnamed();
    const found = files.names.flatMap((name) => this.#classesIn(name));
    const added = found.filter(({ one, name, refusal }) => !refusal && this.#add(one, name));
    for (const { one, name } of added) if (!isBroken) this.#check(one, name);
    for (const { one, name, refusal } of found) if (refusal) this.#addRefused(one, name, refusal);
  }

  /** The file of a class, as rendered files name it. */
  findOrigin(className: string): string | undefined {
    return this.#origins.get(className);
  }

  get(className: string): DeclaredClass | undefined {
    return this.#classes.get(className);
  }

  /** Whether a file was read for the classes in it. */
  isRead(name: string): boolean {
    return this.#read.has(name);
  }

  /** Returns the declarations in a file of the folder, including tenants. */
  read(name: string): Declarations<DeclaredTenant | DeclaredClass> {
    return this.#read.get(name) ?? this.#files.read(name);
  }

  /** Returns the findings of classes that depend on the classes declared in TypeScript. */
  late(): { readonly severity: Finding['severity']; readonly problem: Problem }[] {
    return [...this.#classes.values()].flatMap((one) => {
      const placed = { file: this.#fileOf.get(one.name)!, one };
      const found = this.attribution.filterClassFindings(
        placed,
        this.#fleet.classes.checkExtension(one.name),
      );
      return this.#known(found).map((finding) => ({
        severity: finding.severity,
        problem: one.problem(finding),
      }));
    });
  }

  /** Converts a finding about a class into a problem that points to its declaration. */
  locateFinding(className: string, finding: Finding): Problem {
    const one = this.#classes.get(className);
    if (one) return one.problem(finding);
    const problem = toProblem(finding);
    return { ...problem, path: `TenantClass ${className} ${problem.path}` };
  }

  #classesIn(name: string) {
    if (!this.#files.mayHoldClass(name)) return [];
    const read = this.#files.read(name);
    this.#read.set(name, read);
    for (const { kind, name: refused } of read.refused) {
      if (kind === classKind.kind) this.#fleet.classes.refuse(refused);
    }
    if (read.problems.some(({ rule }) => rule === 'yaml')) this.#fleet.classes.refuseUnnamed();
    return read.declared
      .filter((one) => one.kind === classKind.kind)
      .map((one) => ({
        one,
        name,
        refusal: this.#delegation && checkPlacement(one, name, this.#delegation),
      }));
  }

  /** Keeps the findings that are reliable even while the platform has errors. */
  #known(findings: readonly Finding[]): readonly Finding[] {
    return findings.filter(({ rule }) => this.#delegation || !NEEDS_PLATFORM.has(rule));
  }

  /** @returns whether the class was added, which a duplicate of another class is not */
  #add(one: DeclaredClass, name: string): boolean {
    const findings = this.#fleet.classes.add(one, { isReported: true });
    for (const finding of this.#known(findings)) this.#report(one, finding);
    const odd = this.#delegation && checkTrustedNames(one, this.#delegation);
    if (odd) this.warnings.push(one.problem(odd));
    if (findings.some(({ rule }) => rule === 'duplicate-class')) return false;
    this.#classes.set(one.name, one);
    this.#fileOf.set(one.name, this.#files.path(name));
    this.#origins.set(one.name, this.#files.displayPath(name));
    return true;
  }

  /** Validates a class, so that its mistakes are reported at the class and not at each of its tenants. */
  #check(one: DeclaredClass, name: string): void {
    const placed = { file: this.#files.path(name), one };
    const findings = this.attribution.filterClassFindings(
      placed,
      this.#fleet.classes.check(one.name),
    );
    for (const finding of findings) this.#report(one, finding);
  }

  /**
   * Adds a refused class last, so that it never takes the name of an accepted one. Tenants that
   * choose it then have no further problem.
   */
  #addRefused(one: DeclaredClass, name: string, finding: Finding): void {
    const problem = one.problem(finding);
    if (!this.attribution.tryDeferMisplaced({ name, finding, problem }))
      this.problems.push(problem);
    this.#fleet.classes.add(one);
  }

  #report(one: DeclaredClass, finding: Finding): void {
    const list = finding.severity === 'warning' ? this.warnings : this.problems;
    list.push(one.problem(finding));
  }
}
