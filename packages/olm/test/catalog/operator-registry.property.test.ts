import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { operatorRegistry } from '@tenantry/test-tools/go/declcfg';
import { validateCatalogText, type Blob } from './catalogs.ts';
import { arbitraryCatalog } from './arbitrary-catalog.ts';
import { expectedRules } from './operator-registry.ts';

const ask = await operatorRegistry();
const judged = ask ? test : test.skip;

/** The number of catalogs in one batch; a long run has more. */
const CATALOGS = 2_000;

const textOf = (blobs: readonly Blob[]): string =>
  blobs.map((blob) => JSON.stringify(blob)).join('\n');

judged('a catalog is refused where operator-registry refuses it, for the same reasons', () => {
  const seen = { sound: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(arbitraryCatalog, { minLength: 50, maxLength: 50 }), (catalogs) => {
      const texts = catalogs.map(textOf);
      const verdicts = ask!(texts);
      for (const [i, text] of texts.entries()) {
        const rules = validateCatalogText(text).errors.map((line) => line.split(' ')[0]!);
        const wanted = expectedRules(verdicts[i]!);
        const missing = wanted.filter((any) => !any.some((rule) => rules.includes(rule)));
        expect({ text, verdict: verdicts[i], rules, missing }).toEqual({
          text,
          verdict: verdicts[i],
          rules: wanted.length === 0 ? [] : expect.anything(),
          missing: [],
        });
        seen[wanted.length === 0 ? 'sound' : 'refused'] += 1;
      }
    }),
    runs(CATALOGS / 50),
  );
  expect(seen.sound).toBeGreaterThan(CATALOGS / 20);
  expect(seen.refused).toBeGreaterThan(CATALOGS / 5);
});

const images = [
  'redis',
  'a/b',
  'quay.io/Example/a',
  'QUAY/a',
  '[::1]:5000/a',
  'a@sha256:b',
  `a@sha256:${'a'.repeat(64)}`,
  `a@sha512:${'a'.repeat(128)}`,
  `a@md5:${'a'.repeat(32)}`,
  'a:b:c',
  'a:-',
  'localhost/A',
  'a.b/c',
  'a:80/c',
  'a_b/c',
  'a__b',
  'a___b',
  'a--b',
  'a.b.c',
  'a..b',
  'a/',
  '/a',
  '',
  ' ',
  'a\n',
  'a'.repeat(64),
  `h.io/${'a/'.repeat(130)}a`,
];
const ranges = [
  '1.0.0',
  '>=1.0.0 <2.0.0',
  '>= 1.0.0',
  '1.x',
  '1.2.x',
  '1.x.x',
  '>1.x.3',
  '<1.x.3',
  '~1.0.0',
  '^1.0.0',
  '1',
  '1.0',
  'a',
  '>',
  ' ',
  '|| 1.0.0',
  '1.0.0 ||',
  '1.0.0 || || 2.0.0',
  '1.0.0||2.0.0',
  '>=1.0.0,<2.0.0',
  '!1.0.0',
  '!=1.x',
  '== 1.0.0',
  '=>1.0.0',
  '1.0.0-rc.01',
  '1.0.0-x',
  '>1.0.0-x',
  'x',
  '*',
  '99999999999999999999.x',
  '\t1.0.0',
  '1.0.0\t',
  '1.0.0  2.0.0',
];
const versions = [
  '1.0.0',
  'v1.0.0',
  '1.0',
  '01.0.0',
  '1.0.0-01',
  '1.0.0-a.b',
  '1.0.0+a_b',
  '1.0.0+',
  '1.0.0-',
  '18446744073709551615.0.0',
  '18446744073709551616.0.0',
  '1.0.0-18446744073709551616',
  ' 1.0.0',
  '1.0.0 ',
  '',
  '1.0.0.0',
  '1.0.0-a+b+c',
  '1.-0.0',
];
const names = ['a', 'A', 'a.b', 'a-b', '-a', 'a-', '', 'a'.repeat(63), 'a'.repeat(64), 'a_b', '1'];
const releases = ['1', '01', 'a.b', 'a..b', '.', 'a_b', 'a'.repeat(20), 'a'.repeat(21), '1.0'];

judged('names, images, versions, releases and ranges are parsed as in operator-registry', () => {
  const catalog = (change: {
    name?: string;
    image?: string;
    range?: string;
    version?: string;
    release?: string;
  }): Blob[] => {
    const { name = 'redis', image = 'redis', range, version = '1.0.0', release } = change;
    const bundle = release === undefined ? 'b' : `${name}-v${version}-${release}`;
    return [
      { schema: 'olm.package', name, defaultChannel: 'c' },
      {
        schema: 'olm.channel',
        name: 'c',
        package: name,
        entries: [{ name: bundle, ...(range !== undefined && { skipRange: range }) }],
      },
      {
        schema: 'olm.bundle',
        name: bundle,
        package: name,
        image,
        properties: [
          {
            type: 'olm.package',
            value: { packageName: name, version, ...(release !== undefined && { release }) },
          },
        ],
      },
    ];
  };
  const cases = [
    ...images.map((image) => catalog({ image })),
    ...ranges.map((range) => catalog({ range })),
    ...versions.map((version) => catalog({ version })),
    ...names.map((name) => catalog({ name })),
    ...releases.map((release) => catalog({ release })),
  ].map(textOf);
  const verdicts = ask!(cases);
  const differing = cases.filter(
    (text, i) => validateCatalogText(text).errors.length > 0 !== (verdicts[i] !== ''),
  );
  expect(differing).toEqual([]);
  expect(verdicts.filter((one) => one === '').length).toBeGreaterThan(20);
  expect(verdicts.filter((one) => one !== '').length).toBeGreaterThan(20);
});
