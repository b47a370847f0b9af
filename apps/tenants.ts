import { tenantClass as classKind } from '../crds/tenant-class.ts';
import { isInPeriod } from '../model/end-dates.ts';
import type { Fleet } from '../model/fleet.ts';
import type { Finding } from '@tenantry/kube/finding';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { Problem } from '@tenantry/kube/problem';
import type { Inputs } from '../synth/render-cache.ts';
import type { PreparedUnit, Sink, Source } from '../synth/files.ts';
import { ParallelRenderer } from './parallel-renderer.ts';
import type { TenantTask } from './tenant-task.ts';
import { ClassDeclarations } from './class-declarations.ts';
import { DeclarationFiles, type DeclaredTenant } from './declaration-files.ts';
import type { FleetInput } from './fleet-input.ts';
import { IncludedFileProblems, UnresolvedIncludes } from './include-problems.ts';
import { peerWarnings } from './peer-warnings.ts';
import type { PlatformPlace } from './platform-file.ts';
import type { LocatedDeclaration } from './undefined-names.ts';
import {
  hashEnvironment,
  hashOfIncluded,
  computeCacheKey,
  renderFile,
  type FileContext,
  type FileFacts,
} from './tenant-file.ts';

export interface TenantFilesOptions {
  /** Adds the place in the platform file to a finding. Default: there is no platform file */
  readonly place?: PlatformPlace;
  /** Skips all rules that need the platform, because it has errors. Default: false */
  readonly schemaOnly?: boolean;
  /** The folder and file that other threads read. Default: this thread renders everything */
  readonly input?: FleetInput;
  /** What earlier runs found out about the files. Default: all files are read */
  readonly inputs?: Inputs;
}

/**
 * The Tenants and TenantClasses of a folder. It reads every .yaml and .yml file below the folder,
 * except in folders named `resources`, which hold files for declarations to include. The
 * constructor adds the classes to the fleet; tenants are read, validated and rendered file by file.
 * The platform decides what a file may declare and include (`spec.delegation`).
 */
