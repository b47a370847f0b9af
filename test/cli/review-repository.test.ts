import { expect, test } from '@jest/globals';
import type { Review } from '../../apps/review/review.ts';
import { inCommitted, platform, tenant, type Project } from './project.ts';

const platformFile = (shopOwners: string[]) =>
  platform({
    clusters: [{ name: 'eu1' }],
    delegation: {
      owners: ['@acme/platform'],
      folders: [
        { folder: 'shop', tenants: ['*'], owners: shopOwners },
        { folder: 'web', tenants: ['*'], owners: ['@acme/web'] },
      ],
    },
  });

const shop = (pods: number) => tenant('shop', { quota: { hard: { pods } } });
const web = tenant('web', {});

const files = {
  'tenantry.yaml': platformFile(['@acme/shop']),
  'tenants/shop/shop.yaml': shop(20),
  'tenants/web/web.yaml': web,
};

async function review(project: Project, ...approvedBy: string[]) {
  const names = approvedBy.length === 0 ? '' : ` --approved-by ${approvedBy.join(' ')}`;
  const { code, out, err } = await project.tenantry(`plan --base trunk --output json${names}`);
  expect(err).toBe('');
  return { code, ...(JSON.parse(out) as { review: Review }).review };
}

test(
  'a tenant that moves to the folder of others needs the owners of both, also if nothing else changes',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    project.remove('tenants/web/web.yaml');
    project.write({ 'tenants/shop/web.yaml': web });
    expect(await review(project, '@acme/shop')).toMatchObject({
      code: 1,
      agreement: 'owners',
      moved: [{ tenant: 'web', from: 'tenants/web/web.yaml', to: 'tenants/shop/web.yaml' }],
    });
    expect(await review(project, '@acme/shop', '@acme/web')).toMatchObject({ code: 0 });
    const { out } = await project.tenantry('plan --base trunk --approved-by @acme/shop');
    expect(out).toContain(
      'Tenant web gets other owners: tenants/web/web.yaml -> tenants/shop/web.yaml',
    );
  }),
);

test(
  'a tenant belongs to the team whose folder had it before the change',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    project.remove('tenants/web/web.yaml');
    const network = { allowFrom: [{ name: 'from-web', namespaces: ['web'] }] };
    project.write({
      'tenants/shop/web.yaml': web,
      'tenants/shop/shop.yaml': tenant('shop', { quota: { hard: { pods: 20 } }, network }),
    });
    expect(await review(project, '@acme/shop')).toMatchObject({
      agreement: 'other-owners',
      code: 1,
    });
  }),
);

test(
  'output that the declarations do not render so needs the platform',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    const path = 'dist/clusters/eu1/tenants/shop/namespace-shop.yaml';
    const text = project.tree()[path]!;
    project.write({
      [path]: text.replace('pods: "20"', 'pods: "2000"').replace('pods: 20', 'pods: 2000'),
    });
    expect(project.tree()[path]).not.toBe(text);
    expect(await review(project)).toMatchObject({ agreement: 'platform', files: [path] });
    project.write({ [path]: text, 'dist/clusters/eu1/tenants/shop/more.yaml': 'kind: Secret\n' });
    expect(await review(project)).toMatchObject({
      files: ['dist/clusters/eu1/tenants/shop/more.yaml'],
      isApproved: false,
    });
    project.remove('dist/clusters/eu1/tenants/shop/more.yaml');
    project.remove(path);
    expect(await review(project)).toMatchObject({ files: [path] });
    project.write({ 'tenants/shop/shop.yaml': shop(30) });
    await project.tenantry('synth');
    expect(await review(project)).toMatchObject({ agreement: 'owners', files: [] });
  }),
);

test(
  'a branch cannot choose an older platform file by where it left the base',
  inCommitted(files, async (project) => {
    await project.git('branch branch');
    project.write({ 'tenantry.yaml': platformFile(['@acme/successors']) });
    await project.git('commit -q -a -m owners');
    await project.git('branch trunk');
    await project.git('checkout -q branch');
    project.write({ 'tenants/shop/shop.yaml': shop(30) });
    expect(await review(project, '@acme/shop')).toMatchObject({
      code: 1,
      needs: [{ tenants: ['shop'], owners: ['@acme/successors'] }],
    });
  }),
);

test(
  'programs and hidden files are no declarations, also in a folder of owners',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    const added = [
      'tenants/shop/.gitlab-ci.yml',
      'tenants/shop/app.ts',
      'tenants/shop/package.json',
    ];
    project.write(Object.fromEntries(added.map((path) => [path, '{}\n'])));
    project.write({ 'tenants/shop/resources/dashboard.json': '{}\n' });
    const { agreement, files: refused } = await review(project);
    expect([agreement, refused]).toEqual(['platform', added]);
  }),
);

test(
  'Markdown that configures a tool needs the platform, and other Markdown nobody',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    project.write({ '.github/copilot-instructions.md': 'x\n', 'docs/notes.md': 'x\n' });
    expect(await review(project)).toMatchObject({ files: ['.github/copilot-instructions.md'] });
  }),
);
