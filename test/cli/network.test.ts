import { expect, test } from '@jest/globals';
import { importTenantry, inProject, tenant } from './project.ts';

const files = {
  'tenants/shop.yaml': tenant('shop', {
    namespaces: [{ name: 'shop-dev' }, { name: 'shop-prod' }],
    network: {
      isolation: 'SameNamespace',
      ingressControllers: 'Deny',
      monitoring: 'Deny',
      egress: 'SameNamespace',
      allowFrom: [
        { name: 'from-till', namespaces: ['till'], pods: { app: 'web' }, ports: [{ port: 80 }] },
        { name: 'from-sites', cidrs: ['10.0.0.0/16'] },
      ],
    },
  }),
  'tenants/till.yaml': tenant('till', { network: { isolation: 'Open' } }),
};

const table = `shop-dev on in-cluster (tenant shop)
  from  shop-dev                                                 every port
  from  10.0.0.0/16                                              every port
  from  till                                                     80/TCP      only pods with app=web
  to    pods with k8s-app=kube-dns in kube-system (external)     53/TCP, 53/UDP
  to    shop-dev                                                 every port
`;

test(
  'the table shows who reaches the pods of a tenant and whom they reach, and nothing is written',
  inProject(files, async (project) => {
    const before = project.tree();
    const { code, out, err } = await project.tenantry('tenant network shop');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const words = (text: string) => text.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(words(out)).toEqual(expect.arrayContaining(words(table)));
    expect(out).toContain('\nshop-prod on in-cluster (tenant shop)\n');
    expect(out).not.toContain('till on');
    expect(project.tree()).toEqual(before);
  }),
);

test(
  'the table has all tenants, and a rendered folder gives the same one',
  inProject(files, async (project) => {
    const rendered = await project.tenantry('tenant network');
    expect(rendered.out).toContain(
      'till on in-cluster (tenant till)\n  from  anyone  every port\n  to    anyone  every port\n',
    );
    await project.tenantry('synth');
    project.remove('tenants');
    expect(await project.tenantry('tenant network --rendered dist')).toEqual(rendered);
  }),
);

test(
  'in JSON, every row has its namespaces, tenants, labels and ports',
  inProject(files, async (project) => {
    const { code, out } = await project.tenantry('tenant network shop --output json');
    expect(code).toBe(0);
    const { clusters, ...rest } = JSON.parse(out) as {
      clusters: { name: string; namespaces: { name: string; in: unknown[]; out: unknown[] }[] }[];
    };
    expect(rest).toMatchObject({ command: 'tenant network', outcome: 'done', warnings: [] });
    expect(clusters.map(({ name }) => name)).toEqual(['in-cluster']);
    const [dev] = clusters[0]!.namespaces;
    expect(dev).toMatchObject({ name: 'shop-dev', tenant: 'shop' });
    expect(dev!.in).toContainEqual({
      pods: 'app=web',
      with: { kind: 'namespace', namespace: 'till', tenant: 'till' },
      ports: [{ protocol: 'TCP', first: 80, last: 80, names: [] }],
    });
    expect(dev!.in).toContainEqual({
      with: { kind: 'addresses', cidr: '10.0.0.0/16' },
      ports: ['TCP', 'UDP', 'SCTP'].map((protocol) => ({
        protocol,
        first: 1,
        last: 65535,
        names: [],
      })),
    });
    expect(dev!.out).toEqual([
      {
        with: { kind: 'external', namespace: 'kube-system', pods: 'k8s-app=kube-dns' },
        ports: ['TCP', 'UDP'].map((protocol) => ({ protocol, first: 53, last: 53, names: [] })),
      },
      expect.objectContaining({ with: expect.objectContaining({ namespace: 'shop-dev' }) }),
    ]);
  }),
);

test(
  'tenants in TypeScript are rendered by their app',
  inProject(
    {
      'main.ts': `${importTenantry('App, Tenant')}
const app = new App();
new Tenant(app, 'shop', { network: { isolation: 'Closed' } });
app.synth();`,
      'cdk8s.yaml': 'app: node main.ts\n',
    },
    async (project) => {
      const { code, out } = await project.tenantry('tenant network');
      expect(code).toBe(0);
      expect(out).toContain('shop on in-cluster (tenant shop)\n');
      expect(out).not.toContain('anyone  every port\n  to');
    },
  ),
);

test(
  'an unknown tenant or namespace is a user error with a suggestion',
  inProject({ ...files, 'empty/.keep': '' }, async (project) => {
    const refused = (err: string) => ({ code: 1, out: '', err: expect.stringContaining(err) });
    expect(await project.tenantry('tenant network shopp')).toEqual(
      refused(
        "error the tenant must be one that has a namespace, got 'shopp'; did you mean 'shop'?\n",
      ),
    );
    expect(await project.tenantry('tenant network --rendered empty')).toEqual(
      refused('error empty must be a folder that Tenantry rendered, got one without clusters/\n'),
    );
    expect(await project.tenantry('tenant network --rendered dist --tenants tenants')).toEqual(
      refused('error --rendered cannot be combined with --tenants or --platform\n'),
    );
    project.write({ 'tenants/shop.yaml': tenant('shop', { network: { isolation: 'Shut' } }) });
    const broken = await project.tenantry('tenant network till');
    expect(broken).toEqual(refused('error tenants/shop.yaml:5:'));
    const json = await project.tenantry('tenant network shopp --rendered empty --output json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ command: 'tenant network', outcome: 'refused' });
    project.write({ 'bad/clusters/a/x.yaml': 'kind: Namespace\na: b: c\n' });
    expect(await project.tenantry('tenant network --rendered bad')).toEqual(
      refused('error bad/clusters/a/x.yaml:2:'),
    );
  }),
);

test(
  'a rendered policy is in the table however YAML spells it',
  inProject(files, async (project) => {
    await project.tenantry('synth --quiet');
    const before = await project.tenantry('tenant network --rendered dist');
    const dist = Object.entries(project.tree('dist'));
    for (const [path, text] of dist.filter(([, written]) => written.includes('NetworkPolicy'))) {
      const spelled = String.raw`kind: "\u004eetworkPolicy"`;
      project.write({ [`dist/${path}`]: text.replaceAll('kind: NetworkPolicy', spelled) });
    }
    expect(Object.values(project.tree('dist')).join()).not.toContain('kind: NetworkPolicy');
    expect(await project.tenantry('tenant network --rendered dist')).toEqual(before);
  }),
);

test(
  'help explains the words of the table, the options and the exit codes',
  inProject({}, async (project) => {
    const { code, out } = await project.tenantry('tenant network --help');
    expect(code).toBe(0);
    for (const word of ['[tenant]', '--rendered <dir>', '--output', 'anyone', 'Exit codes: 0']) {
      expect(out).toContain(word);
    }
  }),
);
