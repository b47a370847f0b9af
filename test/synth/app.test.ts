import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ApiObject, App as Cdk8sApp, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { App } from '../../synth/app.ts';
import { setOutputPath } from '../../synth/charts.ts';
import type { Source } from '../../synth/files.ts';
import { UnexpectedFilesInOutput } from '../../synth/output/errors.ts';
import { listGenerated } from '../../synth/output/survey.ts';
import { buildErrorReport } from '../../synth/report.ts';
import { filesOf, inFolder, place, treeOf } from './output/folders.ts';
import { problemsOf } from './problems.ts';

function map(scope: Construct, id: string, path?: string): Chart {
  const chart = new Chart(scope, id);
  if (path !== undefined) setOutputPath(chart, path);
  new ApiObject(chart, 'map', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id } });
  return chart;
}

const source = (path: string, text: string): Source => ({
  synthesize: (sink) => sink.add({ id: path, files: [{ path, content: text }], namespaces: [] }),
});

test(
  'charts, deferred constructs and sources are rendered to one output',
  inFolder((folder) => {
    const outdir = join(folder, 'dist');
    const app = new App({ outdir });
    map(app, 'chart');
    app.defer('later', (scope) => void map(scope, 'late', 'deep/late.yaml'));
    app.addSource(source('notes.txt', 'text\n'));
    app.synth();
    const files = filesOf(outdir);
    expect(Object.keys(files).toSorted()).toEqual([
      expect.stringMatching(/^chart/),
      'deep/late.yaml',
      'notes.txt',
    ]);
    expect(files['deep/late.yaml']).toContain('  name: late\n');
    expect(app).toBeInstanceOf(Cdk8sApp);
    app.synth();
    expect(filesOf(outdir)).toEqual(files);
  }),
);

test(
  'the problems of charts, deferred constructs and sources are reported together, and nothing is written',
  inFolder((folder) => {
    const app = new App({ outdir: join(folder, 'dist') });
    map(app, 'chart').node.addValidation({ validate: () => ['is wrong', 'is very wrong'] });
    app.defer('later', (scope) =>
      map(scope, 'late').node.addValidation({ validate: () => ['is late'] }),
    );
    app.addSource({
      synthesize: (sink) => sink.problem({ path: '', message: 'from a source', rule: 'x' }),
    });
    app.addSource(source('a.txt', '1'));
    app.addSource(source('a.txt', '2'));
    expect(problemsOf(app)).toEqual([
      '[chart] is wrong',
      '[chart] is very wrong',
      '[later/late] is late',
      'from a source',
      expect.stringMatching(/^\[a.txt\] and \[a.txt\] must not be written to the same file/),
    ]);
    expect(treeOf(folder)).toEqual({});
  }),
);

test(
  "a programmer's mistake is thrown as it is, and nothing is written",
  inFolder((folder) => {
    const app = new App({ outdir: join(folder, 'dist') });
    map(app, 'chart');
    app.addSource({
      synthesize() {
        throw new TypeError('boom');
      },
    });
    expect(() => app.synth()).toThrow(TypeError);
    expect(treeOf(folder)).toEqual({});
  }),
);

test(
  'construct-metadata.json is written on request, with every object of the charts',
  inFolder((folder) => {
    const outdir = join(folder, 'dist');
    const app = new App({ outdir, recordConstructMetadata: true });
    map(app, 'chart');
    app.synth();
    expect(JSON.parse(filesOf(outdir)['construct-metadata.json']!)).toEqual({
      version: '1.0.0',
      resources: { chart: { path: 'chart/map' } },
    });
  }),
);

test(
  'construct-metadata.json of stock cdk8s is neither foreign nor unexpected, and is kept without a request',
  inFolder((folder) => {
    const outdir = join(folder, 'dist');
    const metadata = join(outdir, 'construct-metadata.json');
    const synth = (recordConstructMetadata: boolean): void => {
      const app = new App({ outdir, recordConstructMetadata });
      map(app, 'chart', 'chart.yaml');
      app.synth();
    };
    const stock = new Cdk8sApp({ outdir, recordConstructMetadata: true });
    map(stock, 'stock');
    stock.synth();
    const written = readFileSync(metadata, 'utf8');

    synth(false);
    expect(readFileSync(metadata, 'utf8')).toBe(written);
    synth(true);
    expect(readFileSync(metadata, 'utf8')).toContain('"chart/map"');
    expect(listGenerated(outdir)).toEqual(['chart.yaml']);
    synth(false);
    expect(readFileSync(metadata, 'utf8')).toContain('"chart/map"');
  }),
);

test(
  'an app without the command writes its output and reports unexpected files',
  inFolder((folder) => {
    const outdir = join(folder, 'dist');
    place(outdir, { 'deep/zz\u001b.yaml': 'x', 'clusters/zz.yaml': 'x', 'zz.yaml': 'x' });
    const app = new App({ outdir });
    map(app, 'chart', 'deep/chart.yaml');
    let error: unknown;
    try {
      app.synth();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(UnexpectedFilesInOutput);
    expect(filesOf(outdir)).toHaveProperty(['deep/chart.yaml']);
    expect(buildErrorReport(error)).toMatchObject({
      outcome: 'refused',
      written: true,
      problems: [
        {
          rule: 'output',
          message: `${outdir} was written, and must hold nothing else where it is rendered, got clusters/zz.yaml, deep/zz\\u001b.yaml; remove what Tenantry did not render, or move it to a folder beside the output`,
        },
      ],
    });
  }),
);
