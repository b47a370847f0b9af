import { expect, test } from '@jest/globals';
import { readPage } from '../docs/pages.ts';
import { inCommitted, inProject, tenant } from './project.ts';

const klass = `apiVersion: tenantry.dev/v1alpha1
kind: TenantClass
metadata: { name: standard }
spec:
  presets:
    roles:
      - { name: debug, rules: [{ apiGroups: [''], resources: [secrets], verbs: [get] }] }
`;

const shop = (pods: number, more: object = {}, rest: object = {}) =>
  tenant('shop', {
    className: 'standard',
    namespaces: [{ name: 'shop-dev' }, { name: 'shop-prod', ...more }],
    quota: { hard: { pods } },
    ...rest,
  });

const interns = {
  network: { allowFrom: [{ name: 'from-web', namespaces: ['web'], ports: [{ port: 8080 }] }] },
  access: {
    roles: [{ preset: 'debug', groups: ['interns'] }],
  },
};

const files = {
  'tenants/classes/standard.yaml': klass,
  'tenants/shop.yaml': shop(20),
  'tenants/web.yaml': tenant('web', { className: 'standard' }),
};

const changed = { 'tenants/shop.yaml': shop(10, interns) };

const pageOf = (heading: string) =>
  readPage('docs/plan.md').blocks.find(({ hints }) => hints.has(heading))!.text;

test(
  'a plan explains a changed declaration as docs/plan.md shows it, and writes nothing',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    project.write(changed);
    const before = project.tree();
    const { code, out, err } = await project.tenantry('plan --base trunk');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const shown = (text: string) =>
      text.replace(/\([\da-f]{10}\)/, '(1a2b3c4d5e)').replaceAll('in-cluster', 'eu1');
    expect(shown(out).replace('trunk', 'origin/main')).toBe(pageOf('plan'));
    expect(project.tree()).toEqual(before);
  }),
);

test(
  'the rendered and committed output is compared with the merge base of the branch',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    project.write(changed);
    await project.tenantry('synth');
    await project.commit();
    expect((await project.tenantry('plan')).out).toMatch(/: no change of an object\n$/);
    const rendered = await project.tenantry('plan --base trunk --rendered dist --quiet');
    expect(rendered.out).toContain('Group interns may get secrets');
    expect(rendered).toEqual(await project.tenantry('plan --base trunk --quiet'));
    expect(rendered.out).not.toMatch(/^low /m);
    // Later commits on the main branch do not count as changes of this branch.
    await project.git('checkout -q trunk');
    project.write({ 'tenants/more.yaml': tenant('more') });
    await project.tenantry('synth');
    await project.commit();
    await project.git('checkout -q -');
    expect(await project.tenantry('plan --base trunk --quiet')).toEqual(rendered);
  }),
);

test(
  'the output folder on disk affects no change of a plan, and edited files in it need the platform',
  inCommitted(files, async (project) => {
    project.write(changed);
    const plan = async () => {
      const { out } = await project.tenantry('plan --output json');
      const { changes, review } = JSON.parse(out) as {
        readonly changes: readonly object[];
        readonly review: { readonly files: readonly string[] };
      };
      return { changes, files: review.files };
    };
    const { changes, files } = await plan();
    expect([changes.length, files]).toEqual([4, []]);
    const folder = 'dist/clusters/in-cluster/tenants/shop';
    project.write({ [`${folder}/tenant.yaml`]: 'edited', [`${folder}/added.yaml`]: 'a: b' });
    const edited = [`${folder}/added.yaml`, `${folder}/tenant.yaml`];
    expect(await plan()).toEqual({ changes, files: edited });
    project.remove('dist');
    expect((await plan()).changes).toEqual(changes);
    project.write({ dist: 'a file' });
    expect((await project.tenantry('plan')).out).toContain('Group interns may get secrets');
  }),
);

test(
  'a plan is the same in a repository with ids of SHA-256',
  inProject(files, async (project) => {
    await project.git('init -q --object-format=sha256');
    await project.tenantry('synth');
    await project.commit();
    expect((await project.tenantry('plan')).out).toMatch(/: no change of an object\n$/);
    project.write({ 'tenants/shop.yaml': shop(10) });
    expect((await project.tenantry('plan --quiet')).out).toContain('pods 20 -> 10');
  }),
);

test(
  'a plan fails from the given risk on',
  inCommitted(files, async (project) => {
    const codeOf = async (risk: string) => {
      const { code, out } = await project.tenantry(`plan --fail-on ${risk} --output json`);
      return [code, (JSON.parse(out) as { outcome: string }).outcome];
    };
    project.write({ 'tenants/shop.yaml': shop(10) });
    expect(await codeOf('high')).toEqual([0, 'done']);
    expect(await codeOf('medium')).toEqual([1, 'refused']);
    project.write({ 'tenants/shop.yaml': shop(30) });
    expect(await codeOf('medium')).toEqual([0, 'done']);
    expect(await codeOf('low')).toEqual([1, 'refused']);
    expect(await codeOf('never')).toEqual([0, 'done']);
    project.write({ 'tenants/shop.yaml': shop(20, interns) });
    expect(await codeOf('high')).toEqual([1, 'refused']);
  }),
);

