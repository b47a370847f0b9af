import { Chart } from 'cdk8s';
import { expect, test } from '@jest/globals';
import type { ApplicationSetGenerator, ApplicationSpec } from '../../../model/argocd/api/types.ts';
import {
  ApplicationSet,
  type TemplatedApplications,
} from '../../../constructs/argocd/application-set.ts';
import type { ApplicationDeletion } from '../../../model/argocd/object.ts';
import { App } from '../../../synth/app.ts';

const repoURL = 'https://git.example.com/shop/deploy';
const folders: ApplicationSetGenerator = {
  git: { repoURL, revision: 'main', directories: [{ path: 'shops/*' }] },
};
const files: ApplicationSetGenerator = {
  git: { repoURL, revision: 'main', files: [{ path: 'shops/*/shop.yaml' }] },
};
const clusters: ApplicationSetGenerator = {
  clusters: { selector: { matchLabels: { tier: 'prod' } } },
};

interface Template {
  readonly name?: string;
  readonly spec?: Partial<ApplicationSpec>;
  readonly rest?: Partial<TemplatedApplications>;
  readonly deletion?: ApplicationDeletion;
}

function made(
  generators: readonly ApplicationSetGenerator[],
  template: Template = {},
): ApplicationSet {
  const { name = 'shop-{{.path.basename}}', spec, rest, deletion = 'Cascade' } = template;
  return new ApplicationSet(new Chart(new App(), 'sets'), 'shops', {
    metadata: { name: 'shops' },
    deletion,
    spec: {
      generators,
      template: {
        metadata: { name },
        spec: {
          project: 'shop',
          source: { repoURL, path: 'web' },
          destination: { name: 'eu1', namespace: 'shop-prod' },
          ...spec,
        },
      },
      ...rest,
    },
  });
}

const validateApplicationSet = (
  generators: readonly ApplicationSetGenerator[],
  template: Template = {},
): string[] => made(generators, template).node.validate();

test('placeholders are Go templates, and a missing key is an error', () => {
  expect(made([folders]).toJson()).toMatchObject({
    spec: { goTemplate: true, goTemplateOptions: ['missingkey=error'] },
  });
});

test('the deletion mode sets both the finalizer of the template and the policy of the ApplicationSet', () => {
  const finalizer = 'resources-finalizer.argocd.argoproj.io';
  const of = (deletion: ApplicationDeletion): unknown => {
    const { spec } = made([folders], {
      deletion,
      rest: { syncPolicy: { applicationsSync: 'create-update' } },
    }).toJson() as {
      spec: { syncPolicy: object; template: { metadata: object } };
    };
    return { ...spec.template.metadata, ...spec.syncPolicy };
  };
  const others = { name: 'shop-{{.path.basename}}', applicationsSync: 'create-update' };
  expect(of('Cascade')).toEqual({ ...others, finalizers: [finalizer] });
  expect(of('CascadeInBackground')).toEqual({ ...others, finalizers: [`${finalizer}/background`] });
  expect(of('Orphan')).toEqual({ ...others, preserveResourcesOnDeletion: true });
  expect(made([folders]).toJson().spec).not.toHaveProperty('syncPolicy');
});

const matrix = (...generators: ApplicationSetGenerator[]): ApplicationSetGenerator => ({
  matrix: { generators },
});
const list = (...elements: object[]): ApplicationSetGenerator => ({ list: { elements } });

const taken: readonly [string, readonly ApplicationSetGenerator[], Template][] = [
  [
    'all clusters as a list',
    [{ clusters: { flatList: true } }],
    { name: 'all-{{ len .clusters }}' },
  ],
  ['folders', [folders], {}],
  ['folders by one of their parts', [folders], { name: 'shop-{{index .path.segments 1}}' }],
  ['files and what is in them', [files], { name: '{{.shop.name}}' }],
  ['files by their names', [files], { name: '{{.path.filenameNormalized}}' }],
  [
    'clusters',
    [clusters],
    {
      name: 'shop-{{.nameNormalized}}',
      spec: { destination: { server: '{{.server}}', namespace: 'shop' } },
    },
  ],
  ['labels of clusters', [clusters], { name: '{{.name}}-{{ index .metadata.labels "tier" }}' }],
  ['a list', [list({ shop: 'a' }, { shop: 'b' })], { name: '{{.shop}}' }],
  ['a list of text', [{ list: { elementsYaml: '{{ .x | toJson }}' } }], { name: '{{.shop}}' }],
  ['values', [{ clusters: { values: { tier: 'a' } } }], { name: '{{.name}}-{{.values.tier}}' }],
  ['folders on clusters', [matrix(clusters, folders)], { name: '{{.name}}-{{.path.basename}}' }],
  [
    'folders under another name',
    [{ git: { ...folders.git!, pathParamPrefix: 'shop' } }],
    { name: '{{.shop.path.basename}}' },
  ],
  ['a template that is a program', [folders], { name: '{{range .path.segments}}{{.}}-{{end}}' }],
  ['a program about what it has', [folders], { name: '{{range .path.segments}}{{.name}}{{end}}' }],
  ['a program with a name', [folders], { name: '{{$x := .path}}{{$x.other}}' }],
  [
    'a text that looks like a placeholder',
    [folders],
    { name: '{{ printf "%s.x, .x" .path.basename }}' },
  ],
  [
    'merged',
    [{ merge: { mergeKeys: ['server'], generators: [clusters, list({ server: 'a' })] } }],
    { name: '{{.name}}' },
  ],
  [
    'files on clusters, named by what is in them',
    [matrix(clusters, files)],
    { name: '{{.name}}-{{.shop}}' },
  ],
  [
    'labels of clusters that folders are merged with',
    [matrix(folders, { clusters: { values: { tier: 'a' } } })],
    { name: '{{.path.basename}}-{{.name}}-{{.values.tier}}' },
  ],
  [
    'values of two generators',
    [
      matrix(
        { git: { ...folders.git!, values: { tier: 'a' } } },
        { clusters: { values: { zone: 'b' } } },
      ),
    ],
    { name: '{{.path.basename}}-{{.name}}-{{.values.tier}}-{{.values.zone}}' },
  ],
  [
    'requests to merge',
    [{ pullRequest: { github: { owner: 'shop', repo: 'web' } } }],
    { name: 'web-{{.number}}' },
  ],
  ['a generator with a selector', [{ ...folders, selector: { matchLabels: { a: 'b' } } }], {}],
];

