import { expect, test } from '@jest/globals';
import { importTenantry, inProject, tenant, type Project } from './project.ts';

const acme = `apiVersion: tenantry.dev/v1alpha1
kind: Tenant
metadata:
  name: acme
spec:
  access:
    viewers:
      groups: [auditors]
      temporary:
        - users: [guest@example.com]
          until: 2027-01-31
`;
const bindings = 'dist/clusters/in-cluster/tenants/acme/rbac/namespace-acme.yaml';

/** Commits everything at a point in time. */
async function commitAt(project: Project, time: string): Promise<void> {
  await project.git('init -q .');
  await project.git('add -A');
  const author = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
  const { code, err } = await project.run(
    'git',
    [...author, 'commit', '-q', '--allow-empty', '-m', 'all'],
    { GIT_COMMITTER_DATE: time },
  );
  if (code !== 0) throw new Error(err);
}

const hasGuest = (project: Project): boolean =>
  project.tree()[bindings]?.includes('guest@example.com') ?? false;

test(
  'synth renders for the day of HEAD, in UTC and with the last day included, or for the day of --date',
  inProject({ 'tenants/acme.yaml': acme }, async (project) => {
    await commitAt(project, '2026-12-31T23:59:59Z');
    expect((await project.tenantry('synth')).err).toBe('');
    expect(hasGuest(project)).toBe(true);
    await commitAt(project, '2027-02-01T01:59:59+02:00');
    const { err } = await project.tenantry('synth');
    expect(err).toBe(
      'warning tenants/acme.yaml:11:18 spec.access.viewers.temporary[0].until ends on 2027-01-31: access as viewers of guest@example.com; extend it, or remove the entry after that day (ends-soon)\n',
    );
    expect(hasGuest(project)).toBe(true);
    await project.tenantry('synth --date 2027-02-01');
    expect(hasGuest(project)).toBe(false);
    await commitAt(project, '2027-02-01T00:00:00Z');
    await project.tenantry('synth --date 2027-01-31');
    expect(hasGuest(project)).toBe(true);
    await project.tenantry('synth');
    expect(hasGuest(project)).toBe(false);
  }),
);

test(
  'check warns of an end, and after it fails with one error at the entry, stale output or not',
  inProject({ 'tenants/acme.yaml': acme }, async (project) => {
    await project.tenantry('synth --date 2027-01-20');
    await commitAt(project, '2027-01-20T00:00:00Z');
    const before = await project.tenantry('check --quiet');
    expect([before.code, before.err]).toEqual([0, expect.stringContaining('(ends-soon)\n')]);
    await commitAt(project, '2027-02-01T00:00:00Z');
    const error =
      'error tenants/acme.yaml:11:18 spec.access.viewers.temporary[0].until ended on 2027-01-31, so it is not rendered: access as viewers of guest@example.com; remove the entry, or extend it (ended)\n';
    expect(await project.tenantry('check --quiet')).toEqual({ code: 1, out: '', err: error });
    const json = JSON.parse((await project.tenantry('check --output json')).out) as object;
    expect(json).toMatchObject({ outcome: 'refused', problems: [{ rule: 'ended' }], warnings: [] });
    expect((await project.tenantry('synth')).code).toBe(0);
    expect(await project.tenantry('check --quiet')).toEqual({ code: 1, out: '', err: error });
    const removed = acme.slice(0, acme.indexOf('      temporary'));
    project.write({ 'tenants/acme.yaml': removed });
    await project.tenantry('synth');
    expect(await project.tenantry('check --quiet')).toEqual({ code: 0, out: '', err: '' });
  }),
);

test(
  'explain names the end date of access with its place',
  inProject({ 'tenants/acme.yaml': acme }, async (project) => {
    const { out } = await project.tenantry('explain acme access.viewers --date 2027-01-01');
    expect(out).toMatch(/until.*\n?.*2027-01-31.*tenants\/acme\.yaml:11/);
    const after = await project.tenantry('explain acme access.viewers --date 2027-02-01');
    expect(after.out).not.toContain('guest');
  }),
);

