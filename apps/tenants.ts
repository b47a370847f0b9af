import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readDeclarations, type Declared } from '../crds/declarations.ts';
import { layout } from '../crds/layout.ts';
import type { Problem } from '../crds/problem.ts';
import { tenant as tenantKind } from '../crds/tenantry/tenant.ts';
import { tenantClass as classKind } from '../crds/tenantry/tenantclass.ts';
import type { Finding, TenantDeclaration } from '../constructs/tenant/declaration.ts';
import { claimOf, desired, type DesiredTenant } from '../constructs/tenant/desired.ts';
import type { Fleet, TenantClaim } from '../constructs/tenant/fleet.ts';
import { namespaceName } from '../constructs/tenant/resolve.ts';
import type { OutputFile, Sink, Source } from '../synth/files.ts';
import { contentHash } from '../synth/output/statindex.ts';

/** What is remembered of an input file between runs: what the rest of the fleet asks of it. */
interface FileFacts {
  readonly tenants: readonly TenantClaim[];
  readonly warnings: readonly Problem[];
  /** Files that it names, with the hash of their content. */
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
 */
export class TenantFiles implements Source {
  readonly #fleet: Fleet;
  readonly #folder: string;
  readonly #schemaOnly: boolean;
  readonly #classFiles = new Map<
    string,
    { declared: readonly Declared[]; problems: readonly Problem[] }
  >();
  /** In the order of their names. */
  readonly #texts = new Map<string, string>();
  readonly #problems: Problem[] = [];

  /**
   * @param folder as the user names it: problems begin with it
   * @param options.schemaOnly asks no rule that needs the platform, since that is broken. Default: false
   */
  constructor(fleet: Fleet, folder: string, options: { readonly schemaOnly?: boolean } = {}) {
    this.#fleet = fleet;
    this.#schemaOnly = options.schemaOnly ?? false;
    this.#folder = folder;
    for (const name of filesBelow(folder, (...unread) => this.#unreadable(...unread)))
      this.#findClasses(name);
  }

  synthesize(sink: Sink): void {
    for (const problem of this.#problems) sink.problem(problem);
    const environment = sink.remembers ? this.#environment() : '';
    [...this.#texts.keys()].forEach((name, i, names) => {
      sink.progress(i, names.length);
      const key = sink.remembers ? this.#key(name, environment) : undefined;
      if (key !== undefined && this.#reuse(sink, name, key)) return;
      this.#render(sink, name, key);
    });
  }

  #findClasses(name: string): void {
    const text = this.#textOf(join(this.#folder, name));
    if (text === undefined) return;
    this.#texts.set(name, text);
    if (!text.includes(classKind.kind)) return;
    const read = this.#read({ name, text });
    this.#classFiles.set(name, read);
    for (const one of read.declared) {
      if (one.kind !== classKind.kind) continue;
      const taken = this.#fleet.addClass(one);
      if (taken) this.#problems.push(one.problem(taken.path, taken.message, taken.rule));
    }
  }

  #textOf(file: string): string | undefined {
    try {
      return readFileSync(file, 'utf8');
    } catch (cause) {
      this.#unreadable(file, cause);
      return undefined;
    }
  }

  #unreadable(file: string, cause: unknown): void {
    const message = `must be readable, got ${(cause as Error).message}`;
    this.#problems.push({ file, path: '', message, rule: 'file' });
  }

  #read({ name, text }: InputFile) {
    const file = join(this.#folder, name);
    return readDeclarations(file, text, kinds, (path) => this.#includeText(file, path));
  }

  /** What a declaration includes lies in the folder too: it could name any file of the machine. */
  #includeText(file: string, path: string): string {
    const folder = realpathSync(this.#folder);
    const include = realpathSync(join(dirname(file), path));
    if (!include.startsWith(folder + sep)) throw new Error(`it is not inside ${this.#folder}`);
    return readFileSync(include, 'utf8');
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
    if (!facts?.includes.every(([path, hash]) => sink.hashOf(path) === hash)) return false;
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
      if (one.kind !== tenantKind.kind || this.#schemaOnly) continue;
      const state = this.#desire(one, file, sink, warnings);
      claims.push(claimOf(one));
      if (state) rendered.push(state);
    }
    for (const warning of warnings) sink.warning(warning);
    const facts: FileFacts = {
      tenants: claims,
      warnings,
      includes: sink.remembers
        ? declared.flatMap((one) => one.files.map((path) => this.#include(sink, file, path)))
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

  #include(sink: Sink, file: string, path: string): [string, string] {
    const include = join(dirname(file), path);
    return [include, sink.hashOf(include) ?? ''];
  }

  #desire(one: Declared, file: string, sink: Sink, warnings: Problem[]): DesiredTenant | undefined {
    const tenant = one as TenantDeclaration & Declared;
    const klass = this.#fleet.classOf(tenant);
    const at = (finding: Finding) => one.problem(finding.path, finding.message, finding.rule);
    const taken = this.#fleet.claim(claimOf(tenant), file, (namespace) =>
      pathOf(tenant, namespace),
    );
    for (const finding of taken) sink.problem(at(finding));
    const { name, labels, annotations, spec } = tenant;
    const declaration = {
      name,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      spec,
    };
    const state = desired(declaration, klass, this.#fleet.platform);
    for (const finding of state.findings) {
      if (finding.severity === 'error') sink.problem(at(finding));
      else warnings.push(at(finding));
    }
    return taken.length > 0 ? undefined : state;
  }
}

/** See `Unit.namespaces`. */
function placesOf({ tenant, clusters, namespaces }: DesiredTenant): string[] {
  return [
    ...clusters.map((cluster) => `${cluster}/${tenant.kind}/${tenant.metadata.name}`),
    ...namespaces.map(({ cluster, name }) => `${cluster}/${name}`),
  ];
}

/** Where a namespace is named in a Tenant. */
function pathOf({ spec }: TenantDeclaration, namespace: string): (string | number)[] {
  const index = (spec.namespaces ?? []).findIndex(
    (entry) => namespaceName(spec.namespacePrefix, entry) === namespace,
  );
  return index < 0 ? ['metadata', 'name'] : ['spec', 'namespaces', index, 'name'];
}

function* filesOf(tenants: readonly DesiredTenant[]): Generator<OutputFile> {
  for (const { tenant, clusters, namespaces } of tenants) {
    const { name } = tenant.metadata;
    for (const cluster of clusters) {
      yield { path: layout.tenant(cluster, name), content: [tenant] };
    }
    for (const namespace of namespaces) {
      yield {
        path: layout.namespace(namespace.cluster, name, namespace.name),
        content: namespace.objects,
      };
    }
  }
}

/** The YAML files below a folder, relative to it, in the order of their names. */
function filesBelow(
  folder: string,
  unreadable: (folder: string, cause: unknown) => void,
): string[] {
  const found: string[] = [];
  /** `below` is empty or ends with a slash. */
  const visit = (below: string): void => {
    const path = join(folder, below.slice(0, -1));
    let entries;
    try {
      entries = readdirSync(path, { withFileTypes: true });
    } catch (cause) {
      return unreadable(path, cause);
    }
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      if (!entry.isDirectory()) {
        if (/\.ya?ml$/.test(entry.name)) found.push(below + entry.name);
      } else if (entry.name !== 'resources') visit(`${below}${entry.name}/`);
    }
  };
  visit('');
  return found.toSorted();
}
