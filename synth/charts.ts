import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Names, YamlOutputType, type ApiObject, type App, type Chart, type IResolver } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { KubeObject } from '@tenantry/kube/object';
import { readDependencies, Tree } from './charts/tree.ts';
import { InvalidOutput } from './output/errors.ts';
import { ERRORS, type OutputPath, type ConstructErrors } from '@tenantry/kube/construct-metadata';
import type { Problem } from '@tenantry/kube/problem';
import { sortTopologically } from './charts/order.ts';
import { OutputPaths, findOutputPaths } from './charts/output-paths.ts';
import { renderObject } from './charts/render.ts';
import { formatFinding, toProblem, type ProblemLocation } from '@tenantry/kube/finding';

export { findOutputPath, setOutputPath } from './charts/output-paths.ts';

/** One file of the output. */
export interface RenderedFile {
  /** Relative to the output folder. */
  readonly path: string;
  /** The charts whose objects the file holds: one, except with FILE_PER_APP. */
  readonly charts: readonly Chart[];
  /** The constructs that the objects are rendered from, in the order of the documents. */
  readonly sources: readonly ApiObject[];
  /** As long as `sources`, in the same order. Each iteration renders, one object at a time. */
  readonly objects: Iterable<KubeObject>;
}

export interface RenderOptions {
  /**
   * The paths of the whole output.
   * @default - paths must be unique within this call only
   */
  readonly paths?: OutputPaths;
}

/** Validates every construct once. Throws InvalidOutput with all errors, in the wording of cdk8s. */
export function validateTree(root: IConstruct): void {
  const problems: (string | Problem)[] = [];
  for (const construct of root.node.findAll()) {
    const errors = construct.node.validate();
    if (errors.length > 0) problems.push(...buildProblems(construct, errors));
  }
  if (problems.length > 0) {
    throw new InvalidOutput(problems, 'Validation failed with the following errors:');
  }
}

/**
 * Returns the files that `app.synth()` writes, with the same names, in the same order, with the
 * same objects in the same order. A chart with its own output path is one file there.
 *
 * The tree is validated and ordered once, before this returns. Failed validations, cycles, and
 * dependencies that leave the tree throw InvalidOutput. Rendering happens during the iteration.
 * Files with the same path throw InvalidOutput: those of charts before the first file, those of
 * resources after the last one, after only the first of them was returned. An output must therefore
 * be complete before it replaces another.
 */
export function renderCharts(app: App, options: RenderOptions = {}): Iterable<RenderedFile> {
  return renderFiles(app, app, options.paths ?? new OutputPaths());
}

/**
 * Returns the files of a subtree that exists only during rendering, so that ten thousand tenants
 * need the memory of one. `build` fills a construct `id` below the app. The subtree is validated,
 * ordered and rendered as by `renderCharts`, and removed when the iteration ends in any way.
 * Nothing is built before the iteration. Names are the same as for these constructs in the app.
 *
 * A deferred subtree is isolated: a dependency into it or out of it is InvalidOutput. In an app
 * with FILE_PER_APP its charts must have their own output paths. With dependencies between its
 * charts, each subtree numbers its files from 0000. Do not iterate `renderCharts` of the app at the
 * same time, since it would include the subtree.
 */
export function* renderDeferred(
  app: App,
  id: string,
  build: (scope: Construct) => void,
  options: RenderOptions = {},
): Iterable<RenderedFile> {
  const scope = new Construct(app, id);
  try {
    build(scope);
    yield* renderFiles(app, scope, options.paths ?? new OutputPaths());
  } finally {
    app.node.tryRemoveChild(scope.node.id);
  }
}

/** Returns the content of construct-metadata.json: where each object was declared, by its name. */
export function constructMetadata(objects: Iterable<ApiObject>): string {
  const resources: Record<string, { path: string }> = {};
  for (const object of objects) resources[object.name] = { path: object.node.path };
  return JSON.stringify({ version: '1.0.0', resources });
}

interface OrderedChart {
  readonly chart: Chart;
  /** Absent if the chart has no file of its own. */
  readonly path: OutputPath | undefined;
  /** The name of the chart's file or folder, as in cdk8s. */
  readonly name: string;
  objects(): ApiObject[];
}

function renderFiles(app: App, root: IConstruct, paths: OutputPaths): Iterable<RenderedFile> {
  validateTree(root);
  const charts = orderedCharts(app, root);
  if (app.yamlOutputType === YamlOutputType.FILE_PER_APP && root !== app) requirePaths(charts);
  return rendered(app, charts, paths);
}

function orderedCharts(app: App, root: IConstruct): OrderedChart[] {
  const tree = new Tree(root);
  const dependencies = readDependencies(tree);
  let index = 0;
  const charts: OrderedChart[] = [];
  for (const i of sortTopologically(dependencies, 0)) {
    if (!tree.isChart(i)) continue;
    const chart = tree.constructs[i] as Chart;
    const chosen = findOutputPaths(chart);
    const perChart = app.yamlOutputType === YamlOutputType.FILE_PER_CHART;
    let name = '';
    if (chosen === undefined) {
      const prefix = dependencies.betweenCharts ? `${String(index++).padStart(4, '0')}-` : '';
      name = prefix + Names.toDnsLabel(chart);
    }
    charts.push({
      chart,
      name,
      path: chosen ?? (perChart ? name + app.outputFileExtension : undefined),
      objects: () =>
        sortTopologically(dependencies, i)
          .filter((at) => tree.isObject(at) && tree.charts[at] === i)
          .map((at) => tree.constructs[at] as ApiObject),
    });
  }
  return charts;
}

