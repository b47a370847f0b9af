import type { Dependencies, Tree } from './tree.ts';
import { InvalidOutput } from '../output/errors.ts';

/**
 * The constructs below `root`, each after everything that it depends on, in the order that cdk8s'
 * `DependencyGraph(root).topology()` gives after its `resolveDependencies()`. Linear in the constructs
 * and dependencies of the subtree.
 *
 * A dependency of S on T means that every object below S comes after every object below T (each in
 * the chart of its end). cdk8s makes an edge of each such pair; here two kinds of vertices stand in
 * for them: `within(T)` leads to the objects below T, and a needs vertex of S to the `within` of all
 * that S and its parents depend on. Visiting them depth first finds objects in the same order.
 *
 * Throws InvalidOutput with the constructs of a cycle, if there is one.
 */
export function sortTopologically(dependencies: Dependencies, root: number): number[] {
  const sources = dependencies.sourcesWithin(root);
  return sources.length === 0
    ? [...candidates(dependencies.tree, root)]
    : new Ordering(dependencies, root, sources).run();
}

/**
 * Yields constructs in pre-order, except that paths which look like array indices come first. cdk8s
 * keeps its vertices in an object with paths as keys, so this affects the order of documents.
 */
function* candidates(tree: Tree, root: number): Iterable<number> {
  const first = new Set<number>();
  if (tree.pathOf(root) === '') {
    for (let i = root + 1; i < tree.ends[root]!; i = tree.ends[i]!) {
      const id = tree.pathOf(i);
      if (String(Number(id) >>> 0) === id && id !== '4294967295') first.add(i);
    }
    yield* first;
  }
  for (let i = root; i < tree.ends[root]!; i++) if (!first.has(i)) yield i;
}

const UNSEEN = 0;
const OPEN = 1;
const DONE = 2;

/** Vertices: [0, count) the constructs of the subtree, [count, 2 count) their `within`, then needs. */
class Ordering {
  readonly #dependencies: Dependencies;
  readonly #tree: Tree;
  readonly #root: number;
  readonly #count: number;
  readonly #sources: readonly number[];
  readonly #needs: number[][] = [];
  /** The additional vertices that the objects of a construct need, in order. */
  readonly #needsOf = new Map<number, readonly number[]>();
  readonly #state: number[];
  readonly #order: number[] = [];

  constructor(dependencies: Dependencies, root: number, sources: readonly number[]) {
    this.#dependencies = dependencies;
    this.#tree = dependencies.tree;
    this.#root = root;
    this.#count = dependencies.tree.ends[root]! - root;
    this.#sources = sources;
    this.#state = Array.from({ length: 2 * this.#count }, () => UNSEEN);
  }

