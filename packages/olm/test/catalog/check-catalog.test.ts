import { describe, expect, test } from '@jest/globals';
import {
  olmBundle,
  olmChannel,
  olmPackage,
  placesOf,
  rulesOf,
  validateBlobs,
  sound,
  type Blob,
} from './catalogs.ts';

const deprecations = (entries: readonly object[], more: Blob = {}): Blob => ({
  schema: 'olm.deprecations',
  package: 'redis',
  entries,
  ...more,
});

const one = (name: string): Blob[] => [olmPackage(), olmChannel([{ name }])];

const version = (value: Blob): Blob => ({ properties: [{ type: 'olm.package', value }] });

test('a valid catalog has no findings', () => {
  expect(validateBlobs(sound())).toEqual({ errors: [], warnings: [] });
});

/** Changes to the valid catalog, and the rules that each breaks, with the path. */
const broken: Record<string, readonly [blobs: Blob[], ...places: string[]]> = {
  'a name that is not a DNS label': [
    [olmPackage({ name: 'Redis' }), ...sound()],
    'catalog-package-name name',
    'catalog-package-channels',
  ],
  'a package twice': [[...sound(), olmPackage()], 'catalog-package-unique name'],
  'a default channel that does not exist': [
    [olmPackage({ defaultChannel: 'fast' }), ...sound().slice(1)],
    'catalog-default-channel defaultChannel',
  ],
  'no default channel': [
    [{ schema: 'olm.package', name: 'redis' }, ...sound().slice(1)],
    'catalog-default-channel defaultChannel',
  ],
  'a package without channels': [
    [...sound(), olmPackage({ name: 'empty' })],
    'catalog-package-channels',
  ],
  'a missing package, reported once': [sound().slice(1), 'catalog-package-missing package'],
  'a channel without a name': [
    [...sound(), olmChannel([{ name: 'redis.v1.0.0' }], { name: '' })],
    'catalog-channel-name name',
  ],
  'a channel twice': [
    [...sound(), olmChannel([{ name: 'redis.v1.0.0' }])],
    'catalog-channel-unique name',
  ],
  'a channel without entries': [
    [...sound(), olmChannel([], { name: 'fast' })],
    'catalog-channel-entries entries',
  ],
  'an entry twice': [
    [
      ...sound(),
      olmChannel([{ name: 'redis.v1.0.0' }, { name: 'redis.v1.0.0' }], { name: 'fast' }),
    ],
    'catalog-entry-unique entries[1].name',
  ],
  'an entry without a bundle': [
    [...sound(), olmChannel([{ name: 'redis.v9.0.0' }], { name: 'fast' })],
    'catalog-entry-bundle entries[0].name',
  ],
  'an empty name among the skips': [
    [...sound(), olmChannel([{ name: 'redis.v1.0.0', skips: [''] }], { name: 'fast' })],
    'catalog-entry-skips entries[0].skips[0]',
  ],
  'an invalid range': [
    [...sound(), olmChannel([{ name: 'redis.v1.0.0', skipRange: '^1.0.0' }], { name: 'fast' })],
    'catalog-skip-range entries[0].skipRange',
  ],
  'two heads': [
    [
      ...sound(),
      olmChannel([{ name: 'redis.v1.0.0' }, { name: 'redis.v1.1.0' }], { name: 'fast' }),
    ],
    'catalog-channel-head entries',
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
    'catalog-channel-head entries',
  ],
  'a cycle behind the head': [
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
    'catalog-channel-cycle entries',
  ],
  'a bundle that no path reaches': [
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
    'catalog-channel-stranded entries',
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
    'catalog-channel-stranded entries',
  ],
  'a bundle without a package': [
    [...sound(), olmBundle('2.0.0', { package: '' })],
    'catalog-package-missing package',
    'catalog-package-property properties[0].value.packageName',
  ],
  'a bundle twice': [[...sound(), olmBundle('1.0.0')], 'catalog-bundle-unique name'],
  'a bundle without a name': [
    [...sound(), olmBundle('2.0.0', { name: '' })],
    'catalog-bundle-name name',
  ],
  'a bundle in no channel': [[...sound(), olmBundle('2.0.0')], 'catalog-bundle-channel name'],
  'a bundle without an image': [
    [...one('redis.v1.0.0'), olmBundle('1.0.0', { image: '' })],
    'catalog-bundle-image image',
  ],
  'an invalid image': [
    [...one('redis.v1.0.0'), olmBundle('1.0.0', { image: 'quay.io/Example/redis' })],
    'catalog-image image',
  ],
  'an invalid related image': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', {
        relatedImages: [
          { name: 'a', image: 'a b' },
          { name: 'b', image: '' },
        ],
      }),
    ],
    'catalog-image relatedImages[0].image',
  ],
  'no version': [
    [...one('redis.v1.0.0'), olmBundle('1.0.0', { properties: [] })],
    'catalog-package-property properties',
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
    'catalog-package-property properties',
  ],
  'the version of another package': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', version({ packageName: 'valkey', version: '1.0.0' })),
    ],
    'catalog-package-property properties[0].value.packageName',
  ],
  'an invalid version': [
    [...one('redis.v1.0.0'), olmBundle('1.0.0', version({ packageName: 'redis', version: 'v1' }))],
    'catalog-version properties[0].value.version',
  ],
  'a version that another bundle has': [
    [
      olmPackage(),
      olmChannel([{ name: 'redis.v1.0.0' }, { name: 'again', replaces: 'redis.v1.0.0' }]),
      olmBundle('1.0.0'),
      olmBundle('1.0.0', { name: 'again' }),
    ],
    'catalog-version-unique properties',
  ],
  'a release of too many characters': [
    [
      ...one('redis.v1.0.0'),
      olmBundle(
        '1.0.0',
        version({ packageName: 'redis', version: '1.0.0', release: 'a'.repeat(21) }),
      ),
    ],
    'catalog-release properties[0].value.release',
  ],
  'a release beside a build': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', version({ packageName: 'redis', version: '1.0.0+1', release: '1' })),
    ],
    'catalog-release properties[0].value.release',
  ],
  'a release that is not in the name': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', version({ packageName: 'redis', version: '1.0.0', release: '1' })),
    ],
    'catalog-release name',
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
    'catalog-property properties[1].value.version',
  ],
  'an invalid manifest': [
    [
      ...one('redis.v1.0.0'),
      olmBundle('1.0.0', {
        properties: [
          { type: 'olm.package', value: { packageName: 'redis', version: '1.0.0' } },
          { type: 'olm.bundle.object', value: { data: '-' } },
        ],
      }),
    ],
    'catalog-property properties[1].value.data',
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
    'catalog-property properties[1].value',
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
    'catalog-property properties[1].value',
  ],
  'a deprecation without a package': [
    [...sound(), deprecations([], { package: 'valkey' })],
    'catalog-package-missing package',
  ],
  'two deprecations of one package': [
    [...sound(), deprecations([]), deprecations([])],
    'catalog-deprecation-unique package',
  ],
  'a duplicate deprecation': [
    [
      ...sound(),
      deprecations([
        { reference: { schema: 'olm.package' }, message: 'Use valkey.' },
        { reference: { schema: 'olm.package' }, message: 'Use valkey.' },
      ]),
    ],
    'catalog-deprecation-unique entries[1].reference',
  ],
  'a deprecated bundle that does not exist': [
    [
      ...sound(),
      deprecations([{ reference: { schema: 'olm.bundle', name: 'redis.v9' }, message: 'Old.' }]),
    ],
    'catalog-deprecation-reference entries[0].reference.name',
  ],
  'a deprecated channel that does not exist': [
    [
      ...sound(),
      deprecations([{ reference: { schema: 'olm.channel', name: 'beta' }, message: 'Old.' }]),
    ],
    'catalog-deprecation-reference entries[0].reference.name',
  ],
  'a deprecated package with a name': [
    [
      ...sound(),
      deprecations([{ reference: { schema: 'olm.package', name: 'redis' }, message: 'Old.' }]),
    ],
    'catalog-deprecation-reference entries[0].reference.name',
  ],
  'a deprecation without a schema': [
    [...sound(), deprecations([{ reference: {}, message: 'Old.' }])],
    'catalog-deprecation-reference entries[0].reference.schema',
  ],
  'a deprecation without a reason': [
    [...sound(), deprecations([{ reference: { schema: 'olm.package' } }])],
    'catalog-deprecation-message entries[0].message',
  ],
};