test.each(taken)('%s are accepted', (_, generators, template) => {
  expect(validateApplicationSet(generators, template)).toEqual([]);
});

const refused: readonly [string, readonly ApplicationSetGenerator[], Template, RegExp][] = [
  [
    'a name that is a comment',
    [folders],
    { name: 'shop{{/* .path.basename */}}' },
    /^spec\.template\.metadata\.name must hold a placeholder/,
  ],
  [
    'one cluster of a list of all',
    [{ clusters: { flatList: true } }],
    { name: 'all-{{.name}}' },
    /must be what every generator gives \(\.clusters\), got '\{\{\.name\}\}'/,
  ],
  [
    'one name for all',
    [folders],
    { name: 'shop' },
    /^spec\.template\.metadata\.name must hold a placeholder/,
  ],
  [
    'a name that clusters share',
    [matrix(clusters, folders)],
    { name: '{{.path.basename}}' },
    /^spec\.template\.metadata\.name must tell apart what the generator 'clusters' gives \(\.name, /,
  ],
  [
    'the older language',
    [folders],
    { name: 'shop-{{path.basename}}' },
    /must be a Go template such as '\{\{\.path\.basename\}\}', got '\{\{path\.basename\}\}'/,
  ],
  [
    'the older language with a space',
    [clusters],
    { name: '{{ name }}' },
    /must be a Go template such as '\{\{\.name\}\}'/,
  ],
  [
    'what no generator gives',
    [folders],
    { name: '{{.path.basename}}-{{.cluster}}' },
    /must be what every generator gives \(\.path\), got '\{\{\.cluster\}\}'/,
  ],
  [
    'what a folder has not',
    [folders],
    { name: '{{.path.basename}}-{{.path.filename}}' },
    /got '\{\{\.path\.filename\}\}'/,
  ],
  [
    'what one of two generators gives',
    [folders, clusters],
    { name: '{{.path.basename}}' },
    /must be what every generator gives/,
  ],
  [
    'what one element has',
    [list({ shop: 'a', tier: 'b' }, { shop: 'b' })],
    { name: '{{.shop}}', spec: { destination: { name: '{{.tier}}' } } },
    /^spec\.template\.spec\.destination\.name .* got '\{\{\.tier\}\}'/,
  ],
  [
    'a placeholder of a patch',
    [folders],
    { rest: { templatePatch: 'spec: {project: "{{.projekt}}"}' } },
    /^spec\.templatePatch .* got '\{\{\.projekt\}\}'/,
  ],
  [
    'a placeholder as a key',
    [folders],
    { spec: { source: { repoURL, path: 'web', helm: { valuesObject: { '{{.tier}}': 'a' } } } } },
    /^spec\.template\.spec\.source\.helm\.valuesObject.* got '\{\{\.tier\}\}'/,
  ],
  [
    'a project that a generator chooses',
    [files],
    { spec: { project: '{{.project}}' } },
    /^spec\.template\.spec\.project must be written out, got '\{\{\.project\}\}'/,
  ],
  [
    'the project that lets in everything',
    [folders],
    { spec: { project: 'default' } },
    /^spec\.template\.spec\.project must be an AppProject of its own/,
  ],
  [
    'two generators in one',
    [{ ...folders, ...clusters }],
    {},
    /^spec\.generators\[0\] must be one generator, got clusters, git/,
  ],
  ['no generator', [{}], {}, /^spec\.generators\[0\] must be one generator, got none/],
  [
    'folders and files in one',
    [{ git: { ...folders.git!, ...files.git! } }],
    {},
    /^spec\.generators\[0\]\.git must have directories or files, got both/,
  ],
  ['neither', [{ git: { repoURL, revision: 'main' } }], {}, /got neither/],
  [
    'a matrix of one',
    [matrix(folders)],
    {},
    /^spec\.generators\[0\]\.matrix\.generators must be two, got 1/,
  ],
  [
    'a matrix of three',
    [matrix(folders, list({ a: 1 }), files)],
    { name: '{{.path.basename}}-{{.a}}' },
    /must be two, got 3/,
  ],
  [
    'a merge of one',
    [{ merge: { mergeKeys: ['path'], generators: [folders] } }],
    {},
    /must be two or more, got 1/,
  ],
  [
    'no generator in one of a merge',
    [{ merge: { mergeKeys: ['server'], generators: [clusters, {}] } }],
    { name: '{{.name}}' },
    /^spec\.generators\[0\]\.merge\.generators\[1\] must be one generator, got none/,
  ],
  [
    'two generators in one of a matrix',
    [matrix({ ...folders, ...files, ...clusters }, list({ a: 1 }))],
    { name: '{{.name}}-{{.path.basename}}-{{.a}}' },
    /^spec\.generators\[0\]\.matrix\.generators\[0\] must be one generator/,
  ],
];

test.each(refused)('%s is refused', (_, generators, template, message) => {
  expect(validateApplicationSet(generators, template)).toEqual([expect.stringMatching(message)]);
});
