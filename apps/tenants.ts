import type { Declarations } from '../crds/tenantry/declarations.ts';
import { tenantClass as classKind } from '../crds/tenantry/tenantclass.ts';
import type { Problem } from '../kube/problem.ts';
import { claimOf, namespacePath, type TenantClaim } from '../constructs/tenant/claim.ts';
import type { Finding } from '../kube/finding.ts';
import type { Delegation } from '../constructs/tenant/delegation.ts';
import type { DesiredTenant } from '../constructs/tenant/desired.ts';
import type { TenantNetwork } from '../constructs/tenant/connections/network.ts';
import type { Fleet } from '../constructs/tenant/fleet.ts';
import { OF_CLASS } from '../constructs/tenant/layers/resources.ts';
import { maySpell } from '../kube/yaml/read.ts';
import type { Sink, Source } from '../synth/files.ts';
import { contentHash } from '../synth/output/statindex.ts';
import { DeclarationFiles, type DeclaredClass, type DeclaredTenant } from './declaration-files.ts';
import { misnamed, misplaced, selfDeclared, unguarded } from './delegated.ts';
import { peerWarnings } from './peer-warnings.ts';
import { filesOf, placesOf } from './tenant-output.ts';

/** What is remembered of an input file between runs: what the rest of the fleet asks of it. */
interface FileFacts {
  readonly tenants: readonly TenantClaim[];
  readonly networks: readonly TenantNetwork[];
  readonly warnings: readonly Problem[];
  /** Files that it names, below the folder, with the hash of their content. */
  readonly includes: readonly (readonly [path: string, hash: string])[];
}

/** The kinds that a class may use are named in the platform file too. */
const NEEDS_PLATFORM = 'resource-scope';

/** What came of a Tenant in a file. */
interface Outcome {
  /** Absent for one that its folder may not declare as it is. */
  readonly desired?: DesiredTenant;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/**
 * The Tenants and TenantClasses of a folder, in any number of files: every .yaml and .yml file
 * below it, except in folders named `resources`, which hold what declarations include. Classes are
 * known to the fleet as soon as this is made; tenants are read, checked and rendered file by file.
 * What a file may declare and include is the platform's to say (`spec.delegation`).
 */
export class TenantFiles implements Source {
  readonly #fleet: Fleet;
  readonly #files: DeclarationFiles;
  /** Nobody knows while the platform is broken. */
  readonly #delegation: Delegation | undefined;
  /** Those that were read for their classes. */
  readonly #read = new Map<string, Declarations<DeclaredTenant | DeclaredClass>>();
  readonly #problems: Problem[];
  readonly #warnings: Problem[] = [];
  /** The file of each tenant that has a network. */
  readonly #fileOf = new Map<string, string>();
  readonly #declaredClasses = new Map<string, DeclaredClass>();
  /** Whether all that is in the files has been understood so far. */
  #isWhole = true;

  /**
   * @param folder as the user names it: problems begin with it
   * @param options.schemaOnly asks no rule that needs the platform, since that is broken. Default: false
   */
  constructor(fleet: Fleet, folder: string, options: { readonly schemaOnly?: boolean } = {}) {
    this.#fleet = fleet;
    this.#delegation = options.schemaOnly ? undefined : fleet.platform.delegation;
    this.#files = new DeclarationFiles(folder, this.#delegation);
    this.#problems = [...this.#files.problems];
    const found = this.#files.names.flatMap((name) => this.#classesIn(name));
    for (const { one, refusal } of found) if (!refusal) this.#addClass(one);
    for (const { one, refusal } of found) if (refusal) this.#addRefused(one, refusal);
  }

