import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { untilEnd, inProject, commandLine, type Project } from './project.ts';

const namespace = (name: string, metadata = ''): string =>
  `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}\n${metadata}`;

const quota = (namespace: string, pods: number): string =>
  `apiVersion: v1\nkind: ResourceQuota\nmetadata:\n  name: quota\n  namespace: ${namespace}\nspec:\n  hard:\n    pods: "${pods}"\n`;

const binding = (namespace: string, group: string): string =>
  `kind: RoleBinding
apiVersion: rbac.authorization.k8s.io/v1
metadata:
  name: admins
  namespace: ${namespace}
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin }
subjects:
  - { apiGroup: rbac.authorization.k8s.io, kind: Group, name: ${group} }
`;

/** Two environments of an application, and a team alone. */
const shop = {
  'in/shop-dev/all.yaml': [
    namespace('shop-dev'),
    quota('shop-dev', 20),
    binding('shop-dev', 'shop'),
  ].join('---\n'),
  'in/shop-prod/all.yaml': [
    namespace('shop-prod'),
    quota('shop-prod', 20),
    binding('shop-prod', 'shop'),
  ].join('---\n'),
  'in/billing/all.yaml': [namespace('billing'), quota('billing', 50)].join('---\n'),
};

const config = (namespace: string, name: string): string =>
  `# Read by the shop\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\ndata: { color: blue } # for now\n`;

async function importJson(project: Project, words: string) {
  const { code, out } = await project.tenantry(`import ${words} --report json`);
  return { code, report: JSON.parse(out) as Record<string, unknown> };
}

test(
  'namespaces become tenants that render the same objects, and synth and check accept them',
  inProject(shop, async (project) => {
    const first = await project.tenantry('import in');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain('3 namespaces: 2 tenants of class imported\n');
    expect(first.out).toContain('8 objects: 8 equal, 0 different, 0 left out\n');
    const { 'shop.yaml': text } = project.tree('tenants');
    expect(text).toBe(`apiVersion: tenantry.dev/v1alpha1
kind: Tenant
metadata: { name: shop }
spec:
  namespaces: [{ name: shop-dev }, { name: shop-prod }]
  access: { admins: { groups: [shop] } }
`);
    expect(await project.tenantry('synth --quiet')).toEqual({ code: 0, err: '', out: '' });
    expect(await project.tenantry('check --quiet')).toMatchObject({ code: 0 });
  }),
);

test(
  'a second import changes nothing, and after an edit it reports what it would change and writes nothing',
  inProject(shop, async (project) => {
    await project.tenantry('import in');
    const before = project.tree('tenants');
    const second = await project.tenantry('import in');
    expect(second).toMatchObject({ code: 0, err: '' });
    expect(second.out).toContain('All files are as they should be.');
    project.write({ 'tenants/shop.yaml': `${before['shop.yaml']}  description: The shop\n` });
    const edited = await project.tenantry('import in');
    expect(edited.code).toBe(1);
    expect(edited.out).toContain('~ tenants/shop.yaml: would add 0 lines, and remove 1\n');
    expect(edited.out).toContain('Nothing was written');
    expect(project.tree('tenants')['shop.yaml']).toContain('The shop');
    expect(await project.tenantry('import in --overwrite')).toMatchObject({ code: 0 });
    expect(project.tree('tenants')).toEqual(before);
  }),
);

test(
  'a platform file that exists keeps its text if the import adds nothing to it',
  inProject(shop, async (project) => {
    const text =
      '# ours\napiVersion: tenantry.dev/v1alpha1\nkind: Platform\nmetadata: { name: platform }\nspec:\n  clusters: [{ name: eu1 }]\n';
    project.write({ 'tenantry.yaml': text });
    expect(await project.tenantry('import in')).toMatchObject({ code: 0, err: '' });
    expect(project.tree()['tenantry.yaml']).toBe(text);
    expect(project.tree('tenants')['shop.yaml']).toContain('className: imported\n');
    expect(await project.tenantry('synth --quiet')).toMatchObject({ code: 0 });
  }),
);

test(
  'each broken file is named with its line, the rest is read, and nothing is written',
  inProject(
    {
      ...shop,
      'in/a.yaml': 'kind: Namespace\n  name: x\n',
      'in/b.yaml': 'a: [1\n',
      'in/c.json': '{"a": 1',
    },
    async (project) => {
      const { code, out, err } = await project.tenantry('import in');
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(
        /error in\/a\.yaml:2:\d+ .*\nerror in\/b\.yaml:\d+:\d+ .*\nerror in\/c\.json:\d+:\d+ /,
      );
      expect(err).toContain('3 problems; nothing was written');
      expect(Object.keys(project.tree())).not.toContain('tenantry.yaml');
      const kept = await project.tenantry('import in --keep-going');
      expect(kept.code).toBe(1);
      expect(kept.out).toContain('8 objects: 8 equal');
      expect(kept.out).toContain('error in/a.yaml:2:');
    },
  ),
);