describe('one mistake is one error:', () => {
  test.each(Object.entries(broken))('%s', (_, [blobs, ...places]) => {
    expect(placesOf(blobs)).toEqual(places);
  });
});

describe('what looks wrong but is valid:', () => {
  test('the last entry replaces a bundle that is no longer in the catalog', () => {
    const entries = [{ name: 'redis.v1.0.0', replaces: 'redis.v0.9.0' }];
    expect(rulesOf([olmPackage(), olmChannel(entries), olmBundle('1.0.0')])).toEqual([]);
  });

  test('a skipped bundle leads nowhere', () => {
    const entries = [
      { name: 'redis.v1.0.0' },
      { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0', skips: ['redis.v1.0.1'] },
      { name: 'redis.v1.0.1' },
    ];
    const bundles = ['1.0.0', '1.0.1', '1.1.0'].map((one) => olmBundle(one));
    expect(rulesOf([olmPackage(), olmChannel(entries), ...bundles])).toEqual([]);
  });

  test('versions that differ only in the build', () => {
    const entries = [
      { name: 'redis.v1.0.0+1' },
      { name: 'redis.v1.0.0+2', replaces: 'redis.v1.0.0+1' },
    ];
    const image = 'quay.io/example/redis';
    const bundles = ['1.0.0+1', '1.0.0+2'].map((text) => olmBundle(text, { image }));
    expect(rulesOf([olmPackage(), olmChannel(entries), ...bundles])).toEqual([]);
  });

  test('a release in the name of the bundle', () => {
    const name = 'redis-v1.0.0-2';
    const packageProperty = version({ packageName: 'redis', version: '1.0.0', release: '2' });
    expect(rulesOf([...one(name), olmBundle('1.0.0', { name, ...packageProperty })])).toEqual([]);
  });

  test('a version in two releases', () => {
    const released = (release: string) => {
      const name = `redis-v1.0.0-${release}`;
      const properties = [
        { type: 'olm.gvk', value: { group: 'example.com', version: 'v1', kind: 'Redis' } },
        { type: 'olm.package', value: { packageName: 'redis', version: '1.0.0', release } },
      ];
      return olmBundle('1.0.0', { name, properties });
    };
    const entries = [
      { name: 'redis-v1.0.0-1' },
      { name: 'redis-v1.0.0-2', replaces: 'redis-v1.0.0-1' },
    ];
    expect(rulesOf([olmPackage(), olmChannel(entries), released('1'), released('2')])).toEqual([]);
  });

  test('two deprecated channels', () => {
    const names = ['stable', 'fast'];
    const entries = names.map((name) => {
      return { reference: { schema: 'olm.channel', name }, message: 'Use candidate.' };
    });
    const fast = olmChannel([{ name: 'redis.v1.0.0' }], { name: 'fast' });
    expect(rulesOf([...sound(), fast, deprecations(entries)])).toEqual([]);
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

  test('a deprecated channel and bundle', () => {
    const entries = [
      { reference: { schema: 'olm.package' }, message: 'Use valkey.' },
      { reference: { schema: 'olm.channel', name: 'stable' }, message: 'Use fast.' },
      { reference: { schema: 'olm.bundle', name: 'redis.v1.0.0' }, message: 'It loses data.' },
    ];
    expect(rulesOf([...sound(), deprecations(entries)])).toEqual([]);
  });

  test('an object of an unknown schema', () => {
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

test.each([
  [
    'an invalid default channel is reported with the channels of the package',
    [olmPackage({ defaultChannel: 'stabel' }), ...sound().slice(1)],
    "must be one of its channels (stable), got 'stabel'",
  ],
  [
    'a missing package is reported with the number of references and the likely name',
    [...sound(), ...['1.0.0', '2.0.0'].map((one) => olmBundle(one, { package: 'rediss' }))],
    "got 'rediss', here and in 1 more; did you mean 'redis'?",
  ],
  [
    'a bundle without a package is reported',
    [...sound(), olmBundle('2.0.0', { package: '' })],
    'must be the name of a package, got none',
  ],
])('%s', (_, blobs, words) => {
  expect(validateBlobs(blobs).errors.join('\n')).toContain(words);
});

test('several heads are reported with the position of their channel', () => {
  const entries = [
    { name: 'redis.v1.0.0' },
    { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0' },
    { name: 'redis.v1.2.0', replaces: 'redis.v1.0.0' },
  ];
  const bundles = ['1.0.0', '1.1.0', '1.2.0'].map((one) => olmBundle(one));
  expect(validateBlobs([olmPackage(), olmChannel(entries), ...bundles]).errors).toEqual([
    "catalog-channel-head c.yaml:9:1 entries channel 'stable' of package 'redis' must have one head, a bundle that no other replaces or skips, got 2 (redis.v1.1.0, redis.v1.2.0): let one of them replace or skip the others",
  ]);
});

test('a cycle is reported in its order', () => {
  const entries = [
    { name: 'redis.v1.0.0', replaces: 'redis.v1.1.0' },
    { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0' },
    { name: 'redis.v1.2.0', replaces: 'redis.v1.1.0' },
  ];
  const bundles = ['1.0.0', '1.1.0', '1.2.0'].map((one) => olmBundle(one));
  expect(validateBlobs([olmPackage(), olmChannel(entries), ...bundles]).errors).toEqual([
    "catalog-channel-cycle c.yaml:9:1 entries channel 'stable' of package 'redis' must come to an end by 'replaces', got the cycle redis.v1.1.0 -> redis.v1.0.0 -> redis.v1.1.0",
  ]);
});
