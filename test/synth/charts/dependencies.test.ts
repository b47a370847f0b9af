import { describe, expect, test } from '@jest/globals';
import { ApiObject, App, Chart } from 'cdk8s';
import { Construct, DependencyGroup } from 'constructs';
import type { IConstruct } from 'constructs';
import * as fc from 'fast-check';
import { readDependencies, Tree } from '../../../synth/charts/tree.ts';
import { InvalidOutput } from '../../../synth/output/errors.ts';
import { sortTopologically } from '../../../synth/charts/order.ts';

function object(scope: Construct, id: string): ApiObject {
  return new ApiObject(scope, id, { apiVersion: 'v1', kind: 'ConfigMap' });
}

/** Paths of charts, then of the objects of each, in order. */
function ourOrder(app: App): string[] {
  const tree = new Tree(app);
  const dependencies = readDependencies(tree);
  const charts = sortTopologically(dependencies, 0).filter((i) => tree.isChart(i));
  const objects = charts.flatMap((chart) =>
    sortTopologically(dependencies, chart).filter(
      (i) => tree.isObject(i) && tree.charts[i] === chart,
    ),
  );
  return [...charts, ...objects].map((i) => tree.pathOf(i));
}

/** The same as cdk8s has it. `toJson()` of a chart resolves the dependencies of the whole app. */
function stockOrder(app: App): string[] {
  const rendered: string[] = [];
  for (const found of app.node.findAll()) {
    if (!(found instanceof ApiObject)) continue;
    found.toJson = () => rendered.push(found.node.path);
  }
  const first = app.node.findAll().find((c) => c instanceof Chart);
  (first as Chart | undefined)?.toJson();
  rendered.length = 0;
  const { charts } = app;
  for (const chart of charts) chart.toJson();
  return [...charts.map((chart) => chart.node.path), ...rendered];
}

function sameOrder(declare: (app: App) => void): string[] {
  const [stock, ours] = [new App(), new App()];
  declare(stock);
  declare(ours);
  const order = ourOrder(ours);
  expect(order).toEqual(stockOrder(stock));
  return order;
}

