import type { Declarations } from '../crds/tenantry/declarations.ts';
import { tenantClass as classKind } from '../crds/tenantry/tenantclass.ts';
import { listed, nearest, show, type Problem } from '../kube/problem.ts';
import { claimOf, namespacePath, type TenantClaim } from '../constructs/tenant/claim.ts';
import { errorAt, problemOf, type Finding } from '../kube/finding.ts';
import type { Delegation } from '../constructs/tenant/delegation.ts';
import type { DesiredTenant } from '../constructs/tenant/desired.ts';
import type { TenantNetwork } from '../constructs/tenant/connections/network.ts';
import type { HeldException } from '../constructs/tenant/held.ts';
import type { Fleet } from '../constructs/tenant/fleet.ts';
import { maySpell } from '../kube/yaml/read.ts';
import type { Sink, Source } from '../synth/files.ts';
import { contentHash } from '../synth/output/statindex.ts';
import { DeclarationFiles, type DeclaredClass, type DeclaredTenant } from './declaration-files.ts';
import { misnamed, misplaced, selfDeclared, unguarded } from './delegated.ts';
import { peerWarnings } from './peer-warnings.ts';
import { ClassDemands } from './class-demands.ts';
import type { PlatformPlace } from './platform-file.ts';
import { SharedNames, type Placed } from './shared-names.ts';
import { filesOf, placesOf } from './tenant-output.ts';

/** What is remembered of an input file between runs: what the rest of the fleet asks of it. */
interface FileFacts {
  readonly tenants: readonly TenantClaim[];
  readonly networks: readonly TenantNetwork[];
  /** What the classes let them have besides. */
  readonly exceptions: readonly HeldException[];
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

export interface TenantFilesOptions {
  /** Where the platform says something. Default: there is no platform file */
  readonly place?: PlatformPlace;
  /** Asks no rule that needs the platform, since that is broken. Default: false */
  readonly schemaOnly?: boolean;
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
  readonly #demands = new ClassDemands();
  readonly #names: SharedNames;
  readonly #place: PlatformPlace | undefined;
  /** Those of files that are the only ones of their names. */
  readonly #classes = new Map<string, DeclaredClass>();
  /** Problems of tenants that follow from others. */
  readonly #following: Problem[] = [];
  /** Files of the folder that declarations take in. */
  readonly #included = new Set<string>();
  #told = 0;

