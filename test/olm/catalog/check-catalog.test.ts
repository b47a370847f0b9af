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

test('a sound catalog has nothing to be said of', () => {
  expect(validateBlobs(sound())).toEqual({ errors: [], warnings: [] });
});

/** A change to the sound catalog, and the rules that are broken then, each once, with the path. */
const broken: Record<string, readonly [blobs: Blob[], ...places: string[]]> = {
  'a name that is no DNS label': [
    [olmPackage({ name: 'Redis' }), ...sound()],
    'catalog-package-name name',
    'catalog-package-channels',
  ],
  'a package twice': [[...sound(), olmPackage()], 'catalog-package-unique name'],
  'a default channel that is not there': [
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
  'a package that is not there, told once': [sound().slice(1), 'catalog-package-missing package'],
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
  'an entry of which there is no bundle': [
    [...sound(), olmChannel([{ name: 'redis.v9.0.0' }], { name: 'fast' })],
    'catalog-entry-bundle entries[0].name',
  ],
  'nothing that is skipped': [
    [...sound(), olmChannel([{ name: 'redis.v1.0.0', skips: [''] }], { name: 'fast' })],
    'catalog-entry-skips entries[0].skips[0]',
  ],
  'a range that is none': [
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
    'catalog-channel-cycle entries',
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
  'an image that is none': [
    [...one('redis.v1.0.0'), olmBundle('1.0.0', { image: 'quay.io/Example/redis' })],
    'catalog-image image',
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
  'a version that is none': [
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
  'a release that the name does not tell': [
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
  'what is deprecated, of no package': [
    [...sound(), deprecations([], { package: 'valkey' })],
    'catalog-package-missing package',
  ],
  'what is deprecated in two places': [
    [...sound(), deprecations([]), deprecations([])],
    'catalog-deprecation-unique package',
  ],
  'the same deprecated twice': [
    [
      ...sound(),
      deprecations([
        { reference: { schema: 'olm.package' }, message: 'Use valkey.' },
        { reference: { schema: 'olm.package' }, message: 'Use valkey.' },
      ]),
    ],
    'catalog-deprecation-unique entries[1].reference',
  ],
  'a bundle deprecated that is not there': [
    [
      ...sound(),
      deprecations([{ reference: { schema: 'olm.bundle', name: 'redis.v9' }, message: 'Old.' }]),
    ],
    'catalog-deprecation-reference entries[0].reference.name',
  ],
  'a channel deprecated that is not there': [
    [
      ...sound(),
      deprecations([{ reference: { schema: 'olm.channel', name: 'beta' }, message: 'Old.' }]),
    ],
    'catalog-deprecation-reference entries[0].reference.name',
  ],
  'a package deprecated by its name': [
    [
      ...sound(),
      deprecations([{ reference: { schema: 'olm.package', name: 'redis' }, message: 'Old.' }]),
    ],
    'catalog-deprecation-reference entries[0].reference.name',
  ],
  'something deprecated that has no schema': [
    [...sound(), deprecations([{ reference: {}, message: 'Old.' }])],
    'catalog-deprecation-reference entries[0].reference.schema',
  ],
  'something deprecated for no reason': [
    [...sound(), deprecations([{ reference: { schema: 'olm.package' } }])],
    'catalog-deprecation-message entries[0].message',
  ],
};

describe('one mistake is one error:', () => {
  test.each(Object.entries(broken))('%s', (_, [blobs, ...places]) => {
    expect(placesOf(blobs)).toEqual(places);
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

  test('two channels that are deprecated', () => {
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

test.each([
  [
    'its channels are named where the default is none of them',
    [olmPackage({ defaultChannel: 'stabel' }), ...sound().slice(1)],
    "must be one of its channels (stable), got 'stabel'",
  ],
  [
    'a package that is not there is told with how often it is named, and the one that is meant',
    [...sound(), ...['1.0.0', '2.0.0'].map((one) => olmBundle(one, { package: 'rediss' }))],
    "got 'rediss', here and in 1 more; did you mean 'redis'?",
  ],
  [
    'who names none is told so',
    [...sound(), olmBundle('2.0.0', { package: '' })],
    'must be the name of a package, got none',
  ],
])('%s', (_, blobs, words) => {
  expect(validateBlobs(blobs).errors.join('\n')).toContain(words);
});

test('heads are named, with their channel and where it stands', () => {
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

test('a circle is told as it goes round', () => {
  const entries = [
    { name: 'redis.v1.0.0', replaces: 'redis.v1.1.0' },
    { name: 'redis.v1.1.0', replaces: 'redis.v1.0.0' },
    { name: 'redis.v1.2.0', replaces: 'redis.v1.1.0' },
  ];
  const bundles = ['1.0.0', '1.1.0', '1.2.0'].map((one) => olmBundle(one));
  expect(validateBlobs([olmPackage(), olmChannel(entries), ...bundles]).errors).toEqual([
    "catalog-channel-cycle c.yaml:9:1 entries channel 'stable' of package 'redis' must come to an end by 'replaces', got the circle redis.v1.1.0 -> redis.v1.0.0 -> redis.v1.1.0",
  ]);
});
