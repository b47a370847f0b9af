import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { readBundle } from '../../folder/read-bundle.ts';
import { inFolder } from '@tenantry/test-tools/synth/output/folders';
import { faultsOf, sample } from '../sample.ts';
import { layoutOf, tarOf, type Blobs, type Entry } from './archive.ts';

const entries: readonly Entry[] = [
  { path: 'manifests/', type: '5' },
  ...Object.entries(sample).map(([path, text]) => ({ path, text })),
];

const LABEL = 'operators.operatorframework.io.bundle.package.v1';

/** The bundle of a layout. */
function read(blobs: Blobs) {
  let bundle: ReturnType<typeof readBundle> | undefined;
  inFolder((folder) => {
    for (const [path, bytes] of Object.entries(blobs)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    bundle = readBundle(folder);
  })();
  return bundle!;
}

const faultsIn = (blobs: Blobs): string[] =>
  faultsOf(read(blobs)).map((fault) => fault.replaceAll(/[0-9a-f]{64}/g, '...'));

test.each([
  ['gzip', (layer: Buffer) => gzipSync(layer)],
  ['zstd', (layer: Buffer) => zstdCompressSync(layer)],
  ['nothing', (layer: Buffer) => layer],
])(
  'an image that was packed with %s is read as the bundle of its files, with its labels',
  (_name, pack) => {
    const bundle = read(layoutOf([tarOf(entries)], { [LABEL]: 'redis' }, pack));
    expect(bundle.faults).toEqual([]);
    expect(bundle.csv?.name).toBe('redis-operator.v1.2.3');
    expect(bundle.files.map(({ path }) => path)).toEqual(Object.keys(sample).toSorted());
    expect(bundle.labels?.values).toEqual({ [LABEL]: 'redis' });
  },
);

test('layers are applied in order, and what one removes is removed', () => {
  const bundle = read(
    layoutOf([
      tarOf([...entries, { path: 'tests/a.txt', text: 'old' }, { path: 'tests/b/c.txt' }]),
      tarOf([
        { path: './metadata/annotations.yaml', text: 'annotations: { a: b }' },
        { path: 'tests/.wh.b' },
        { path: 'tests/a.txt', text: 'new' },
      ]),
      tarOf([{ path: 'docs/x.md' }, { path: 'manifests/.wh.example.com_redises.yaml' }]),
      tarOf([{ path: 'docs/.wh..wh..opq' }, { path: 'docs/y.md' }]),
    ]),
  );
  expect(bundle.faults).toEqual([]);
  expect(bundle.annotations.values).toEqual({ a: 'b' });
  expect(bundle.files.map(({ path }) => path)).toEqual([
    'docs/y.md',
    'manifests/redis-operator.clusterserviceversion.yaml',
    'metadata/annotations.yaml',
    'tests/a.txt',
  ]);
});

test('links are followed only within the image', () => {
  const links: readonly Entry[] = [
    { path: 'manifests/hard.yaml', type: '1', target: 'shared/service.yaml' },
    { path: 'manifests/soft.yaml', type: '2', target: '../shared/service.yaml' },
    { path: 'manifests/absolute.yaml', type: '2', target: '/shared/service.yaml' },
    { path: 'manifests/out.yaml', type: '2', target: '../../etc/passwd' },
    { path: 'manifests/nothing.yaml', type: '2', target: '/etc/passwd' },
  ];
  const bundle = read(
    layoutOf([
      tarOf([...entries, ...links]),
      tarOf([{ path: 'shared/service.yaml', text: 'kind: Service' }]),
    ]),
  );
  expect(faultsOf(bundle)).toEqual([
    'manifests/out.yaml [link] must be in the bundle, got a link that leads out of it',
    'manifests/nothing.yaml [link] must be in the bundle, got a link to no file of it',
  ]);
  expect(bundle.manifests.filter(({ kind }) => kind === 'Service')).toHaveLength(3);
});

test('a path that leads out of the image is reported, and so are devices', () => {
  const bad: readonly Entry[] = [
    { path: '../../etc/cron.d/x', text: 'x' },
    { path: 'manifests/../../x', text: 'x' },
    { path: 'manifests/zero', type: '3' },
  ];
  expect(faultsIn(layoutOf([tarOf([...entries, ...bad])]))).toEqual([
    '../../etc/cron.d/x [layer-path] must be a path within the image, got one that leads out of it',
    'manifests/../../x [layer-path] must be a path within the image, got one that leads out of it',
    'manifests/zero [special-file] must be a file or a folder, got something else',
  ]);
});

test('a layer that unpacks to more than a bundle may contain is reported, and takes no memory', () => {
  const bomb = gzipSync(Buffer.alloc(300 * 2 ** 20));
  const before = process.memoryUsage().rss;
  expect(faultsIn(layoutOf([bomb], {}, (layer) => layer))).toEqual([
    'blobs/sha256/... [bundle-size] must be at most 128 MiB unpacked, got more',
  ]);
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 2 ** 20);
});

