import { expect, test } from '@jest/globals';
import { bundleOf, bundlePropsOf, catalogOf } from '../../examples/nginx/bundle.ts';
import { storedAsV1alpha2, withBoth, withV1alpha1 } from '../../examples/nginx/definition.ts';
import { manifestsOf } from '../../examples/nginx/manifests.ts';
import { versions, type ReleaseVersion } from '../../examples/nginx/releases.ts';
import { compareDefinitions } from '../../crds/compatibility.ts';
import type { CustomResourceDefinitionManifest } from '../../crds/customresourcedefinition.ts';
import { versionsOf } from '../../crds/definition.ts';
import { parseBundle } from '../../olm/bundle/parse.ts';
import { validateBundle } from '../../olm/rules/validatebundle.ts';
import { App } from '../../synth/app.ts';

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