test(
  'in JSON each change has its rule and its places',
  inCommitted(files, async (project) => {
    project.write({ 'tenants/shop.yaml': shop(10) });
    const { out } = await project.tenantry('plan --output json');
    const place = { cluster: 'in-cluster', tenant: 'shop' };
    expect(JSON.parse(out)).toMatchObject({
      command: 'plan',
      base: { kind: 'git', revision: 'HEAD' },
      totals: { high: 0, medium: 1, low: 1 },
      changes: [
        {
          risk: 'medium',
          area: 'quota',
          rule: 'quota-lowered',
          subject: 'ResourceQuota tenant-quota',
          message: 'pods 20 -> 10',
          where: [
            { ...place, namespace: 'shop-dev' },
            { ...place, namespace: 'shop-prod' },
          ],
        },
        { rule: 'object-changed', subject: 'Tenant shop', where: [place] },
      ],
      warnings: [],
    });
  }),
);

test(
  'changes of low risk do not hide the others: the first ones are listed and the rest counted',
  inCommitted(files, async (project) => {
    const more = Array.from(
      { length: 30 },
      (_, i) => [`tenants/t${i}.yaml`, tenant(`t${i}`)] as const,
    );
    project.write({ ...Object.fromEntries(more), 'tenants/shop.yaml': shop(10) });
    const { out } = await project.tenantry('plan');
    expect(out.split('\n').filter((line) => line.startsWith('low '))).toHaveLength(50);
    expect(out).toMatch(/\nand 1\d more\n\n/);
    expect(out).toContain('pods 20 -> 10');
  }),
);

test(
  'the Markdown comment contains no markup of a tenant and fits the limit of the forge',
  inCommitted(files, async (project) => {
    const group = '<b>@team|`*_[x](y)';
    project.write({ 'tenants/shop.yaml': shop(20, { access: { viewers: { groups: [group] } } }) });
    const { out } = await project.tenantry('plan --output markdown');
    expect(out).toMatch(/^### Plan: \d+ changes?: /);
    expect(out).toContain('| medium | owners | in-cluster: shop-prod | Group ');
    expect(out).toContain('<summary>');
    const text = out.replaceAll(/<\/?(?:code|details|summary)>/g, '');
    for (const mark of ['<b', '@team', '[x]', '*_']) expect(text).not.toContain(mark);
    const many = Array.from({ length: 100 }, (_, i) => `${i}-${'<'.repeat(200)}`);
    project.write({ 'tenants/shop.yaml': shop(20, { access: { viewers: { groups: many } } }) });
    const long = (await project.tenantry('plan --output markdown')).out;
    expect(long.length).toBeLessThan(65_536);
    expect(long).toMatch(/\nAnd \d+ more changes: run `tenantry plan`\.\n/);
  }),
);

test(
  'without Git the folder itself is the base, and the plan mentions if there is no base',
  inProject(files, async (project) => {
    await project.tenantry('synth');
    project.write({ 'tenants/shop.yaml': shop(10) });
    expect((await project.tenantry('plan')).out).toMatch(
      /pods 20 -> 10 .*\n(.*\n)*.* with dist: 2 /,
    );
    await project.commit();
    const none = await project.tenantry(`plan --base ${'0'.repeat(40)}`);
    expect(none).toMatchObject({ code: 0, out: expect.stringContaining('compared with nothing') });
    expect(none.err).toContain('warning');
  }),
);

test(
  'invalid declarations and an invalid base are reported instead',
  inCommitted(files, async (project) => {
    expect(await project.tenantry('plan --base nowhere')).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        "--base must be a revision of this Git repository, got 'nowhere'",
      ),
    });
    expect(await project.tenantry('plan --rendered nowhere')).toMatchObject({
      code: 1,
      err: "error --rendered must be a folder, got 'nowhere'\n",
    });
    expect(await project.tenantry('plan --rendered dist --tenants tenants')).toMatchObject({
      code: 1,
      err: 'error --rendered cannot be combined with --tenants or --platform\n',
    });
    project.write({ 'tenants/shop.yaml': tenant('shop', { className: 'none' }) });
    const wrong = await project.tenantry('plan');
    expect([wrong.code, wrong.out]).toEqual([1, '']);
    expect(wrong.err).toMatch(/tenants\/shop.yaml:.* spec.className must be .*\n\n1 problem; /);
  }),
);
