import { expect, test } from '@jest/globals';
import { renderCatalogGraph } from '../../catalog/mermaid.ts';
import { readCatalog } from '../../catalog/read-catalog.ts';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { olmBundle, olmChannel, olmPackage, sound, type Blob } from './catalogs.ts';

const read = (blobs: readonly Blob[]) =>
  readCatalog([{ file: 'c.yaml', text: emitYaml(blobs) }]).catalog;

test('a channel is drawn from its first bundle to its head', () => {
  expect(renderCatalogGraph(read(sound()))).toBe(`flowchart LR
  classDef head stroke-width:4px
  classDef deprecated fill:#ccc,color:#333
  classDef absent stroke-dasharray:4
  subgraph p0["redis"]
    subgraph p0c0["stable"]
      p0c0b0["redis.v1.0.0"]
      p0c0b1["redis.v1.1.0"]
      p0c0b2["redis.v1.2.0"]
      class p0c0b2 head
      p0c0b0 -- replaces --> p0c0b1
      p0c0b1 -- replaces --> p0c0b2
      p0c0b0 -. "skipRange #62;=1.0.0 #60;1.2.0" .-> p0c0b2
      p0c0b1 -. "skipRange #62;=1.0.0 #60;1.2.0" .-> p0c0b2
    end
  end
`);
});

test('skipped, deprecated and absent entries have their own styles', () => {
  const graph = renderCatalogGraph(
    read([
      olmPackage(),
      olmChannel([
        { name: 'redis.v1.1.0', replaces: 'redis.v0.9.0', skips: ['redis.v1.0.0'] },
        { name: 'redis.v1.0.0' },
      ]),
      olmBundle('1.0.0'),
      olmBundle('1.1.0'),
      {
        schema: 'olm.deprecations',
        package: 'redis',
        entries: [
          { reference: { schema: 'olm.package' }, message: 'Old.' },
          { reference: { schema: 'olm.channel', name: 'stable' }, message: 'Old.' },
          { reference: { schema: 'olm.bundle', name: 'redis.v1.0.0' }, message: 'Old.' },
        ],
      },
    ]),
  );
  expect(graph.split('\n').map((line) => line.trim())).toEqual(
    expect.arrayContaining([
      'class p0c0b0 absent',
      'class p0c0b1 deprecated',
      'class p0c0b2 head',
      'p0c0b0 -- replaces --> p0c0b2',
      'p0c0b1 -. skips .-> p0c0b2',
      'class p0c0 deprecated',
      'class p0 deprecated',
    ]),
  );
});

test('names cannot break out of their quotes', () => {
  const graph = renderCatalogGraph(read([olmPackage(), olmChannel([{ name: 'a"]\n  x["b' }])]));
  expect(graph).not.toContain('a"]');
  expect(graph).toContain('#34;');
});

test('one package, or one channel, is drawn alone', () => {
  const catalog = read([
    ...sound(),
    olmChannel([{ name: 'redis.v1.0.0' }], { name: 'fast' }),
    olmPackage({ name: 'other' }),
    olmChannel([{ name: 'other.v1' }], { package: 'other' }),
  ]);
  expect(renderCatalogGraph(catalog, { package: 'other' })).not.toContain('redis');
  const drawn = renderCatalogGraph(catalog, { package: 'redis', channel: 'fast' });
  expect(drawn).toContain('["fast"]');
  expect(drawn).not.toContain('["stable"]');
});
