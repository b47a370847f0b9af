import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { InvalidInput } from '@tenantry/kube/problem';
import { Bundle } from '@tenantry/olm/constructs/bundle';
import { Catalog, type CatalogProps } from '@tenantry/olm/constructs/catalog';
import { checkCatalog } from '@tenantry/olm/catalog/check-catalog';
import { readCatalogFolder } from '@tenantry/olm/catalog-folder/read-catalog-folder';
import { App } from '../../../synth/app.ts';
import { filesOf, inFolder } from '../../synth/output/folders.ts';
import { props } from '@tenantry/olm/test/constructs/operators';

const image = 'quay.io/example/{package}-bundle:v{version}';

function bundle(app: App, version: string, replaces?: string): Bundle {
  return new Bundle(app, version, {
    ...props,
    operator: { ...props.operator, version },
    ...(replaces !== undefined && { replaces }),
  });
}

function catalogIn(
  outdir: string,
  more: Partial<CatalogProps> = {},
  replaces = 'redis-operator.v1.0.0',
) {
  const app = new App({ outdir });
  const bundles = [bundle(app, '1.0.0'), bundle(app, '1.1.0', replaces)];
  new Catalog(app, 'catalog', { bundles, image, ...more });
  return app;
}

function messagesOf(app: App): string[] {
  try {
    app.synth();
  } catch (error) {
    if (error instanceof InvalidInput)
      return error.problems.map((one) => `${one.path} ${one.message}`);
    throw error;
  }
  return [];
}

test(
  'a catalog of bundles of the app is written beside them, and is valid when read back',
  inFolder((folder) => {
    const outdir = join(folder, 'dist');
    catalogIn(outdir).synth();
    const files = Object.keys(filesOf(outdir)).filter((path) => path.startsWith('olm/catalog'));
    expect(files.toSorted()).toEqual([
      'olm/catalog.Dockerfile',
      'olm/catalog/redis-operator/catalog.yaml',
    ]);
    const { catalog, problems } = readCatalogFolder(join(outdir, 'olm/catalog'));
    expect([problems, checkCatalog(catalog)]).toEqual([[], []]);
    expect(catalog.packages[0]).toMatchObject({
      defaultChannel: 'stable',
      description: 'Runs caches.',
    });
    expect(catalog.channels.map(({ name, entries }) => [name, entries.length])).toEqual([
      ['candidate', 2],
      ['stable', 2],
    ]);
    const bytes = filesOf(outdir);
    catalogIn(outdir).synth();
    expect(filesOf(outdir)).toEqual(bytes);
  }),
);

test(
  'two heads of a channel are refused at synthesis, with their names',
  inFolder((folder) => {
    const messages = messagesOf(catalogIn(join(folder, 'dist'), {}, 'redis-operator.v0.9.0'));
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatch(
      /^\["olm\.channel 'stable' of 'redis-operator'"\]\.entries channel 'stable' .* got 2 \(redis-operator\.v1\.0\.0, redis-operator\.v1\.1\.0\)/,
    );
  }),
);

test(
  'with an update graph by version, no bundle needs `replaces`',
  inFolder((folder) => {
    const app = catalogIn(join(folder, 'dist'), { updateGraph: 'semver' }, 'redis-operator.v0.9.0');
    expect(messagesOf(app)).toEqual([]);
  }),
);

test(
  'a deprecation must refer to an existing entry',
  inFolder((folder) => {
    const deprecation = (name: string) =>
      [
        {
          schema: 'olm.deprecations',
          package: 'redis-operator',
          entries: [{ reference: { schema: 'olm.channel', name }, message: 'Use stable.' }],
        },
      ] as const;
    const outdir = join(folder, 'dist');
    expect(messagesOf(catalogIn(outdir, { deprecations: deprecation('candidate') }))).toEqual([]);
    expect(messagesOf(catalogIn(outdir, { deprecations: deprecation('candidat') }))).toEqual([
      `["olm.deprecations 'redis-operator'"].entries[0].reference.name must be an olm.channel of package 'redis-operator', got 'candidat'; did you mean 'candidate'?`,
    ]);
  }),
);

test(
  'the catalog reports nothing more about a bundle that is refused itself',
  inFolder((folder) => {
    const app = new App({ outdir: join(folder, 'dist') });
    const refused = new Bundle(app, 'bundle', { ...props, channels: [] });
    new Catalog(app, 'catalog', { bundles: [refused], image });
    expect(messagesOf(app)).toEqual(["channels must name a channel, such as 'stable', got none"]);
  }),
);
