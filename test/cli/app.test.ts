import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { commandLine, importCdk8s, importTenantry, inProject, tenant } from './project.ts';

const folder = 'clusters/in-cluster/tenants';
const cdk8s = 'app: node app.ts\n';

const stockApp = (...names: string[]): string => `${importCdk8s('ApiObject, App, Chart')}
const app = new App();
for (const name of ${JSON.stringify(names)}) {
  const chart = new Chart(app, name);
  new ApiObject(chart, 'map', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
}
app.synth();
console.log('hello from the app');
`;

test(
  'a stock cdk8s app adds its files and removes stale ones, and foreign files are kept',
  inProject({ 'cdk8s.yaml': cdk8s, 'app.ts': stockApp('a', 'b') }, async (project) => {
    const first = await project.tenantry('synth --output json');
    expect(first).toMatchObject({ code: 0, err: 'hello from the app\n' });
    expect(JSON.parse(first.out)).toMatchObject({ objects: 2, tenants: 0 });
    const plain = project.run(process.execPath, ['app.ts'], { CDK8S_OUTDIR: 'plain' });
    expect(await plain).toMatchObject({ code: 0 });
    const files = project.tree('plain');
    const marks = Object.keys(files).map((path) => [`OWNED/${path}.owned`, '']);
    expect(project.tree('dist')).toEqual({
      ...files,
      'OWNED/': '/',
      ...Object.fromEntries(marks),
    });
    project.write({ 'dist/c.k8s.yaml': 'mine', 'app.ts': stockApp('a') });
    expect(await project.tenantry('check')).toMatchObject({ code: 1 });
    expect((await project.tenantry('synth')).out).toMatch(/1 removed\n.*- b\S*\n/s);
    const left = Object.keys(files).find((path) => path.startsWith('a'))!;
    expect(Object.keys(project.tree('dist')).toSorted()).toEqual(
      ['OWNED/', `OWNED/${left}.owned`, 'c.k8s.yaml', left].toSorted(),
    );
    expect((await project.tenantry('check')).code).toBe(0);
  }),
);

/** Returns a stock cdk8s app with one object of these fields, and code that changes its files. */
const oneObject = (fields: string, more = ''): string => `${importCdk8s('ApiObject, App, Chart')}
import { appendFileSync, renameSync, symlinkSync } from 'node:fs';
const app = new App(${more.startsWith('{') ? more : ''});
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
new ApiObject(new Chart(app, 'c', { disableResourceNameHashes: true }), 'o', { ...map, ${fields} });
app.synth();
const file = process.env.CDK8S_OUTDIR + '/c.k8s.yaml';
${more.startsWith('{') ? '' : more}
`;

test(
  'the output of a stock cdk8s app is validated: bad objects, bad texts and reserved names are refused',
  inProject({ 'cdk8s.yaml': cdk8s }, async (project) => {
    const text = `must not hold the text '+argocd:', which Argo CD obeys`;
    const cases = [
      ['items: [map]', '', 'c.k8s.yaml:6:3 items must be left out: kubectl and Argo CD take'],
      ['items: []', '', 'c.k8s.yaml:5:8 items must be left out: '],
      [`kind: 'List'`, '', 'c.k8s.yaml:2:7 kind must be a kind that an API server has'],
      [`data: { a: '+argocd:skip-file-rendering' }`, '', `c.k8s.yaml:6:1 ${text}`],
      ['', `appendFileSync(file, '# +argocd:skip-file-rendering');`, `c.k8s.yaml:5:1 ${text}`],
      [
        '',
        `appendFileSync(file, '# {"$imagepolicy": "a:b"}');`,
        'c.k8s.yaml:5:1 must not hold comments',
      ],
      [
        '',
        `appendFileSync(file, '---\\nkind: x\\n');`,
        'c.k8s.yaml:6:1 must be a Kubernetes object',
      ],
      [
        '',
        `appendFileSync(file, '---\\n' + 'apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: x}\\n');`,
        'ConfigMap x must be declared once',
      ],
      ['', `renameSync(file, file + '.json');`, `[c.k8s.yaml.json] the file must be a path of`],
      [
        '',
        `renameSync(file, process.env.CDK8S_OUTDIR + '/kustomization.yaml');`,
        `[kustomization.yaml] the file must not be a name that a tool reserves`,
      ],
      [
        '',
        `symlinkSync('/etc/passwd', process.env.CDK8S_OUTDIR + '/b.yaml');`,
        'b.yaml must be a file: ',
      ],
      ['', `{ outputFileExtension: '.yml' }`, '[c.yml] the file must be a path of'],
    ] as const;
    for (const [fields, more, message] of cases) {
      project.write({ 'app.ts': oneObject(fields, more) });
      const { code, out, err } = await project.tenantry('synth');
      expect({ fields, more, code, out }).toEqual({ fields, more, code: 1, out: '' });
      expect(err).toContain(message);
      expect(err).toContain('1 problem;');
    }
    expect(project.tree()).not.toHaveProperty('dist');
  }),
);

