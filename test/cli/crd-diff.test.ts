import { expect, test } from '@jest/globals';
import { redis, stored, version } from '@tenantry/crd/test/compatibility/given';
import { definition, diff, five, four, six, x } from './crd-diff-given.ts';
import { inProject } from './project.ts';

test(
  'a breaking change is reported with its place and reason, and fails',
  inProject({ 'old.json': five!, 'new.json': four! }, async (project) => {
    expect(await diff(project, 'old.json new.json')).toEqual({
      code: 1,
      out: `redises.cache.example.com
  breaking    v1 .spec.x: must be at most 4 now, at most 5 before (maximum)

1 definition compared: 1 breaking change, 0 unknown, 0 compatible
`,
      err: '',
    });
  }),
);

test(
  'a compatible change passes, and so does no change',
  inProject({ 'old.json': five!, 'new.json': six! }, async (project) => {
    const changed = await diff(project, 'old.json new.json');
    expect(changed).toMatchObject({ code: 0, err: '' });
    expect(changed.out).toContain(
      '  compatible  v1 .spec.x: at most 6 is accepted, at most 5 before',
    );
    expect(await diff(project, 'old.json new.json --quiet')).toEqual({ code: 0, out: '', err: '' });
    expect(await diff(project, 'old.json old.json')).toEqual({
      code: 0,
      out: '1 definition compared: 0 breaking changes, 0 unknown, 0 compatible\n',
      err: '',
    });
  }),
);

test(
  'a version without `served` is not served, and that is reported',
  inProject(
    { 'old.json': five!, 'new.json': five!.replace('"served":true,', '') },
    async (project) => {
      const { code, out, err } = await diff(project, 'old.json new.json');
      expect(code).toBe(1);
      expect(out).toContain('  breaking    v1 served: not served any more');
      expect(err).toMatch(
        /^warning new\.json:1:\d+ spec\.versions\[0\]\.served must be true or false, got nothing, which the API server takes for false \(left-out\)\n$/,
      );
      expect((await diff(project, 'old.json new.json --quiet')).err).toBe('');
      const json = await diff(project, 'old.json new.json --output json');
      expect(JSON.parse(json.out)).toMatchObject({ warnings: [{ rule: 'left-out' }] });
    },
  ),
);

test(
  'an unknown change fails unless --fail-on is breaking, and nothing fails with never',
  inProject(
    {
      'old.json': definition({ type: 'string', pattern: '^a' }),
      'new.json': definition({ type: 'string', pattern: '^[ab]' }),
      'worse.json': definition({ type: 'integer' }),
    },
    async (project) => {
      expect((await diff(project, 'old.json new.json')).code).toBe(1);
      expect((await diff(project, 'old.json new.json --fail-on breaking')).code).toBe(0);
      expect((await diff(project, 'old.json worse.json --fail-on breaking')).code).toBe(1);
      expect((await diff(project, 'old.json worse.json --fail-on never')).code).toBe(0);
    },
  ),
);

test(
  'accepting more fails on request',
  inProject({ 'old.json': five!, 'new.json': six! }, async (project) => {
    expect((await diff(project, 'old.json new.json --widening breaking')).code).toBe(1);
  }),
);

test(
  'advice is reported, fails on request, and can be left out',
  inProject(
    {
      'old.json': JSON.stringify(redis([stored('v1', x({ type: 'object' }))])),
      'new.json': JSON.stringify(
        redis([stored('v1', x({ type: 'object', properties: { on: { type: 'boolean' } } }))]),
      ),
    },
    async (project) => {
      const result = await diff(project, 'old.json new.json');
      expect(result).toMatchObject({ code: 0, err: '' });
      expect(result.out).toContain(
        '  advice      v1 .spec.x.on: must be a string with an enumeration',
      );
      expect((await diff(project, 'old.json new.json --advice error')).code).toBe(1);
      expect((await diff(project, 'old.json new.json --advice off')).out).not.toContain('advice');
    },
  ),
);

const named = (plural: string): string =>
  JSON.stringify({
    ...redis(undefined, { names: { kind: 'Other', plural } }),
    metadata: { name: `${plural}.cache.example.com` },
  });
const other = named('others');

test(
  'folders are matched by name: a removed kind breaks, a new one does not, other files are ignored',
  inProject(
    {
      'old/a.yaml': `${five}\n---\n${other}\n`,
      'new/deep/a.json': five!,
      'new/b.yml': named('news'),
      'new/kustomization.yaml': 'resources: [deep/a.json]\n',
      'new/service.yaml': 'apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n',
      'new/notes.txt': 'nothing',
    },
    async (project) => {
      const { code, out } = await diff(project, 'old new');
      expect(code).toBe(1);
      expect(out.split('\n').slice(0, 6)).toEqual([
        'news.cache.example.com',
        '  compatible  the kind is new (definition-added)',
        '',
        'others.cache.example.com',
        '  breaking    the kind is removed: deleting its definition deletes all its objects (definition-removed)',
        '',
      ]);
    },
  ),
);