const digestOf = (bytes: Buffer): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const good = layoutOf([tarOf(entries)]);

/** Returns the layout with another index. */
const withIndex = (index: object): Blobs => ({
  ...good,
  'index.json': Buffer.from(JSON.stringify(index)),
});

const [image] = (JSON.parse(good['index.json']!.toString()) as { manifests: object[] }).manifests;

test.each([
  [withIndex({}), 'index.json [image-layout] must have a list of manifests, got nothing'],
  [withIndex({ manifests: [] }), 'index.json [image-layout] must contain an image, got none'],
  [
    withIndex({ manifests: [image, image] }),
    'index.json [image-layout] must contain one image, got 2: copy the one to a layout of its own',
  ],
  [
    withIndex({ manifests: [{ digest: 'sha256:../../../etc/passwd' }] }),
    "index.json [image-layout] must have digests such as 'sha256:<64 digits>', got 'sha256:../../../etc/passwd'",
  ],
  [
    withIndex({ manifests: [{ digest: `sha256:${'0'.repeat(64)}` }] }),
    'blobs/sha256/... [image-layout] must be a file, got something else or nothing',
  ],
  [
    { ...good, 'index.json': Buffer.from('{') },
    'index.json [image-layout] must be JSON, got something else',
  ],
  [
    layoutOf(Array<Buffer>(129).fill(tarOf([]))),
    'blobs/sha256/... [image-layout] must have at most 128 layers, got 129',
  ],
  [
    layoutOf([Buffer.from('no archive'.repeat(100))]),
    'blobs/sha256/... [image-layout] must be a tar archive, got a wrong header',
  ],
  [
    layoutOf([tarOf(entries).subarray(0, 1200)]),
    'blobs/sha256/... [image-layout] must be a whole tar archive, got a part',
  ],
  [
    layoutOf([tarOf(entries)], {}, (layer) => gzipSync(layer).subarray(0, 200)),
    "blobs/sha256/... [image-layout] must be a layer of type 'application/vnd.oci.image.layer.v1.tar+gzip', got broken data",
  ],
])('an error of a layout is reported at its file: %#', (blobs, expected) => {
  expect(faultsIn(blobs)).toEqual([expected]);
});

test('a blob is verified against its digest', () => {
  const layer = gzipSync(tarOf(entries));
  const path = `blobs/${digestOf(layer).replace(':', '/')}`;
  expect(Object.keys(good)).toContain(path);
  expect(faultsIn({ ...good, [path]: gzipSync(tarOf([])) })).toEqual([
    'blobs/sha256/... [image-layout] must match its digest, got sha256:...',
  ]);
});

/** Builds a layout whose image is nested in so many indexes. */
function nested(depth: number): Blobs {
  let manifests: object[] = [image!, image!];
  const blobs = { ...good };
  for (let i = 0; i < depth; i += 1) {
    const index = Buffer.from(JSON.stringify({ manifests }));
    const digest = digestOf(index);
    blobs[`blobs/${digest.replace(':', '/')}`] = index;
    manifests = [{ mediaType: 'application/vnd.oci.image.index.v1+json', digest }];
  }
  return { ...blobs, 'index.json': Buffer.from(JSON.stringify({ manifests })) };
}

test('the first image of several platforms is read', () => {
  expect(read(nested(1)).csv?.name).toBe('redis-operator.v1.2.3');
});

test('nested indexes are limited', () => {
  expect(faultsIn(nested(4))).toEqual([]);
  expect(faultsIn(nested(5))).toEqual([
    'blobs/sha256/... [image-layout] must have at most 4 indexes in each other',
  ]);
});

test('a layout has the limits of a bundle, and repeated errors are not all reported', () => {
  const text = 'x'.repeat(15 * 2 ** 20);
  const large = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, text }));
  expect(faultsIn(layoutOf([tarOf(large)]))).toEqual([
    ' [bundle-size] must contain at most 64 MiB, got 75 MiB',
  ]);
  expect(faultsIn(layoutOf([tarOf([{ path: 'a', text: `${text}${text}` }])]))).toEqual([
    'a [file-size] must be at most 16 MiB, got 30 MiB',
  ]);
  const bad = Array.from({ length: 500 }, (_, i) => ({ path: `../${i}` }));
  expect(faultsIn(layoutOf([tarOf(bad)]))).toHaveLength(101);
});
