import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { commandLine, inProject, tenant } from './project.ts';

const acme = 'clusters/in-cluster/tenants/acme';

test(
  'a Tenant with only a name is a folder with its namespace',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    const { code, out, err } = await project.tenantry('synth');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.replace(/\(\d+\.\d s\)/, '(N s)')).toMatchInlineSnapshot(`
"1 tenant, 1 namespace, 52 objects in dist (N s)
22 files written, 0 unchanged, 0 removed
  + README.md
  + clusters/in-cluster/crds/tenantclasses.tenantry.dev.yaml
  + clusters/in-cluster/crds/tenants.tenantry.dev.yaml
  + clusters/in-cluster/operator/operator.yaml
  + clusters/in-cluster/policies/tenant-adoption.yaml
  + clusters/in-cluster/policies/tenant-disruption-budgets.yaml
  + clusters/in-cluster/policies/tenant-guard.yaml
  + clusters/in-cluster/policies/tenant-hardening.yaml
  + clusters/in-cluster/policies/tenant-names.yaml
  + clusters/in-cluster/policies/tenant-network-policies.yaml
  and 12 more

Next: commit it to Git, and let Argo CD sync its folders.
"
`);
    expect(project.tree('dist')[`${acme}/tenant.yaml`]).toContain('kind: Tenant\n');
    expect(project.tree('dist')[`${acme}/namespace-acme.yaml`]).toMatch(
      /^apiVersion: v1\nkind: Namespace\n/,
    );
    expect(Object.keys(project.tree()).filter((path) => !path.startsWith('dist/'))).toEqual([
      'tenants/',
      'tenants/acme.yaml',
    ]);
  }),
);

test(
  'a second run changes nothing and reports that, with and without a cache',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    await project.tenantry('synth');
    const stats = () =>
      Object.keys(project.tree('dist')).map((path) => {
        const { ino, mtimeNs, ctimeNs } = lstatSync(join(project.folder, 'dist', path), {
          bigint: true,
        });
        return [path, ino, mtimeNs, ctimeNs];
      });
    const before = stats();
    for (const env of [{}, { CI: 'true' }, { TENANTRY_CACHE: 'off' }]) {
      const { out } = await project.tenantry('synth', env);
      expect(out).toContain('0 files written, 22 unchanged, 0 removed\n');
      expect(out).toContain('\nNothing changed: dist is up to date.\n');
      expect(stats()).toEqual(before);
    }
  }),
);

test(
  'files of a deleted tenant are removed, an unexpected file is kept and named, unchanged files keep their times',
  inProject(
    { 'tenants/acme.yaml': tenant('acme'), 'tenants/more/shop.yml': tenant('shop') },
    async (project) => {
      await project.tenantry('synth');
      project.write({ [`dist/clusters/in-cluster/tenants/shop/notes.txt`]: 'mine' });
      const file = join(project.folder, `dist/${acme}/tenant.yaml`);
      const before = lstatSync(file, { bigint: true });
      project.remove('tenants/more');
      const { code, out, err } = await project.tenantry('synth');
      expect(code).toBe(1);
      expect(err).toBe(
        `error dist was written, and must hold nothing else where it is rendered, got 1 file that nobody rendered:
  not rendered  dist/clusters/in-cluster/tenants/shop/notes.txt
Remove files that Tenantry did not render; the platform's own manifests belong in a folder beside dist, such as manifests.
`,
      );
      expect(out).not.toContain('Next:');
      expect(out).toContain('0 files written, 22 unchanged, 4 removed\n');
      expect(out).toContain('  - clusters/in-cluster/tenants/shop/tenant.yaml\n');
      expect(out).toContain('  tenant shop is gone from a cluster\n');
      const left = Object.keys(project.tree('dist')).filter((path) =>
        /^clusters.*\/shop\//.test(path),
      );
      expect(left).toEqual([
        'clusters/in-cluster/tenants/shop/',
        'clusters/in-cluster/tenants/shop/notes.txt',
      ]);
      const after = lstatSync(file, { bigint: true });
      expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
    },
  ),
);

test(
  'a foreign file in the place of an output file is refused, and kept',
  inProject(
    { 'tenants/acme.yaml': tenant('acme'), 'dist/README.md': 'mine\n' },
    async (project) => {
      const before = project.tree();
      const { code, err } = await project.tenantry('synth');
      expect(code).toBe(1);
      expect(err).toContain(
        'must be new or marked in OWNED, got a file of someone else: README.md',
      );
      expect(err).not.toContain('    at ');
      expect(project.tree()).toEqual(before);
      const checked = await project.tenantry('check');
      expect(checked.err).toContain('  foreign file in the way  dist/README.md\n');
      expect(checked.code).toBe(1);
    },
  ),
);