test(
  'a date that does not exist, and one beside --rendered, are refused',
  inProject({ 'tenants/acme.yaml': acme }, async (project) => {
    for (const [words, message] of [
      ['synth --date 2027-02-30', "--date must be a day such as 2027-01-31, got '2027-02-30'"],
      ['plan --date 2027-01-01 --rendered dist', '--rendered cannot be combined with --date'],
    ] as const) {
      const { code, err } = await project.tenantry(words);
      expect([code, err]).toEqual([1, `error ${message}\n`]);
    }
    project.write({ 'tenants/acme.yaml': acme.replace('01-31', '01-32') });
    const { err } = await project.tenantry('synth');
    expect(err).toContain("must be a date such as '2027-01-31', got '2027-01-32'");
  }),
);

const app = `${importTenantry('App, declareFleet, Tenant')}
const app = new App();
declareFleet(app);
const temporary = [{ users: ['guest@example.com'], until: '2027-01-31' }];
new Tenant(app, 'typed', { access: { viewers: { temporary } } });
app.synth();
`;

test(
  'an app in TypeScript renders for the same day, also when cdk8s or a person runs it',
  inProject({ 'cdk8s.yaml': 'app: node app.ts\n', 'app.ts': app }, async (project) => {
    project.write({ 'tenants/acme.yaml': acme });
    const holders = () =>
      Object.entries(project.tree('dist'))
        .filter(([path, text]) => path.includes('/rbac/') && text.includes('guest@example.com'))
        .map(([path]) => path.split('/')[3]);
    await commitAt(project, '2027-01-31T23:00:00Z');
    expect((await project.tenantry('synth')).code).toBe(0);
    expect(holders()).toEqual(['acme', 'typed']);
    expect((await project.tenantry('synth --date 2027-02-01')).code).toBe(0);
    expect(holders()).toEqual([]);
    expect((await project.run(process.execPath, ['app.ts'])).code).toBe(0);
    expect(holders()).toEqual(['acme', 'typed']);
  }),
);

test(
  'the platform must agree to a later end, which no object shows, and the owners to an earlier one',
  inProject({ 'tenants/acme.yaml': acme }, async (project) => {
    await project.tenantry('synth --date 2026-01-01');
    await commitAt(project, '2026-01-01T00:00:00Z');
    const planned = async (text: string) => {
      project.write({ 'tenants/acme.yaml': text });
      const { out } = await project.tenantry('plan');
      return /^(?:The \w+|Nobody) must agree$/m.exec(out)?.[0];
    };
    const entry = acme.indexOf('      temporary');
    const lasting = `${acme.slice(0, entry)}      users: [guest@example.com]\n`;
    expect(await planned(acme.replace('2027', '2028'))).toBe('The platform must agree');
    expect(await planned(lasting)).toBe('The platform must agree');
    expect(await planned(acme.replace('2027', '2026'))).toBe('The owners must agree');
    expect(await planned(acme.slice(0, entry))).toBe('The owners must agree');
  }),
);

const shop = tenant('shop', {
  namespaces: [{ name: 'shop-dev' }, { name: 'shop-prod' }],
  access: {
    admins: { groups: ['leads'] },
    viewers: {
      groups: ['sales'],
      temporary: [
        { users: ['auditor'], until: '2027-01-31' },
        { users: ['auditor'], groups: ['sales'], until: '2027-02-28' },
        { users: ['over'], until: '2026-01-31' },
      ],
    },
    clusterRoles: [{ name: 'edit', groups: ['vendor'], until: '2027-03-15' }],
  },
});