function thrown(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

describe('charts and objects come in the order of cdk8s', () => {
  test('as declared, without dependencies', () => {
    sameOrder((app) => {
      for (const id of ['b', 'a', '10', '9']) {
        const chart = new Chart(app, id);
        for (const name of ['y', 'x', '2', '1']) object(chart, name);
      }
    });
  });

  test('objects after those that they depend on', () => {
    const order = sameOrder((app) => {
      const chart = new Chart(app, 'c');
      const [a, b, d] = [object(chart, 'a'), object(chart, 'b'), object(chart, 'd')];
      a.addDependency(d, b);
    });
    expect(order).toEqual(['c', 'c/d', 'c/b', 'c/a']);
  });

  test('charts after those that their constructs depend on', () => {
    const order = sameOrder((app) => {
      const [a, b, c] = ['a', 'b', 'c'].map((id) => new Chart(app, id)) as [Chart, Chart, Chart];
      object(new Construct(a, 'scope'), 'x').addDependency(object(c, 'y'));
      b.addDependency(a);
    });
    expect(order.slice(0, 3)).toEqual(['c', 'a', 'b']);
  });

  test('charts after those nested in them', () => {
    const order = sameOrder((app) => {
      const parent = new Chart(app, 'parent');
      object(parent, 'x');
      object(new Chart(parent, 'child'), 'y');
      object(new Chart(new Construct(parent, 'scope'), 'far'), 'z');
    });
    expect(order.slice(0, 3)).toEqual(['parent/child', 'parent', 'parent/scope/far']);
  });

  test('an object that depends on a chart, on a scope, on a group, or on what it is part of', () => {
    sameOrder((app) => {
      const [a, b, c] = ['a', 'b', 'c'].map((id) => new Chart(app, id)) as [Chart, Chart, Chart];
      const scope = new Construct(a, 'scope');
      for (const id of ['1', '2']) object(scope, id);
      const late = object(new Construct(a, 'other'), 'late');
      for (const chart of [b, c]) for (const id of ['q', 'p']) object(chart, id);
      object(a, 'first').addDependency(b, scope);
      late.node.addDependency(new DependencyGroup(c, scope));
      late.node.addDependency(a);
    });
  });

  test('a scope that depends on one object inside of it', () => {
    const order = sameOrder((app) => {
      const chart = new Chart(app, 'c');
      const scope = new Construct(chart, 's');
      for (const id of ['1', '2', '3']) object(scope, id);
      scope.node.addDependency(object(new Construct(scope, 'inner'), 'crd'));
      scope.node.addDependency(object(chart, 'namespace'));
    });
    expect(order).toEqual(['c', 'c/namespace', 'c/s/inner/crd', 'c/s/1', 'c/s/2', 'c/s/3']);
  });
});

describe('a dependency that cannot be is an error', () => {
  test.each<[string, (app: App) => void]>([
    [
      'between objects',
      (app) => {
        const chart = new Chart(app, 'c');
        const [a, b, d] = [object(chart, 'a'), object(chart, 'b'), object(chart, 'd')];
        a.addDependency(b);
        b.addDependency(d);
        d.addDependency(a);
      },
    ],
    [
      'between charts, by their objects',
      (app) => {
        const [a, b] = [new Chart(app, 'a'), new Chart(app, 'b')];
        object(a, '1').addDependency(object(b, '1'));
        object(b, '2').addDependency(object(a, '2'));
      },
    ],
    [
      'of a nested chart on its parent',
      (app) => {
        const parent = new Chart(app, 'parent');
        object(new Chart(parent, 'child'), 'x').addDependency(object(parent, 'y'));
      },
    ],
  ])('a cycle %s, in the words of cdk8s', (_, declare) => {
    const [stock, ours] = [new App(), new App()];
    declare(stock);
    declare(ours);
    const error = thrown(() => ourOrder(ours));
    expect(error).toBeInstanceOf(InvalidOutput);
    expect(error.message).toBe(thrown(() => stockOrder(stock)).message);
  });

  test('a cycle that only follows from scopes names its objects', () => {
    const app = new App();
    const chart = new Chart(app, 'c');
    const scope = new Construct(chart, 's');
    object(scope, '1');
    object(scope, '2').addDependency(scope);
    object(scope, '3').addDependency(scope);
    expect(() => ourOrder(app)).toThrow('Dependency cycle detected: c/s/2 => c/s/3 => c/s/2');
  });

  test('a construct that depends on itself, which cdk8s would leave out of the output', () => {
    const app = new App();
    const a = object(new Chart(app, 'c'), 'a');
    a.addDependency(a);
    expect(() => ourOrder(app)).toThrow('Dependency cycle detected: c/a => c/a');
  });

  test('on another app, or outside of charts: all are named at once', () => {
    const app = new App();
    const a = object(new Chart(app, 'c'), 'a');
    a.addDependency(object(new Chart(new App(), 'foreign'), 'b'), new Construct(app, 'loose'));
    const error = thrown(() => ourOrder(app)) as InvalidOutput;
    expect(error.problems).toEqual([
      '[c/a] depends on [foreign/b], which must be in the same app and, if deferred, in the same subtree',
      '[c/a] depends on [loose]: both must be in a chart, directly or indirectly',
    ]);
  });
});

describe('size does not matter', () => {
  test('sixty layers of two objects, each on both below it, take milliseconds', () => {
    const app = new App();
    const chart = new Chart(app, 'c');
    let below: ApiObject[] = [];
    for (let layer = 0; layer < 60; layer++) {
      const next = [object(chart, `l${layer}`), object(chart, `r${layer}`)];
      for (const one of next) one.addDependency(...below);
      below = next;
    }
    expect(ourOrder(app)).toHaveLength(121);
  });

  test('a chain of twenty thousand objects, declared last to first', () => {
    const app = new App();
    const chart = new Chart(app, 'c');
    let last = object(chart, 'o0');
    for (let i = 1; i < 20_000; i++) {
      const next = object(chart, `o${i}`);
      last.addDependency(next);
      last = next;
    }
    expect(ourOrder(app)[1]).toBe('c/o19999');
  });

  test('five hundred charts of twenty objects, each on all charts before it', () => {
    const app = new App();
    const charts: Chart[] = [];
    for (let i = 0; i < 500; i++) {
      const chart = new Chart(app, `c${i}`);
      for (let j = 0; j < 20; j++) object(chart, `o${j}`);
      chart.addDependency(...charts);
      charts.push(chart);
    }
    expect(ourOrder(app).slice(0, 500)).toEqual(charts.map((chart) => chart.node.path));
  });
});

interface Plan {
  readonly nodes: readonly {
    readonly parent: number;
    readonly kind: number;
    readonly digit: boolean;
  }[];
  readonly edges: readonly (readonly [number, number])[];
  readonly rank: readonly number[];
  readonly free: boolean;
}

const plans: fc.Arbitrary<Plan> = fc.record({
  nodes: fc.array(fc.record({ parent: fc.nat(), kind: fc.nat(9), digit: fc.boolean() }), {
    minLength: 2,
    maxLength: 14,
  }),
  edges: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 9 }),
  rank: fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
  free: fc.boolean(),
});

/** Charts, scopes and objects at random below each other; dependencies mostly along a random rank. */
function build({ nodes, edges, rank, free }: Plan): App {
  const app = new App();
  const made: IConstruct[] = [new Chart(app, 'first')];
  for (const [i, { parent, kind, digit }] of nodes.entries()) {
    const id = digit ? `${90 - i}` : `n${i}`;
    const scope = made[parent % made.length] as Construct;
    if (kind < 2) made.push(new Chart(kind === 0 ? app : scope, id));
    else made.push(kind < 4 ? new Construct(scope, id) : object(scope, id));
  }
  for (const [from, to] of edges) {
    let [a, b] = [from % made.length, to % made.length];
    if (a === b) continue;
    if (!free && rank[a]! < rank[b]!) [a, b] = [b, a];
    made[a]!.node.addDependency(made[b]!);
  }
  return app;
}

test('random trees with random dependencies come in the order of cdk8s, or are cycles to both', () => {
  let [ordered, cycles] = [0, 0];
  fc.assert(
    fc.property(plans, (plan) => {
      let expected: string[] | undefined;
      try {
        expected = stockOrder(build(plan));
      } catch (error) {
        expect((error as Error).message).toContain('cycle');
      }
      if (expected === undefined) {
        cycles += 1;
        expect(() => ourOrder(build(plan))).toThrow('Dependency cycle detected');
      } else {
        if (plan.edges.length > 0) ordered += 1;
        expect(ourOrder(build(plan))).toEqual(expected);
      }
    }),
    { seed: 20260301, numRuns: process.env['TENANTRY_LONG'] === '1' ? 20_000 : 1_000 },
  );
  expect(ordered).toBeGreaterThan(200);
  expect(cycles).toBeGreaterThan(50);
});