  run(): number[] {
    const dependedOn = this.#dependedOn();
    for (const i of candidates(this.#tree, this.#root))
      if (dependedOn[i - this.#root] === 0) this.#visit(i - this.#root);
    // whatever no root leads to is on a cycle or behind one
    for (let i = 0; i < this.#count; i++) this.#visit(i);
    return this.#order;
  }

  /** 1 for each construct that has an inbound edge in the graph of cdk8s. */
  #dependedOn(): Uint8Array {
    const tree = this.#tree;
    const root = this.#root;
    const found = new Uint8Array(this.#count);
    const below = new Uint8Array(this.#count);
    for (const source of this.#sources) {
      for (const target of this.#dependencies.targets(source, root)) {
        found[target - root] = 1;
        if (tree.objects[source] === 0) continue;
        if (!this.#overlap(source, target)) {
          below[target - root] = 1;
          continue;
        }
        const only = tree.objects[source] === 1 ? tree.objectsWithin(source)[0] : undefined;
        for (const object of tree.objectsWithin(target))
          if (object !== only) found[object - root] = 1;
      }
    }
    for (let i = 0; i < this.#count; i++) {
      const at = i + root;
      if (i > 0 && !tree.isChart(at) && below[tree.parents[at]! - root] === 1) below[i] = 1;
      if (below[i] === 1 && tree.isObject(at)) found[i] = 1;
    }
    return found;
  }

  /** Whether an object can be at both ends of a dependency. It then does not depend on itself. */
  #overlap(source: number, target: number): boolean {
    const tree = this.#tree;
    return (
      tree.charts[source] === tree.charts[target] &&
      (tree.isWithin(source, target) || tree.isWithin(target, source))
    );
  }

  #visit(start: number): void {
    if (this.#state[start] !== UNSEEN) return;
    const path = [start];
    const pending = [this.#outbound(start)];
    const next = [0];
    this.#state[start] = OPEN;
    while (path.length > 0) {
      const top = path.length - 1;
      const to = pending[top]![next[top]!++];
      if (to === undefined) {
        const done = path.pop()!;
        pending.pop();
        next.pop();
        this.#state[done] = DONE;
        if (done < this.#count) this.#order.push(done + this.#root);
      } else if (this.#state[to] === OPEN) {
        throw this.#cycle(path.slice(path.indexOf(to)));
      } else if (this.#state[to] === UNSEEN) {
        this.#state[to] = OPEN;
        path.push(to);
        pending.push(this.#outbound(to));
        next.push(0);
      }
    }
  }

  #outbound(vertex: number): readonly number[] {
    if (vertex >= 2 * this.#count) return this.#needs[vertex - 2 * this.#count]!;
    if (vertex >= this.#count) return this.#objectsAndBelow(vertex - this.#count + this.#root);
    const construct = vertex + this.#root;
    const result: number[] = [];
    for (const target of this.#dependencies.targets(construct, this.#root))
      result.push(target - this.#root);
    if (this.#tree.isObject(construct)) {
      for (const need of this.#needsBelow(construct)) if (need !== vertex) result.push(need);
    }
    return result;
  }

  #objectsAndBelow(construct: number): number[] {
    const tree = this.#tree;
    const result = tree.isObject(construct) ? [construct - this.#root] : [];
    for (let i = construct + 1; i < tree.ends[construct]!; i = tree.ends[i]!) {
      if (!tree.isChart(i) && tree.objects[i]! > 0) result.push(this.#within(i));
    }
    return result;
  }

  #within(construct: number): number {
    return construct - this.#root + this.#count;
  }

  /**
   * Returns a needs vertex that all objects below `construct` share and that is visited once. If an
   * object may be at both ends, the targets are listed individually, so that the object can exclude
   * itself.
   */
  #needsBelow(construct: number): readonly number[] {
    const known = this.#needsOf.get(construct);
    if (known !== undefined) return known;
    const tree = this.#tree;
    const inherits = tree.charts[construct]! >= this.#root && !tree.isChart(construct);
    const inherited = inherits ? this.#needsBelow(tree.parents[construct]!) : [];
    const own: number[] = [];
    let shared: number[] = [];
    for (const target of this.#dependencies.targets(construct, this.#root)) {
      if (tree.objects[target] === 0) continue;
      if (this.#overlap(construct, target)) {
        if (shared.length > 0) own.push(this.#share(shared));
        shared = [];
        for (const object of tree.objectsWithin(target)) own.push(object - this.#root);
      } else {
        shared.push(this.#within(target));
      }
    }
    const needs = this.#join(inherited, own, shared);
    this.#needsOf.set(construct, needs);
    return needs;
  }

  #join(inherited: readonly number[], own: readonly number[], shared: number[]): readonly number[] {
    if (own.length === 0 && shared.length === 0) return inherited;
    const listed = own.length > 0 || inherited.some((vertex) => vertex < this.#count);
    if (!listed) return [this.#share([...inherited, ...shared])];
    return shared.length > 0 ? [...inherited, ...own, this.#share(shared)] : [...inherited, ...own];
  }

  #share(vertices: number[]): number {
    this.#state.push(UNSEEN);
    return this.#needs.push(vertices) - 1 + 2 * this.#count;
  }

  /** Formats a cycle like cdk8s: from the target of the dependency that closes it, and back to it. */
  #cycle(vertices: readonly number[]): InvalidOutput {
    const constructs = vertices.filter((v) => v < this.#count).map((v) => v + this.#root);
    const closing = constructs.indexOf(Math.max(...constructs));
    const round = [...constructs.slice(closing + 1), ...constructs.slice(0, closing + 1)];
    const paths = [...round, round[0]!].map((i) => this.#tree.pathOf(i));
    return new InvalidOutput([`Dependency cycle detected: ${paths.join(' => ')}`]);
  }
}