export class TenantFiles implements Source {
  readonly #context: FileContext;
  readonly #input: FleetInput | undefined;
  /** The file of each tenant that has a network. */
  readonly #fileOf = new Map<string, string>();
  /** Files of the folder that declarations include. */
  readonly #included = new Set<string>();
  readonly #includedFaults = {
    error: new IncludedFileProblems(),
    warning: new IncludedFileProblems(),
  };
  readonly #lacking = new UnresolvedIncludes();
  readonly #place: PlatformPlace | undefined;
  #reportedCount = 0;
  #hasEndings = false;

  /** @param folder as the user names it; problems begin with it */
  constructor(fleet: Fleet, folder: string, options: TenantFilesOptions = {}) {
    const delegation = options.schemaOnly ? undefined : fleet.platform.delegation;
    const { inputs } = options;
    const files = new DeclarationFiles(folder, delegation, omitUndefined({ inputs }));
    const classes = new ClassDeclarations(fleet, files, delegation, options.place);
    this.#input = options.input;
    this.#place = options.place;
    this.#context = { fleet, files, classes, delegation };
  }

  synthesize(sink: Sink): void {
    const { problems, warnings } = this.#context.classes;
    for (const problem of [...this.#context.files.problems, ...problems])
      this.#report(sink, problem);
    for (const warning of warnings) this.#warn(sink, warning);
    for (const { severity, problem } of this.#context.classes.late()) {
      if (severity === 'error') this.#report(sink, problem);
      else this.#warn(sink, problem);
    }
    this.#renderAll(sink);
    this.#reportUnread(sink);
    this.#settle(sink);
    this.#warnOfPeers(sink);
  }

  #renderAll(sink: Sink): void {
    const { fleet, files } = this.#context;
    const environment = hashEnvironment(fleet);
    const keys = new Map<string, string>();
    const keyFor = (name: string): string => {
      const key = keys.get(name) ?? computeCacheKey(files, name, environment);
      keys.set(name, key);
      return key;
    };
    const isUnknown = (name: string) => !sink.remembers || !sink.knows(keyFor(name));
    const ahead = this.#begin(sink, environment, files.names.filter(isUnknown));
    try {
      files.names.forEach((name, i, names) => {
        sink.progress(i, names.length);
        if (sink.remembers && this.#reuse(sink, name, keyFor(name))) return;
        const prepared = ahead?.take(name);
        if (prepared && prepared.key === keyFor(name) && this.#take(sink, name, prepared)) return;
        this.#render(sink, name, environment);
      });
    } finally {
      ahead?.close();
    }
  }

  /** Reports the problems that can be attributed only when all files are known. */
  #settle(sink: Sink): void {
    const { attribution } = this.#context.classes;
    const problems = attribution.flush(
      () => this.#everything(),
      this.#reportedCount > 0 || sink.isRefused,
    );
    for (const problem of problems) this.#report(sink, problem);
    for (const problem of this.#includedFaults.error.flush()) sink.problem(problem);
    for (const warning of this.#includedFaults.warning.flush()) sink.warning(warning);
    const { delegation, files } = this.#context;
    const folders = { delegation, place: this.#place, files: files.content.files };
    for (const problem of this.#lacking.flush(folders)) sink.problem(problem);
  }

  #report(sink: Sink, problem: Problem): void {
    this.#reportedCount += 1;
    if (this.#lacking.tryDefer(problem) || this.#includedFaults.error.tryDefer(problem)) return;
    sink.problem(problem);
  }

  #warn(sink: Sink, warning: Problem): void {
    if (!this.#includedFaults.warning.tryDefer(warning)) sink.warning(warning);
  }

  *#everything(): Generator<LocatedDeclaration> {
    for (const name of this.#context.files.names) {
      const file = this.#context.files.path(name);
      const { declared } = this.#context.classes.read(name);
      for (const one of declared) yield { file, one };
    }
  }

  /** The file that declares a class, as rendered files name it. */
  findOrigin(className: string): string | undefined {
    return this.#context.classes.findOrigin(className);
  }

  /** Converts a finding about a class into a problem that points to its declaration. */
  locateFinding(className: string, finding: Finding): Problem {
    return this.#context.classes.locateFinding(className, finding);
  }

  /** Whether the output depends on the day for which is rendered. Valid after `synthesize`. */
  get hasEndings(): boolean {
    return this.#hasEndings;
  }

  /** Whether all tenants of these files were accepted. Valid after `synthesize`. */
  get isWhole(): boolean {
    const { hasDependentProblems: hasFollowers } = this.#context.classes.attribution;
    return this.#reportedCount === 0 && !hasFollowers && this.#context.delegation !== undefined;
  }

  /**
   * Starts threads for the files that are not remembered. It starts none while a class has errors:
   * the problems of its tenants then depend on the rest of the fleet.
   */
  #begin(sink: Sink, environment: string, names: readonly string[]): ParallelRenderer | undefined {
    const { fleet, files, classes, delegation } = this.#context;
    if (!this.#input || !delegation || !fleet.classes.isSound) return undefined;
    const task: TenantTask = {
      input: this.#input,
      part: { content: files.content, names: files.names.filter((name) => classes.isRead(name)) },
      classes: fleet.classes.all.filter(({ name }) => !classes.get(name)),
      environment,
      names,
      remembers: sink.remembers,
    };
    return ParallelRenderer.start(task, sink.workers);
  }

  #reuse(sink: Sink, name: string, key: string): boolean {
    const facts = sink.recall(key) as FileFacts | undefined;
    const hashNow = (path: string) =>
      hashOfIncluded(this.#context.files, path, (file) => sink.hashFile(file));
    if (!facts?.includes.every(([path, hash]) => hashNow(path) === hash)) return false;
    const { date } = this.#context.fleet.platform;
    if (facts.period && !isInPeriod(facts.period, date)) return false;
    if (this.#isTaken(facts) || !sink.reuse(key)) return false;
    this.#note(sink, name, facts);
    return true;
  }

  #take(sink: Sink, name: string, prepared: PreparedUnit): boolean {
    const facts = prepared.record.facts as FileFacts;
    if (this.#isTaken(facts) || !sink.take(prepared)) return false;
    this.#note(sink, name, facts);
    return true;
  }

  #isTaken({ tenants }: FileFacts): boolean {
    return tenants.some((claim) => this.#context.fleet.isTaken(claim));
  }

  /** Adds the facts of a file that this thread did not render. */
  #note(sink: Sink, name: string, { tenants, networks, exceptions, ...facts }: FileFacts): void {
    const { fleet, files } = this.#context;
    for (const claim of tenants) {
      const granted = exceptions.filter(({ tenant }) => tenant === claim.name);
      fleet.claim(claim, files.path(name), granted);
    }
    this.#noteShared(sink, name, { networks, ...facts });
  }

  /** Adds the facts that apply to every file. */
  #noteShared(
    sink: Sink,
    name: string,
    { networks, warnings, includes, period }: Omit<FileFacts, 'tenants' | 'exceptions'>,
  ): void {
    if (period) this.#hasEndings = true;
    for (const warning of warnings) this.#warn(sink, warning);
    for (const [path] of includes) this.#included.add(path);
    for (const network of networks) {
      this.#context.fleet.networks.set(network);
      this.#fileOf.set(network.name, name);
    }
  }

  #render(sink: Sink, name: string, environment: string): void {
    const { files } = this.#context;
    // The file may have changed since it was listed.
    files.text(name);
    const rendered = renderFile(
      this.#context,
      name,
      omitUndefined({
        key: sink.remembers ? computeCacheKey(files, name, environment) : undefined,
        hashOf: sink.remembers ? (file: string) => sink.hashFile(file) : undefined,
      }),
    );
    for (const problem of rendered.problems) this.#report(sink, problem);
    this.#noteShared(sink, name, rendered.unit.facts);
    sink.add(rendered.unit);
  }

  /** Skips the warnings while there are problems: missing tenants would look like unknown peers. */
  #warnOfPeers(sink: Sink): void {
    if (!this.isWhole) return;
    const warnings = peerWarnings(this.#context.fleet, {
      tenant: (name) => this.#declaredTenant(name),
      class: (name) => this.#context.classes.get(name),
    });
    for (const warning of warnings) sink.warning(warning);
  }

  #declaredTenant(tenant: string): DeclaredTenant | undefined {
    const name = this.#fileOf.get(tenant);
    if (name === undefined) return undefined;
    const { declared } = this.#context.classes.read(name);
    for (const one of declared) {
      if (one.kind !== classKind.kind && one.name === tenant) return one;
    }
    return undefined;
  }

  /** Reports files that are named like declarations but are not read, so that nothing in them is missed. */
  #reportUnread(sink: Sink): void {
    for (const name of this.#context.files.unread) {
      if (this.#included.has(name)) continue;
      const { problem, warning } = this.#context.files.describeUnreadFile(name);
      if (problem) this.#report(sink, problem);
      if (warning) sink.warning(warning);
    }
  }
}