  synthesize(sink: Sink): void {
    for (const problem of this.#problems) sink.problem(problem);
    for (const warning of this.#warnings) sink.warning(warning);
    const environment = sink.remembers ? this.#environment() : '';
    this.#files.names.forEach((name, i, names) => {
      sink.progress(i, names.length);
      const key = sink.remembers ? this.#key(name, environment) : undefined;
      if (key !== undefined && this.#reuse(sink, name, key)) return;
      this.#render(sink, name, key);
    });
    this.#warnOfPeers(sink);
  }

  #classesIn(name: string) {
    if (!maySpell(this.#files.text(name), classKind.kind)) return [];
    const read = this.#files.read(name);
    this.#read.set(name, read);
    for (const { kind, name: refused } of read.refused) {
      if (kind === classKind.kind) this.#fleet.refuseClass(refused);
    }
    if (read.problems.some(({ rule }) => rule === 'yaml')) this.#fleet.refuseClass();
    return read.declared
      .filter((one) => one.kind === classKind.kind)
      .map((one) => ({ one, refusal: this.#misplaced(one, name) }));
  }

  #addClass(one: DeclaredClass): void {
    this.#declaredClasses.set(one.name, one);
    for (const finding of this.#fleet.addClass(one)) {
      if (!this.#delegation && finding.rule === NEEDS_PLATFORM) continue;
      const told = finding.severity === 'error' ? this.#problems : this.#warnings;
      told.push(one.problem(finding));
    }
    const odd = this.#delegation && unguarded(one, this.#delegation);
    if (odd) this.#warnings.push(one.problem(odd));
  }

  /**
   * It takes the name from no class that may be there, and whoever chooses it has no problem
   * besides.
   */
  #addRefused(one: DeclaredClass, refusal: Finding): void {
    this.#problems.push(one.problem(refusal));
    this.#fleet.addClass(one);
  }

  /** What must not stand where it stands. */
  #misplaced(one: DeclaredTenant | DeclaredClass, place: string): Finding | undefined {
    return this.#delegation && misplaced(one, place, this.#delegation);
  }

  /** Everything besides a file itself that its output depends on. */
  #environment(): string {
    const { platform, classes } = this.#fleet;
    return contentHash(JSON.stringify([platform, [...platform.kinds], classes]));
  }

  #key(name: string, environment: string): string {
    return contentHash(`${environment} ${this.#files.path(name)} ${this.#files.text(name)}`);
  }

  #reuse(sink: Sink, name: string, key: string): boolean {
    const facts = sink.recall(key) as FileFacts | undefined;
    if (!facts?.includes.every(([path, hash]) => this.#hashOf(sink, path) === hash)) return false;
    if (facts.tenants.some((claim) => this.#fleet.isTaken(claim))) return false;
    if (!sink.reuse(key)) return false;
    for (const warning of facts.warnings) sink.warning(warning);
    for (const claim of facts.tenants) this.#fleet.claim(claim, this.#files.path(name));
    for (const network of facts.networks) this.#takeNetwork(network, name);
    return true;
  }

  #render(sink: Sink, name: string, key: string | undefined): void {
    const { declared, problems } = this.#read.get(name) ?? this.#files.read(name);
    const tenants = this.#tenantsAmong(declared, name);
    const outcomes = tenants.map((one) => this.#outcome(one, name));
    const warnings = outcomes.flatMap((outcome) => outcome.warnings);
    const rendered = outcomes.flatMap(({ desired }) => desired ?? []);
    for (const problem of problems) sink.problem(problem);
    for (const problem of outcomes.flatMap((outcome) => outcome.problems)) sink.problem(problem);
    for (const warning of warnings) sink.warning(warning);
    const networks = tenants.flatMap((one) => this.#fleet.networks.of(one.name) ?? []);
    for (const network of networks) this.#takeNetwork(network, name);
    if (problems.length > 0 || outcomes.some((one) => one.problems.length > 0)) {
      this.#isWhole = false;
    }
    const facts: FileFacts = {
      tenants: tenants.map(claimOf),
      networks,
      warnings,
      includes: sink.remembers ? declared.flatMap((one) => this.#includes(sink, name, one)) : [],
    };
    sink.add({
      id: this.#files.path(name),
      ...(key !== undefined && { key }),
      files: filesOf(rendered),
      namespaces: rendered.flatMap(placesOf),
      facts,
    });
  }

  #takeNetwork(network: TenantNetwork, name: string): void {
    this.#fleet.networks.put(network);
    this.#fileOf.set(network.name, name);
  }

  /** Not asked while something is broken: whoever is in it would be missed by all others. */
  #warnOfPeers(sink: Sink): void {
    if (!this.#isWhole || this.#problems.length > 0 || !this.#delegation) return;
    const warnings = peerWarnings(this.#fleet, {
      tenant: (name) => this.#declaredTenant(name),
      class: (name) => this.#declaredClasses.get(name),
    });
    for (const warning of warnings) sink.warning(warning);
  }

  #declaredTenant(tenant: string): DeclaredTenant | undefined {
    const name = this.#fileOf.get(tenant);
    if (name === undefined) return undefined;
    const { declared } = this.#read.get(name) ?? this.#files.read(name);
    for (const one of declared) {
      if (one.kind !== classKind.kind && one.name === tenant) return one;
    }
    return undefined;
  }

  /** Those to which the rules can be applied. */
  #tenantsAmong(declared: readonly (DeclaredTenant | DeclaredClass)[], name: string) {
    const tenants: DeclaredTenant[] = [];
    for (const one of declared) {
      if (one.kind === classKind.kind && !this.#read.has(name)) {
        const file = this.#files.path(name);
        throw new Error(`${file} holds the TenantClass ${one.name}, which nobody has looked at`);
      }
      if (one.kind !== classKind.kind && this.#delegation) tenants.push(one);
    }
    return tenants;
  }

  #includes(sink: Sink, name: string, one: DeclaredTenant | DeclaredClass): [string, string][] {
    return one.files.map((path) => {
      const include = this.#files.included(name, path);
      return [include, this.#hashOf(sink, include)];
    });
  }

  #hashOf(sink: Sink, name: string): string {
    return (this.#files.has(name) && sink.hashOf(this.#files.path(name))) || '';
  }

  /** One that must not stand where it stands takes no names. */
  #outcome(one: DeclaredTenant, place: string): Outcome {
    const refusal = this.#misplaced(one, place);
    const desired = refusal
      ? this.#fleet.desired(one)
      : this.#fleet.add(one, this.#files.path(place));
    const undelegated = refusal ? [refusal] : this.#undelegated(one, place);
    const findings = [
      ...undelegated,
      ...desired.findings.filter((found) => !this.#isTold(one, found)),
    ];
    const problemsOf = (severity: Finding['severity']): Problem[] =>
      findings.filter((found) => found.severity === severity).map((found) => one.problem(found));
    return {
      problems: problemsOf('error'),
      warnings: problemsOf('warning'),
      ...(undelegated.length === 0 && { desired }),
    };
  }

  /** Names and labels that the folder may not give. */
  #undelegated(one: DeclaredTenant, place: string): Finding[] {
    if (!this.#delegation) return [];
    const at = (namespace: string) => namespacePath(one, namespace);
    return [
      ...misnamed(claimOf(one).namespaces, at, place, this.#delegation),
      ...selfDeclared(one, this.#fleet.classes, place, this.#delegation),
    ];
  }

  /** Whether a finding is about a class that has a problem where it stands. */
  #isTold(one: DeclaredTenant, { rule }: Finding): boolean {
    if (rule === OF_CLASS) return this.#fleet.isFaulty(one);
    return rule === 'class' && this.#fleet.isRefused(one);
  }
}
