import { expect, test } from '@jest/globals';
import { bundleOf, bundlePropsOf, catalogOf } from '../../examples/nginx/bundle.ts';
import { storedAsV1alpha2, withBoth, withV1alpha1 } from '../../examples/nginx/definition.ts';
import { manifestsOf } from '../../examples/nginx/manifests.ts';
import { versions, type ReleaseVersion } from '../../examples/nginx/releases.ts';
import { compareDefinitions } from '@tenantry/crd/compatibility';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import { listVersions } from '@tenantry/crd/definition';
import { parseBundle } from '@tenantry/olm/bundle/parse';
import { validateBundle } from '@tenantry/olm/rules/validate-bundle';
import { compareBundles } from '@tenantry/olm/upgrade/compare';
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

test.each(versions)('no validation suite has findings in the bundle of %s', (version) => {
  const bundle = readBack(version);
  expect(suites.flatMap((suite) => validateBundle(bundle, { suite }))).toEqual([]);
});

test('each release replaces the previous one, in several channels, and reaches stable last', () => {
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

test('no release breaks clients or objects of the previous one', () => {
  const [first, second, third] = versions.map(definitionOf);
  const breaking = [
    ...compareDefinitions(first!, second!),
    ...compareDefinitions(second!, third!),
  ].filter(({ verdict }) => verdict === 'breaking');
  expect(breaking).toEqual([]);
});

test('objects are stored in a version that the previous release knows, so that a rollback is possible', () => {
  const stored = [withV1alpha1, withBoth, storedAsV1alpha2].map((definition) => {
    const all = listVersions(definition);
    return [all.find(({ storage }) => storage)!.name, all.map(({ name }) => name)] as const;
  });
  expect(stored).toEqual([
    ['v1alpha1', ['v1alpha1']],
    ['v1alpha1', ['v1alpha2', 'v1alpha1']],
    ['v1alpha2', ['v1alpha2', 'v1alpha1']],
  ]);
});

test('the first release has one version and no conversion; the others have a webhook', () => {
  const hooks = versions.map((version) => {
    const { spec } = readBack(version).csv!.value;
    return spec?.webhookdefinitions?.map(({ type, conversionCRDs }) => [type, conversionCRDs]);
  });
  const hook = ['ConversionWebhook', ['nginxoperators.operator.example.com']];
  expect(hooks).toEqual([undefined, [hook], [hook]]);
});

test('a bundle lists the image of nginx, for disconnected registries', () => {
  expect(bundlePropsOf('0.1.0').images).toEqual({
    nginx: 'nginxinc/nginx-unprivileged:1.28-alpine',
  });
});

/** Returns the verdict and rule of each change between two releases, except that of the image. */
function stepFrom(before: ReleaseVersion, after: ReleaseVersion): string[] {
  const changes = compareBundles(readBack(before), readBack(after));
  const reported = changes.filter(({ rule }) => rule !== 'image-changed');
  return reported.map(({ verdict, rule, subject }) => `${verdict} ${rule} ${subject}`);
}

const KIND = 'nginxoperators.operator.example.com';
const ACCOUNT = 'ServiceAccount nginx-operator';

test('nothing breaks from release to release: first the conversion is added, then the stored version changes', () => {
  expect(stepFrom('0.0.1', '0.1.0')).toEqual([
    'fine upgrade-way nginx-operator.v0.1.0',
    // The webhook of the bundle converts; a definition alone would have no conversion.
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

test('skipping a release is an error, because it would store a version that the previous one does not know', () => {
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
  'the repository of OperatorHub accepts the releases one after another, without findings',
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
