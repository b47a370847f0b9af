import type { ApiObject } from 'cdk8s';
import type { KubeObject } from '../../kube/object.ts';
import type { Artifact } from '../../kube/output.ts';
import { InvalidInput, type Exemption, type Problem } from '../../kube/problem.ts';
import type { RenderedFile } from '../charts.ts';
import type { OutputFile, PreparedUnit, Sink, Source, Unit } from '../files.ts';
import { clusterOf } from '../manifests/identity.ts';
import { InvalidOutput } from '../refusal/invalid-output.ts';
import { ManifestValidator } from '../manifests/manifests.ts';
import type { RenderCache, UnitRecord } from '../memory.ts';
import { OutputPaths } from '../charts/output-paths.ts';
import type { Output } from '../output/output.ts';
import { contentHash, fileHash } from '../output/stat-index.ts';
import type { Progress } from './progress.ts';
import type { Summary } from '../report.ts';

/** What renders constructs, if there are any; it is given the run that they are part of. */
export type ConstructPass = (sink: ChartSink) => void;

/** Where files of charts are put. */
export interface ChartSink {
  /** The paths of the whole output. */
  readonly paths: OutputPaths;
  /** Problems of the user are noted, so that the rest is looked at too; then there is no result. */
  attempt<T>(action: () => T): T | undefined;
  /** Takes what charts render, and gives the constructs of the objects. */
  charts(files: Iterable<RenderedFile>): readonly ApiObject[];
  /** Takes a file that belongs to all of them. */
  file(file: OutputFile): void;
  /** Takes a file that is for no cluster, of a construct. */
  artifact(artifact: Artifact, owner: string): void;
  warning(problem: Problem): void;
}

export interface SynthesisOptions {
  readonly output: Output;
  /** Comes before all sources. Default: there are no constructs */
  readonly constructs?: ConstructPass;
  readonly sources: readonly Source[];
  readonly memory?: RenderCache;
  readonly progress: Progress;
  /** How many threads are to render, this one among them. Default: as many as are worth it */
  readonly workers?: number | undefined;
  /** Whether a warning is a problem too. */
  readonly warningsAsErrors: boolean;
}

/**
 * Renders to an output, in one pass: constructs, then sources.
 * Every problem of all of them is found before it throws InvalidInput; the output is then aborted.
 */
export class Synthesis implements Sink, ChartSink {
  readonly #options: SynthesisOptions;
  readonly paths = new OutputPaths();
  readonly #manifests = new ManifestValidator();
  /** Where the objects are that charts declare, see `Unit.namespaces`. */
  readonly #chartNamespaces = new Set<string>();
  readonly #files: string[] = [];
  readonly #problems: Problem[] = [];
  readonly #warnings: Problem[] = [];
  readonly #exemptions: Exemption[] = [];

  constructor(options: SynthesisOptions) {
    this.#options = options;
  }