function requirePaths(charts: readonly OrderedChart[]): void {
  const problems = charts
    .filter(({ path }) => path === undefined)
    .map(
      ({ chart }) =>
        `[${chart.node.path}] must have an output path: a deferred chart is not in the file of its app`,
    );
  if (problems.length > 0) throw new InvalidOutput(problems);
}

function* rendered(
  app: App,
  charts: readonly OrderedChart[],
  paths: OutputPaths,
): Iterable<RenderedFile> {
  const shared = charts.filter(({ path }) => path === undefined);
  const perApp = app.yamlOutputType === YamlOutputType.FILE_PER_APP && shared.length > 0;
  const appFile = `app${app.outputFileExtension}`;
  const own = charts.flatMap((ordered) => filesOfChart(ordered));
  for (const { path, chart } of own) paths.claim(path, chart.node.path);
  if (perApp) paths.claim(appFile, app.toString());
  paths.check();
  if (perApp) {
    const together = shared.map(({ chart }) => chart);
    yield renderFile(
      app,
      appFile,
      together,
      shared.flatMap((chart) => chart.objects()),
    );
  }
  for (const ordered of charts) {
    if (ordered.path !== undefined) {
      for (const { path, sources } of filesOfChart(ordered))
        yield renderFile(app, path, [ordered.chart], sources());
    } else if (!perApp) yield* filesPerResource(app, ordered, paths);
  }
  paths.check();
}

interface ChartFile {
  readonly path: string;
  readonly chart: Chart;
  sources(): readonly ApiObject[];
}

/** Returns the files of a chart itself; empty if the output type of the app decides. */
function filesOfChart({ path, chart, objects }: OrderedChart): readonly ChartFile[] {
  if (path === undefined) return [];
  if (typeof path === 'string') return [{ path, chart, sources: objects }];
  const byPath = Map.groupBy(objects(), (object) => path.pathOf(object));
  return path.all.map((file) => ({ path: file, chart, sources: () => byPath.get(file) ?? [] }));
}

function renderFile(
  app: App,
  path: string,
  charts: readonly Chart[],
  sources: readonly ApiObject[],
): RenderedFile {
  // a generator declared here would be a function for each file, and V8 keeps what such a function has
  // rendered until the next full collection: three times the memory
  const objects = { [Symbol.iterator]: () => renderEach(sources, app.resolvers) };
  return { path, charts, sources, objects };
}

function* renderEach(
  sources: readonly ApiObject[],
  resolvers: readonly IResolver[],
): Generator<KubeObject, void> {
  for (const source of sources) yield renderObject(source, resolvers);
}

/**
 * Without folders, a file is named after the object as rendered; with them, after the construct. This
 * is how cdk8s does it, and differs where a JSON patch renames the object.
 */
function* filesPerResource(
  app: App,
  { chart, name, objects }: OrderedChart,
  paths: OutputPaths,
): Iterable<RenderedFile> {
  const folders = app.yamlOutputType === YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE;
  for (const source of objects()) {
    const object = renderObject(source, app.resolvers);
    const named = folders ? source : object;
    const file = `${named.kind}.${named.metadata.name}`.replaceAll(/[^0-9a-zA-Z-_.]/g, '');
    const path = `${folders ? `${name}/` : ''}${file}${app.outputFileExtension}`;
    if (paths.claim(path, source.node.path))
      yield { path, charts: [chart], sources: [source], objects: [object] };
  }
}

/**
 * Converts the validation errors of a construct into problems. They have path, rule and line of
 * code if the construct records them; otherwise they use the wording of cdk8s.
 */
export function buildProblems(
  construct: IConstruct,
  errors: readonly string[],
): (string | Problem)[] {
  const { path, metadata } = construct.node;
  const noted = metadata
    .filter(({ type }) => type === ERRORS)
    .flatMap(({ data }) => {
      const { errors: findings, stack }: ConstructErrors = data;
      const place = placeIn(stack);
      return findings().map((finding) => ({
        ...toProblem(finding, place),
        construct: path,
        text: formatFinding(finding),
      }));
    });
  return errors.map((error) => {
    const found = noted.find(({ text }) => text === error);
    if (!found) return `[${path}] ${error}`;
    const { text: _text, ...problem } = found;
    return problem;
  });
}

/** Matches a stack frame: `    at make (file:///app/main.ts:4:1)`, or the same without a function. */
const FRAME = /^ *at (?:.*\()?((?:file:\/\/)?\/[^\n]*?|[A-Za-z]:[\\/][^\n]*?):(\d+):(\d+)\)?$/;

/** Returns the place of the first frame outside of packages. */
function placeIn(stack: string): ProblemLocation {
  for (const line of stack.split('\n')) {
    const [, at, row, column] = FRAME.exec(line) ?? [];
    if (at === undefined || /[\\/]node_modules[\\/]/.test(at)) continue;
    const file = relative(process.cwd(), at.startsWith('file:') ? fileURLToPath(at) : at);
    return { file: file.replaceAll('\\', '/'), line: Number(row), column: Number(column) };
  }
  return {};
}
