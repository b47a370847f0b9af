import { tenantClass as classKind } from '../crds/tenantry/tenantclass.ts';
import type { Problem } from '../kube/problem.ts';
import { claimOf, namespacePath, type TenantClaim } from '../constructs/tenant/claim.ts';
import type { Finding } from '../kube/finding.ts';
import type { Delegation } from '../constructs/tenant/delegation.ts';
import type { DesiredTenant } from '../constructs/tenant/desired.ts';
import type { TenantNetwork } from '../constructs/tenant/connections/network.ts';
import type { HeldException } from '../constructs/tenant/held.ts';
import type { Fleet } from '../constructs/tenant/fleet.ts';
import type { Sink, Source } from '../synth/files.ts';
import { contentHash } from '../synth/output/statindex.ts';
import { DeclarationFiles, type DeclaredClass, type DeclaredTenant } from './declaration-files.ts';
import { misnamed, misplaced, selfDeclared } from './delegated.ts';
import { peerWarnings } from './peer-warnings.ts';
import { ClassDeclarations } from './class-declarations.ts';
import type { PlatformPlace } from './platform-file.ts';
import type { Placed } from './shared-names.ts';
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
  readonly #classes: ClassDeclarations;
  /** The file of each tenant that has a network. */
  readonly #fileOf = new Map<string, string>();
  /** Files of the folder that declarations take in. */
  readonly #included = new Set<string>();
  #told = 0;

  /** @param folder as the user names it: problems begin with it */
  constructor(fleet: Fleet, folder: string, options: TenantFilesOptions = {}) {
    this.#fleet = fleet;
    this.#delegation = options.schemaOnly ? undefined : fleet.platform.delegation;
    this.#files = new DeclarationFiles(folder, this.#delegation);
    this.#classes = new ClassDeclarations(fleet, this.#files, this.#delegation, options.place);
  }

  synthesize(sink: Sink): void {
    const { problems, warnings } = this.#classes;
    for (const problem of [...this.#files.problems, ...problems]) this.#tell(sink, problem);
    for (const warning of warnings) sink.warning(warning);
    for (const { severity, problem } of this.#classes.late()) {
      if (severity === 'error') this.#tell(sink, problem);
      else sink.warning(problem);
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
    const { attribution } = this.#classes;
    const problems = attribution.settle(() => this.#everything(), this.#told > 0);
    for (const problem of problems) this.#tell(sink, problem);
  }

  #tell(sink: Sink, problem: Problem): void {
    this.#told += 1;
    sink.problem(problem);
  }

  *#everything(): Generator<Placed> {
    for (const name of this.#files.names) {
      const file = this.#files.path(name);
      const { declared } = this.#classes.read(name);
      for (const one of declared) yield { file, one };
    }
  }

  /** Something that is said of a class, with its place where the class stands in these files. */
  placed(className: string, finding: Finding): Problem {
    return this.#classes.placed(className, finding);
  }

  /** Whether all tenants of these files were taken in: asked after `synthesize`. */
  get isWhole(): boolean {
    const { hasFollowers } = this.#classes.attribution;
    return this.#told === 0 && !hasFollowers && this.#delegation !== undefined;
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
    const { declared, problems } = this.#classes.read(name);
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
    const { declared } = this.#classes.read(name);
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
      if (one.kind === classKind.kind && !this.#classes.isRead(name)) {
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
    const placed = { file: this.#files.path(place), one };
    const { attribution } = this.#classes;
    const findings = [
      ...undelegated,
      ...desired.findings.filter((found) => !attribution.follows(placed, found)),
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
}
