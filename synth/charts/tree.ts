import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';

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
