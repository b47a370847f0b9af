import { expect, test } from '@jest/globals';
import { buildReview, type ReviewFacts } from '../../apps/review/review.ts';
import type { PlannedChange } from '../../apps/plan/plan.ts';

const facts: ReviewFacts = {
  platformOwners: ['@acme/platform'],
  ownersOf: () => ['@acme/shop'],
  declarationOwners: [],
  moved: [],
  otherFiles: [],
  unread: [],
  approvedBy: [],
};

const change = (tenant?: string): PlannedChange => ({
  risk: 'low',
  area: 'access',
  rule: 'permission-lost',
  subject: 'Group friends',
  message: 'may no longer get pods',
  where: [{ cluster: 'eu1', ...(tenant !== undefined && { tenant }) }],
  verdict: { agreement: 'owners', rule: 'less', reason: 'somebody may do less' },
});

test('output that cannot be compared needs the platform', () => {
  const unread = ['clusters/eu1/a.yaml'];
  expect(buildReview([], { ...facts, unread })).toMatchObject({
    agreement: 'platform',
    files: unread,
    isApproved: false,
  });
  expect(buildReview([], facts)).toMatchObject({ agreement: 'nobody', isApproved: true });
});

test('a change without a tenant and without a changed file is not approved by nobody', () => {
  expect(buildReview([change()], facts)).toMatchObject({
    isApproved: false,
    needs: [{ party: 'platform', owners: ['@acme/platform'] }],
  });
  const { needs } = buildReview([change('shop')], facts);
  expect(needs).toMatchObject([{ party: 'owners', tenants: ['shop'], owners: ['@acme/shop'] }]);
});

test('a tenant that moves to other owners needs both, although nothing changes', () => {
  const place = { tenant: 'web', from: 'tenants/web/web.yaml', to: 'tenants/shop/web.yaml' };
  const moved = [{ ...place, owners: [['@acme/web'], ['@acme/shop']] }];
  const both = { ...facts, moved };
  expect(buildReview([], { ...both, approvedBy: ['@acme/shop'] })).toMatchObject({
    agreement: 'owners',
    isApproved: false,
    moved: [place],
  });
  const approvedBy = ['@acme/shop', '@ACME/web'];
  expect(buildReview([], { ...both, approvedBy }).isApproved).toBe(true);
});
