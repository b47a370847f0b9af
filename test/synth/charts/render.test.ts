/* oxlint-disable no-new -- a construct adds itself to its scope */
import { afterEach, describe, expect, test } from '@jest/globals';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Include, JsonPatch, Lazy } from 'cdk8s';
import type { ApiObjectProps, IResolver, ResolutionContext } from 'cdk8s';
import * as plus from 'cdk8s-plus-28';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { renderObject } from '../../../synth/charts/render.ts';
import { bothWays, object, same } from '../both-ways.ts';

const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap' };

function token(value: unknown) {
  return { resolve: () => value };
}

function message(render: () => unknown): string {
  try {
    render();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
}

class Foo {
  readonly bar = 1;
}

function secretive(chart: Chart): void {
  object(chart, {
    metadata: { name: 'abc', labels: { l: 'xyz' } },
    data: { a: 'secret', shout: 1, list: ['abc', [null]] },
  });
  new plus.k8s.KubeConfigMap(chart, 'generated', { data: { key: 'secret' } });
}

describe('an object is rendered as in cdk8s', () => {
  test('with sorted keys, and apiVersion, kind and metadata first', () => {
    same((chart) =>
      object(chart, { zebra: 1, apple: { z: 1, a: { y: 1, b: 2 } }, 10: 'x', 9: 'y' }),
    );
  });

  test('without null and undefined fields, but with empty lists, maps and strings', () => {
    same((chart) =>
      object(chart, {
        a: null,
        b: undefined,
        c: [],
        d: {},
        e: '',
        f: { g: null },
        h: [{ i: null }],
        j: 0,
        k: false,
      }),
    );
  });

  test('with null for an element of a list that is absent', () => {
    same((chart) => object(chart, { list: [1, null, undefined, 2] }));
  });

  test('with the labels and the namespace of the chart, which the object may override', () => {
    same((chart) => {
      object(chart, {}, 'a');
      object(
        chart,
        { metadata: { name: 'b', namespace: 'mine', labels: { team: 'b', x: 'y' } } },
        'b',
      );
    });
  });

  test('with metadata added later, and no empty parts in metadata', () => {
    same((chart) => {
      const a = object(chart, {
        metadata: { annotations: {}, finalizers: [], deep: { empty: [], full: [{}] } },
      });
      a.metadata.addLabel('l', 'v');
      a.metadata.addAnnotation('a', 'v');
      a.metadata.addFinalizers('f');
      a.metadata.addOwnerReference({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' });
      a.metadata.add('generation', 3);
      a.metadata.add('other', Lazy.any({ produce: () => [] }));
    });
  });

  test('with lazy values resolved, also those that produce lazy values', () => {
    same((chart) =>
      object(chart, {
        metadata: { name: 'n', labels: { lazy: Lazy.any({ produce: () => 'label' }) } },
        spec: Lazy.any({ produce: () => ({ z: [Lazy.any({ produce: () => 7 })], a: undefined }) }),
        gone: Lazy.any({ produce: () => undefined }),
      }),
    );
  });

  test('with lazy values produced in the order of declaration', () => {
    same((chart) => {
      let count = 0;
      const next = () => Lazy.any({ produce: () => (count += 1) });
      object(chart, { z: next(), a: next(), m: { y: next(), b: next() } });
    });
  });

  test('with implicit tokens resolved', () => {
    class Token {
      resolve() {
        return { nested: token('x') };
      }
    }
    same((chart) =>
      object(chart, {
        a: token('b'),
        c: new Token(),
        d: [token(1), token(null)],
        e: token(token({})),
      }),
    );
  });

  test('with unions of number and string taken apart', () => {
    same((chart) => {
      object(
        chart,
        {
          port: plus.k8s.IntOrString.fromNumber(8080),
          size: [plus.k8s.Quantity.fromString('1Gi')],
        },
        'plain',
      );
      new plus.k8s.KubeResourceQuota(chart, 'quota', {
        spec: {
          hard: {
            cpu: plus.k8s.Quantity.fromNumber(2),
            memory: plus.k8s.Quantity.fromString('4Gi'),
          },
        },
      });
    });
  });

  test('with custom resolvers, which see every value under its key and come before the others', () => {
    const seen = new Map<string, string[]>();
    const run = (name: string) => {
      const keys: string[] = [];
      seen.set(name, keys);
      const spy: IResolver = {
        resolve(context: ResolutionContext) {
          keys.push(`${context.obj.name} ${context.key.join('.')} ${typeof context.value}`);
          if (context.value === 'secret')
            context.replaceValue(Lazy.any({ produce: () => ({ from: ['vault'] }) }));
          if (context.key.at(-1) === 'shout') context.replaceValue(null);
        },
      };
      const suffix: IResolver = {
        resolve(context: ResolutionContext) {
          if (typeof context.value === 'string' && context.value.length === 3)
            context.replaceValue(`${context.value}!`);
        },
      };
      return { resolvers: [spy, suffix] };
    };
    const { stock } = bothWays(secretive, run('stock'));
    const stockKeys = seen.get('stock')!.length / 2;
    const { ours } = bothWays(secretive, run('ours'));
    expect(ours).toBe(stock);
    const keys = seen.get('ours')!;
    expect(keys.slice(stockKeys)).toEqual(keys.slice(0, stockKeys));
  });

  test.each([
    [
      'add',
      [
        JsonPatch.add('/data/new', { z: 1, a: 2 }),
        JsonPatch.add('/data/list/0', 'first'),
        JsonPatch.add('/last', 1),
      ],
    ],
    ['remove', [JsonPatch.remove('/data/a'), JsonPatch.remove('/metadata/labels')]],
    [
      'replace',
      [JsonPatch.replace('/kind', 'Other'), JsonPatch.replace('/data', { b: null, a: [] })],
    ],
    ['move and copy', [JsonPatch.move('/data/a', '/data/b'), JsonPatch.copy('/data/b', '/copy')]],
    ['test', [JsonPatch.test('/data/a', 'value'), JsonPatch.replace('/data/a', 'tested')]],
    [
      'metadata put back',
      [JsonPatch.remove('/metadata'), JsonPatch.add('/metadata', { name: 'x' })],
    ],
    [
      'the whole document',
      [JsonPatch.replace('', { z: 1, metadata: {}, kind: 'K', apiVersion: 'v' })],
    ],
  ])('with JSON patches: %s', (_, patches) => {
    same((chart) => object(chart, { data: { a: 'value', list: ['x'] } }).addJsonPatch(...patches));
    same((chart) => {
      const generated = new plus.k8s.KubeConfigMap(chart, 'c', {
        metadata: { labels: {} },
        data: { a: 'value' },
      });
      generated.addJsonPatch(JsonPatch.add('/data/list', []), ...patches);
    });
  });

  test('from a manifest that is included', () => {
    const folder = mkdtempSync(join(tmpdir(), 'include-'));
    const url = join(folder, 'manifest.yaml');
    writeFileSync(
      url,
      'kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata: {z: "1", a: "2"}\n---\nkind: Secret\napiVersion: v1\nmetadata: {name: b, namespace: c}\n',
    );
    try {
      same((chart) => void new Include(chart, 'include', { url }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('an overridden toJson() is called', () => {
  test('when it looks at its own object, even at private fields', () => {
    class Mine extends ApiObject {
      #own = 'private';
      override toJson() {
        return { ...super.toJson(), own: this.#own, path: this.node.path };
      }
    }
    same((chart) => void new Mine(chart, 'mine', { ...CONFIG, z: 1, a: 2 } as ApiObjectProps));
  });

  test('when it only converts, whatever the names of the fields', () => {
    class Converted extends ApiObject {
      override toJson() {
        const { data, ...rest } = super.toJson();
        return { ...rest, converted: data };
      }
    }
    const odd = {
      name: 'n',
      length: 3,
      prototype: {},
      caller: 1,
      arguments: [],
      data: { b: 1, a: [null] },
    };
    same((chart) => void new Converted(chart, 'mine', { ...CONFIG, ...odd } as ApiObjectProps));
  });

  test('when only one in a chain of them converts', () => {
    class Outer extends plus.k8s.KubeConfigMap {
      override toJson() {
        return { wrapped: super.toJson() as unknown, by: this.kind } as object;
      }
    }
    class Outermost extends Outer {
      override toJson() {
        return { again: super.toJson() as unknown };
      }
    }
    same((chart) => void new Outermost(chart, 'mine', { data: { b: 'c', a: 'b' } }));
  });

  test('when it is set on one object', () => {
    same((chart) => {
      const one = object(chart, {});
      one.toJson = () => ({ mine: one.name });
    });
  });

  test('when it is bound to something else', () => {
    class Bound extends ApiObject {}
    Bound.prototype.toJson = function (this: { by: string }) {
      return { kind: this.by };
    }.bind({ by: 'Somebody' });
    same((chart) => void new Bound(chart, 'bound', CONFIG));
  });

  test('when its class is behind a proxy', () => {
    class Seen extends ApiObject {
      readonly #seen = 'seen';
      override toJson() {
        return { ...super.toJson(), seen: this.#seen };
      }
    }
    Seen.prototype.toJson = new Proxy(Seen.prototype.toJson, {
      apply: (target, self: Seen) => ({ ...target.call(self), group: self.apiGroup }),
    });
    const Proxied = new Proxy(Seen, {});
    same((chart) => void new Proxied(chart, 'proxied', { ...CONFIG, z: 1 } as ApiObjectProps));
  });

  test('when it is wrapped after an object of its class was rendered', () => {
    class Generated extends ApiObject {
      override toJson() {
        return { ...super.toJson(), generated: true };
      }
    }
    const declare = (chart: Chart) => void new Generated(chart, 'one', CONFIG);
    same(declare);
    const original = Generated.prototype.toJson;
    Generated.prototype.toJson = function (this: Generated) {
      return { ...original.call(this), group: this.apiGroup };
    };
    same(declare);
  });

  test('and an absent element is null in every case', () => {
    class Sparse extends ApiObject {
      override toJson() {
        const list = [undefined, 'b'];
        list.length = 3;
        return { ...super.toJson(), list };
      }
    }
    const chart = new Chart(new App(), 'chart');
    const args = ['a', undefined as unknown as string];
    const spec = { containers: [{ name: 'c', args }] };
    expect(renderObject(new Sparse(chart, 'sparse', CONFIG), [])).toHaveProperty('list', [
      null,
      'b',
      null,
    ]);
    expect(renderObject(new plus.k8s.KubePod(chart, 'pod', { spec }), [])).toHaveProperty(
      'spec.containers.0.args',
      ['a', null],
    );
  });

  test('and an object of a class in it stays one, which YAML has no text for', () => {
    class Dated extends ApiObject {
      override toJson() {
        return { ...super.toJson(), at: new Date(0) };
      }
    }
    const dated = new Dated(new Chart(new App(), 'chart'), 'dated', CONFIG);
    expect(() => emitYaml([renderObject(dated, [])])).toThrow('got an object of class Date');
  });

  test('and a result that is no object is an error', () => {
    class Nothing extends ApiObject {
      override toJson() {
        return undefined;
      }
    }
    const chart = new Chart(new App(), 'chart');
    const nothing = new Nothing(chart, 'nothing', CONFIG);
    expect(() => renderObject(nothing, [])).toThrow(
      "at path 'chart/nothing' with name 'chart-nothing-",
    );
  });
});

describe('an error names the construct, in the wording of cdk8s', () => {
  test.each([
    ['a date', new Date(0)],
    ['a class', new Foo()],
    ['a map', new Map()],
  ])('%s is no plain data', (_, value) => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    for (const bad of [
      object(chart, { spec: { value } }, 'plain'),
      new plus.k8s.KubeConfigMap(chart, 'l1', { data: { value: value as unknown as string } }),
    ]) {
      expect(message(() => renderObject(bad, app.resolvers))).toBe(message(() => bad.toJson()));
    }
  });

  test('a JSON patch that fails', () => {
    const app = new App();
    const bad = object(new Chart(app, 'chart'), {});
    bad.addJsonPatch(JsonPatch.remove('/not/there'));
    expect(message(() => renderObject(bad, app.resolvers))).toBe(message(() => bad.toJson()));
  });

  test.each([
    ['NaN', NaN],
    ['infinity', Infinity],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
  ])('%s, which cdk8s would let through, is an error too', (_, value) => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    class Converted extends ApiObject {
      override toJson() {
        return { converted: super.toJson() as unknown };
      }
    }
    for (const bad of [
      object(chart, { value }),
      new Converted(chart, 'converted', { ...CONFIG, value } as ApiObjectProps),
    ]) {
      expect(() => renderObject(bad, app.resolvers)).toThrow(`path '${bad.node.path}'`);
    }
  });
});

describe('the environment', () => {
  afterEach(() => {
    delete process.env['CDK8S_DISABLE_SORT'];
  });

  test('does not change the order of keys, in any renderer', () => {
    class Mine extends ApiObject {
      override toJson() {
        return { ...super.toJson(), kind: this.kind };
      }
    }
    const declare = (chart: Chart) => {
      object(chart, { z: 1, a: 1 });
      new plus.k8s.KubeConfigMap(chart, 'l1', { data: { z: '1', a: '2' } });
      new Mine(chart, 'mine', { ...CONFIG, z: 1, a: 1 } as ApiObjectProps);
    };
    const { stock } = bothWays(declare);
    process.env['CDK8S_DISABLE_SORT'] = '1';
    const { ours } = bothWays(declare);
    expect(ours).toBe(stock);
    expect(process.env['CDK8S_DISABLE_SORT']).toBe('1');
  });
});

describe('the private fields of cdk8s still exist where rendering reads them', () => {
  test('the fields of an object and of its metadata', () => {
    const made = object(new Chart(new App(), 'chart'), { data: {} });
    for (const field of ['props', 'patches']) expect(Object.keys(made)).toContain(field);
    for (const field of [
      '_additionalAttributes',
      'annotations',
      'finalizers',
      'ownerReferences',
      'labels',
    ]) {
      expect(Object.keys(made.metadata)).toContain(field);
    }
  });

  test('an app ends with the three resolvers that are built in', () => {
    const resolvers = new App({ resolvers: [{ resolve: () => {} }] }).resolvers;
    expect(resolvers.slice(1).map((r) => r.constructor.name)).toEqual([
      'LazyResolver',
      'ImplicitTokenResolver',
      'NumberStringUnionResolver',
    ]);
  });
});
