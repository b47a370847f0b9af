import { expect, test } from '@jest/globals';
import { importCdk8s, importTenantry, inProject, tenant, type Project } from './project.ts';

/** Tenants by name, with their specs. */
type Fleet = Readonly<Record<string, object>>;

/** Returns a stock cdk8s app, whose tenants are visible only in its objects. */
const stock = (tenants: Fleet, more = ''): string =>
  `${importCdk8s('ApiObject, App, Chart')}${importTenantry('Tenant')}
const app = new App();
for (const [name, spec] of Object.entries(${JSON.stringify(tenants)})) new Tenant(app, name, spec);
${more}
app.synth();
`;

/** A Namespace that belongs to no tenant. */
const tools = `new ApiObject(new Chart(app, 'tools'), 'namespace', {
  apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tools' },
});`;

const names = (...all: string[]) => ({ namespaces: all.map((name) => ({ name })) });
const project = { 'cdk8s.yaml': 'app: node app.ts\n' };

async function render(into: Project, app: string): Promise<void> {
  into.write({ 'app.ts': app });
  expect(await into.tenantry('synth --quiet')).toEqual({ code: 0, out: '', err: '' });
}

/** Returns the refusals of `check`, without the files. */
async function refused(by: Project, words = ''): Promise<readonly string[]> {
  const { code, out, err } = await by.tenantry(`check --quiet ${words}`);
  const lines = err.split('\n').filter(Boolean);
  expect([code, out]).toEqual([lines.length > 0 ? 1 : 0, '']);
  return lines.map((line) => line.replace(/^error dist\/\S+ (.*?), got (.*) in HEAD.*$/, '$1: $2'));
}

const mustRetire = (what: string) => `${what} must be Retired before it disappears: Active`;

test(
  'tenants and namespaces of an app of stock cdk8s are counted, and may not disappear unretired',
  inProject(project, async (project) => {
    const acme = names('acme-dev', 'acme-prod');
    await render(project, stock({ acme, shop: names('shop') }, tools));
    const { out } = await project.tenantry('check');
    expect(out).toMatch(/^2 tenants, 3 namespaces, \d+ objects: valid/);
    await project.commit();
    expect(await refused(project)).toEqual([]);

    await render(project, stock({ acme: names('acme-dev') }));
    expect(await refused(project)).toEqual([
      mustRetire('namespace acme-prod of tenant acme'),
      mustRetire('tenant shop'),
      'namespace tools must stay: it',
    ]);
    const allowed = '--allow-removal acme/acme-prod --allow-removal tools';
    expect(await refused(project, allowed)).toEqual([mustRetire('tenant shop')]);
    expect(await refused(project, `${allowed} --allow-removal shop`)).toEqual([]);
  }),
);

test(
  'a Namespace of the base is found however YAML spells it',
  inProject(project, async (project) => {
    await render(project, stock({ acme: names('acme') }, tools));
    const dist = Object.entries(project.tree('dist'));
    const [path, text] = dist.find(([, written]) => written.includes('  name: tools'))!;
    project.write({ [`dist/${path}`]: text.replace('Namespace', String.raw`"\x4eamespace"`) });
    await project.commit();
    await render(project, stock({ acme: names('acme') }));
    expect(await refused(project)).toEqual(['namespace tools must stay: it']);
  }),
);

test(
  'a tenant that a stock app rendered as Retired may disappear, and one that moves to another file is not removed',
  inProject(project, async (project) => {
    const namespaces = [{ name: 'acme-dev' }, { name: 'acme-prod', lifecycle: 'Retired' }];
    await render(project, stock({ acme: { namespaces }, old: { lifecycle: 'Retired' } }));
    await project.commit();
    await render(project, stock({ acme: names('acme-dev') }));
    expect(await refused(project)).toEqual([]);
    const app = stock({ acme: names('acme-dev') });
    await render(project, app.replace('new Tenant(app', `new Tenant(new Chart(app, 'all')`));
    expect(await refused(project)).toEqual([]);
  }),
);

test(
  'Namespaces that a stock app labels itself belong to a tenant, even without a Tenant',
  inProject(project, async (project) => {
    const own = (name: string, tenant: string) => `new ApiObject(new Chart(app, '${name}'), 'n', {
  apiVersion: 'v1', kind: 'Namespace',
  metadata: { name: '${name}', labels: { 'tenantry.dev/tenant': '${tenant}' } },
});`;
    await render(project, stock({}, own('a', 'acme') + own('b', 'acme')));
    expect((await project.tenantry('check')).out).toMatch(/^1 tenant, 2 namespaces, 2 objects: /);
    await project.commit();
    await render(project, stock({}, own('a', 'other') + own('b', 'acme')));
    const nobody = 'must be Retired before it disappears: no Tenant with a lifecycle';
    expect(await refused(project)).toEqual([`namespace a of tenant acme ${nobody}`]);
    await render(project, stock({}, own('c', 'other')));
    expect(await refused(project)).toEqual([`tenant acme ${nobody}`]);
  }),
);

test(
  'in an app that mixes charts with a folder of tenants, both are checked',
  inProject(
    { ...project, 'tenants/acme.yaml': tenant('acme'), 'tenants/shop.yaml': tenant('shop') },
    async (project) => {
      const mixed = (more: string) => `${importCdk8s('ApiObject, Chart')}
${importTenantry('App, declareFleet, setOutputPath, Tenant')}
const app = new App();
declareFleet(app);
${more}
app.synth();
`;
      const typed = `new Tenant(app, 'typed');`;
      const placed = `const ops = new Chart(app, 'ops');
setOutputPath(ops, 'clusters/in-cluster/ops/all.yaml');
for (const name of ['ops-a', 'ops-b']) {
  new ApiObject(ops, name, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}`;
      await render(project, mixed(typed + placed + tools));
      await project.commit();
      const { out } = await project.tenantry('check');
      expect(out).toMatch(/^3 tenants, 3 namespaces, \d+ objects: valid/);
      project.remove('tenants/shop.yaml');
      await render(project, mixed(placed.replace(`'ops-a', `, '')));
      expect(await refused(project)).toEqual([
        'namespace ops-a on in-cluster must stay: it',
        mustRetire('tenant shop'),
        mustRetire('tenant typed'),
        'namespace tools must stay: it',
      ]);
      // Also from a remembered run.
      expect(await refused(project, '--allow-removal shop --allow-removal tools')).toHaveLength(2);
    },
  ),
);

test(
  'a fleet that moves from cluster-independent files to the folder of a cluster keeps its namespaces',
  inProject({ ...project, 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    await render(project, stock({ acme: {}, shop: {} }));
    await project.commit();
    project.remove('cdk8s.yaml');
    const { code } = await project.tenantry('synth --quiet');
    expect(code).toBe(0);
    expect(await refused(project)).toEqual([mustRetire('tenant shop')]);
    await project.commit();
    // In the other direction, the cluster of the namespace is unknown.
    project.write({ 'cdk8s.yaml': 'app: node app.ts\n' });
    await render(project, stock({ acme: {} }));
    expect(await refused(project)).toContain(
      mustRetire('namespace acme of tenant acme on in-cluster'),
    );
  }),
);
