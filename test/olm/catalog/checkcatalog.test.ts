import { describe, expect, test } from '@jest/globals';
import { olmBundle, olmChannel, olmPackage, rulesOf, said, sound, type Blob } from './catalogs.ts';

const deprecations = (entries: readonly object[], more: Blob = {}): Blob => ({
  schema: 'olm.deprecations',
  package: 'redis',
  entries,
  ...more,
});

const one = (name: string): Blob[] => [olmPackage(), olmChannel([{ name }])];

const version = (value: Blob): Blob => ({ properties: [{ type: 'olm.package', value }] });

test('a sound catalog has nothing to be said of', () => {
  expect(said(sound())).toEqual({ errors: [], warnings: [] });
});

/** A change to the sound catalog, and the rules that are broken then, each once. */
const broken: Record<string, readonly [blobs: Blob[], ...rules: string[]]> = {
  'a name that is no DNS label': [
    [olmPackage({ name: 'Redis' }), ...sound()],
    'catalog-package-name',
    'catalog-package-channels',
  ],
  'a package twice': [[...sound(), olmPackage()], 'catalog-package-unique'],
  'a default channel that is not there': [
    [olmPackage({ defaultChannel: 'fast' }), ...sound().slice(1)],
    'catalog-default-channel',
  ],
  'no default channel': [
    [{ schema: 'olm.package', name: 'redis' }, ...sound().slice(1)],
    'catalog-default-channel',
  ],
  'a package without channels': [
    [...sound(), olmPackage({ name: 'empty' })],
    'catalog-package-channels',
  ],
  'a package that is not there, told once': [sound().slice(1), 'catalog-package-missing'],
  'a channel without a name': [
    [...sound(), olmChannel([{ name: 'redis.v1.0.0' }], { name: '' })],
    'catalog-channel-name',
  ],
  'a channel twice': [
    [...sound(), olmChannel([{ name: 'redis.v1.0.0' }])],
    'catalog-channel-unique',
  ],
  'a channel without entries': [
    [...sound(), olmChannel([], { name: 'fast' })],
    'catalog-channel-entries',
  ],
  'an entry twice': [
    [
      ...sound(),
      olmChannel([{ name: 'redis.v1.0.0' }, { name: 'redis.v1.0.0' }], { name: 'fast' }),
    ],
    'catalog-entry-unique',
  ],
  'an entry of which there is no bundle': [
    [...sound(), olmChannel([{ name: 'redis.v9.0.0' }], { name: 'fast' })],
    'catalog-entry-bundle',
  ],
  'nothing that is skipped': [
    [...sound(), olmChannel([{ name: 'redis.v1.0.0', skips: [''] }], { name: 'fast' })],
    'catalog-entry-skips',
  ],
  'a range that is none': [
    [...sound(), olmChannel([{ name: 'redis.v1.0.0', skipRange: '^1.0.0' }], { name: 'fast' })],
    'catalog-skip-range',
  ],
  'two heads': [
    [
      ...sound(),
      olmChannel([{ name: 'redis.v1.0.0' }, { name: 'redis.v1.1.0' }], { name: 'fast' }),
    ],
    'catalog-channel-head',
  ],
  'no head': [
    [
      ...sound(),
      olmChannel(
        [
          { name: 'redis.v1.0.0', replaces: 'redis.v1.1.0' },
          { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0' },
        ],
        { name: 'fast' },
      ),
    ],
    'catalog-channel-head',
  ],
  'a circle behind the head': [
    [
      ...sound(),
      olmChannel(
        [
          { name: 'redis.v1.0.0', replaces: 'redis.v1.1.0' },
          { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0' },
          { name: 'redis.v1.2.0', replaces: 'redis.v1.1.0' },
        ],
        { name: 'fast' },
      ),
    ],
    'catalog-channel-cycle',
  ],
  'a bundle beside the way': [
    [
      ...sound(),
      olmBundle('0.9.0'),
      olmChannel(
        [
          { name: 'redis.v0.9.0' },
          { name: 'redis.v1.0.0', replaces: 'redis.v0.9.0' },
          { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0' },
          { name: 'redis.v1.2.0', skips: ['redis.v1.1.0'] },
        ],
        { name: 'fast' },
      ),
    ],
    'catalog-channel-stranded',
  ],
  'a bundle behind one that is skipped': [
    [
      ...sound(),
      olmChannel(
        [
          { name: 'redis.v1.0.0' },
          { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0' },
          { name: 'redis.v1.2.0', replaces: 'redis.v1.1.0', skips: ['redis.v1.1.0'] },
        ],
        { name: 'fast' },
      ),
    ],
    'catalog-channel-stranded',
  ],
  'a bundle without a package': [
    [...sound(), olmBundle('2.0.0', { package: '' })],
    'catalog-package-missing',
    'catalog-package-property',
  ],
  'a bundle twice': [[...sound(), olmBundle('1.0.0')], 'catalog-bundle-unique'],
  'a bundle without a name': [
    [...sound(), olmBundle('2.0.0', { name: '' })],
    'catalog-bundle-name',
  ],
  'a bundle in no channel': [[...sound(), olmBundle('2.0.0')], 'catalog-bundle-channel'],
  'a bundle without an image': [
    [...one('redis.v1.0.0'), olmBundle('1.0.0', { image: '' })],
    'catalog-bundle-image',
  ],
  'an image that is none': [
    [...one('redis.v1.0.0'), olmBundle('1.0.0', { image: 'quay.io/Example/redis' })],
    'catalog-image',
  ],
  'a related image that is none': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', {
        relatedImages: [
          { name: 'a', image: 'a b' },
          { name: 'b', image: '' },
        ],
      }),
    ],
    'catalog-image',
  ],
  'no version': [
    [...one('redis.v1.0.0'), olmBundle('1.0.0', { properties: [] })],
    'catalog-package-property',
  ],
  'two versions': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', {
        properties: ['1.0.0', '2.0.0'].map((text) => ({
          type: 'olm.package',
          value: { packageName: 'redis', version: text },
        })),
      }),
    ],
    'catalog-package-property',
  ],
  'the version of another package': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', version({ packageName: 'valkey', version: '1.0.0' })),
    ],
    'catalog-package-property',
  ],
  'a version that is none': [
    [...one('redis.v1.0.0'), olmBundle('1.0.0', version({ packageName: 'redis', version: 'v1' }))],
    'catalog-version',
  ],
  'a version that another bundle has': [
    [
      olmPackage(),
      olmChannel([{ name: 'redis.v1.0.0' }, { name: 'again', replaces: 'redis.v1.0.0' }]),
      olmBundle('1.0.0'),
      olmBundle('1.0.0', { name: 'again' }),
    ],
    'catalog-version-unique',
  ],
  'a release of too many characters': [
    [
      ...one('redis.v1.0.0'),
      olmBundle(
        '1.0.0',
        version({ packageName: 'redis', version: '1.0.0', release: 'a'.repeat(21) }),
      ),
    ],
    'catalog-release',
  ],
  'a release beside a build': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', version({ packageName: 'redis', version: '1.0.0+1', release: '1' })),
    ],
    'catalog-release',
  ],
  'a release that the name does not tell': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', version({ packageName: 'redis', version: '1.0.0', release: '1' })),
    ],
    'catalog-release',
  ],
  'a property of another form': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', {
        properties: [
          { type: 'olm.package', value: { packageName: 'redis', version: '1.0.0' } },
          { type: 'olm.gvk', value: { group: 'caches.example.com', version: 1, kind: 'Redis' } },
        ],
      }),
    ],
    'catalog-property',
  ],
  'a manifest that is none': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', {
        properties: [
          { type: 'olm.package', value: { packageName: 'redis', version: '1.0.0' } },
          { type: 'olm.bundle.object', value: { data: '-' } },
        ],
      }),
    ],
    'catalog-property',
  ],
  'a manifest that is neither JSON nor YAML': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', {
        properties: [
          { type: 'olm.package', value: { packageName: 'redis', version: '1.0.0' } },
          { type: 'olm.bundle.object', value: { data: Buffer.from('a: [').toString('base64') } },
        ],
      }),
    ],
    'catalog-property',
  ],
  'a property without a value': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', {
        properties: [
          { type: 'olm.package', value: { packageName: 'redis', version: '1.0.0' } },
          { type: 'example.com/any' },
        ],
      }),
    ],
    'catalog-property',
  ],
  'what is deprecated, of no package': [
    [...sound(), deprecations([], { package: 'valkey' })],
    'catalog-package-missing',
  ],
  'what is deprecated in two places': [
    [...sound(), deprecations([]), deprecations([])],
    'catalog-deprecation-unique',
  ],
  'the same deprecated twice': [
    [
      ...sound(),
      deprecations([
        { reference: { schema: 'olm.package' }, message: 'Use valkey.' },
        { reference: { schema: 'olm.package' }, message: 'Use valkey.' },
      ]),
    ],
    'catalog-deprecation-unique',
  ],
  'a bundle deprecated that is not there': [
    [
      ...sound(),
      deprecations([{ reference: { schema: 'olm.bundle', name: 'redis.v9' }, message: 'Old.' }]),
    ],
    'catalog-deprecation-reference',
  ],
  'a channel deprecated that is not there': [
    [
      ...sound(),
      deprecations([{ reference: { schema: 'olm.channel', name: 'beta' }, message: 'Old.' }]),
    ],
    'catalog-deprecation-reference',
  ],
  'a package deprecated by its name': [
    [
      ...sound(),
      deprecations([{ reference: { schema: 'olm.package', name: 'redis' }, message: 'Old.' }]),
    ],
    'catalog-deprecation-reference',
  ],
  'something deprecated that has no schema': [
    [...sound(), deprecations([{ reference: {}, message: 'Old.' }])],
    'catalog-deprecation-reference',
  ],
  'something deprecated for no reason': [
    [...sound(), deprecations([{ reference: { schema: 'olm.package' } }])],
    'catalog-deprecation-message',
  ],
};