test(
  'Secrets are named and neither copied nor printed, and the exit code is 0 once they are accepted',
  inProject(
    {
      ...shop,
      'in/billing/secret.yaml':
        'apiVersion: v1\nkind: Secret\nmetadata: { name: db, namespace: billing }\nstringData: { password: hunter2 }\n',
      'in/cluster.yaml':
        'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: reader }\nrules: []\n',
    },
    async (project) => {
      const { code, report } = await importJson(project, 'in');
      expect(code).toBe(1);
      expect(report).toMatchObject({
        outcome: 'different',
        leftOut: [
          { object: 'Secret billing/db', reason: 'Secrets stay out of Git', accepted: false },
          { object: 'ClusterRole reader', accepted: false },
        ],
      });
      const all = JSON.stringify([report, project.tree()]).replaceAll('in/billing/secret.yaml', '');
      expect(JSON.stringify(report)).not.toContain('hunter2');
      expect(JSON.stringify(project.tree('tenants'))).not.toContain('hunter2');
      expect(all).toContain('Secret billing/db');
      const accepted = ['import', 'in', '--accept', 'Secret */db', '--accept', 'ClusterRole *'];
      expect(await project.tenantry(accepted)).toMatchObject({ code: 0 });
      const unused = await project.tenantry(['import', 'in', '--accept', 'Secret billing/dbx']);
      expect(unused.code).toBe(1);
      expect(unused.err).toContain("got 'Secret billing/dbx'");
    },
  ),
);

test(
  'objects without a field stay in their files with their comments, and so do comments of a Namespace',
  inProject(
    {
      'in/shop.yaml': [
        namespace(
          'shop',
          '  annotations:\n    # ask them first\n    example.com/owner: "a#b" # until May\n',
        ),
        quota('shop', 20),
        config('shop', 'colors'),
      ].join('---\n'),
    },
    async (project) => {
      expect(await project.tenantry('import in')).toMatchObject({ code: 0 });
      const tree = project.tree('tenants');
      expect(tree['resources/shop/shop.yaml']).toBe(config('shop', 'colors'));
      expect(tree['shop.yaml']).toContain('resources: [{ file: resources/shop/shop.yaml }]\n');
      expect(tree['shop.yaml']!.split('\n').slice(0, 2)).toEqual([
        '# Namespace shop: ask them first',
        '# Namespace shop, example.com/owner: until May',
      ]);
      expect(await project.tenantry('synth --quiet')).toMatchObject({ code: 0, err: '' });
    },
  ),
);

test(
  'manifests come from standard input too, as Lists and JSON',
  inProject({}, async (project) => {
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } },
      ],
    };
    const child = spawn(process.execPath, [commandLine, 'import', '-', '--report', 'json'], {
      cwd: project.folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(JSON.stringify(list));
    const { code, out } = await untilEnd(child as never);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ objects: { total: 2, equal: 2 } });
  }),
);

test(
  'a mapping file and --group-by decide which namespaces a tenant has',
  inProject(
    {
      ...shop,
      'map.yaml': 'tenants: { store: [shop-dev, billing] }\n',
      'bad.yaml': 'tenants: { A: x }\n',
    },
    async (project) => {
      const tenants = async (words: string) =>
        (
          (await importJson(project, `in --dry-run ${words}`)).report['tenants'] as {
            name: string;
          }[]
        ).map(({ name }) => name);
      expect(await tenants('')).toEqual(['billing', 'shop']);
      expect(await tenants('--map map.yaml')).toEqual(['shop-prod', 'store']);
      expect(await tenants('--group-by none')).toEqual(['billing', 'shop-dev', 'shop-prod']);
      expect(Object.keys(project.tree())).not.toContain('tenantry.yaml');
      const bad = await project.tenantry('import in --map bad.yaml');
      expect(bad.code).toBe(1);
      expect(bad.err).toMatch(
        /bad\.yaml tenants\.A must be named by .*\n.*bad\.yaml tenants\.A must be a list/,
      );
    },
  ),
);

test.each([
  ['import nowhere', /nowhere.* no such file/i],
  ['import in --class A --cluster B', /--class and --cluster must be a DNS label/],
  ['import in --group-by owner', /--group-by must be name, none, label:KEY or annotation:KEY/],
  [
    'import in --group-by label:teem',
    /--group-by must name a label of a namespace, got 'teem'; none has any/,
  ],
  [
    'import team.yaml --group-by label:teem',
    /--group-by must name a label of a namespace, got 'teem'; did you mean 'team'\?; they have team/,
  ],
  ['import in --platform t', /^error t must be a file, got a folder/m],
  ['import in/billing/none.yaml', /none\.yaml must have a Namespace, got none/],
  ['import in --out file/x', /file\/x ENOTDIR/],
  ['import in --out t --class c', /^error t EISDIR/m],
  [
    'import system.yaml',
    /system\.yaml:1:1 metadata\.name must be a namespace that a tenant may have, got 'kube-system': .*protected/,
  ],
])('%s is refused with one clear error', (words, expected) =>
  inProject(
    {
      ...shop,
      'in/billing/none.yaml': quota('billing', 1),
      file: '',
      't/billing.yaml/x': '',
      'system.yaml': namespace('kube-system'),
      'team.yaml': namespace('shop', '  labels: { team: shop }\n'),
    },
    async (project) => {
      const { code, err } = await project.tenantry(words);
      expect(code).toBe(1);
      expect(err).toMatch(expected);
    },
  )(),
);

