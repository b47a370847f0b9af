import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readDeclarations, type Declared } from '../crds/tenantry/declarations.ts';
import { show, type Problem } from '../kube/problem.ts';
import { tenant as tenantKind } from '../crds/tenantry/tenant.ts';
import { tenantClass as classKind } from '../crds/tenantry/tenantclass.ts';
import type { Finding, TenantDeclaration } from '../constructs/tenant/declaration.ts';
import { governing, mayInclude } from '../constructs/tenant/delegation.ts';
import { claimOf, desired, type DesiredTenant } from '../constructs/tenant/desired.ts';
import type { Fleet, TenantClaim } from '../constructs/tenant/fleet.ts';
import { namespaceName } from '../constructs/tenant/resolve.ts';
import type { Sink, Source } from '../synth/files.ts';
import { contentHash } from '../synth/output/statindex.ts';
import { isRefused, readFolder, type DeclarationFolder } from './declaration-folder.ts';
import { misnamed, misplaced, selfDeclared, unguarded } from './delegated.ts';
import { filesOf, placesOf } from './tenant-output.ts';

/** What is remembered of an input file between runs: what the rest of the fleet asks of it. */
interface FileFacts {
  readonly tenants: readonly TenantClaim[];
  readonly warnings: readonly Problem[];
  /** Files that it names, below the folder, with the hash of their content. */
  readonly includes: readonly (readonly [path: string, hash: string])[];
}

interface InputFile {
  /** As problems say it. */
  readonly name: string;
  readonly text: string;
}

const kinds = [tenantKind, classKind];

/**
 * The Tenants and TenantClasses of a folder, in any number of files: every .yaml and .yml file
 * below it, except in folders named `resources`, which hold what declarations include. Classes are
 * known to the fleet as soon as this is made; tenants are read, checked and rendered file by file.
 * What a file may declare and include is the platform's to say (`spec.delegation`).
 */
export class TenantFiles implements Source {
  readonly #fleet: Fleet;
  readonly #folder: string;
  readonly #content: DeclarationFolder;
  readonly #schemaOnly: boolean;
  readonly #classFiles = new Map<
    string,
    { declared: readonly Declared[]; problems: readonly Problem[] }
  >();
  /** In the order of their names. */
  readonly #texts = new Map<string, string>();
  readonly #problems: Problem[] = [];
  readonly #warnings: Problem[] = [];

  /**
   * @param folder as the user names it: problems begin with it
   * @param options.schemaOnly asks no rule that needs the platform, since that is broken. Default: false
   */
  constructor(fleet: Fleet, folder: string, options: { readonly schemaOnly?: boolean } = {}) {
    this.#fleet = fleet;
    this.#schemaOnly = options.schemaOnly ?? false;
    this.#folder = folder;
    this.#content = readFolder(folder);
    this.#problems.push(...this.#content.problems.values());
    const found = this.#content.declarations.flatMap((name) => this.#classesIn(name));
    for (const { one, refusal } of found) if (!refusal) this.#addClass(one);
    for (const { one, refusal } of found) if (refusal) this.#addRefused(one, refusal);
  }