describe('one mistake is one error:', () => {
  test.each(Object.entries(broken))('%s', (_, [blobs, ...rules]) => {
    expect(rulesOf(blobs)).toEqual(rules);
  });
});

describe('what looks wrong, and is not:', () => {
  test('the last entry replaces a bundle that is in the catalog no more', () => {
    const entries = [{ name: 'redis.v1.0.0', replaces: 'redis.v0.9.0' }];
    expect(rulesOf([olmPackage(), olmChannel(entries), olmBundle('1.0.0')])).toEqual([]);
  });

  test('a bundle that is skipped leads nowhere', () => {
    const entries = [
      { name: 'redis.v1.0.0' },
      { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0', skips: ['redis.v1.0.1'] },
      { name: 'redis.v1.0.1' },
    ];
    const bundles = ['1.0.0', '1.0.1', '1.1.0'].map((one) => olmBundle(one));
    expect(rulesOf([olmPackage(), olmChannel(entries), ...bundles])).toEqual([]);
  });

  test('versions that only a build tells apart', () => {
    const entries = [
      { name: 'redis.v1.0.0+1' },
      { name: 'redis.v1.0.0+2', replaces: 'redis.v1.0.0+1' },
    ];
    const image = 'quay.io/example/redis';
    const bundles = ['1.0.0+1', '1.0.0+2'].map((text) => olmBundle(text, { image }));
    expect(rulesOf([olmPackage(), olmChannel(entries), ...bundles])).toEqual([]);
  });

  test('a release that the name of the bundle tells', () => {
    const name = 'redis-v1.0.0-2';
    const said = version({ packageName: 'redis', version: '1.0.0', release: '2' });
    expect(rulesOf([...one(name), olmBundle('1.0.0', { name, ...said })])).toEqual([]);
  });

  test('manifests in place of an image', () => {
    const data = Buffer.from('kind: ConfigMap\n').toString('base64');
    const properties = [
      { type: 'olm.package', value: { packageName: 'redis', version: '1.0.0' } },
      { type: 'olm.bundle.object', value: { data } },
    ];
    expect(
      rulesOf([...one('redis.v1.0.0'), olmBundle('1.0.0', { image: '', properties })]),
    ).toEqual([]);
  });

  test('what is deprecated, and said to be', () => {
    const entries = [
      { reference: { schema: 'olm.package' }, message: 'Use valkey.' },
      { reference: { schema: 'olm.channel', name: 'stable' }, message: 'Use fast.' },
      { reference: { schema: 'olm.bundle', name: 'redis.v1.0.0' }, message: 'It loses data.' },
    ];
    expect(rulesOf([...sound(), deprecations(entries)])).toEqual([]);
  });

  test('an object of a schema that nobody knows', () => {
    expect(
      rulesOf([...sound(), { schema: 'example.com/notes', package: 'redis', any: 1 }]),
    ).toEqual([]);
  });

  test('two operators', () => {
    const properties = [
      { type: 'olm.package', value: { packageName: 'valkey', version: '1.0.0' } },
    ];
    const other = [
      olmPackage({ name: 'valkey' }),
      olmChannel([{ name: 'redis.v1.0.0' }], { package: 'valkey' }),
      olmBundle('1.0.0', { package: 'valkey', properties }),
    ];
    expect(rulesOf([...sound(), ...other])).toEqual([]);
  });
});

test('heads are named, with their channel and where it stands', () => {
  const entries = [
    { name: 'redis.v1.0.0' },
    { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0' },
    { name: 'redis.v1.2.0', replaces: 'redis.v1.0.0' },
  ];
  const bundles = ['1.0.0', '1.1.0', '1.2.0'].map((one) => olmBundle(one));
  expect(said([olmPackage(), olmChannel(entries), ...bundles]).errors).toEqual([
    "catalog-channel-head c.yaml:9:1 entries channel 'stable' of package 'redis' must have one head, a bundle that no other replaces or skips, got 2 (redis.v1.1.0, redis.v1.2.0): let one of them replace or skip the others",
  ]);
});

test('a circle is told as it goes round', () => {
  const entries = [
    { name: 'redis.v1.0.0', replaces: 'redis.v1.1.0' },
    { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0' },
    { name: 'redis.v1.2.0', replaces: 'redis.v1.1.0' },
  ];
  const bundles = ['1.0.0', '1.1.0', '1.2.0'].map((one) => olmBundle(one));
  expect(said([olmPackage(), olmChannel(entries), ...bundles]).errors).toEqual([
    "catalog-channel-cycle c.yaml:9:1 entries channel 'stable' of package 'redis' must come to an end by 'replaces', got the circle redis.v1.1.0 -> redis.v1.0.0 -> redis.v1.1.0",
  ]);
});
