import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { InvalidOutput } from '../output/errors.ts';

/**
 * A flat snapshot of a construct tree. Constructs are numbered in pre-order, so that a subtree is a
 * range and no walk is repeated. Read-only.
 */
export class Tree {
  readonly constructs: readonly IConstruct[];
  /** The number of the parent; -1 for the root. */
  readonly parents: Int32Array;
  /** One past the last construct of the subtree. */
  readonly ends: Int32Array;
  /** The closest chart at or above; -1 outside of charts. */
  readonly charts: Int32Array;
  /** The number of ApiObjects of its own chart in the subtree, including the construct itself. */
  readonly objects: Int32Array;
  readonly #isObject: Uint8Array;
  #numbers: Map<IConstruct, number> | undefined;

  constructor(root: IConstruct) {
    const { constructs, parents } = preOrder(root);
    const count = constructs.length;
    this.constructs = constructs;
    this.parents = Int32Array.from(parents);
    this.ends = new Int32Array(count);
    this.charts = new Int32Array(count).fill(-1);
    this.objects = new Int32Array(count);
    this.#isObject = new Uint8Array(count);
    this.#describe();
  }

  #describe(): void {
    const count = this.constructs.length;
    for (let i = 0; i < count; i++) {
      const construct = this.constructs[i];
      this.charts[i] = Chart.isChart(construct) ? i : i === 0 ? -1 : this.charts[this.parents[i]!]!;
      if (ApiObject.isApiObject(construct)) this.#isObject[i] = 1;
      this.ends[i] = i + 1;
    }
    for (let i = count - 1; i >= 0; i--) {
      this.objects[i]! += this.#isObject[i]!;
      const parent = this.parents[i]!;
      if (parent < 0) continue;
      if (this.ends[i]! > this.ends[parent]!) this.ends[parent] = this.ends[i]!;
      if (!this.isChart(i)) this.objects[parent]! += this.objects[i]!;
    }
  }

  isChart(i: number): boolean {
    return this.charts[i] === i;
  }

  isObject(i: number): boolean {
    return this.#isObject[i] === 1;
  }

  /** Whether `i` is `ancestor` or below it. */
  isWithin(i: number, ancestor: number): boolean {
    return i >= ancestor && i < this.ends[ancestor]!;
  }

  /** The ApiObjects in the subtree of `i` that belong to the chart of `i`, in pre-order. */
  objectsWithin(i: number): number[] {
    const found: number[] = [];
    for (let at = i; at < this.ends[i]!; at++) {
      if (at !== i && this.isChart(at)) at = this.ends[at]! - 1;
      else if (this.isObject(at)) found.push(at);
    }
    return found;
  }

  /** -1 for a construct that is not part of the tree. */
  numberOf(construct: IConstruct): number {
    this.#numbers ??= new Map(this.constructs.map((known, i) => [known, i]));
    return this.#numbers.get(construct) ?? -1;
  }

  pathOf(i: number): string {
    return this.constructs[i]!.node.path;
  }
}

function preOrder(root: IConstruct): { constructs: IConstruct[]; parents: number[] } {
  const constructs: IConstruct[] = [];
  const parents: number[] = [];
  const visit = (construct: IConstruct, parent: number): void => {
    const number = constructs.push(construct) - 1;
    parents.push(parent);
    for (const child of construct.node.children) visit(child, number);
  };
  visit(root, -1);
  return { constructs, parents };
}

/**
 * The dependencies between constructs: the declared ones, and those that cdk8s derives for charts.
 * The tree is not changed. A dependency also applies to all objects below its two ends. The
 * ordering handles that without an edge for each pair.
 */
export class Dependencies {
  readonly tree: Tree;
  /** Whether charts depend on each other; cdk8s then numbers the files of charts. */
  readonly betweenCharts: boolean;
  readonly #edges: ReadonlyMap<number, ReadonlySet<number>>;
  /** Constructs with dependencies, ascending. */
  readonly #sources: readonly number[];

  constructor(tree: Tree, edges: ReadonlyMap<number, ReadonlySet<number>>, betweenCharts: boolean) {
    this.tree = tree;
    this.betweenCharts = betweenCharts;
    this.#edges = edges;
    this.#sources = [...edges.keys()].toSorted((a, b) => a - b);
  }

  /** Yields the dependencies of `source` inside the subtree of `root`, in the order of declaration. */
  *targets(source: number, root: number): Iterable<number> {
    for (const target of this.#edges.get(source) ?? []) {
      if (this.tree.isWithin(target, root)) yield target;
    }
  }

  /** The constructs below `root` that depend on another construct below `root`, ascending. */
  sourcesWithin(root: number): number[] {
    const found: number[] = [];
    for (let at = firstFrom(this.#sources, root); at < this.#sources.length; at++) {
      const source = this.#sources[at]!;
      if (source >= this.tree.ends[root]!) break;
      for (const _ of this.targets(source, root)) {
        found.push(source);
        break;
      }
    }
    return found;
  }
}

/**
 * Reads the dependencies of a tree, in time linear in constructs and declarations: those of
 * `node.addDependency()`, those of a chart on the charts directly below it, and those between charts
 * that follow when constructs depend across them.
 *
 * Throws InvalidOutput, naming both constructs, when an end of a dependency is in no chart or not in
 * the tree (it belongs to another app, or to a deferred subtree), and when a construct depends on
 * itself.
 */
export function readDependencies(tree: Tree): Dependencies {
  const edges = new Map<number, Set<number>>();
  const add = (source: number, target: number): void => {
    const known = edges.get(source);
    if (known === undefined) edges.set(source, new Set([target]));
    else known.add(target);
  };
  readDeclared(tree, add);
  let betweenCharts = false;
  const addBetweenCharts = (source: number, target: number): void => {
    add(source, target);
    betweenCharts = true;
  };
  for (let i = 1; i < tree.constructs.length; i++) {
    if (tree.isChart(i) && tree.isChart(tree.parents[i]!)) addBetweenCharts(tree.parents[i]!, i);
  }
  for (const source of [...edges.keys()].toSorted((a, b) => a - b)) {
    for (const target of edges.get(source)!) {
      const from = tree.charts[source]!;
      const to = tree.charts[target]!;
      if (from !== to) addBetweenCharts(from, to);
    }
  }
  return new Dependencies(tree, edges, betweenCharts);
}

function readDeclared(tree: Tree, add: (source: number, target: number) => void): void {
  const problems: string[] = [];
  for (const [source, construct] of tree.constructs.entries()) {
    for (const dependency of construct.node.dependencies) {
      const target = tree.numberOf(dependency);
      const ends = `[${construct.node.path}] depends on [${dependency.node.path}]`;
      if (target < 0) {
        problems.push(
          `${ends}, which must be in the same app and, if deferred, in the same subtree`,
        );
      } else if (tree.charts[source]! < 0 || tree.charts[target]! < 0) {
        problems.push(`${ends}: both must be in a chart, directly or indirectly`);
      } else if (source === target) {
        problems.push(
          `Dependency cycle detected: ${construct.node.path} => ${construct.node.path}`,
        );
      } else {
        add(source, target);
      }
    }
  }
  if (problems.length > 0) throw new InvalidOutput(problems);
}

function firstFrom(ascending: readonly number[], least: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