test(
  'an app that throws, exits, is killed, or writes nothing leaves the output unchanged',
  inProject({ 'cdk8s.yaml': cdk8s, 'app.ts': stockApp('a') }, async (project) => {
    await project.tenantry('synth');
    const before = project.tree('dist');
    const throws = `throw new Error('own mistake');`;
    const outdir = stockApp('a').replace('new App()', `new App({ outdir: 'own' })`);
    const cases = [
      [
        'node app.ts',
        throws,
        /exit code 0, got 1 .*: node app\.ts\n\n1 problem; dist is as it was/,
      ],
      ['exit 3', '', /exit code 0, got 3 \(/],
      ['kill -9 $$', '', /exit code 0, got (SIGKILL|137) \(/],
      ['no-such-program', '', /exit code 0, got 127 \(/],
      ['true', '', /^error the app of cdk8s.yaml must write files, got none; /],
      ['mkdir $CDK8S_OUTDIR', '', /must write files, got none; /],
      ['node app.ts', `${importTenantry('App')}new App();`, /must call synth\(\)/],
      ['node app.ts', outdir, /must not set an outdir: node app\.ts/],
    ] as const;
    for (const [app, source, message] of cases) {
      project.write({ 'cdk8s.yaml': `app: ${JSON.stringify(app)}\n`, 'app.ts': source });
      const { code, out, err } = await project.tenantry('synth');
      expect({ app, code, out }).toEqual({ app, code: 1, out: '' });
      expect(err).toMatch(message);
      if (source !== throws) expect(err).not.toContain('    at ');
      else expect(err).toContain('Error: own mistake');
      expect(project.tree('dist')).toEqual(before);
    }
  }),
);

test(
  'a kind that define refuses is reported as problems, one per line, without a stack trace',
  inProject(
    {
      'cdk8s.yaml': cdk8s,
      'app.ts': `${importTenantry('App')}${importTenantry('define', 'tenantry/crd')}
const app = new App();
const schema = { type: 'object', properties: { size: { type: 'integer', default: 'x' } } } as const;
define({ group: 'x_y', kind: 'Box', plural: 'boxes', scope: 'Cluster', versions: { v1: { schema } } });
app.synth();`,
    },
    async (project) => {
      const { code, out, err } = await project.tenantry('synth');
      expect({ code, out }).toEqual({ code: 1, out: '' });
      const lines = err.split('\n');
      expect(lines[0]).toMatch(/^error boxes\.x_y metadata\.name must be a DNS subdomain/);
      expect(lines.slice(1)).toEqual([
        expect.stringMatching(/^error boxes\.x_y spec\.group must be .*, got 'x_y'$/),
        expect.stringMatching(/properties\.size\.default must be a whole number, got 'x'$/),
        '',
        '3 problems; dist is as it was',
        '',
      ]);
      const { problems } = JSON.parse((await project.tenantry('synth --output json')).out);
      expect(problems).toHaveLength(3);
      expect((await project.run(process.execPath, ['app.ts'])).err).toContain('    at define');
    },
  ),
);

test(
  'an app that fails after synth() is refused, and the message adds that the output is written',
  inProject(
    {
      'cdk8s.yaml': cdk8s,
      'app.ts': `${importTenantry('App')}new App().synth();\nprocess.exit(4);`,
    },
    async (project) => {
      const { code, err } = await project.tenantry('synth');
      expect(code).toBe(1);
      expect(err).toMatch(/exit code 0, got 4 .*\n\n1 problem; dist was written before\n/);
    },
  ),
);

const fleetApp = (body: string): string => `${importTenantry(
  'App, declareFleet, setOutputPath, Tenant',
)}${importCdk8s('ApiObject, Chart')}
const app = new App();
declareFleet(app);
console.log('hello from the app');
${body}
app.synth();
`;

test(
  'Tenants in TypeScript and in YAML share one fleet',
  inProject(
    {
      'cdk8s.yaml': cdk8s,
      'teams/acme.yaml': tenant('acme'),
      'app.ts': fleetApp(`new Tenant(app, 'shop', { namespaces: [{ name: 'shop-prod' }] });`),
    },
    async (project) => {
      const { code, out, err } = await project.tenantry('synth --tenants teams --output json');
      expect({ code, err }).toEqual({ code: 0, err: 'hello from the app\n' });
      expect(JSON.parse(out)).toMatchObject({ tenants: 2, namespaces: 2 });
      expect(project.tree('dist')).toHaveProperty([`${folder}/acme/namespace-acme.yaml`]);
      expect(project.tree('dist')).toHaveProperty([`${folder}/shop/namespace-shop-prod.yaml`]);
      expect((await project.tenantry('check --tenants teams')).code).toBe(0);

      const before = project.tree('dist');
      const clash = `new Tenant(app, 'two', { namespaces: [{ name: 'acme' }] });
new Tenant(app, 'worse', { quota: { hard: { pods: 'many' } } });`;
      project.write({ 'app.ts': fleetApp(clash) });
      const refused = await project.tenantry('synth --tenants teams');
      expect(refused.code).toBe(1);
      expect(refused.err).toMatch(
        /^error teams\/acme\.yaml:4:9 metadata\.name must be a namespace of one tenant only, got 'acme', which tenant two has/m,
      );
      expect(refused.err).toMatch(
        /^error app\.ts:8:1 \[worse\] spec\.quota\.hard\.pods must be .*'many'$/m,
      );
      expect(refused.err).not.toContain('    at ');
      expect(project.tree('dist')).toEqual(before);
    },
  ),
);

test(
  'two objects of one identity are refused, in charts and against a remembered tenant',
  inProject({ 'cdk8s.yaml': cdk8s, 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    project.write({ 'app.ts': fleetApp('') });
    await project.tenantry('synth');
    const before = project.tree('dist');
    const object = (id: string, path: string, props: object): string => `
const ${id} = new Chart(app, '${id}');
setOutputPath(${id}, 'clusters/in-cluster/extra/${path}.yaml');
new ApiObject(${id}, 'object', ${JSON.stringify(props)});`;
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'n' } };
    const own = { apiVersion: 'tenantry.dev/v1alpha1', kind: 'Tenant', metadata: { name: 'acme' } };
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota' };
    const inside = { ...quota, metadata: { name: 'tenant-quota', namespace: 'acme' } };
    project.write({
      'app.ts': fleetApp(
        object('a', '1', map) +
          object('b', '2', map) +
          object('c', '3', own) +
          object('d', '4', inside),
      ),
    });
    const { code, err } = await project.tenantry('synth');
    expect(code).toBe(1);
    const lines = err.split('\n').filter((line) => line.includes('must be declared once'));
    expect(lines.map((line) => line.split(' of cluster')[0])).toEqual([
      'error ConfigMap n/m',
      'error Tenant.tenantry.dev acme',
      'error ResourceQuota acme/tenant-quota',
    ]);
    expect(lines[0]).toContain('by [a/object] and by [b/object]');
    expect(lines[1]).toContain('by [c/object] and by [tenants/acme.yaml]');
    expect(project.tree('dist')).toEqual(before);
  }),
);

test(
  'an app that is tenantry itself is refused instead of starting itself endlessly',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    project.write({ 'cdk8s.yaml': `app: node '${commandLine}' synth\n` });
    const { code, err } = await project.tenantry('synth');
    expect(code).toBe(1);
    expect(err).toContain('must be a program that renders, got tenantry itself');
    expect(existsSync(join(project.folder, 'dist'))).toBe(false);
  }),
);

test(
  'two concurrent writes each finish or give up, and the output is complete',
  inProject({ 'tenants/acme.yaml': tenant('acme') }, async (project) => {
    const both = await Promise.all([project.tenantry('synth'), project.tenantry('synth')]);
    for (const { code, err } of both) {
      expect([0, 1]).toContain(code);
      if (code === 1) expect(err).toContain('an output must have one writer at a time');
      expect(err).not.toContain('    at ');
    }
    await project.tenantry('synth');
    expect((await project.tenantry('check')).code).toBe(0);
    expect(Object.keys(project.tree()).filter((path) => path.startsWith('.'))).toEqual([]);
  }),
);