  /** @param folder as the user names it: problems begin with it */
  constructor(fleet: Fleet, folder: string, options: TenantFilesOptions = {}) {
    this.#fleet = fleet;
    this.#place = options.place;
    const { place, schemaOnly } = options;
    const { platform } = fleet;
    const givers = place && { platform, place, classes: this.#classes };
    this.#names = new SharedNames(schemaOnly ? undefined : givers);
    this.#delegation = options.schemaOnly ? undefined : fleet.platform.delegation;
    this.#files = new DeclarationFiles(folder, this.#delegation);
    this.#problems = [...this.#files.problems];
    if (this.#files.isPartial) fleet.refuseClass();
    const found = this.#files.names.flatMap((name) => this.#classesIn(name));
    const added = found.filter(({ one, refusal }) => !refusal && this.#addClass(one));
    for (const { one, name } of added) if (this.#delegation) this.#checkClass(one, name);
    for (const { one, refusal } of found) if (refusal) this.#addRefused(one, refusal);
  }

  synthesize(sink: Sink): void {
    for (const problem of this.#problems) this.#tell(sink, problem);
    for (const warning of this.#warnings) sink.warning(warning);
    for (const one of this.#classes.values()) {
      for (const finding of this.#known(this.#fleet.extendingFindings(one.name))) {
        if (finding.severity === 'error') this.#tell(sink, one.problem(finding));
        else sink.warning(one.problem(finding));
      }
    }
    const environment = sink.remembers ? this.#environment() : '';
    this.#files.names.forEach((name, i, names) => {
      sink.progress(i, names.length);
      const key = sink.remembers ? this.#key(name, environment) : undefined;
      if (key !== undefined && this.#reuse(sink, name, key)) return;
      this.#render(sink, name, key);
    });
    this.#tellUnread(sink);
    this.#settle(sink);
    this.#warnOfPeers(sink);
  }

  /** What can be said only when all files are known. */
  #settle(sink: Sink): void {
    const fault = this.#defaultClassFault();
    const problems = [
      ...(fault ? [fault] : []),
      ...this.#names.settle(() => this.#everything()),
      ...this.#demands.settle(),
    ];
    for (const problem of problems) this.#tell(sink, problem);
    // A tenant with a mistake has no objects, so it must not go by in silence.
    if (this.#told > 0) return;
    for (const problem of this.#following) sink.problem(problem);
  }

  #tell(sink: Sink, problem: Problem): void {
    this.#told += 1;
    sink.problem(problem);
  }

  /** The platform's default class is one that there is; those with mistakes are told elsewhere. */
  #defaultClassFault(): Problem | undefined {
    const { platform, classes } = this.#fleet;
    const name = platform.defaultClass;
    const known = classes.map((klass) => klass.name);
    if (!this.#place || !this.#delegation || known.includes(name)) return undefined;
    if (this.#fleet.isRefused({ name: '', spec: {} })) return undefined;
    const meant = nearest(name, known);
    const hint = meant === undefined ? '' : `; did you mean ${show(meant)}?`;
    const message = `must be a declared TenantClass (${listed(known) || 'there is none'}), got ${show(name)}${hint}`;
    return this.#place(errorAt(['spec', 'defaultClass'], message, 'class'));
  }

  *#everything(): Generator<Placed> {
    for (const name of this.#files.names) {
      const file = this.#files.path(name);
      const { declared } = this.#read.get(name) ?? this.#files.read(name);
      for (const one of declared) yield { file, one };
    }
  }

  /** Something that is said of a class, with its place where the class stands in these files. */
  placed(className: string, finding: Finding): Problem {
    const one = this.#classes.get(className);
    if (one) return one.problem(finding);
    const problem = problemOf(finding);
    return { ...problem, path: `TenantClass ${className} ${problem.path}` };
  }

  /** Whether all tenants of these files were taken in: asked after `synthesize`. */
  get isWhole(): boolean {
    return this.#told === 0 && this.#following.length === 0 && this.#delegation !== undefined;
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
      .map((one) => ({ one, name, refusal: this.#misplaced(one, name) }));
  }

  /** What can be known of a class while the platform is broken. */
  #known(findings: readonly Finding[]): readonly Finding[] {
    return findings.filter(({ rule }) => this.#delegation || rule !== NEEDS_PLATFORM);
  }

  /** @returns whether it is the class of its name */
  #addClass(one: DeclaredClass): boolean {
    const findings = this.#fleet.addClass(one);
    this.#fleet.reportClass(one.name);
    for (const finding of this.#known(findings)) {
      const told = finding.severity === 'error' ? this.#problems : this.#warnings;
      told.push(one.problem(finding));
    }
    const odd = this.#delegation && unguarded(one, this.#delegation);
    if (odd) this.#warnings.push(one.problem(odd));
    if (findings.some(({ rule }) => rule === 'duplicate-class')) return false;
    this.#classes.set(one.name, one);
    return true;
  }

  /** What is wrong with a class is told of it, and not of each tenant that chooses it. */
  #checkClass(one: DeclaredClass, name: string): void {
    const verdict = this.#fleet.checkClass(one);
    this.#demands.add(one, verdict);
    for (const finding of verdict.findings) {
      if (finding.severity === 'warning') this.#warnings.push(one.problem(finding));
      else if (!this.#names.withholds({ file: this.#files.path(name), one }, finding)) {
        this.#problems.push(one.problem(finding));
      }
    }
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
    this.#noteIncludes(facts.includes.map(([path]) => path));
    const { exceptions } = facts;
    for (const claim of facts.tenants) {
      const held = exceptions.filter(({ tenant }) => tenant === claim.name);
      this.#fleet.claim(claim, this.#files.path(name), held);
    }
    for (const network of facts.networks) this.#takeNetwork(network, name);
    return true;
  }

  #render(sink: Sink, name: string, key: string | undefined): void {
    const { declared, problems } = this.#read.get(name) ?? this.#files.read(name);
    const tenants = this.#tenantsAmong(declared, name);
    const outcomes = tenants.map((one) => this.#outcome(one, name));
    const isEmpty = declared.length + problems.length === 0;
    const warnings = [
      ...(isEmpty ? [this.#emptiness(name)] : []),
      ...outcomes.flatMap((outcome) => outcome.warnings),
    ];
    this.#noteIncludes(
      declared.flatMap((one) => one.files.map((path) => this.#files.included(name, path))),
    );
    const rendered = outcomes.flatMap(({ desired }) => desired ?? []);
    for (const problem of problems) this.#tell(sink, problem);
    for (const one of outcomes) for (const problem of one.problems) this.#tell(sink, problem);
    for (const warning of warnings) sink.warning(warning);
    const networks = tenants.flatMap((one) => this.#fleet.networks.of(one.name) ?? []);
    for (const network of networks) this.#takeNetwork(network, name);
    const facts: FileFacts = {
      tenants: tenants.map(claimOf),
      networks,
      exceptions: tenants.flatMap((one) => this.#fleet.exceptions(one.name)),
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
    if (!this.isWhole) return;
    const warnings = peerWarnings(this.#fleet, {
      tenant: (name) => this.#declaredTenant(name),
      class: (name) => this.#classes.get(name),
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

  /** A file that says nothing may have said something once. */
  #emptiness(name: string): Problem {
    const message =
      'must declare something, got nothing but blank lines and comments: remove the file, if that is meant';
    return { file: this.#files.path(name), path: '', message, rule: 'empty-file' };
  }

  #noteIncludes(names: readonly string[]): void {
    for (const name of names) this.#included.add(name);
  }

  /** Files that look like declarations, and are none: what stands in them would be missed. */
  #tellUnread(sink: Sink): void {
    for (const name of this.#files.unread) {
      if (this.#included.has(name)) continue;
      const { problem, warning } = this.#files.unreadFault(name);
      if (problem) this.#tell(sink, problem);
      if (warning) sink.warning(warning);
    }
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
      ...desired.findings.filter((found) => !this.#follows(one, place, found)),
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

  /** Whether a finding follows from a mistake that is told elsewhere, or may turn out to. */
  #follows(one: DeclaredTenant, place: string, finding: Finding): boolean {
    const klass = one.spec.className ?? this.#fleet.platform.defaultClass;
    const ofDefault = finding.rule === 'class' && one.spec.className === undefined;
    if (this.#fleet.isTold(one, finding) || (ofDefault && this.#place)) {
      this.#following.push(one.problem(finding));
      return true;
    }
    const file = this.#files.path(place);
    return (
      this.#demands.isWarned(klass, finding) ||
      this.#names.withholds({ file, one }, finding) ||
      this.#demands.withholds(one, klass, finding)
    );
  }
}
