import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { importTenantry, inProject, platform, repository, tenant } from './project.ts';

test(
  'help lists the commands, their options and the exit codes',
  inProject({}, async (project) => {
    const [program, synth, check, alone, version] = await Promise.all(
      ['--help', 'synth --help', 'check --help', '', '--version'].map((words) =>
        project.tenantry(words),
      ),
    );
    expect(program).toMatchObject({ code: 0, err: '' });
    expect(program!.out).toMatch(/^Usage: tenantry .*\n {2}synth .*\n {2}check .*\nExit codes: /s);
    expect(synth).toMatchObject({ code: 0, err: '' });
    const options = ['--tenants', '--platform', '--out', '--output', '--quiet', '--color'];
    for (const option of options) {
      expect(synth!.out).toMatch(new RegExp(`^ {2}${option} `, 'm'));
      expect(check!.out).toMatch(new RegExp(`^ {2}${option} `, 'm'));
    }
    expect(synth!.out).not.toContain('--base');
    expect(check!.out).toMatch(/ {2}--base .*\n.* {2}--allow-removal .*\nExamples:\n/s);
    expect(alone).toEqual({ code: 1, out: '', err: program!.out });
    const { version: own } = JSON.parse(
      readFileSync(join(repository, 'package.json'), 'utf8'),
    ) as Record<string, string>;
    expect(version).toEqual({ code: 0, out: `${own}\n`, err: '' });
  }),
);

test(
  'an invalid command line prints a suggestion, ends with 1 and does nothing',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    const before = project.tree();
    const cases: [string | string[], string][] = [
      ['chek', "error: unknown command 'chek'\n(Did you mean check?)"],
      ['synth --tenant x', "error: unknown option '--tenant'\n(Did you mean --tenants?)"],
      ['validate', '(Did you mean check?)'],
      ['lint', '(Did you mean check?)'],
      ['render', '(Did you mean synth?)'],
      ['diff', '(Did you mean plan?)'],
      ['get tenants', '(Did you mean tenant list?)'],
      ['drift acme', '(Did you mean tenant drift?)'],
      ['tenant ls', '(Did you mean list?)'],
      ['help validate', '(Did you mean check?)'],
      ['walk', "error: unknown command 'walk'\n(see tenantry --help)"],
      ['synth --dry-run', '(Did you mean tenantry check?)'],
      ['synth -o x', '(Did you mean --out?)'],
      [
        '--out x synth',
        '(The options of a command follow its name, as in tenantry synth --out dist)',
      ],
      ['synth --output xml', 'Allowed choices are text, json'],
      [
        'operator uninstall tenants --crds-only --keep-crds',
        'error --crds-only and --keep-crds cannot be combined',
      ],
      ['synth --color sometimes', 'Allowed choices are auto, always, never'],
      ['synth tenants', "too many arguments for 'synth'"],
      ['synth --out', "option '--out <dir>' argument missing"],
      [['synth', '--out', ''], 'error --out must be a name, got an empty one'],
      ['check --base', "option '--base <revision>' argument missing"],
      ['check --base --quiet', "error --base must be a Git revision, got '--quiet'"],
      ['check --base nope', "error --base must be a revision of this Git repository, got 'nope'"],
    ];
    const ended = await Promise.all(cases.map(([words]) => project.tenantry(words)));
    for (const [i, [, message]] of cases.entries()) {
      expect(ended[i]).toMatchObject({ code: 1, out: '' });
      expect(ended[i]!.err).toContain(message);
      expect(ended[i]!.err).not.toContain('    at ');
    }
    expect(project.tree()).toEqual(before);
  }),
);

test(
  'an unusable cdk8s.yaml is a user error, with its place',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    const cases = [
      ['app: [a\n', 'error cdk8s.yaml:1:6 must be YAML: '],
      ['- app\n', 'error cdk8s.yaml must be a mapping, got a list'],
      ['app: 3\n', 'error cdk8s.yaml app must be a string, got 3'],
      ['output: [dist]\n', 'error cdk8s.yaml output must be a string, got a list'],
      ["app: ''\n", "error cdk8s.yaml app must be a string, got ''"],
    ] as const;
    for (const [text, message] of cases) {
      project.write({ 'cdk8s.yaml': text });
      const { code, out, err } = await project.tenantry('synth');
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(message);
      expect(err).not.toContain('    at ');
    }
    project.write({ 'cdk8s.yaml': 'output: rendered\nlanguage: typescript\n' });
    expect((await project.tenantry('synth')).out).toContain(' in rendered (');
    expect((await project.tenantry('synth --out other')).out).toContain(' in other (');
  }),
);

test(
  'an internal error ends with 2 and prints the stack, also in JSON',
  inProject(
    {
      'app.ts': `${importTenantry('App')}
const app = new App();
app.addSource({ synthesize() { throw new Error('boom'); } });
app.synth();
`,
      'cdk8s.yaml': 'app: node app.ts\n',
      'dist/notes.txt': 'mine',
    },
    async (project) => {
      const before = project.tree();
      const text = await project.tenantry('synth');
      expect({ code: text.code, out: text.out }).toEqual({ code: 2, out: '' });
      expect(text.err).toMatch(/^error the app of cdk8s.yaml failed .*\nError: boom\n {4}at /);
      const json = await project.tenantry('check --output json');
      expect({ code: json.code, err: json.err }).toEqual({ code: 2, err: '' });
      expect(JSON.parse(json.out)).toMatchObject({ command: 'check', outcome: 'failed' });
      expect(project.tree()).toEqual(before);
    },
  ),
);

test.each(['tenantry.yml', 'Tenantry.YAML', 'tenantry.json'])(
  'a platform file called %s is an error, and the output stays as it was',
  (name) =>
    inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
      expect(await project.tenantry('synth')).toMatchObject({ code: 0 });
      project.write({ [name]: platform({}) });
      const before = project.tree();
      const { code, err } = await project.tenantry('synth');
      expect(err).toContain(
        `error ${name} must be called 'tenantry.yaml' to be read, got a file that is left out: rename it (file-left-out)`,
      );
      expect(code).toBe(1);
      expect(project.tree()).toEqual(before);
    })(),
);

test(
  'a file cdk8s.yml is an error, because its settings would not apply',
  inProject(
    { 'tenants/acme.yaml': tenant('acme'), 'cdk8s.yml': 'output: out\n' },
    async (project) => {
      expect(await project.tenantry('synth')).toEqual({
        code: 1,
        out: '',
        err: 'error cdk8s.yml must be called cdk8s.yaml to be read: rename it\n',
      });
    },
  ),
);
