import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { App as Cdk8sApp, type AppProps } from 'cdk8s';
import type { Construct } from 'constructs';
import {
  WRITES_ARTIFACTS,
  ARTIFACTS,
  WARNING,
  type ConstructArtifacts,
} from '@tenantry/kube/construct-metadata';
import { InvalidInput } from '@tenantry/kube/problem';
import type { Source } from './files.ts';
import { openRenderCache, render, type ChartSink, type ConstructPass } from './app/synthesis.ts';
import type { RenderCache } from './render-cache.ts';
import { UnexpectedFilesInOutput } from './output/errors.ts';
import { buildErrorReport, writeReport, type Summary } from './report.ts';
import { readRun, type Run } from './run.ts';
import { constructMetadata, renderCharts, renderDeferred } from './charts.ts';
import { CONSTRUCT_METADATA } from './manifests/file-name.ts';

// Under `tenantry`, input that is refused before synth(), such as by `define`, is reported as a
// problem.
process.on('uncaughtExceptionMonitor', (error) => {
  if (!(error instanceof InvalidInput)) return;
  const { report } = readRun();
  if (report === undefined || existsSync(report)) return;
  writeReport(report, buildErrorReport(error));
  process.exit(1);
});

/**
 * A cdk8s App that renders in one linear pass and writes its output completely or not at all.
 * Nothing is written when anything throws. Unchanged files stay untouched, files of removed charts
 * are deleted, and foreign files are kept. Everything that cdk8s promises about charts holds:
 * tokens, Lazy, resolvers, JSON patches, dependencies, validation. Two objects with the same
 * identity are an error.
 *
 * It works under `cdk8s synth`, under `tenantry synth` and by itself.
 *
 * @example
 * ```ts
 * import { App, Tenant } from 'tenantry';
 *
 * const app = new App({ outdir: 'out' });
 * new Tenant(app, 'payments', { namespaces: [{ name: 'payments-dev' }] });
 * app.synth(); // out/clusters/in-cluster/tenants/payments/...
 * ```
 */
export class App extends Cdk8sApp {
  readonly #sources: Source[] = [];
  readonly #deferred: DeferredTree[] = [];
  readonly #constructMetadata: boolean;
  readonly #run: Run;
  #memory: RenderCache | undefined;
  /** @internal */
  readonly [WRITES_ARTIFACTS] = true;

  constructor(props: AppProps = {}) {
    const run = readRun();
    super(run.out === undefined ? props : { ...props, outdir: run.out });
    this.#run = run;
    this.#constructMetadata = props.recordConstructMetadata ?? run.constructMetadata;
  }

  /** Adds a source of objects that are not constructs. It runs when the app is synthesized. */
  addSource(source: Source): void {
    this.#sources.push(source);
  }

  /**
   * Adds constructs that are built only for rendering and then dropped, so that ten thousand of
   * them need the memory of one. They cannot depend on anything outside themselves.
   */
  defer(id: string, build: (scope: Construct) => void): void {
    this.#deferred.push({ id, build });
  }

  /**
   * Renders everything to the output folder. Under `tenantry`, which reports the problems, the
   * process ends with exit code 1 instead of throwing.
   *
   * @throws {InvalidInput} with every problem; the folder is unchanged
   * @throws {UnexpectedFilesInOutput} when everything is written, but the output has unexpected files
   */
  override synth(): void {
    const { report } = this.#run;
    if (report === undefined) {
      const { changes } = this.synthesize();
      if (changes.unexpected.length === 0) return;
      throw new UnexpectedFilesInOutput(resolve(this.#run.out ?? this.outdir), changes.unexpected);
    }
    try {
      writeReport(report, { outcome: 'done', summary: this.synthesize() });
    } catch (error) {
      const refused = buildErrorReport(error);
      writeReport(report, refused);
      process.exit(refused.outcome === 'failed' ? 2 : 1);
    }
  }

  /**
   * The render cache of earlier runs; undefined if it is disabled.
   * @internal
   */
  get memory(): RenderCache | undefined {
    return (this.#memory ??= openRenderCache(this.#run, this.#directory));
  }

  get #directory(): string {
    return resolve(this.#run.out ?? this.outdir);
  }

  /**
   * Renders and returns a summary.
   * @internal
   */
  synthesize(): Summary {
    const { memory } = this;
    this.#memory = undefined;
    return render({
      run: this.#run,
      directory: this.#directory,
      memory,
      constructs: createConstructPass(this, this.#deferred, this.#constructMetadata),
      sources: this.#sources,
    });
  }
}

/** Constructs that exist only while they are rendered. */
interface DeferredTree {
  readonly id: string;
  readonly build: (scope: Construct) => void;
}

/**
 * Renders the charts of an app, then its deferred trees.
 * @param recorded whether construct-metadata.json is written, as cdk8s does for validation plugins
 */
function createConstructPass(
  app: Cdk8sApp,
  deferred: readonly DeferredTree[],
  recorded: boolean,
): ConstructPass {
  return (sink) => {
    const { paths } = sink;
    const objects = sink.attempt(() => sink.charts(renderCharts(app, { paths })));
    collectWarnings(app, sink);
    if (objects) collectArtifacts(app, sink);
    for (const { id, build } of deferred) {
      let tree: Construct | undefined;
      const watched = (scope: Construct): void => {
        tree = scope;
        build(scope);
        collectWarnings(scope, sink);
      };
      const made = sink.attempt(() => sink.charts(renderDeferred(app, id, watched, { paths })));
      if (made && tree) collectArtifacts(tree, sink);
    }
    if (recorded && objects) {
      sink.file({ path: CONSTRUCT_METADATA, content: constructMetadata(objects) });
    }
  };
}

function collectWarnings(scope: Construct, sink: ChartSink): void {
  for (const { node } of scope.node.findAll()) {
    for (const { type, data } of node.metadata) {
      if (type !== WARNING) continue;
      sink.warning({ path: '', message: `[${node.path}] ${data}`, rule: 'construct' });
    }
  }
}

/** Collects the artifacts of a valid tree. */
function collectArtifacts(scope: Construct, sink: ChartSink): void {
  for (const { node } of scope.node.findAll()) {
    for (const { type, data } of node.metadata) {
      if (type !== ARTIFACTS) continue;
      const given: ConstructArtifacts = data;
      for (const artifact of given.artifacts()) sink.artifact(artifact, node.path);
    }
  }
}
