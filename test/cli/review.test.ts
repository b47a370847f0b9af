import { expect, test } from '@jest/globals';
import type { Review } from '../../apps/review/review.ts';
import { inCommitted, platform as platformFile, tenant, type Project } from './project.ts';

const platform = (owners: string[], approval: object = { quota: { pods: 50 } }) =>
  platformFile({
    clusters: [{ name: 'eu1' }],
    delegation: {
      owners,
      folders: [
        { folder: 'shop', tenants: ['shop*'], owners: ['@acme/shop'] },
        { folder: 'web', tenants: ['web*'], owners: ['@acme/web'] },
      ],
      approval,
    },
  });

const klass =
  'apiVersion: tenantry.dev/v1alpha1\nkind: TenantClass\nmetadata: { name: default }\nspec: { defaults: { quota: { hard: { pods: 10 } } } }\n';
const shop = (pods: number) => tenant('shop', { quota: { hard: { pods } } });

const files = {
  'tenantry.yaml': platform(['@acme/platform']),
  'tenants/classes/default.yaml': klass,
  'tenants/shop/shop.yaml': shop(20),
  'tenants/web/web.yaml': tenant('web', {}),
};

/** Runs a plan with the approvals, and returns its exit code and the review. */
async function review(project: Project, ...approvedBy: string[]) {
  const names = approvedBy.length === 0 ? '' : ` --approved-by ${approvedBy.join(' ')}`;
  const { code, out, err } = await project.tenantry(`plan --base trunk --output json${names}`);
  expect(err).toBe('');
  return { code, ...(JSON.parse(out) as { review: Review }).review };
}

test(
  'an approval of the owners of the folder suffices, in any case, and that of the platform always does',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    project.write({ 'tenants/shop/shop.yaml': shop(40) });
    expect(await review(project)).toMatchObject({
      code: 0,
      agreement: 'owners',
      isApproved: false,
    });
    expect(await review(project, '@acme/web')).toMatchObject({ code: 1, isApproved: false });
    expect(await review(project, '@Acme/Shop')).toMatchObject({ code: 0, isApproved: true });
    expect(await review(project, '@ann,@acme/platform')).toMatchObject({
      code: 0,
      needs: [{ party: 'owners', tenants: ['shop'], approvedBy: ['@acme/platform'] }],
    });
    project.write({ 'tenants/shop/shop.yaml': shop(60) });
    expect(await review(project, '@acme/shop')).toMatchObject({ code: 1, agreement: 'platform' });
    const { out } = await project.tenantry('plan --base trunk --approved-by @acme/shop');
    expect(out).toContain('pods is above 50; up to 50 the owners decide');
  }),
);

test(
  'a change cannot give itself an approval, neither as an owner nor by other bounds',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    project.write({
      'tenantry.yaml': platform(['@acme/shop'], { quota: { pods: 5000 } }),
      'tenants/shop/shop.yaml': shop(60),
    });
    expect(await review(project, '@acme/shop')).toMatchObject({
      code: 1,
      agreement: 'platform',
      files: ['tenantry.yaml'],
      needs: [
        { party: 'platform', owners: ['@acme/platform'], approvedBy: [] },
        { party: 'owners', tenants: ['shop'], approvedBy: ['@acme/shop'] },
      ],
    });
  }),
);

test(
  'a change of files besides declarations needs the platform, also if it renders nothing',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    project.write({ '.github/workflows/tenants.yaml': 'on: push\n', 'docs/notes.md': 'x\n' });
    expect(await review(project)).toMatchObject({
      agreement: 'platform',
      files: ['.github/workflows/tenants.yaml'],
      isApproved: false,
    });
  }),
);

test(
  'a tenant that moves to the folder of others needs the owners of both',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    project.remove('tenants/web/web.yaml');
    project.write({ 'tenants/shop/web.yaml': tenant('shop-web', {}) });
    const { needs } = await review(project, '@acme/shop');
    expect(needs.flatMap(({ owners }) => owners)).toEqual(
      expect.arrayContaining(['@acme/shop', '@acme/web']),
    );
    expect(needs.find(({ owners }) => owners.includes('@acme/web'))?.approvedBy).toEqual([]);
  }),
);

test(
  'approvals without a base that states who must agree are an error',
  inCommitted(files, async (project) => {
    project.remove('.git');
    const { code, err } = await project.tenantry('plan --approved-by @acme/shop');
    expect(code).toBe(1);
    expect(err).toMatch(/--approved-by needs a base in Git that states who must agree, got none/);
  }),
);