test(
  'a Git revision is read, for a file and a folder, from the root and from a subfolder',
  inProject({ 'crds/a.json': five!, 'crds/deep/b.json': other }, async (project) => {
    await project.commit();
    project.write({ 'crds/a.json': four! });
    const breaking = '  breaking    v1 .spec.x: must be at most 4 now';
    const given = [
      'HEAD:crds/a.json crds/a.json',
      'HEAD:./crds/a.json crds/a.json',
      'HEAD:crds crds',
      'HEAD: crds',
      '--base HEAD crds',
      '--base HEAD crds/a.json',
      '--base HEAD ./crds/a.json',
      '--base HEAD ../project/crds',
    ];
    const ended = await Promise.all(given.map((words) => diff(project, words)));
    ended.forEach(({ code, out, err }, i) => {
      const isReported = out.includes(breaking);
      expect([given[i], code, err, isReported]).toEqual([given[i], 1, '', true]);
    });
    expect(await diff(project, 'crds HEAD:crds --quiet')).toMatchObject({ code: 0, err: '' });
    expect(await diff(project, 'HEAD:no old:crds')).toEqual({
      code: 1,
      out: '',
      err: `error HEAD:no must be a path in the revision 'HEAD', got none: from the root of the repository, or from here as HEAD:./PATH (file)
error old:crds must be a file, a folder, REV:PATH of Git, or - for standard input, got none of them (file)

2 problems; nothing was compared
`,
    });
  }),
);

test(
  'with a base, a new path is new and a removed path is removed',
  inProject({ 'crds/a.json': five! }, async (project) => {
    await project.commit();
    project.write({ 'more/a.json': five! });
    const added = await diff(project, '--base HEAD more');
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(added.out).toContain('(definition-added)');
    project.remove('crds');
    const gone = await diff(project, '--base HEAD crds');
    expect(gone).toMatchObject({ code: 1, err: '' });
    expect(gone.out).toContain('(definition-removed)');
  }),
);

test(
  'the stored versions of a cluster are compared',
  inProject(
    {
      'cluster.yaml': JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [
          {
            ...redis([version('v1beta1', { deprecated: true }), stored('v1')]),
            status: { storedVersions: ['v1beta1', 'v1'] },
          },
        ],
      }),
      'new.json': JSON.stringify(redis()),
    },
    async (project) => {
      const { code, out } = await diff(project, 'cluster.yaml new.json');
      expect(code).toBe(1);
      expect(out).toContain(
        '  breaking    v1beta1: objects are stored in it (status.storedVersions has it)',
      );
    },
  ),
);

test(
  'unreadable input is reported with its place, and nothing is compared',
  inProject(
    {
      'old.json': five!,
      'service.yaml': 'apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n',
      'broken.yaml': 'a: [\n',
      'beta.yaml': 'apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n',
      'empty/readme.txt': '',
      'twice/a.json': five!,
      'twice/b.json': four!,
      'same/a.json': five!,
      'same/b.json': five!,
    },
    async (project) => {
      const cases = [
        [
          'service.yaml',
          /^error service\.yaml must hold a CustomResourceDefinition, got Service \(no-definition\)$/m,
        ],
        ['broken.yaml', /^error broken\.yaml:\d+:\d+ .* \(yaml\)$/m],
        ['beta.yaml', /^error beta\.yaml:1:13 apiVersion must be 'apiextensions\.k8s\.io\/v1'/m],
        [
          'empty',
          /^error empty must hold a CustomResourceDefinition, got no .yaml, .yml or .json file/m,
        ],
        [
          'twice',
          /^error twice\/b\.json:1:\d+ .*must be defined once, .*from twice\/a\.json:1:\d+ \(repeated\)$/m,
        ],
        [
          'absent',
          /^error absent must be a file, a folder, REV:PATH of Git, or - for standard input, got none of them \(file\)$/m,
        ],
        [
          'HEAD:a',
          /^error HEAD:a must be a file, a folder, REV:PATH of Git, or - for standard input, got none of them \(file\)$/m,
        ],
      ] as const;
      const ended = await Promise.all(cases.map(([name]) => diff(project, `old.json ${name}`)));
      for (const [i, [name, message]] of cases.entries()) {
        const { code, out, err } = ended[i]!;
        expect({ name, code, out }).toEqual({ name, code: 1, out: '' });
        expect(err).toMatch(message);
      }
      const refused = await diff(project, 'absent beta.yaml --output json');
      expect(JSON.parse(refused.out)).toMatchObject({
        outcome: 'refused',
        problems: [{ file: 'absent' }, { file: 'beta.yaml', line: 1 }],
      });
      expect((await diff(project, 'old.json same')).code).toBe(0);
    },
  ),
);

test(
  'invalid arguments are reported',
  inProject({ 'a.json': five! }, async (project) => {
    const cases = [
      ['a.json', 'error OLD and NEW must be given, or --base and one path'],
      ['- -', 'error one of OLD and NEW may be standard input, got - twice'],
      ['--base HEAD', 'error with --base, one path must be given'],
      ['--base HEAD a.json a.json', 'error with --base, one path must be given'],
      ['--base none a.json', "error --base must be a revision of this Git repository, got 'none'"],
      [
        '--base --help= a.json',
        "error --base must be a revision of this Git repository, got '--help='",
      ],
      ['a.json a.json --fail-on all', 'must be'],
    ] as const;
    const ended = await Promise.all(cases.map(([words]) => diff(project, words)));
    for (const [i, [words, message]] of cases.entries()) {
      const { code, out, err } = ended[i]!;
      expect({ words, code, out }).toEqual({ words, code: 1, out: '' });
      if (message !== 'must be') expect(err).toContain(message);
    }
    const help = await diff(project, '--help');
    expect(help.code).toBe(0);
    expect(help.out).toContain('tenantry crd diff main:config/crd config/crd');
  }),
);