test(
  'tenant list shows the next end, and how many follow and are over, if anything ends',
  inProject(
    { 'tenants/shop.yaml': shop, 'tenants/lasting.yaml': tenant('lasting') },
    async (project) => {
      const lines = async (date: string) => {
        const { out } = await project.tenantry(`tenant list --quiet --date ${date}`);
        return out.split('\n').map((line) => line.split(/ {3,}/).slice(5).join());
      };
      expect((await lines('2027-01-15')).slice(0, 3)).toEqual([
        'ENDS',
        '-',
        '2027-01-31, 2 more, 1 ended',
      ]);
      expect((await lines('2027-03-01'))[2]).toBe('2027-03-15, 3 ended');
      expect((await lines('2028-01-01'))[2]).toBe('4 ended');
      const json = await project.tenantry('tenant list --output json --date 2027-02-01');
      const { tenants } = JSON.parse(json.out) as { tenants: readonly object[] };
      expect(tenants).toMatchObject([
        { name: 'lasting', ends: { endings: [] } },
        {
          name: 'shop',
          ends: {
            next: '2027-02-28',
            endings: [
              {
                until: '2026-01-31',
                hasEnded: true,
                path: 'spec.access.viewers.temporary[2].until',
              },
              { until: '2027-01-31', hasEnded: true, what: 'access as viewers of auditor' },
              { until: '2027-02-28', hasEnded: false },
              { until: '2027-03-15', what: 'ClusterRole edit of vendor' },
            ],
          },
        },
      ]);
      // A Tenant of another folder need not be valid.
      const broken = tenant('broken', { namespaces: 'all' });
      project.write({ 'given/clusters/eu1/tenant.yaml': broken });
      expect((await project.tenantry('tenant list --rendered given')).out).toContain('broken');
    },
  ),
);

test(
  'the answers about access have the last day of each path that ends, and lasting access has none',
  inProject({ 'tenants/shop.yaml': shop }, async (project) => {
    const date = '--date 2027-01-15';
    const vendor = await project.tenantry(
      `access can group:vendor create pods -n shop-dev --quiet ${date}`,
    );
    expect([vendor.code, vendor.out]).toEqual([0, expect.stringMatching(/ until {5}2027-03-15\n/)]);
    const leads = await project.tenantry(
      `access can group:leads create pods -n shop-dev --quiet ${date}`,
    );
    expect(leads.out).not.toContain('until');
    const list = await project.tenantry(`access tenant shop --quiet ${date}`);
    const [head, ...rows] = list.out.trim().split('\n');
    expect(head?.split(/ {3,}/)).toContain('UNTIL');
    const ends = rows.map((row) => row.split(/ {3,}/)).map(([who, , , , until]) => [who, until]);
    expect(ends.toSorted()).toEqual([
      ['Group leads', '-'],
      // Also declared for a while, which changes nothing.
      ['Group sales', '-'],
      ['Group vendor', '2027-03-15'],
      // Declared twice: the later end counts.
      ['User auditor', '2027-02-28'],
    ]);
    for (const words of ['who-can get pods -n shop-prod', 'of auditor', 'tenant shop']) {
      const { out } = await project.tenantry(`access ${words} --output json ${date}`);
      const { grants, access } = JSON.parse(out) as Record<string, readonly object[]>;
      expect(grants ?? access).toContainEqual(
        expect.objectContaining({ subject: 'User auditor', until: '2027-02-28' }),
      );
    }
    for (const other of ['--rendered dist', '--at HEAD', '--from-cluster']) {
      const { code, err } = await project.tenantry(`access of auditor ${other} ${date}`);
      expect([code, err]).toEqual([1, expect.stringMatching(/cannot be combined with .*--date/)]);
    }
    const later = await project.tenantry('access of auditor --quiet --date 2027-03-01');
    expect(later.out).toBe('no binding applies to User auditor\n');
  }),
);

test(
  'access that ends is named as such, however many tenants there are',
  inProject({}, async (project) => {
    const names = Array.from({ length: 25 }, (_, i) => `team-${String(i).padStart(2, '0')}`);
    const access = (name: string) => ({
      viewers: { temporary: [{ users: [name], until: '2027-01-31' }] },
    });
    const files = names.map((name) => [
      `tenants/${name}.yaml`,
      tenant(name, { access: access(name) }),
    ]);
    project.write(Object.fromEntries(files) as Record<string, string>);
    const { out } = await project.tenantry('access who-can get pods -A --quiet --date 2027-01-01');
    expect(out.match(/2027-01-31/g)).toHaveLength(25);
  }),
);
