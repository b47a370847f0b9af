import { expect, test } from '@jest/globals';
import { ApiObject, Chart, YamlOutputType } from 'cdk8s';
import { App } from '../../../synth/app.ts';
import { pathRefusal } from '../../../synth/manifests/file-name.ts';
import { ManifestValidator } from '../../../synth/manifests/manifests.ts';
import { findAmbiguousYaml } from '@tenantry/kube/yaml/plain';
import { inFolder, treeOf } from '../output/folders.ts';
import { problemsOf } from '../problems.ts';

test.each([
  'clusters/eu1/tenants/acme/namespace-acme.yaml',
  'clusters/eu1/crds/tenants.tenantry.dev.yaml',
  'ConfigMap.x.k8s.yaml',
  '0000-chart-c86a.k8s.yaml',
  'Chart/charts.yaml',
  'flowchart.yaml',
  'my-kustomization.yaml',
  'README.md',
  'a/notes.txt',
  'construct-metadata.json',
])('%j may be a file of the output', (path) => {
  expect(pathRefusal(path)).toBeUndefined();
});

test.each([
  'kustomization.yaml',
  'a/kustomization.yaml',
  'Chart.yaml',
  'a/MyChart.yaml',
  'cloudbuild.yaml',
  '.argocd-source.yaml',
  '.argocd-source-app.yaml',
  '.sourceignore',
  'a/.hidden.yaml',
  '.git/a.yaml',
  'x.zip/a.yaml',
  'a/../b.yaml',
  '/a.yaml',
  'a//b.yaml',
  'a b.yaml',
  'é.yaml',
  'a.yaml\n',
  'a.yml',
  'a.YAML',
  'a.json',
  'a.jsonnet',
  'a/construct-metadata.json',
  'Kustomization',
  'a',
  '',
])('%j may not', (path) => {
  expect(pathRefusal(path)).toMatch(/^must (be a path of|not be a name that)/);
});

test.each([
  ['a: "#b" # c', 8, 'must not hold comments'],
  ['# c\na: b', 0, 'must not hold comments'],
  ['a: |\n  # b\nc: d\n#e', 16, 'must not hold comments'],
  ['{"a": 1}', 0, 'must be YAML in block style, got JSON'],
  ['\n [a]', 2, 'must be YAML in block style, got JSON'],
  ['a: !!str 1', 9, "must have no tag, got '1' with one"],
  ['a: yes', 3, "must be in quotes, got 'yes', which not all readers"],
  ['a: [b, 010]', 7, "must be in quotes, got '010'"],
  ['- a: 12:30', 5, "must be in quotes, got '12:30'"],
  ['a: {b: c}\n1: d', 10, "must be in quotes, got '1'"],
  ['a: [{b: c, true: d}]', 11, "must be in quotes, got 'true'"],
  ['a: |\n  \tb\n  c', 5, 'must be in double quotes, got a block that begins with a tab'],
])('%j is read in several ways', (text, offset, message) => {
  expect(findAmbiguousYaml(text)).toEqual({ offset, message: expect.stringContaining(message) });
});

test.each([
  'a: b#c\nd: "# e"\nf: |\n  # g\n',
  'a: 1\nb: -1.5e+21\nc: true\nd: null\ne: \'yes\'\n"1": f\n',
  'a: é\nb: http://c\nd:\n- - {}\n  - []\n',
  '',
  '---\na: b\n---\nc: d\n',
])('%j is read in one way', (text) => {
  expect(findAmbiguousYaml(text)).toBeUndefined();
});

test.each([
  ['one file a chart', YamlOutputType.FILE_PER_CHART],
  ['one file for all', YamlOutputType.FILE_PER_APP],
  ['one file a resource', YamlOutputType.FILE_PER_RESOURCE],
  ['one folder a chart', YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE],
])('with %s, no content of a chart bypasses the rules for documents', (_what, yamlOutputType) => {
  inFolder((folder) => {
    const app = new App({ outdir: `${folder}/dist`, yamlOutputType });
    const object = (id: string, fields: object) =>
      new ApiObject(new Chart(app, id), 'o', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: id },
        ...fields,
      });
    object('list', { items: [] });
    object('text', { data: { a: '+argocd:skip-file-rendering' } });
    const messages = problemsOf(app);
    expect(
      messages.filter((message) => message.startsWith('[list/o] items must be left out')),
    ).toHaveLength(1);
    if (yamlOutputType !== YamlOutputType.FILE_PER_APP)
      expect(
        messages.filter((message) => message.startsWith('[text/o] must not hold the text')),
      ).toHaveLength(1);
    expect(treeOf(folder)).toEqual({});
  })();
});

test('objects with the same identity in one text are reported with their lines', () => {
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n';
  const manifests = new ManifestValidator();
  manifests.validateText('a.yaml', `${map}---\n${map}`, 'app');
  manifests.validateText('b.yaml', map, 'app');
  manifests.validateText('clusters/eu/c.yaml', map, 'app');
  manifests.renderObjects(
    'clusters/eu/d.yaml',
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }],
    () => 'chart',
  );
  expect(manifests.objects).toBe(5);
  expect(manifests.problems.map(({ message }) => message)).toEqual([
    'ConfigMap x of cluster eu must be declared once, got it by [app:1] and by [chart]',
    'ConfigMap x must be declared once, got it by [app:1] and by [app:6]',
  ]);
});
