import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { importTenantry, inProject, tenant } from './project.ts';

const acme = { 'tenants/acme.yaml': tenant('acme') };

test(
  'with -C the command runs as if started in each folder, one after the other',
  inProject({ 'here/tenants/acme.yaml': tenant('acme') }, async (project) => {
    const before = await project.tenantry('-C here synth --out there');
    expect(before).toMatchObject({ code: 0, err: '' });
    expect(before.out).toContain(' in there (');
    expect(await project.tenantry('check --out there --quiet -C .. -C project/here')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect(Object.keys(project.tree('here/there'))).toContain('README.md');
    const cases = [
      ['-C gone check', "error -C must be a folder, got nothing at 'gone'\n"],
      [
        '-C here/tenants/acme.yaml check',
        "error -C must be a folder, got a file at 'here/tenants/acme.yaml'\n",
      ],
    ] as const;
    const ended = await Promise.all(cases.map(([words]) => project.tenantry(words)));
    expect(ended).toEqual(cases.map(([, err]) => ({ code: 1, out: '', err })));
  }),
);

test(
  'below the folder of a fleet in a repository, the fleet is found and its folder is printed',
  inProject({ ...acme, 'tenants/team/x/.keep': '', 'docs/.keep': '' }, async (project) => {
    await project.commit();
    const note = `note: the fleet is that of ${realpathSync(project.folder)}\n`;
    const synth = await project.tenantry('-C tenants/team/x synth');
    expect(synth).toMatchObject({ code: 0, err: note });
    expect(synth.out).toContain(' in dist (');
    const out = await project.tenantry('-C docs synth --out rendered');
    expect(out).toMatchObject({ code: 0, err: note });
    expect(Object.keys(project.tree('docs/rendered'))).toContain('README.md');
    await project.commit();
    expect(await project.tenantry('-C docs check --quiet')).toEqual({ code: 0, out: '', err: '' });
    const named = await project.tenantry('-C docs check --tenants ../tenants --out ../dist');
    expect(named).toMatchObject({ code: 0, err: '' });
  }),
);

test(
  'the nearest platform file, cdk8s.yaml or folder of tenants is used, and none above the repository',
  inProject(
    {
      ...acme,
      'platform/tenantry.yaml': '',
      'platform/docs/.keep': '',
      'app/cdk8s.yaml': 'output: [dist]\n',
      'app/src/.keep': '',
      'repository/docs/.keep': '',
    },
    async (project) => {
      const none = 'error tenants must be a folder of tenants, got nothing';
      expect((await project.tenantry('-C app/src check')).err).toContain(none);
      await project.git('init -q .');
      await project.git('init -q repository');
      const [platform, app, alone] = await Promise.all(
        ['platform/docs', 'app/src', 'repository/docs'].map((folder) =>
          project.tenantry(['-C', folder, 'check']),
        ),
      );
      expect(platform!.err).toContain(
        `that of ${realpathSync(join(project.folder, 'platform'))}\n`,
      );
      expect(platform!.err).toContain('error tenantry.yaml must hold a Platform');
      expect(app!.err).toContain('error cdk8s.yaml output must be a string');
      expect(alone!.err).toMatch(new RegExp(`^${none}`));
    },
  ),
);

test(
  'a second fleet in one app is refused with advice',
  inProject(
    {
      ...acme,
      'app.ts': `${importTenantry('App, declareFleet')}
const app = new App();
declareFleet(app);
declareFleet(app, { tenants: 'more', platform: 'tenantry.yaml' });
app.synth();
`,
      'cdk8s.yaml': 'app: node app.ts\n',
    },
    async (project) => {
      const { code, err } = await project.tenantry('synth');
      expect(code).toBe(1);
      expect(err).toContain(
        'Error: declareFleet must be called once for an app, got a second call: put',
      );
    },
  ),
);

test(
  'help lists the commands, and suggests one for an unknown name',
  inProject({}, async (project) => {
    const [of, within, nope, near, version, v] = await Promise.all(
      ['help check', 'help crd diff', 'help nope', 'crd help chek', 'version', '-v'].map((words) =>
        project.tenantry(words),
      ),
    );
    expect(of).toMatchObject({ code: 0, err: '' });
    expect(of!.out).toMatch(/^Usage: tenantry check /);
    expect(within!.out).toMatch(/^Usage: tenantry crd diff /);
    expect(nope).toMatchObject({ code: 1, out: '' });
    expect(nope!.err).toMatch(
      /^error: unknown command 'nope'\n\(Commands: init, synth, check, import, plan, review, promote, eject, explain, tenant, access, .*argocd, schema, completion, help, version\)\n/,
    );
    expect(near!.err).toMatch(/^error: unknown command 'chek'\n\(Did you mean check\?\)\n/);
    expect(version).toMatchObject({ code: 0, err: '' });
    expect(v).toEqual(version);
  }),
);

test(
  '--workers accepts only a number of threads',
  inProject(acme, async (project) => {
    expect(await project.tenantry('synth --quiet --workers 2')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    for (const wrong of ['0', '-1', '1.5', 'many', '100']) {
      expect(await project.tenantry(['check', '--workers', wrong])).toEqual({
        code: 1,
        out: '',
        err: `error --workers must be a number of 1 to 99, got '${wrong}'\n`,
      });
    }
  }),
);

test(
  'with --warnings-as-errors a warning fails the run, and nothing is written',
  inProject({ ...acme, 'tenants/empty.yaml': '# none\n' }, async (project) => {
    const message =
      'tenants/empty.yaml must declare something, got nothing but blank lines and comments: remove the file, if that is meant (empty-file)\n';
    const synth = await project.tenantry('synth --warnings-as-errors');
    expect(synth).toEqual({
      code: 1,
      out: '',
      err: `error ${message}\n1 problem; dist is as it was\n`,
    });
    expect(Object.keys(project.tree())).not.toContain('dist/README.md');
    expect(await project.tenantry('synth --quiet')).toEqual({
      code: 0,
      out: '',
      err: `warning ${message}`,
    });
    const check = await project.tenantry('check --warnings-as-errors --output json');
    expect(check.code).toBe(1);
    expect(JSON.parse(check.out)).toMatchObject({
      outcome: 'refused',
      problems: [{ rule: 'empty-file' }],
      warnings: [],
    });
    project.remove('tenants/empty.yaml');
    expect(await project.tenantry('check --warnings-as-errors --quiet')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
  }),
);

test(
  'an allowed removal that does not occur is a warning, which may be an error',
  inProject({ ...acme, 'tenants/shop.yaml': tenant('shop') }, async (project) => {
    await project.tenantry('synth');
    await project.commit();
    project.remove('tenants/shop.yaml');
    await project.tenantry('synth');
    const ok = await project.tenantry('check --quiet --allow-removal shop');
    expect(ok).toEqual({ code: 0, out: '', err: '' });
    expect(await project.tenantry('check --quiet --allow-removal shop/shop')).toEqual(ok);
    const idle = await project.tenantry(
      'check --quiet --allow-removal shop --allow-removal shpo --allow-removal acme',
    );
    const must =
      'warning --allow-removal must name a tenant, or tenant/namespace, that disappears, got';
    expect(idle).toEqual({
      code: 0,
      out: '',
      err: `${must} 'shpo', which does not disappear (allow-removal)\n${must} 'acme', which does not disappear (allow-removal)\n`,
    });
    const strict = await project.tenantry(
      'check --warnings-as-errors --allow-removal shop --allow-removal acme',
    );
    expect(strict).toMatchObject({ code: 1, out: '' });
    expect(strict.err).toContain(
      "error --allow-removal must name a tenant, or tenant/namespace, that disappears, got 'acme', which does not disappear (allow-removal)\n",
    );
  }),
);

test(
  'outside of Git there is no advice about committed files',
  inProject(acme, async (project) => {
    const first = await project.tenantry('synth');
    expect(first.out).toContain('\nNext: commit it to Git, and let Argo CD sync its folders.\n');
    await project.git('init -q .');
    project.remove('dist');
    expect((await project.tenantry('synth')).out).toContain(
      '\nNext: look at `git diff dist`, commit it, and',
    );
  }),
);
