/* oxlint-disable no-new -- a construct adds itself to its scope */
import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, JsonPatch, YamlOutputType } from 'cdk8s';
import * as plus from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import {
  constructMetadata,
  findOutputPath,
  renderCharts,
  renderDeferred,
  setOutputPath,
  validateTree,
} from '../../synth/charts.ts';
import { InvalidOutput } from '../../synth/output/errors.ts';
import { OutputPaths } from '../../synth/charts/output-paths.ts';
import { ourFiles, stockFiles, text, type Declare } from './stock.ts';

function object(
  scope: Construct,
  id: string,
  metadata: { name?: string; namespace?: string } = {},
) {
  return new ApiObject(scope, id, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: { z: '1', a: '2' },
  });
}

function masked(path: string): string {
  return path.replace(/-c8[0-9a-f]{6}/, '-HASH');
}

function thrown(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

const TYPES = [
  ['a file per app', YamlOutputType.FILE_PER_APP],
  ['a file per chart', YamlOutputType.FILE_PER_CHART],
  ['a file per resource', YamlOutputType.FILE_PER_RESOURCE],
  ['a folder per chart', YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE],
] as const;

const separate: Declare = (app) => {
  for (const id of ['web', '7', 'api', '10']) {
    const chart = new Chart(app, id, {
      namespace: id,
      labels: { app: id },
      disableResourceNameHashes: id === 'api',
    });
    new plus.Deployment(chart, 'server', {
      containers: [{ image: 'nginx', portNumber: 80 }],
    }).exposeViaService();
    object(chart, 'config').addDependency(object(new Construct(chart, 'inner'), 'before'));
  }
  new Chart(app, 'empty');
};

const dependent: Declare = (app) => {
  const first = new Chart(app, 'first');
  const second = new Chart(app, 'second');
  const nested = new Chart(new Construct(second, 'scope'), 'nested');
  object(new Chart(first, 'child'), 'o');
  const late = object(first, 'late');
  late.addDependency(second);
  late.addJsonPatch(JsonPatch.add('/data/patched', 'yes'));
  object(second, 'o').addDependency(object(nested, 'crd'));
  object(second, 'system:odd/name');
};

describe.each(TYPES)('with %s the files are those of cdk8s', (_, yamlOutputType) => {
  const same = (declare: Declare, outputFileExtension = '.k8s.yaml') => {
    const props = { yamlOutputType, outputFileExtension };
    const stock = stockFiles(declare, props);
    const ours = ourFiles(declare, props);
    expect(Object.keys(ours).toSorted()).toEqual(Object.keys(stock).toSorted());
    for (const [path, documents] of Object.entries(stock))
      expect(text(ours[path])).toBe(text(documents));
  };

  test('for charts that stand alone', () => same(separate));
  test('for charts that depend on each other or are nested', () => same(dependent));
  test('with another extension', () => same(dependent, '.yml'));
  test('without any chart', () => same(() => {}));
});

const placed = (app: App) => {
  const chart = new Chart(app, 'tenant');
  object(chart, 'a');
  object(new Chart(chart, 'nested'), 'b');
  object(new Chart(app, 'other'), 'c');
  setOutputPath(chart, 'clusters/eu/tenant.yaml');
  return chart;
};

describe('a chart with an output path of its own', () => {
  test.each([
    [YamlOutputType.FILE_PER_APP, ['app.yaml', 'clusters/eu/tenant.yaml']],
    [
      YamlOutputType.FILE_PER_CHART,
      ['0000-tenant-nested-c882d5b3.yaml', '0001-other.yaml', 'clusters/eu/tenant.yaml'],
    ],
    [
      YamlOutputType.FILE_PER_RESOURCE,
      [
        'ConfigMap.other-c-c8f1a79c.yaml',
        'ConfigMap.tenant-nested-b-c8be13ad.yaml',
        'clusters/eu/tenant.yaml',
      ],
    ],
  ])(
    'is one file there, whatever the type (%s), and nested charts keep theirs',
    (yamlOutputType, paths) => {
      const app = new App({ yamlOutputType, outputFileExtension: '.yaml' });
      expect(findOutputPath(placed(app))).toBe('clusters/eu/tenant.yaml');
      const files = [...renderCharts(app)];
      expect(files.map(({ path }) => masked(path)).toSorted()).toEqual(paths.map(masked));
      const own = files.find(({ path }) => path === 'clusters/eu/tenant.yaml')!;
      expect(own.sources.map((source) => source.node.path)).toEqual(['tenant/a']);
      expect([...own.objects].map((o) => o.metadata.name)).toEqual([own.sources[0]!.name]);
    },
  );

  test.each(['/absolute.yaml', '../out.yaml', 'a//b', 'a/./b', '', 'a\\b'])(
    'must be relative and inside: %j',
    (path) => {
      expect(() => setOutputPath(new Chart(new App(), 'c'), path)).toThrow(
        'output path of [c] must be relative',
      );
    },
  );
});

describe('two charts or objects for one file are an error that names both', () => {
  test('charts, before anything is rendered', () => {
    const app = new App();
    for (const id of ['a', 'b', 'c']) setOutputPath(new Chart(app, id), 'same.yaml');
    const error = thrown(() => renderCharts(app)[Symbol.iterator]().next()) as InvalidOutput;
    expect(error).toBeInstanceOf(InvalidOutput);
    expect(error.problems).toEqual([
      "[a] and [b] must not be written to the same file, got 'same.yaml' for both",
      "[a] and [c] must not be written to the same file, got 'same.yaml' for both",
    ]);
  });

  test('the same kind and name in two namespaces', () => {
    const app = new App({ yamlOutputType: YamlOutputType.FILE_PER_RESOURCE });
    const chart = new Chart(app, 'c');
    object(chart, 'one', { name: 'x', namespace: 'a' });
    object(chart, 'two', { name: 'x', namespace: 'b' });
    object(chart, 'odd', { name: 'x:' });
    expect((thrown(() => [...renderCharts(app)]) as InvalidOutput).problems).toEqual([
      "[c/one] and [c/two] must not be written to the same file, got 'ConfigMap.x.k8s.yaml' for both",
      "[c/one] and [c/odd] must not be written to the same file, got 'ConfigMap.x.k8s.yaml' for both",
    ]);
  });

  test('charts whose paths give the same folder', () => {
    const app = new App({ yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE });
    for (const id of ['Same', 'same']) object(new Chart(app, id), 'o', { name: 'x' });
    const files = [...renderCharts(app)].map(({ path }) => path);
    expect(new Set(files).size).toBe(2);
  });

  test('across calls that share the paths of an output', () => {
    const paths = new OutputPaths();
    const app = new App();
    setOutputPath(new Chart(app, 'a'), 'x.yaml');
    expect([...renderCharts(app, { paths })]).toHaveLength(1);
    const deferred = renderDeferred(
      app,
      't',
      (scope) => setOutputPath(new Chart(scope, 'b'), 'x.yaml'),
      { paths },
    );
    expect(() => [...deferred]).toThrow('[a] and [t/b]');
  });
});

const failing: Declare = (app) => {
  const chart = new Chart(app, 'c');
  const made = object(chart, 'o');
  made.node.addValidation({ validate: () => ['one', 'two'] });
  app.node.addValidation({ validate: () => ['of the app'] });
  object(chart, 'p').node.addValidation({ validate: () => [] });
  chart.node.addValidation({ validate: () => ['three'] });
};

describe('validation', () => {
  test('reports all errors at once, in the wording of cdk8s', () => {
    const app = new App();
    failing(app);
    const error = thrown(() => renderCharts(app)) as InvalidOutput;
    expect(error.message).toBe(thrown(() => stockFiles(failing)).message);
    expect(error.problems).toEqual(['[] of the app', '[c] three', '[c/o] one', '[c/o] two']);
    expect(thrown(() => validateTree(app)).message).toBe(error.message);
  });

  test('validates each construct once, however many charts there are', () => {
    const app = new App();
    let asked = 0;
    for (const id of ['a', 'b', 'c']) {
      object(new Chart(app, id), 'o').node.addValidation({ validate: () => ((asked += 1), []) });
    }
    for (const file of renderCharts(app)) Array.from(file.objects);
    expect(asked).toBe(3);
  });
});

test('rendering is lazy, and dependencies are not written to the tree', () => {
  const app = new App();
  const parent = new Chart(app, 'a');
  const child = new Chart(parent, 'child');
  const made = object(child, 'o');
  let rendered = 0;
  made.toJson = () => ((rendered += 1), { kind: 'K' });
  const files = [...renderCharts(app)];
  expect(rendered).toBe(0);
  expect([...files[0]!.objects]).toEqual([{ kind: 'K' }]);
  expect(rendered).toBe(1);
  expect(parent.node.dependencies).toEqual([]);
});

const tenant = (name: string) => (scope: Construct) => {
  const chart = new Chart(scope, 'chart', { namespace: name });
  object(chart, 'late').addDependency(object(chart, 'early'));
  setOutputPath(chart, `tenants/${name}.yaml`);
};

describe('a deferred subtree', () => {
  test('renders the same as the constructs in the app', () => {
    const whole = new App();
    for (const id of ['a', 'b']) tenant(id)(new Construct(whole, id));
    const app = new App();
    const deferred = ['a', 'b'].flatMap((id) =>
      [...renderDeferred(app, id, tenant(id))].map(({ path, objects }) => [path, [...objects]]),
    );
    expect(deferred).toEqual(
      [...renderCharts(whole)].map(({ path, objects }) => [path, [...objects]]),
    );
  });

  test('is built during iteration and dropped afterwards, also when that stops or fails', () => {
    const app = new App();
    const iterable = renderDeferred(app, 't', tenant('t'));
    expect(app.node.children).toEqual([]);
    for (const file of iterable) {
      expect(app.node.children).toHaveLength(1);
      expect(file.path).toBe('tenants/t.yaml');
      break;
    }
    expect(app.node.children).toEqual([]);
    const failed = renderDeferred(app, 'a/b', () => {
      throw new Error('build failed');
    });
    expect(() => [...failed]).toThrow('build failed');
    expect(app.node.children).toEqual([]);
  });

  test('is validated and ordered alone', () => {
    const app = new App();
    new Chart(app, 'other').node.addValidation({ validate: () => ['not asked'] });
    const invalid = renderDeferred(app, 't', (scope) =>
      scope.node.addValidation({ validate: () => ['asked'] }),
    );
    expect(thrown(() => [...invalid]).message).toBe(
      'Validation failed with the following errors:\n  [t] asked',
    );
  });

  test('must not depend on constructs outside of it, and none may depend on it', () => {
    const app = new App();
    const chart = new Chart(app, 'platform');
    const outside = object(chart, 'crd');
    let inside: Construct | undefined;
    const build = (scope: Construct) => {
      inside = object(new Chart(scope, 'chart'), 'o');
      inside.node.addDependency(outside);
    };
    expect(() => [...renderDeferred(app, 't', build)]).toThrow(
      '[t/chart/o] depends on [platform/crd]',
    );
    outside.addDependency(inside!);
    expect(() => renderCharts(app)).toThrow('[platform/crd] depends on [t/chart/o]');
  });

  test('is in no file per app', () => {
    const app = new App({ yamlOutputType: YamlOutputType.FILE_PER_APP });
    const pathless = renderDeferred(app, 't', (scope) => void new Chart(scope, 'chart'));
    expect(() => [...pathless]).toThrow('[t/chart] must have an output path');
    expect([...renderDeferred(app, 't', tenant('t'))].map(({ path }) => path)).toEqual([
      'tenants/t.yaml',
    ]);
  });
});

test('construct-metadata.json equals that of cdk8s', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'metadata-'));
  try {
    const stock = new App({ outdir, recordConstructMetadata: true });
    dependent(stock);
    stock.synth();
    const app = new App();
    dependent(app);
    const objects = Array.from(renderCharts(app)).flatMap((file) => file.sources);
    expect(constructMetadata(objects)).toBe(
      readFileSync(join(outdir, 'construct-metadata.json'), 'utf8'),
    );
  } finally {
    rmSync(outdir, { recursive: true });
  }
});