test(
  'folders may have spaces and any letters in their names, and may be elsewhere',
  inProject({ 'my tenants/überall/ä.yaml': tenant('acme') }, async (project) => {
    const words = ['--tenants', 'my tenants/überall', '--out', 'deep/out put/日本'];
    expect(await project.tenantry(['synth', ...words, '--quiet'])).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect(project.tree('deep/out put/日本')).toHaveProperty([`${acme}/tenant.yaml`]);
    expect((await project.tenantry(['check', ...words])).code).toBe(0);
    project.write({ 'my tenants/überall/ä.yaml': tenant('Ä') });
    const { err } = await project.tenantry(['synth', ...words]);
    expect(err).toContain('error my tenants/überall/ä.yaml:4:9 metadata.name must be ');
  }),
);

test(
  'JSON on stdout has the same facts as the text, and stdout holds nothing else',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    const first = await project.tenantry('synth --output json');
    expect(first.err).toBe('');
    expect(JSON.parse(first.out)).toMatchObject({
      command: 'synth',
      outcome: 'done',
      tenants: 1,
      namespaces: 1,
      objects: 52,
      files: { changed: [], removed: [], unchanged: 0 },
      warnings: [],
    });
    project.write({ 'tenants/acme.yaml': tenant('acme', { quota: { hard: { pods: 'x' } } }) });
    const refused = await project.tenantry('synth --output json --quiet');
    expect({ code: refused.code, err: refused.err }).toEqual({ code: 1, err: '' });
    expect(JSON.parse(refused.out)).toMatchObject({
      outcome: 'refused',
      problems: [{ file: 'tenants/acme.yaml', line: 5, path: 'spec.quota.hard.pods' }],
    });
    const checked = await project.tenantry('check --output json');
    expect(JSON.parse(checked.out)).toMatchObject({ command: 'check', outcome: 'refused' });
  }),
);

test(
  'colors appear on terminals and on request',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    const colored = async (words: string, env = {}) =>
      (await project.tenantry(`synth ${words}`, env)).out.includes('\u001b[');
    expect(await colored('')).toBe(false);
    expect(await colored('--color never')).toBe(false);
    expect(await colored('--color always')).toBe(true);
    expect(await colored('--color always', { NO_COLOR: '1' })).toBe(true);
    project.write({ 'tenants/acme.yaml': 'kind: x' });
    const { err } = await project.tenantry('synth --color always');
    expect(err).toContain('\u001b[31merror\u001b[39m tenants/acme.yaml:1:7 kind must be ');
    expect((await project.tenantry('synth')).err).not.toContain('\u001b');
  }),
);

test(
  'a reader that stops early, such as head, causes no error',
  inProject(
    { 'tenants/acme.yaml': tenant('acme'), 'tenants/bad.yaml': tenant('bad', { x: 1 }) },
    async (project) => {
      for (const [stream, words] of [
        [1, ['synth', '--tenants', 'tenants/none', '--output', 'json']],
        [2, ['synth']],
      ] as const) {
        const child = project.start(process.execPath, [commandLine, ...words]);
        let other = '';
        (stream === 1 ? child.stderr : child.stdout).on('data', (text: Buffer) => {
          other += text.toString();
        });
        (stream === 1 ? child.stdout : child.stderr).destroy();
        const signal = await new Promise((resolve) => {
          child.on('close', (_, signal) => resolve(signal));
        });
        expect({ signal, other }).toEqual({ signal: null, other: '' });
      }
    },
  ),
);

test(
  'a warning is reported by the first run and by a remembered one',
  inProject(
    {
      'tenants/acme.yaml': tenant('acme', {
        imagePullSecrets: ['pull'],
      }),
    },
    async (project) => {
      const warning =
        /^warning tenants\/acme\.yaml:5:\d+ spec\.imagePullSecrets must have a service account/m;
      const first = await project.tenantry('synth');
      expect(first.code).toBe(0);
      expect(first.err).toMatch(warning);
      for (const words of ['synth', 'check', 'synth --quiet']) {
        expect(await project.tenantry(words)).toMatchObject({ code: 0, err: first.err });
      }
    },
  ),
);
