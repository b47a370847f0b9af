import type { ApiObject } from 'cdk8s';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { CLUSTERS, type Artifact } from '@tenantry/kube/construct-metadata';
import { InvalidInput, type Exemption, type Problem } from '@tenantry/kube/problem';
import type { RenderedFile } from '../charts.ts';
import type { OutputFile, PreparedUnit, Sink, Source, Unit } from '../files.ts';
import { parseCluster, ManifestValidator } from '../manifests/manifests.ts';
import { InvalidOutput } from '../output/errors.ts';
import { RenderCache, codeIdentity, type UnitRecord } from '../render-cache.ts';
import { OutputPaths } from '../charts/output-paths.ts';
import { Output, type OutputOptions } from '../output/output.ts';
import { contentHash, fileHash } from '../output/stat-index.ts';
import { Progress, type Summary } from '../report.ts';
import { CONSTRUCT_METADATA } from '../manifests/file-name.ts';
import { cacheFile, type Run } from '../run.ts';

/** Renders the constructs of an app into the sink of the run. */
export type ConstructPass = (sink: ChartSink) => void;

/** Receives the files of charts. */
export interface ChartSink {
  /** The paths of the whole output. */
  readonly paths: OutputPaths;
  /**
   * Runs an action and records user errors, so that the rest is validated too. After an error it
   * returns undefined.
   */
  attempt<T>(action: () => T): T | undefined;
  /** Adds the files of charts and returns the constructs of their objects. */
  charts(files: Iterable<RenderedFile>): readonly ApiObject[];
  /** Adds a file that belongs to all charts. */
  file(file: OutputFile): void;
  /** Adds a file of a construct that no cluster reads. */
  artifact(artifact: Artifact, owner: string): void;
  warning(problem: Problem): void;
}

interface SynthesisOptions {
  readonly output: Output;
  /** Runs before all sources. Default: there are no constructs */
  readonly constructs?: ConstructPass;
  readonly sources: readonly Source[];
  readonly memory?: RenderCache;
  readonly progress: Progress;
  /** The number of render threads, including this one. Default: as many as pay off */
  readonly workers?: number | undefined;
  /** Whether warnings count as problems. */
  readonly warningsAsErrors: boolean;
}

/** Opens the render cache for a run and a folder; undefined if it is disabled. */
export function openRenderCache(run: Run, directory: string): RenderCache | undefined {
  if (run.memory === undefined) return undefined;
  return new RenderCache(cacheFile(run.memory, directory), codeIdentity());
}

interface Rendering {
  readonly run: Run;
  /** The output folder. */
  readonly directory: string;
  /** The render cache of that folder. Default: nothing is remembered */
  readonly memory: RenderCache | undefined;
  readonly constructs?: ConstructPass;
  readonly sources: readonly Source[];
  readonly onDifference?: OutputOptions['onDifference'];
}

/**
 * Renders according to a run and returns a summary.
 * @throws {InvalidInput} with every problem; the folder is unchanged
 */
export function render({ run, directory, memory, onDifference, ...given }: Rendering): Summary {
  const areas = { sealed: [CLUSTERS], shared: [CONSTRUCT_METADATA] };
  const props: SynthesisOptions = omitUndefined({
    output: Output.open(
      directory,
      omitUndefined({ mode: run.mode, ...areas, index: memory?.outputs, onDifference }),
    ),
    warningsAsErrors: run.warningsAsErrors ?? false,
    workers: run.workers,
    progress: new Progress(run.progress),
    memory,
    ...given,
  });
  return new Synthesis(props).run();
}

/**
 * Renders to an output in one pass: constructs, then sources. It collects every problem before it
 * throws InvalidInput and aborts the output.
 */
class Synthesis implements Sink, ChartSink {
  readonly #options: SynthesisOptions;
  readonly paths = new OutputPaths();
  readonly #manifests = new ManifestValidator();
  /** The places of the objects that charts declare; see `Unit.namespaces`. */
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

  hashFile(file: string): string | undefined {
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

  /** Whether a unit shares a place with objects of charts, which only `add` compares. */
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
      const cluster = parseCluster(path);
      const rendered = [...objects];
      for (const object of rendered) this.#chartNamespaces.add(`${cluster}/${formatPlace(object)}`);
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

  /** Adds a file to the output. Returns its hash if `hashed` is set and the file was accepted. */
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

/** Returns the place of an object; see `Unit.namespaces`. A refused object may lack metadata. */
function formatPlace({ kind, metadata }: Partial<KubeObject>): string {
  return (
    metadata?.namespace ?? (kind === 'Namespace' ? metadata?.name : `${kind}/${metadata?.name}`)!
  );
}
