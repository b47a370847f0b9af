import { expect, test } from '@jest/globals';
import { annotations, csv, sample } from '@tenantry/olm/test/sample';
import { inProject } from './project.ts';

const CSV = 'manifests/redis-operator.clusterserviceversion.yaml';

const inFolder = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

const own = { ...sample, [CSV]: csv.replace('AllNamespaces', 'OwnNamespace') };
const old = { ...sample, [CSV]: csv.replaceAll('1.2.3', '1.2.2') };

const project = inProject.bind(undefined, {
  ...inFolder('redis', sample),
  ...inFolder('own', own),
  ...inFolder('old', old),
});

interface Listed {
  readonly items: readonly {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
    readonly spec?: Readonly<Record<string, unknown>>;
    readonly rules?: readonly { readonly resourceNames?: readonly string[] }[];
  }[];
}

test(
  'the objects for OLM v0 are printed, and written to a file with the same bytes',
  project(async (project) => {
    const { code, out, err } = await project.tenantry('bundle install-file redis');
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(`apiVersion: v1
kind: Namespace
metadata:
  name: redis-operator
---
apiVersion: operators.coreos.com/v1
kind: OperatorGroup
metadata:
  name: redis-operator
  namespace: redis-operator
spec: {}
---
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata:
  name: redis-operator
  namespace: redis-operator
spec:
  channel: stable
  name: redis-operator
  source: operatorhubio-catalog
  sourceNamespace: olm
`);
    const written = await project.tenantry('bundle install-file redis --to install.yaml');
    expect(written).toEqual({ code: 0, out: '', err: '' });
    expect(project.tree()['install.yaml']).toBe(out);
    expect(Object.keys(project.tree()).filter((path) => path.endsWith('.new'))).toEqual([]);
  }),
);

test(
  'each option of OLM v0 appears in the objects',
  project(async (project) => {
    const { code, out } = await project.tenantry(
      'bundle install-file own --namespace caches --existing-namespace --channel fast --catalog catalogs/ours --starting-csv redis-operator.v1.2.3 --manual --watch caches --output json',
    );
    expect(code).toBe(0);
    const { items } = JSON.parse(out) as Listed;
    expect(items.map(({ kind, spec }) => [kind, spec])).toEqual([
      ['OperatorGroup', { targetNamespaces: ['caches'] }],
      [
        'Subscription',
        {
          channel: 'fast',
          name: 'redis-operator',
          source: 'ours',
          sourceNamespace: 'catalogs',
          startingCSV: 'redis-operator.v1.2.3',
          installPlanApproval: 'Manual',
        },
      ],
    ]);
  }),
);

test(
  'for OLM v1 the account has the rights by name, also those of older bundles',
  project(async (project) => {
    const { code, out, err } = await project.tenantry(
      'bundle install-file redis --olm v1 --channel stable --channel fast --versions >=1.2.0 --upgrades-from old --output json',
    );
    expect([code, err]).toEqual([0, '']);
    const { items } = JSON.parse(out) as Listed;
    expect(items.map(({ kind, metadata: { name } }) => `${kind} ${name}`)).toEqual([
      'Namespace redis-operator',
      'ServiceAccount redis-operator-installer',
      'ClusterRole redis-operator-installer',
      'ClusterRoleBinding redis-operator-installer',
      'Role redis-operator-installer',
      'RoleBinding redis-operator-installer',
      'ClusterExtension redis-operator',
    ]);
    expect(items[2]?.rules?.flatMap(({ resourceNames = [] }) => resourceNames)).toEqual([
      'redises.example.com',
      'redis-operator',
    ]);
    expect(items.at(-1)?.spec?.['source']).toMatchObject({
      catalog: { channels: ['stable', 'fast'], version: '>=1.2.0' },
    });
    const none = await project.tenantry(
      'bundle install-file redis --olm v1 --no-account --output json',
    );
    const kinds = (JSON.parse(none.out) as Listed).items.map(({ kind }) => kind);
    expect(kinds).toEqual(['Namespace', 'ClusterExtension']);
  }),
);

test(
  'a bundle that OLM would not install is reported with file and line, and nothing is written',
  project(async (project) => {
    const { code, out, err } = await project.tenantry(
      'bundle install-file own --olm v1 --to install.yaml',
    );
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^error own\/manifests\/redis-operator\.clusterserviceversion\.yaml:\d+:\d+ spec\.installModes must support AllNamespaces.*got OwnNamespace \(olm-v1\)\n\n1 problem; nothing is written\n$/,
    );
    expect(Object.keys(project.tree())).not.toContain('install.yaml');
    const older = await project.tenantry('bundle install-file redis --olm v1 --upgrades-from own');
    expect([older.code, older.err]).toEqual([1, expect.stringContaining('own/manifests/')]);
    const watching = await project.tenantry('bundle install-file own --watch shop --watch Bank');
    expect([watching.code, watching.out]).toEqual([1, '']);
    expect(watching.err).toContain('error own watch[1] must be a DNS label');
    expect(watching.err).toContain('it supports OwnNamespace');
  }),
);

test.each([
  ['nothing', /^error nothing must be the folder of a bundle or an OCI image layout, got nothing/],
  ['redis --olm v1 --watch shop', /--watch must come with --olm v0, got --olm v1/],
  ['redis --olm v1 --manual', /--manual must come with --olm v0/],
  ['redis --no-account', /--no-account must come with --olm v1/],
  ['redis --versions 1', /--versions must come with --olm v1/],
  ['redis --channel a --channel b', /--channel must be given once with --olm v0, got a, b/],
  ['redis --catalog ours', /--catalog must be namespace\/name, got 'ours'/],
  ['redis --to redis', /--to must be a file, got 'redis'/],
  ['redis --to missing/install.yaml', /--to must be a file that can be written/],
  ['redis --olm v1 --versions newest', /catalog\.version must be versions such as/],
  ['redis --namespace Redis', /namespace must be a DNS label/],
])('%s is a mistake of the user', (args, expected) =>
  project(async (project) => {
    const { code, out, err } = await project.tenantry(`bundle install-file ${args}`);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(expected);
  })(),
);

test(
  'a bundle without a package name is refused',
  inProject(
    inFolder('redis', {
      ...sample,
      'metadata/annotations.yaml': annotations.replace(/.*package\.v1.*\n/, ''),
    }),
    async (project) => {
      const { code, err } = await project.tenantry('bundle install-file redis');
      expect([code, err]).toEqual([1, expect.stringContaining('redis must declare its package')]);
    },
  ),
);