  synthesize(sink: Sink): void {
    for (const problem of this.#problems) sink.problem(problem);
    for (const warning of this.#warnings) sink.warning(warning);
    const environment = sink.remembers ? this.#environment() : '';
    [...this.#texts.keys()].forEach((name, i, names) => {
      sink.progress(i, names.length);
      const key = sink.remembers ? this.#key(name, environment) : undefined;
      if (key !== undefined && this.#reuse(sink, name, key)) return;
      this.#render(sink, name, key);
    });
  }

  #classesIn(name: string): { readonly one: Declared; readonly refusal: Finding | undefined }[] {
    const text = this.#textOf(name);
    if (text === undefined) return [];
    this.#texts.set(name, text);
    if (!mayHoldClass(text)) return [];
    const read = this.#read({ name, text });
    this.#classFiles.set(name, read);
    const refused = read.refused.filter(({ kind }) => kind === classKind.kind);
    for (const { name } of refused) this.#fleet.refuseClass(name);
    if (read.problems.some(({ rule }) => rule === 'yaml')) this.#fleet.refuseClass();
    return read.declared
      .filter(({ kind }) => kind === classKind.kind)
      .map((one) => ({ one, refusal: this.#refusal(one, name) }));
  }

  #addClass(one: Declared): void {
    const taken = this.#fleet.addClass(one);
    if (taken) this.#problems.push(one.problem(taken.path, taken.message, taken.rule));
    if (this.#schemaOnly) return;
    const odd = unguarded(one, this.#fleet.platform.delegation);
    if (odd) this.#warnings.push(one.problem(odd.path, odd.message, odd.rule));
  }

  /** It takes the name of none that may be there, and who chooses it has no problem besides. */
  #addRefused(one: Declared, { path, message, rule }: Finding): void {
    this.#problems.push(one.problem(path, message, rule));
    this.#fleet.addClass(one);
  }

  #textOf(name: string): string | undefined {
    const file = join(this.#folder, name);
    try {
      return readFileSync(file, 'utf8');
    } catch (cause) {
      const message = `must be readable, got ${(cause as Error).message}`;
      this.#problems.push({ file, path: '', message, rule: 'file' });
      return undefined;
    }
  }

  #read({ name, text }: InputFile) {
    const file = join(this.#folder, name);
    return readDeclarations(file, text, kinds, (path) => this.#includeText(name, path));
  }

  /** What must not stand where it stands; nobody knows while the platform is broken. */
  #refusal(one: Declared, name: string): Finding | undefined {
    return this.#schemaOnly ? undefined : misplaced(one, name, this.#fleet.platform.delegation);
  }

  /**
   * The text of an included file. Whether it may be included is asked before whether it exists, and
   * a file that is refused, or is included by one that is, is not read and not told again.
   */
  #includeText(name: string, path: string): string {
    const include = includedBy(name, path);
    if (include.startsWith('../')) throw new Error(`it is not inside ${this.#folder}`);
    const { delegation } = this.#fleet.platform;
    if (!this.#schemaOnly) {
      const own = governing(delegation, name)?.folder;
      if (own === undefined) return '';
      if (!mayInclude(delegation, name, include)) {
        throw new Error(`it is neither of the folder ${show(own)} nor shared (spec.delegation)`);
      }
    }
    if (isRefused(this.#content, include)) return '';
    if (!this.#content.files.has(include)) throw new Error('there is no such file');
    return readFileSync(join(this.#folder, include), 'utf8');
  }

  /** Everything besides a file itself that its output depends on. */
  #environment(): string {
    const { platform, classes } = this.#fleet;
    return contentHash(JSON.stringify([platform, [...platform.kinds], classes]));
  }

  #key(name: string, environment: string): string {
    return contentHash(`${environment} ${this.#folder}/${name} ${this.#texts.get(name)}`);
  }

  #reuse(sink: Sink, name: string, key: string): boolean {
    const facts = sink.recall(key) as FileFacts | undefined;
    if (!facts?.includes.every(([path, hash]) => this.#hashOf(sink, path) === hash)) return false;
    if (facts.tenants.some((claim) => this.#fleet.isTaken(claim))) return false;
    if (!sink.reuse(key)) return false;
    for (const warning of facts.warnings) sink.warning(warning);
    const file = join(this.#folder, name);
    for (const claim of facts.tenants) this.#fleet.claim(claim, file, () => []);
    return true;
  }

  #render(sink: Sink, name: string, key: string | undefined): void {
    const file = join(this.#folder, name);
    const { declared, problems } =
      this.#classFiles.get(name) ?? this.#read({ name, text: this.#texts.get(name)! });
    const warnings: Problem[] = [];
    const rendered: DesiredTenant[] = [];
    const claims: TenantClaim[] = [];
    for (const problem of problems) sink.problem(problem);
    for (const one of declared) {
      if (one.kind === classKind.kind && !this.#classFiles.has(name)) {
        throw new Error(`${file} holds the TenantClass ${one.name}, which nobody has looked at`);
      }
      if (one.kind !== tenantKind.kind || this.#schemaOnly) continue;
      const state = this.#desire(one, name, sink, warnings);
      claims.push(claimOf(one));
      if (state) rendered.push(state);
    }
    for (const warning of warnings) sink.warning(warning);
    const facts: FileFacts = {
      tenants: claims,
      warnings,
      includes: sink.remembers
        ? declared.flatMap((one) => one.files.map((path) => this.#include(sink, name, path)))
        : [],
    };
    sink.add({
      id: file,
      ...(key !== undefined && { key }),
      files: filesOf(rendered),
      namespaces: rendered.flatMap(placesOf),
      facts,
    });
  }

  #include(sink: Sink, name: string, path: string): [string, string] {
    const include = includedBy(name, path);
    return [include, this.#hashOf(sink, include)];
  }

  /** Of a FIFO one would wait for ever. */
  #hashOf(sink: Sink, path: string): string {
    return (this.#content.files.has(path) && sink.hashOf(join(this.#folder, path))) || '';
  }

  #desire(
    one: Declared,
    place: string,
    sink: Sink,
    warnings: Problem[],
  ): DesiredTenant | undefined {
    const tenant = one as TenantDeclaration & Declared;
    const klass = this.#fleet.classOf(tenant);
    const at = (finding: Finding) => one.problem(finding.path, finding.message, finding.rule);
    const wrong = this.#claim(tenant, place);
    for (const finding of wrong) sink.problem(at(finding));
    const { name, labels, annotations, spec } = tenant;
    const declaration = {
      name,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      spec,
    };
    const state = desired(declaration, klass, this.#fleet.platform);
    for (const finding of state.findings) {
      if (finding === klass && this.#fleet.isRefused(tenant)) continue;
      if (finding.severity === 'error') sink.problem(at(finding));
      else warnings.push(at(finding));
    }
    return wrong.length > 0 ? undefined : state;
  }

  /** Takes the tenant's names and labels. One that must not be there takes none. */
  #claim(tenant: TenantDeclaration & Declared, place: string): Finding[] {
    const refusal = this.#refusal(tenant, place);
    if (refusal) return [refusal];
    const claim = claimOf(tenant);
    const at = (namespace: string) => pathOf(tenant, namespace);
    const { delegation } = this.#fleet.platform;
    return [
      ...this.#fleet.claim(claim, join(this.#folder, place), at),
      ...misnamed(claim.namespaces, at, place, delegation),
      ...selfDeclared(tenant, this.#fleet.classes, place, delegation),
    ];
  }
}

/**
 * Whether to read a file for its classes before the tenants. Only the escapes of a YAML text in
 * double quotes, which begin with a backslash, can say the kind in other letters than its own.
 */
function mayHoldClass(text: string): boolean {
  return text.includes(classKind.kind) || text.includes('\\');
}

/** What a file means by a path, below the folder. */
const includedBy = (name: string, path: string): string => posix.join(posix.dirname(name), path);

/** Where a namespace is named in a Tenant. */
function pathOf({ spec }: TenantDeclaration, namespace: string): (string | number)[] {
  const index = (spec.namespaces ?? []).findIndex(
    (entry) => namespaceName(spec.namespacePrefix, entry) === namespace,
  );
  return index < 0 ? ['metadata', 'name'] : ['spec', 'namespaces', index, 'name'];
}