test(
  'what is probably wrong in the source is reported, each with its place',
  inProject(
    {
      'in/a.yaml': [
        namespace('shop-prod', '  labels: { env: dev }\n'),
        namespace('web-prod', '  labels: { env: prod }\n'),
        quota('shop-prod', 20).replace('pods: "20"', 'requests.cpu: "2"'),
        'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: idle, namespace: shop-prod }\nrules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]\n',
        binding('gone', 'shop'),
        binding('web-prod', 'shop').replace(
          'kind: ClusterRole, name: admin',
          'kind: Role, name: none',
        ),
      ].join('---\n'),
    },
    async (project) => {
      const { report } = await importJson(project, 'in');
      const found = report['observations'] as { rule: string; object: string }[];
      expect(found.map(({ rule, object }) => [rule, object])).toEqual([
        ['missing-namespace', 'RoleBinding gone/admins'],
        ['environment-differs', 'Namespace shop-prod'],
        ['unbound-role', 'Role shop-prod/idle'],
        ['quota-without-limits', 'ResourceQuota shop-prod/quota'],
        ['missing-role', 'RoleBinding web-prod/admins'],
      ]);
    },
  ),
);

test(
  'the report in markdown lets nothing of the source become markup',
  inProject(
    { 'in/a.yaml': namespace('shop') + '---\n' + binding('other', '"<b>@all</b>"') },
    async (project) => {
      const { code, out } = await project.tenantry('import in --report markdown');
      expect(code).toBe(1);
      expect(out).toMatch(/^### Import: /);
      expect(out).toContain('<summary>Left out</summary>');
      expect(out).not.toContain('<b>');
    },
  ),
);

test(
  'what has no field is different, with the field and the reason, until it is accepted by name',
  inProject(
    {
      'in/a.yaml': [
        namespace('shop', '  labels: { argocd.argoproj.io/instance: shop }\n'),
        'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: reader, namespace: shop, labels: { team: a } }\nrules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]\n',
        'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: default, namespace: shop }\n',
      ].join('---\n'),
    },
    async (project) => {
      const { code, report } = await importJson(project, 'in');
      expect(code).toBe(1);
      expect(report).toMatchObject({
        differences: [
          {
            object: 'Namespace shop',
            fields: [
              'metadata.labels["argocd.argoproj.io/instance"]: \'shop\' in the source, nothing rendered',
            ],
            reasons: [expect.stringContaining('(reserved-key)')],
          },
          {
            object: 'Role shop/reader',
            fields: ["metadata.labels.team: 'a' in the source, nothing rendered"],
          },
        ],
        leftOut: [],
        made: [{ kind: 'ServiceAccount', reason: 'the cluster makes it', objects: 1 }],
      });
      const accepted = ['Namespace shop', 'Role shop/*'];
      const words = accepted.flatMap((one) => ['--accept', one]);
      expect(await project.tenantry(['import', 'in', ...words])).toMatchObject({ code: 0 });
    },
  ),
);

test(
  'a text that Argo CD obeys is left out wherever it is, with the reason, and nothing else is',
  inProject(
    {
      'in/shop.yaml': [
        namespace('shop', '  annotations: { note: "+argocd:skip-file-rendering", plain: x }\n'),
        config('shop', 'colors').replace('blue', '"+argocd:skip-file-rendering"'),
        config('shop', 'sizes'),
      ].join('---\n'),
    },
    async (project) => {
      const { code, report } = await importJson(project, 'in');
      expect(code).toBe(1);
      expect(report).toMatchObject({
        objects: { equal: 1 },
        differences: [
          {
            object: 'Namespace shop',
            fields: [expect.stringContaining('metadata.annotations.note')],
            reasons: [expect.stringContaining('(steering-text)')],
          },
        ],
        leftOut: [
          { object: 'ConfigMap shop/colors', reason: expect.stringContaining('(steering-text)') },
        ],
      });
      expect(await project.tenantry('synth --quiet')).toMatchObject({ code: 0 });
    },
  ),
);

test(
  'what a controller made is counted and needs no acceptance, and a default account in which somebody set something is declared',
  inProject(
    {
      'in/shop.yaml': [
        namespace('shop'),
        'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: default, namespace: shop }\nautomountServiceAccountToken: false\n',
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: made\n  namespace: shop\n  ownerReferences: [{ apiVersion: apps/v1, kind: Deployment, name: web, uid: u }]\n',
      ].join('---\n'),
    },
    async (project) => {
      const { code, report } = await importJson(project, 'in');
      expect(code).toBe(0);
      expect(report).toMatchObject({
        objects: { total: 3, equal: 2, made: 1, leftOut: 0 },
        leftOut: [],
        made: [{ kind: 'ConfigMap', reason: 'a controller made it for a Deployment', objects: 1 }],
      });
    },
  ),
);
