import { expect, test } from '@jest/globals';
import type { CatalogDeprecations } from '../../catalog/catalog.ts';
import { checkCatalog } from '../../catalog/check-catalog.ts';
import {
  renderCatalog,
  type BundleToRender,
  type CatalogOptions,
} from '../../catalog/render-catalog.ts';
import { renderCatalogText } from '../../catalog/write-catalog.ts';
import { readCatalog } from '../../catalog/read-catalog.ts';
import { parseBundle } from '../../bundle/parse.ts';
import { annotations, csv, sample } from '../sample.ts';

interface Given {
  /** Lines of the ClusterServiceVersion's spec. */
  readonly spec?: string;
  readonly skipRange?: string;
  readonly channels?: string;
  readonly more?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** Builds the bundle `redis-operator.v<version>`, by default in the channel stable. */
function bundle(version: string, given: Given = {}): BundleToRender {
  const { spec = '', skipRange, channels = 'stable', more = '' } = given;
  const text = csv
    .replaceAll('1.2.3', version)
    .replace('@sha256:1', ':1')
    .replace(
      "alm-examples: '[]'",
      skipRange ? `olm.skipRange: '${skipRange}'` : "alm-examples: '[]'",
    );
  const files = {
    ...sample,
    'manifests/redis-operator.clusterserviceversion.yaml': `${text}${spec}`,
    'metadata/annotations.yaml': `${annotations.replace(': stable', `: ${channels}`)}${more}`,
    ...given.files,
  };
  const encoder = new TextEncoder();
  const sources = Object.entries(files).map(([path, one]) => ({
    path,
    bytes: encoder.encode(one),
  }));
  return {
    id: version,
    bundle: parseBundle({ files: sources }),
    image: 'quay.io/example/{package}-bundle:v{version}',
  };
}

const channelsOf = (bundles: readonly BundleToRender[], options?: CatalogOptions) =>
  Object.fromEntries(
    renderCatalog(bundles, options).catalog.channels.map(({ name, entries }) => [name, entries]),
  );

const three = [
  bundle('1.0.0', { channels: 'candidate,stable' }),
  bundle('1.1.0', { channels: 'candidate', spec: '  replaces: redis-operator.v1.0.0\n' }),
  bundle('1.2.0', {
    channels: 'candidate,stable',
    spec: '  replaces: redis-operator.v1.1.0\n  skips: [redis-operator.v1.1.1]\n',
    skipRange: '>=1.0.0 <1.2.0',
  }),
];

test('entries are linked as bundles declare, and a channel contains what its bundles replace', () => {
  const chain = [
    { name: 'redis-operator.v1.0.0' },
    { name: 'redis-operator.v1.1.0', replaces: 'redis-operator.v1.0.0' },
    {
      name: 'redis-operator.v1.2.0',
      replaces: 'redis-operator.v1.1.0',
      skips: ['redis-operator.v1.1.1'],
      skipRange: '>=1.0.0 <1.2.0',
    },
  ];
  expect(channelsOf(three)).toEqual({ candidate: chain, stable: chain });
});

test('with semver, each bundle replaces the previous one in its channel', () => {
  const [first, , last] = three;
  const bundles = [bundle('1.10.0'), last!, first!];
  const { stable } = channelsOf(bundles, { updateGraph: 'semver' });
  expect(stable!.map(({ name, replaces }) => [name, replaces])).toEqual([
    ['redis-operator.v1.0.0', undefined],
    ['redis-operator.v1.2.0', 'redis-operator.v1.0.0'],
    ['redis-operator.v1.10.0', 'redis-operator.v1.2.0'],
  ]);
});

test('a catalog of valid bundles is valid, and its bytes do not depend on their order', () => {
  const { catalog, problems } = renderCatalog(three);
  expect(problems).toEqual([]);
  expect(checkCatalog(catalog)).toEqual([]);
  const text = renderCatalogText(catalog);
  expect(renderCatalogText(renderCatalog(three.toReversed()).catalog)).toBe(text);
  expect(checkCatalog(readCatalog([{ file: 'c.yaml', text }]).catalog)).toEqual([]);
});

test('a bundle is rendered with its provided and required kinds, and its images', () => {
  const spec = `  relatedImages:\n    - { name: redis, image: 'redis:8' }\n`;
  const files = {
    'metadata/dependencies.yaml': `dependencies:
  - { type: olm.package, value: { packageName: certs, version: '>=1.0.0' } }
  - { type: olm.gvk, value: { kind: Cert, version: v1, group: certs.example.com } }
  - { type: olm.constraint, value: { failureMessage: No certs., cel: { rule: 'true' } } }
`,
    'metadata/properties.yaml': `properties:\n  - { type: olm.maxOpenShiftVersion, value: '4.20' }\n`,
  };
  const { bundles } = renderCatalog([bundle('1.0.0', { spec, files })]).catalog;
  const [{ properties, relatedImages, image, name }] = bundles as [(typeof bundles)[0]];
  expect([name, image]).toEqual([
    'redis-operator.v1.0.0',
    'quay.io/example/redis-operator-bundle:v1.0.0',
  ]);
  expect(properties.slice(0, -1)).toEqual([
    { type: 'olm.constraint', value: { failureMessage: 'No certs.', cel: { rule: 'true' } } },
    { type: 'olm.gvk', value: { group: 'example.com', kind: 'Redis', version: 'v1' } },
    {
      type: 'olm.gvk.required',
      value: { group: 'certs.example.com', kind: 'Cert', version: 'v1' },
    },
    { type: 'olm.maxOpenShiftVersion', value: '4.20' },
    { type: 'olm.package', value: { packageName: 'redis-operator', version: '1.0.0' } },
    { type: 'olm.package.required', value: { packageName: 'certs', versionRange: '>=1.0.0' } },
  ]);
  expect(properties.at(-1)).toMatchObject({
    type: 'olm.csv.metadata',
    value: { displayName: 'Redis', provider: {} },
  });
  expect(relatedImages).toEqual([
    { name: '', image: 'quay.io/example/redis-operator-bundle:v1.0.0' },
    { name: '', image: 'quay.io/example/redis:1' },
    { name: 'redis', image: 'redis:8' },
  ]);
});

test('all manifests are rendered on request', () => {
  const { bundles } = renderCatalog([{ ...bundle('1.0.0'), contents: 'objects' }]).catalog;
  const objects = bundles[0]!.properties.filter(({ type }) => type === 'olm.bundle.object');
  const kinds = objects.map(({ value }) => {
    const { data } = value as { data: string };
    const { kind } = JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as { kind: string };
    return kind;
  });
  expect(kinds.toSorted()).toEqual(['ClusterServiceVersion', 'CustomResourceDefinition']);
});

test.each([
  ['stable', 'stable'],
  ['alpha', 'alpha'],
  ['fast,candidate', 'fast'],
  ['stable-v1,stable-v10,stable-v2,fast', 'stable-v10'],
])('of the channels %s the default is %s', (channels, expected) => {
  const { catalog, problems } = renderCatalog([bundle('1.0.0', { channels })]);
  expect([catalog.packages[0]?.defaultChannel, problems]).toEqual([expected, []]);
});

test('the default channel is that of the newest bundle, or the one that is set for the package', () => {
  const key = 'operators.operatorframework.io.bundle.channel.default.v1';
  const buildBundleWithDefault = (version: string, name: string): BundleToRender =>
    bundle(version, { channels: 'alpha,beta', more: `  ${key}: ${name}\n` });
  const bundles = [
    buildBundleWithDefault('1.10.0', 'beta'),
    buildBundleWithDefault('1.2.0', 'alpha'),
  ];
  const defaultOf = (options?: CatalogOptions) =>
    renderCatalog(bundles, options).catalog.packages[0]?.defaultChannel;
  expect(defaultOf()).toBe('beta');
  expect(defaultOf({ defaultChannels: { 'redis-operator': 'alpha' } })).toBe('alpha');
});

test('a package without a default channel is reported with its channels', () => {
  const { problems } = renderCatalog([bundle('1.0.0', { channels: 'alpha,beta' })]);
  expect(problems.map(({ id, finding }) => [id, finding.rule, finding.message])).toEqual([
    ['1.0.0', 'catalog-default-channel', expect.stringContaining('(alpha, beta)')],
  ]);
});

test('description and icon are those of the head of the default channel', () => {
  const about = (text: string): string =>
    `  description: ${text}\n  icon: [{ base64data: AAAA, mediatype: image/png }]\n`;
  const bundles = [
    bundle('1.0.0', { spec: about('Old.') }),
    bundle('1.1.0', { spec: `${about('New.')}  replaces: redis-operator.v1.0.0\n` }),
    bundle('2.0.0', { spec: about('Not yet.'), channels: 'candidate' }),
  ];
  expect(renderCatalog(bundles).catalog.packages).toEqual([
    {
      schema: 'olm.package',
      name: 'redis-operator',
      defaultChannel: 'stable',
      icon: { base64data: 'AAAA', mediatype: 'image/png' },
      description: 'New.',
    },
  ]);
});

test('a bundle that cannot be added to a catalog is reported by its name', () => {
  const without = { files: { 'metadata/annotations.yaml': 'annotations: {}\n' } };
  const bundles = [
    bundle('1.0.0', without),
    bundle('v2'),
    { ...bundle('3.0.0'), bundle: parseBundle({ files: [] }) },
  ];
  expect(renderCatalog(bundles).problems.map(({ id, finding }) => [id, finding.rule])).toEqual([
    ['1.0.0', 'catalog-source'],
    ['v2', 'catalog-version'],
    ['3.0.0', 'catalog-source'],
  ]);
});

test('deprecations are rendered last', () => {
  const deprecations: CatalogDeprecations[] = [
    {
      schema: 'olm.deprecations',
      package: 'redis-operator',
      entries: [{ reference: { schema: 'olm.channel', name: 'stable' }, message: 'Use fast.' }],
    },
  ];
  const { catalog } = renderCatalog(three, { deprecations });
  expect(checkCatalog(catalog)).toEqual([]);
  expect(renderCatalogText(catalog)).toMatch(
    /schema: olm\.deprecations\n[^]*message: Use fast\.\n$/,
  );
});
