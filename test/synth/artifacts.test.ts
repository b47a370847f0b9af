import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ApiObject, App as Cdk8sApp, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { ARTIFACTS, WRITES_ARTIFACTS, type Artifact } from '@tenantry/kube/construct-metadata';
import { App } from '../../synth/app.ts';
import { filesOf, inFolder, treeOf } from './output/folders.ts';
import { problemsOf } from './problems.ts';

function giver(scope: Construct, id: string, ...artifacts: readonly Artifact[]): Construct {
  const construct = new Construct(scope, id);
  construct.node.addMetadata(ARTIFACTS, { artifacts: () => artifacts });
  return construct;
}

const dockerfile = { path: 'images/1.0.0/Dockerfile', text: 'FROM scratch\n' };

test(
  'artifacts are written unchanged, and removed when no construct adds them',
  inFolder((folder) => {
    const outdir = join(folder, 'dist');
    const first = new App({ outdir });
    giver(first, 'a', dockerfile, { path: 'images/any.yaml', text: 'no: object\n' });
    first.defer('later', (scope) => void giver(scope, 'b', { path: 'images/b', text: 'b\n' }));
    first.synth();
    expect(filesOf(outdir)).toEqual({
      'images/1.0.0/Dockerfile': 'FROM scratch\n',
      'images/any.yaml': 'no: object\n',
      'images/b': 'b\n',
    });
    const second = new App({ outdir });
    giver(second, 'a', dockerfile);
    second.synth();
    expect(Object.keys(filesOf(outdir))).toEqual(['images/1.0.0/Dockerfile']);
  }),
);

test.each([
  'clusters/eu1/Dockerfile',
  'Clusters/eu1/Dockerfile',
  'Dockerfile',
  'images/.hidden',
  '.images/a',
  'images/../a',
  'images//a',
  '/images/a',
  'images/a+b',
  'images/a b',
])('%s is no path of such a file', (path) => {
  inFolder((folder) => {
    const app = new App({ outdir: join(folder, 'dist') });
    giver(app, 'a', { path, text: 'x' });
    expect(problemsOf(app)).toEqual([expect.stringContaining('in a folder other than clusters/')]);
    expect(treeOf(folder)).toEqual({});
  })();
});

test(
  'two constructs cannot add the same file, or one that a chart is written to',
  inFolder((folder) => {
    const app = new App({ outdir: join(folder, 'dist') });
    giver(app, 'a', dockerfile);
    giver(app, 'b', dockerfile);
    expect(problemsOf(app)).toEqual([
      `[a] and [b] must not be written to the same file, got 'images/1.0.0/Dockerfile' for both`,
    ]);
  }),
);

test(
  'artifacts are not requested if the tree is invalid',
  inFolder((folder) => {
    const app = new App({ outdir: join(folder, 'dist') });
    let asked = 0;
    const construct = new Construct(app, 'a');
    const artifacts = (): Artifact[] => {
      asked += 1;
      return [];
    };
    construct.node.addMetadata(ARTIFACTS, { artifacts });
    construct.node.addValidation({ validate: () => ['is wrong'] });
    new ApiObject(new Chart(app, 'c'), 'o', { apiVersion: 'v1', kind: 'ConfigMap' });
    expect(problemsOf(app)).toEqual(['[a] is wrong']);
    expect(asked).toBe(0);
  }),
);

test('a construct can see whether its files are written', () => {
  expect([WRITES_ARTIFACTS in new App(), WRITES_ARTIFACTS in new Cdk8sApp()]).toEqual([
    true,
    false,
  ]);
});
