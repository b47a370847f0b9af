import { afterAll, describe, expect, test } from '@jest/globals';
import { inProject, tenant } from '../cli/project.ts';
import { Beginnings, type Prepare } from './beginnings.ts';
import { forges, type Event, type Site } from './recipes.ts';

const klass = (pods: number) =>
  `apiVersion: tenantry.dev/v1alpha1\nkind: TenantClass\nmetadata:\n  name: standard\nspec:\n  defaults:\n    quota: {hard: {pods: ${pods}}}\n`;

const files = {
  'tenants/classes/standard.yaml': klass(10),
  'tenants/acme.yaml': tenant('acme', { className: 'standard' }),
  'tenants/old.yaml': tenant('old', { className: 'standard', lifecycle: 'Retired' }),
};

const beginnings = new Beginnings(files);
afterAll(() => beginnings.remove());

/** Runs a test with a forge whose main branch has these files and their rendered output. */
const inSite = (prepare: Prepare, body: (site: Site) => Promise<void>) =>
  inProject({}, async (project) => {
    await body(await beginnings.copyTo(project, prepare));
  });

const added: Prepare = async (site) => {
  await site.change('mine', { 'tenants/mine.yaml': tenant('mine') });
};

const behind: Prepare = async (site) => {
  await added(site);
  await site.change('less', {}, 'git rm -q tenants/old.yaml');
  await site.change('main', { 'tenants/abroad.yaml': tenant('abroad') });
};

const wrong: Prepare = async (site) => {
  await site.change('less', {}, 'git rm -q tenants/acme.yaml');
  await site.change('stale', { 'tenants/new.yaml': tenant('new') }, 'unrendered');
  await site.change('main', { 'tenants/abroad.yaml': tenant('abroad') });
};

const together: Prepare = async (site) => {
  await site.change('class', { 'tenants/classes/standard.yaml': klass(20) });
  await site.change('mine', { 'tenants/mine.yaml': tenant('mine', { className: 'standard' }) });
};

const request = (branch: string): Event => ({ kind: 'request', branch, before: '' });
const push = (before: string): Event => ({ kind: 'push', branch: 'main', before });

test(
  'the recipe for GitHub Actions rejects the second of two branches in a merge queue that pass separately',
  inSite(together, async (site) => {
    const [github] = forges;
    const queue = async (branch: string, ahead: string) => {
      const commit = `git checkout -q -B gh-readonly-queue/main/pr-1 ${ahead}`;
      await site.author(`${commit}\ngit merge -q --no-edit ${branch}`);
      await site.author('git push -q -f origin HEAD');
      const before = await site.author(`git rev-parse ${ahead}`);
      const event = { kind: 'queue', branch: 'gh-readonly-queue/main/pr-1', before } as const;
      return github!.run(site, event);
    };
    expect(await queue('mine', 'main')).toMatchObject({ code: 0 });
    await site.author('git branch ahead');
    const second = await queue('class', 'ahead');
    expect([second.code, second.err]).toEqual([
      1,
      expect.stringMatching(/differs {2}dist\/.*\/tenants\/mine\/namespace-mine.yaml/),
    ]);
    await site.author('git checkout -q -B gone ahead\ngit rm -q tenants/acme.yaml');
    await site.author('npx tenantry synth --quiet\ngit add -A\ngit commit -q -m gone');
    const gone = await queue('gone', 'ahead');
    expect([gone.code, gone.err]).toEqual([
      1,
      expect.stringContaining('tenant acme must be Retired before it disappears'),
    ]);
  }),
);

describe.each(forges)('the recipe for $name', (forge) => {
  test(
    'accepts a branch that is behind main, and one that removes a retired tenant',
    inSite(behind, async (site) => {
      for (const branch of ['mine', 'less']) {
        expect(await forge.run(site, request(branch))).toMatchObject({
          code: 0,
          out: expect.stringContaining('dist is up to date'),
        });
      }
    }),
  );

  test(
    'stops a branch that removes a tenant, and one with outdated output',
    inSite(wrong, async (site) => {
      const less = await forge.run(site, request('less'));
      expect(less.code).toBe(1);
      expect(less.err).toMatch(/tenant acme must be Retired before it disappears, got Active in /);
      expect(less.err).not.toMatch(/abroad|differs|missing|left over/);
      const stale = await forge.run(site, request('stale'));
      expect(stale.code).toBe(1);
      expect(stale.err).toMatch(/missing {2}dist\/clusters\/in-cluster\/tenants\/new\/tenant.yaml/);
    }),
  );

  test(
    'fails in a shallow clone and names what to fetch',
    inSite(added, async (site) => {
      await site.change('main', { 'tenants/abroad.yaml': tenant('abroad') });
      const shallow = await forge.run(site, request('mine'), 1);
      expect(shallow.code).toBe(1);
      expect(shallow.err).toContain('shallow clone: fetch all of it (`git fetch --unshallow`');
    }),
  );

  test(
    'checks main after a push: the result of two green branches, and direct pushes',
    inSite(together, async (site) => {
      const main = () => site.author('git rev-parse main');
      const begin = await main();
      const merge = (branch: string) =>
        site.author(
          `git checkout -q main\ngit merge -q --no-edit ${branch}\ngit push -q origin main`,
        );
      expect((await forge.run(site, request('class'))).code).toBe(0);
      expect((await forge.run(site, request('mine'))).code).toBe(0);
      await merge('mine');
      expect(await forge.run(site, push(begin))).toMatchObject({ code: 0 });
      const between = await main();
      await merge('class');
      const both = await forge.run(site, push(between));
      expect(both.code).toBe(1);
      expect(both.err).toMatch(/differs {2}dist\/.*\/tenants\/mine\/namespace-mine.yaml/);
      await site.change('main', {}, 'git rm -q tenants/acme.yaml');
      const less = await forge.run(site, push(between));
      expect(less.code).toBe(1);
      expect(less.err).toContain('tenant acme must be Retired before it disappears, got Active in');
      // The first push of a branch and a scheduled run have no previous commit.
      const first = await forge.run(site, push('0'.repeat(40)));
      expect(first).toMatchObject({
        code: 0,
        out: expect.stringContaining('Removals were not checked.'),
      });
    }),
  );
});