  run(): Summary {
    const { output, constructs, sources, memory, progress } = this.#options;
    try {
      constructs?.(this);
      for (const source of sources) this.attempt(() => source.synthesize(this));
      const clashes = this.paths.problems;
      this.#problems.push(...clashes.map((message) => ({ path: '', message, rule: 'identity' })));
      this.#problems.push(...this.#manifests.problems);
      if (this.#options.warningsAsErrors) this.#problems.push(...this.#warnings.splice(0));
      if (this.#problems.length > 0) throw new InvalidInput(this.#problems, this.#warnings);
      const changes = output.finish();
      memory?.save(output.statIndex());
      const files = this.#files.toSorted();
      return {
        objects: this.#manifests.objects,
        changes,
        files,
        holders: this.#manifests.holders,
        warnings: this.#warnings,
        exemptions: this.#exemptions,
      };
    } finally {
      output.abort();
      progress.end();
    }
  }

  get remembers(): boolean {
    return this.#options.memory !== undefined;
  }

  get workers(): number | undefined {
    return this.#options.workers;
  }

  hashOf(file: string): string | undefined {
    return fileHash(file);
  }

  knows(key: string): boolean {
    return this.#options.memory?.has(key) ?? false;
  }

  recall(key: string): unknown {
    return this.#options.memory?.get(key)?.facts;
  }

  reuse(key: string): boolean {
    const { memory, output } = this.#options;
    const record = memory?.get(key);
    if (!record) return false;
    if (this.#sharesPlaces(record)) return false;
    if (!record.files.every(([path, hash]) => output.keep(path, hash))) return false;
    for (const [path] of record.files) {
      this.paths.claim(path, record.id);
      this.#files.push(path);
    }
    this.#manifests.addReused(record);
    memory?.retain(key);
    return true;
  }

  take({ key, record, texts }: PreparedUnit): boolean {
    if (this.#sharesPlaces(record)) return false;
    record.files.forEach(([path, hash], i) => {
      if (!this.paths.claim(path, record.id) || this.#problems.length > 0) return;
      this.#put(path, texts[i]!, hash);
    });
    this.#manifests.addReused(record);
    if (this.#problems.length === 0) this.#options.memory?.set(key, record);
    return true;
  }

  /** Whether objects of charts are where those of a unit are, which only `add` compares. */
  #sharesPlaces({ namespaces }: UnitRecord): boolean {
    return namespaces.some((name) => this.#chartNamespaces.has(name));
  }

  add(unit: Unit): void {
    const before = this.#manifests.objects;
    const held = this.#manifests.holders.length;
    const files: [string, string][] = [];
    for (const file of unit.files) {
      if (!this.paths.claim(file.path, unit.id)) continue;
      const hash = this.#take(file, unit, unit.key !== undefined);
      if (hash !== undefined) files.push([file.path, hash]);
    }
    if (unit.key === undefined || this.#problems.length > 0) return;
    this.#options.memory?.set(unit.key, {
      id: unit.id,
      files,
      objects: this.#manifests.objects - before,
      namespaces: unit.namespaces,
      holders: this.#manifests.holders.slice(held),
      facts: unit.facts ?? null,
    });
  }

  get isRefused(): boolean {
    return this.#problems.length > 0;
  }

  problem(problem: Problem): void {
    this.#problems.push(problem);
  }

  warning(problem: Problem): void {
    this.#warnings.push(problem);
  }

  exemption(exemption: Exemption): void {
    this.#exemptions.push(exemption);
  }

  progress(done: number, total: number): void {
    this.#options.progress.update(done, total);
  }

  charts(files: Iterable<RenderedFile>): ApiObject[] {
    const sources: ApiObject[] = [];
    for (const { path, sources: declared, objects } of files) {
      const cluster = clusterOf(path);
      const rendered = [...objects];
      for (const object of rendered) this.#chartNamespaces.add(`${cluster}/${placeOf(object)}`);
      sources.push(...declared);
      const text = this.#manifests.renderObjects(
        path,
        rendered,
        (i) => declared[i]?.node.path ?? path,
      );
      if (text !== undefined) this.#put(path, text);
    }
    return sources;
  }

  /** The hash of the file, if it is asked for and the file was put into the output. */
  #take(
    { path, content }: OutputFile,
    { id, origin }: Pick<Unit, 'id' | 'origin'>,
    hashed = false,
  ): string | undefined {
    const text =
      typeof content === 'string'
        ? this.#manifests.validateText(path, content, id, origin)
        : this.#manifests.renderObjects(path, content, () => id, { canonical: true, origin });
    if (text === undefined || this.#problems.length > 0) return undefined;
    const hash = hashed ? contentHash(text) : undefined;
    this.#put(path, text, hash);
    return hash;
  }

  #put(path: string, text: string, hash?: string): void {
    this.#files.push(path);
    this.#options.output.put(path, text, hash);
  }

  file(file: OutputFile): void {
    this.#take(file, { id: 'the app' });
  }

  artifact({ path, text }: Artifact, owner: string): void {
    if (!this.paths.claim(path, owner)) return;
    const admitted = this.#manifests.admitArtifact(path, text, owner);
    if (admitted !== undefined && this.#problems.length === 0) this.#put(path, admitted);
  }

  attempt<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      if (error instanceof InvalidInput) this.#problems.push(...error.problems);
      else if (error instanceof InvalidOutput) {
        this.#problems.push(...error.locatedProblems);
      } else throw error;
      return undefined;
    }
  }
}

/** Where an object lies: see `Unit.namespaces`. What is refused has perhaps no metadata. */
function placeOf({ kind, metadata }: Partial<KubeObject>): string {
  return (
    metadata?.namespace ?? (kind === 'Namespace' ? metadata?.name : `${kind}/${metadata?.name}`)!
  );
}
