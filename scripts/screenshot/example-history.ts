/** A commit of the repository that the screenshot is about. */
export interface ExampleCommit {
  readonly day: string;
  readonly author: string;
  readonly subject: string;
  /** Who has access to which tenant from this commit on; the others keep theirs. */
  readonly access: Readonly<Record<string, object>>;
  /** Who merges it. Absent for a commit on the main branch. */
  readonly mergedBy?: string;
}

/** The namespaces of each tenant. */
export const namespaces: Readonly<Record<string, readonly string[]>> = {
  payments: ['payments-prod'],
  search: ['search-prod'],
  shop: ['shop-dev', 'shop-prod'],
};

const payments = { admins: { groups: ['payments-leads'] }, editors: { groups: ['payments'] } };
const shop = { admins: { groups: ['shop-leads'] }, viewers: { groups: ['shop'] } };
const search = { admins: { groups: ['search-leads'] } };

/** The rights of a pipeline that deploys. */
const deployer = {
  name: 'deployer',
  rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] }],
  serviceAccounts: [{ name: 'ci', namespace: 'shop-dev' }],
};

/** Half a year of an invented company. */
export const history: readonly ExampleCommit[] = [
  {
    day: '2025-12-15',
    author: 'Ada Okafor',
    subject: 'Declare the tenants',
    access: { payments, shop, search: {} },
  },
  {
    day: '2026-01-12',
    author: 'Ben Sato',
    subject: 'search: name the administrators',
    access: { search },
    mergedBy: 'Ada Okafor',
  },
  {
    day: '2026-02-03',
    author: 'Carla Diaz',
    subject: 'shop: let the pipeline deploy',
    access: { shop: { ...shop, roles: [deployer] } },
    mergedBy: 'Ben Sato',
  },
  {
    day: '2026-03-02',
    author: 'Dana Levi',
    subject: 'payments: access for the audit',
    access: {
      payments: {
        ...payments,
        viewers: { temporary: [{ users: ['auditor@example.com'], until: '2026-03-31' }] },
      },
    },
    mergedBy: 'Ada Okafor',
  },
  {
    day: '2026-04-01',
    author: 'Ada Okafor',
    subject: 'Render without what has ended',
    access: { payments },
    mergedBy: 'Dana Levi',
  },
  {
    day: '2026-05-18',
    author: 'Carla Diaz',
    subject: 'shop: the whole team may edit',
    access: {
      shop: {
        admins: { groups: ['shop-leads'] },
        editors: { groups: ['shop'] },
        roles: [deployer],
      },
    },
    mergedBy: 'Ben Sato',
  },
  {
    day: '2026-06-09',
    author: 'Ben Sato',
    subject: 'payments: migrate the database',
    access: {
      payments: { ...payments, admins: { ...payments.admins, users: ['eve@example.com'] } },
    },
  },
];
