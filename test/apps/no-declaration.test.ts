import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { configMap, inFleet, platform, tenant, tenantClass, withFleet } from './fleet.ts';

const sound = { 'tenants/good.yaml': tenant('good') };
const head = 'apiVersion: tenantry.dev/v1alpha1\nkind: Tenant\nmetadata:\n';

test.each([
  ['a template', `${head}  name: {{ .Values.name }}\n`, ':4:9 must be YAML, got a template with'],
  [
    'a merge conflict',
    `${head}<<<<<<< HEAD\n  name: a\n=======\n  name: b\n>>>>>>> theirs\n`,
    ":4:1 must be YAML without conflicts, got '<<<<<<< HEAD'",
  ],
  ['UTF-16', Buffer.from(`\ufeff${tenant('a')}`, 'utf16le'), ' must be text in UTF-8, got UTF-16'],
  [
    'Latin-1',
    Buffer.from(`${head}  name: a\nspec: {description: Zoë}\n`, 'latin1'),
    ":5:23 must be text in UTF-8, got the byte 0xEB, which is 'ë' in Latin-1",
  ],
])('a file that holds %s is one problem, with advice', (_what, text, message) => {
  withFleet(sound, (fleet) => {
    writeFileSync(join(fleet.folder, 'tenants/bad.yaml'), text);
    const { problems } = fleet.render();
    expect(problems).toHaveLength(1);
    expect(problems[0]!.startsWith(`tenants/bad.yaml${message}`)).toBe(true);
    expect(problems[0]).toMatch(/: (render it|resolve|save the file)/);
  });
});

test.each([
  ['a template', 'tenants/classes/c.yaml', `${tenantClass('c')}  {{ .x }}\n`],
  ['UTF-16', 'tenants/classes/c.yaml', Buffer.from(tenantClass('c'), 'utf16le')],
  ['UTF-16 of the platform', 'tenantry.yaml', Buffer.from(platform(), 'utf16le')],
])('a file with %s causes no problems in the files that depend on it', (_what, file, text) => {
  const files = { ...sound, 'tenants/classes/c.yaml': tenantClass('c') };
  const own = {
    'tenants/a.yaml': tenant('a', { className: 'c' }),
    'tenants/b.yaml': tenant('b', { className: 'c' }),
  };
  withFleet({ ...files, ...own }, (fleet) => {
    expect(fleet.render().problems).toEqual([]);
    writeFileSync(join(fleet.folder, file), text);
    expect(fleet.render().problems).toEqual([expect.stringContaining(`${file}`)]);
  });
});

test('an included file must be UTF-8 too', () => {
  const files = {
    'tenants/a.yaml': tenant('a', { resources: [{ file: 'resources/x.yaml' }] }),
    'tenants/resources/x.yaml': '',
  };
  withFleet(files, (fleet) => {
    writeFileSync(
      join(fleet.folder, 'tenants/resources/x.yaml'),
      Buffer.from(configMap('é'), 'latin1'),
    );
    expect(fleet.render().problems).toEqual([
      expect.stringMatching(
        /^tenants\/resources\/x\.yaml:1:\d+ must be text in UTF-8.* \(included by tenants\/a\.yaml\)$/,
      ),
    ]);
  });
});

test.each([
  ['nothing', ''],
  ['a comment', '# moved\n'],
  ['empty documents', '---\n# none\n---\n'],
])('a file of %s is a warning, also when it is remembered', (_what, text) => {
  withFleet({ ...sound, 'tenants/empty.yaml': text }, (fleet) => {
    const [first, second] = [0, 1].map(() => fleet.render({ memory: '.cache' }).summary);
    expect(second!.warnings).toEqual(first!.warnings);
    expect(first!.warnings).toEqual([
      expect.objectContaining({
        rule: 'empty-file',
        file: expect.stringMatching(/tenants\/empty\.yaml$/),
      }),
    ]);
  });
});

test.each(['a.YAML', 'a.Yml', 'a.json', 'a.JSON'])(
  'a declaration in %s is not skipped silently',
  (name) => {
    const declared = {
      apiVersion: 'tenantry.dev/v1alpha1',
      kind: 'Tenant',
      metadata: { name: 'a' },
    };
    withFleet({ ...sound, [`tenants/team/${name}`]: JSON.stringify(declared) }, (fleet) => {
      expect(fleet.render().problems).toEqual([
        `tenants/team/${name} must end in .yaml or .yml to be read, got a file that is left out: rename it`,
      ]);
    });
  },
);

test.each([
  ['a.yaml.txt', tenant('a'), 1],
  ['a.yml~', tenant('a'), 1],
  ['a.yaml.orig', tenant('a'), 1],
  ['a.ymal', tenant('a'), 1],
  ['settings.json', '{}', 1],
  ['README.md', tenant('a'), 0],
  ['notes.txt', tenant('a'), 0],
  ['.a.yaml.swp', tenant('a'), 0],
  ['resources/a.json', '{}', 0],
])('%s is named where it looks like a declaration', (name, text, count) => {
  withFleet({ ...sound, [`tenants/${name}`]: text }, (fleet) => {
    const { summary } = fleet.render();
    expect(summary!.warnings.filter(({ rule }) => rule === 'file-left-out')).toHaveLength(count);
  });
});

test(
  'an included file is not reported as skipped, also from the cache',
  inFleet(
    {
      'tenants/a.yaml': tenant('a', { resources: [{ file: 'map.json' }] }),
      'tenants/map.json': configMap('included'),
    },
    (fleet) => {
      const runs = [0, 1].map(() => fleet.render({ memory: '.cache' }).summary!.warnings);
      expect(runs).toEqual([[], []]);
    },
  ),
);
