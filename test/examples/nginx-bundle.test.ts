import { expect, test } from '@jest/globals';
import { bundleOf, bundlePropsOf, catalogOf } from '../../examples/nginx/bundle.ts';
import { storedAsV1alpha2, withBoth, withV1alpha1 } from '../../examples/nginx/definition.ts';
import { manifestsOf } from '../../examples/nginx/manifests.ts';
import { versions, type ReleaseVersion } from '../../examples/nginx/releases.ts';
import { compareDefinitions } from '../../crds/compatibility.ts';
import type { CustomResourceDefinitionManifest } from '../../crds/custom-resource-definition.ts';
import { versionsOf } from '../../crds/definition.ts';
import { parseBundle } from '../../olm/bundle/parse.ts';
import { validateBundle } from '../../olm/rules/validate-bundle.ts';
import { compareBundles } from '../../olm/upgrade/compare.ts';
import { App } from '../../synth/app.ts';
import { inProject } from '../cli/project.ts';

const suites = ['default', 'operatorhub', 'community', 'good-practices'] as const;

function readBack(version: ReleaseVersion) {
  const files = bundleOf(version, new App()).files.map(({ path, text }) => ({
    path,
    bytes: new TextEncoder().encode(text),
  }));
  return parseBundle({ files });
}

test.each(versions)('no suite has anything against the bundle of %s', (version) => {
  const bundle = readBack(version);
  expect(suites.flatMap((suite) => validateBundle(bundle, { suite }))).toEqual([]);
});

test('each release takes the place of the one before, in channels of which stable is the last to have it', () => {
  const { packages, channels } = catalogOf(new App()).contents;
  expect(packages.map(({ name, defaultChannel }) => [name, defaultChannel])).toEqual([
    ['nginx-operator', 'stable'],
  ]);
  const [first, second, third] = versions.map((version) => `nginx-operator.v${version}`);
  const two = [{ name: first }, { name: second, replaces: first }];
  const three = [...two, { name: third, replaces: second }];
  expect(Object.fromEntries(channels.map(({ name, entries }) => [name, entries]))).toEqual({
    candidate: three,
    fast: three,
    stable: two,
  });
});

const definitionOf = (version: ReleaseVersion) =>
  manifestsOf(version).find(
    ({ kind }) => kind === 'CustomResourceDefinition',
  ) as unknown as CustomResourceDefinitionManifest;

test('no release breaks clients or objects of the one before', () => {
  const [first, second, third] = versions.map(definitionOf);
  const breaking = [
    ...compareDefinitions(first!, second!),
    ...compareDefinitions(second!, third!),
  ].filter(({ verdict }) => verdict === 'breaking');
  expect(breaking).toEqual([]);
});

test('objects are stored in a version that the release before knows, so that one can go back', () => {
  const stored = [withV1alpha1, withBoth, storedAsV1alpha2].map((definition) => {
    const all = versionsOf(definition);
    return [all.find(({ storage }) => storage)!.name, all.map(({ name }) => name)] as const;
  });
  expect(stored).toEqual([
    ['v1alpha1', ['v1alpha1']],
    ['v1alpha1', ['v1alpha2', 'v1alpha1']],
    ['v1alpha2', ['v1alpha2', 'v1alpha1']],
  ]);
});

test('the first release has one version, and nobody to convert; the others have a webhook', () => {
  const hooks = versions.map((version) => {
    const { spec } = readBack(version).csv!.value;
    return spec?.webhookdefinitions?.map(({ type, conversionCRDs }) => [type, conversionCRDs]);
  });
  const hook = ['ConversionWebhook', ['nginxoperators.operator.example.com']];
  expect(hooks).toEqual([undefined, [hook], [hook]]);
});

test('a bundle names the image of nginx, for registries without the rest of the world', () => {
  expect(bundlePropsOf('0.1.0').images).toEqual({
    nginx: 'nginxinc/nginx-unprivileged:1.28-alpine',
  });
});

/** What the step from one release to another changes: verdict and rule, of the image apart. */
function stepFrom(before: ReleaseVersion, after: ReleaseVersion): string[] {
  const changes = compareBundles(readBack(before), readBack(after));
  const reported = changes.filter(({ rule }) => rule !== 'image-changed');
  return reported.map(({ verdict, rule, subject }) => `${verdict} ${rule} ${subject}`);
}

const KIND = 'nginxoperators.operator.example.com';
const ACCOUNT = 'ServiceAccount nginx-operator';

test('from release to release nothing breaks: conversion comes, then what is stored moves', () => {
  expect(stepFrom('0.0.1', '0.1.0')).toEqual([
    'fine upgrade-way nginx-operator.v0.1.0',
    // The webhook of the bundle converts: a definition alone would say that nothing does.
    `review conversion ${KIND}`,
    `fine version-added ${KIND}`,
    `review permission-gained ${ACCOUNT}`,
    `review permission-gained ${ACCOUNT}`,
    `review permission-gained ${ACCOUNT}`,
    'review object-changed NetworkPolicy nginx-operator',
  ]);
  expect(stepFrom('0.1.0', '0.2.0')).toEqual([
    'review channel-left stable',
    'fine upgrade-way nginx-operator.v0.2.0',
    `fine storage-version ${KIND}`,
  ]);
});

test('a release cannot be left out: it would store what the one before does not know', () => {
  const breaking = stepFrom('0.0.1', '0.2.0').filter((one) => one.startsWith('breaking'));
  expect(breaking).toEqual([
    'breaking upgrade-edge nginx-operator.v0.2.0',
    `breaking storage-version ${KIND}`,
  ]);
});

const inFolders = (...given: readonly ReleaseVersion[]) =>
  Object.fromEntries(
    given.flatMap((version) =>
      bundleOf(version, new App()).files.map(({ path, text }) => [`${version}/${path}`, text]),
    ),
  );

test(
  'OperatorHub’s repository takes one release after another, and has nothing against them',
  inProject(inFolders('0.0.1', '0.1.0'), async (project) => {
    const submit = (version: ReleaseVersion, more = '') =>
      project.tenantry(`bundle submit ${version} --to hub --strict ${more}`);
    expect(await submit('0.0.1', '--reviewer octocat')).toMatchObject({ code: 0, err: '' });
    expect(await submit('0.1.0')).toMatchObject({ code: 0, err: '' });
    const inVersion = Object.keys(project.tree('0.1.0')).filter((path) => !path.endsWith('/'));
    const inHub = Object.entries(project.tree('hub/operators/nginx-operator'));
    expect(inHub.map(([path]) => path).filter((path) => !path.endsWith('/'))).toEqual([
      ...['0.0.1', '0.1.0'].flatMap((version) => inVersion.map((path) => `${version}/${path}`)),
      'ci.yaml',
    ]);
    expect(Object.fromEntries(inHub)['ci.yaml']).toBe(
      'reviewers:\n- octocat\nupdateGraph: replaces-mode\n',
    );
    expect(await project.tenantry('bundle submit 0.1.0 --to other')).toMatchObject({
      code: 1,
      err: expect.stringContaining('(submission-replaces)'),
    });
  }),
);
