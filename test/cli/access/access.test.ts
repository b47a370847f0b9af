import { expect, test } from '@jest/globals';
import { inProject, platform, tenant, type Project } from '../project.ts';

const shop = tenant('shop', {
  namespaces: [{ name: 'shop-dev' }, { name: 'shop-prod' }],
  serviceAccounts: [{ name: 'ci' }],
  access: {
    admins: { groups: ['leads'] },
    viewers: { users: ['alice@example.com'] },
    editors: { serviceAccounts: [{ name: 'ci', namespace: 'shop-dev' }] },
    roles: [
      {
        name: 'deployer',
        rules: [
          {
            apiGroups: ['apps'],
            resources: ['deployments'],
            verbs: ['patch'],
            resourceNames: ['web'],
          },
        ],
        groups: ['shop'],
      },
    ],
  },
});

const files = { 'tenants/shop.yaml': shop };

const json = async (project: Project, words: string): Promise<Record<string, never>> =>
  JSON.parse((await project.tenantry(`${words} --output json`)).out) as Record<string, never>;

test(
  'the answer has the binding, the role, the rule, the line of the Tenant and the commit that changed it',
  inProject(files, async (project) => {
    await project.tenantry('synth');
    await project.commit();
    const can = 'access can group:leads create pods/exec -n shop-dev';
    const { code, out, err } = await project.tenantry(can);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(
      'yes: Group leads may create pods/exec in namespace shop-dev on in-cluster',
    );
    expect(out).toMatch(
      /binding   RoleBinding shop-dev\/tenant-clusterrole-admin   dist\/clusters\/in-cluster\/\S+:\d+\n/,
    );
    expect(out).toContain('role      ClusterRole admin   Kubernetes\n');
    expect(out).toContain('declared  tenants/shop.yaml:5\n');
    expect(out).toMatch(/changed   [0-9a-f]{10} \d{4}-\d\d-\d\d t: /);
    expect(out).toContain('rule of   ClusterRole system:aggregate-to-edit   Kubernetes\n');
    const report = await json(project, can);
    expect(report).toMatchObject({
      command: 'access can',
      outcome: 'done',
      answer: 'yes',
      groups: ['leads', 'system:authenticated'],
      grants: [{ subject: 'Group leads', declared: { file: 'tenants/shop.yaml', line: 5 } }],
    });
    const { file, line } = (report['grants']! as { binding: { file: string; line: number } }[])[0]!
      .binding;
    const text = project.tree()[file]!.split('\n')[line - 1];
    expect(text).toContain('name: leads');
    // Without the declarations the committed output has the same answer.
    project.remove('tenants');
    const rendered = await json(project, `${can} --rendered dist`);
    expect(rendered['grants']).toMatchObject([
      { binding: { file, line }, commit: { author: 't' } },
    ]);
  }),
);

test(
  'the exit code is 0 for yes, 1 for no, and 3 for an answer that the files do not have',
  inProject(
    {
      ...files,
      'dist/clusters/eu1/rbac.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: audit, namespace: shop-dev }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: auditor }
subjects:
  - { apiGroup: rbac.authorization.k8s.io, kind: User, name: bob }
`,
    },
    async (project) => {
      const of = async (words: string) => {
        const { code, out } = await project.tenantry(`access can ${words}`);
        return [code, out.split('\n')[0]];
      };
      expect(await of('alice@example.com get secrets -n shop-dev --tenants tenants')).toEqual([
        1,
        'no: User alice@example.com may not get secrets in namespace shop-dev on in-cluster',
      ]);
      expect(await of('bob get pods -n shop-dev --rendered dist')).toEqual([
        3,
        'unknown: whether User bob may get pods in namespace shop-dev on eu1',
      ]);
      const { out } = await project.tenantry('access can bob get pods -n shop-dev --rendered dist');
      expect(out).toContain('ClusterRole auditor is not defined in the files\n');
      expect(out).toContain('dist/clusters/eu1/rbac.yaml:6\n');
      const who = await project.tenantry('access who-can get pods -n shop-dev --rendered dist');
      expect(who.out).toMatch(/^nobody may [^]*\nunknown:\nSUBJECT [^]*\nUser bob /);
    },
  ),
);

test(
  'a note names what is probably a mistake: a namespace, a group that is no user, and names of a rule',
  inProject(files, async (project) => {
    const note = async (words: string) => (await project.tenantry(`access can ${words}`)).err;
    expect(await note('leads get pods -n shop-dve')).toBe(
      "note: the files have nothing in a namespace 'shop-dve'; did you mean 'shop-dev'?\nnote: no binding names User leads, but one names Group leads\n",
    );
    expect(await note('group:shop patch deployments.apps -n shop-dev')).toBe(
      'note: objects of these names are allowed, see --name: web\n',
    );
    expect(await note('group:shop patch deployments.apps -n shop-dev --name web')).toBe('');
    expect(await note('group:shop gte pods -n shop-dev')).toContain("'gte' is no verb");
  }),
);

test(
  'who-can names those who may do it with objects of some names only',
  inProject(files, async (project) => {
    const ask = async (words: string) =>
      (await project.tenantry(`access who-can patch deployments.apps ${words}`)).err;
    const note = 'note: Group shop may do it with objects of these names, see --name: web';
    expect(await ask('-n shop-dev')).toContain(note);
    expect(await ask('--all-namespaces')).toContain(note);
    expect(await ask('')).not.toContain(note);
    expect(await ask('-n shop-dev --name web')).not.toContain(note);
  }),
);

test(
  'who-can lists everybody with their namespaces, and of and tenant list the same bindings',
  inProject(files, async (project) => {
    const words = (text: string) => text.split('\n').map((line) => line.trim().split(/ {3,}/));
    const leads = [
      'Group leads',
      'shop-dev, shop-prod',
      'ClusterRole admin',
      'RoleBinding tenant-clusterrole-admin',
      'tenants/shop.yaml:5',
    ];
    const ci = [
      'ServiceAccount shop-dev/ci',
      'shop-dev, shop-prod',
      'ClusterRole edit',
      'RoleBinding tenant-clusterrole-edit',
      'tenants/shop.yaml:5',
    ];
    const who = await project.tenantry('access who-can get secrets --all-namespaces');
    expect(words(who.out).slice(1, 3)).toEqual([leads, ci]);
    expect(who.err).toMatch(/^note: \d+ subjects of Kubernetes itself not listed/);
    const all = await project.tenantry('access who-can get secrets --all-namespaces --all');
    expect(all.out).toContain('Group system:masters');
    expect(words((await project.tenantry('access tenant shop')).out)).toEqual(
      expect.arrayContaining([leads, ci]),
    );
    const of = await project.tenantry('access of group:shop');
    expect(of.out).toContain(
      'Role deployer in shop-dev, shop-prod\n  patch deployments of apps named web\n',
    );
    expect((await project.tenantry('access of nobody')).out).toBe(
      'no binding applies to User nobody\n',
    );
  }),
);

const twoClusters = {
  'tenantry.yaml': platform({ clusters: [{ name: 'eu1' }, { name: 'us1' }] }),
  'tenants/shop.yaml': tenant('shop', {
    access: { admins: { users: ['ann'] } },
    clusters: ['eu1'],
  }),
};

const viewed = (name: string): string =>
  tenant(name, { access: { viewers: { users: [`of-${name}`] } } });

test(
  'subjects of several tenants have the places of their declarations, in one file or in several',
  inProject(
    {
      'tenants/a.yaml': viewed('a1'),
      'tenants/b.yaml': `${viewed('b1')}---\n${viewed('b2')}`,
      'tenants/c.yaml': viewed('c1'),
    },
    async (project) => {
      const { grants } = await json(project, 'access who-can get pods --all-namespaces');
      const places = (grants! as { subject: string; declared: { file: string } }[]).map(
        ({ subject, declared }) => `${subject} ${declared.file}`,
      );
      expect(places.toSorted()).toEqual([
        'User of-a1 tenants/a.yaml',
        'User of-b1 tenants/b.yaml',
        'User of-b2 tenants/b.yaml',
        'User of-c1 tenants/c.yaml',
      ]);
    },
  ),
);

test(
  'of several clusters, can answers for one, and the others for each',
  inProject(twoClusters, async (project) => {
    const can = 'access can ann get secrets -n shop';
    expect(await project.tenantry(can)).toEqual({
      code: 1,
      out: '',
      err: 'error --cluster must choose one of the clusters, because they may have different answers: eu1, us1\n',
    });
    expect((await project.tenantry(`${can} --cluster eu1`)).code).toBe(0);
    expect((await project.tenantry(`${can} --cluster us1`)).code).toBe(1);
    expect(await project.tenantry(`${can} --cluster us2`)).toMatchObject({
      code: 1,
      err: "error --cluster must be a cluster of dist (eu1, us1), got 'us2'; did you mean 'us1'?\n",
    });
    expect((await project.tenantry('access who-can get secrets -n shop')).out).toContain(
      'User ann',
    );
  }),
);

test(
  'a folder of manifests is read too, lists in it as well, and what cannot be evaluated is refused',
  inProject(
    {
      'given/list.yaml': `apiVersion: v1
kind: List
items:
  - apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: { name: reader }
    rules: [{ apiGroups: [''], resources: [pods], verbs: [get] }]
  - apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRoleBinding
    metadata: { name: reader }
    roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader }
    subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: ann }]
`,
      'bad/role.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: reader }
rules: []
`,
      'twice/a.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: []
`,
      'broken/a.yaml': 'kind: Role\nmetadata: [\n',
    },
    async (project) => {
      const ended = (folder: string) =>
        project.tenantry(`access can ann get pods --rendered ${folder}`);
      const given = await ended('given');
      expect(given.code).toBe(0);
      expect(given.out).toContain('given/list.yaml:12\n');
      expect(await ended('bad')).toMatchObject({
        code: 1,
        err: 'error bad/role.yaml:1:1 must have metadata.namespace, got a Role without one: it is not known where it applies (document)\n',
      });
      expect((await ended('twice')).err).toBe(
        'error twice/a.yaml:6:1 must be the only ClusterRole reader, got another one in twice/a.yaml:1 (identity)\n',
      );
      expect((await ended('broken')).err).toMatch(/^error broken\/a.yaml:\d+:\d+ .*\(yaml\)\n$/);
      expect((await ended('gone')).err).toContain(
        'must be a folder of rendered output or of manifests',
      );
    },
  ),
);

test(
  'a wrong command line is refused with what it must be',
  inProject(files, async (project) => {
    const cases = [
      [
        'can ann get pod',
        "error the resource must be a plural of Kubernetes such as pods, or have its group such as widgets.example.com, got 'pod'; did you mean 'pods'?",
      ],
      [
        'can sa:shop get pods',
        "error the subject must be a user such as alice@example.com, a group such as group:payments, or a service account such as sa:shop/ci, got 'sa:shop'",
      ],
      ['can ann get nodes -n shop-dev', 'error nodes are in no namespace: leave out --namespace'],
      [
        'can ann create pods --name web',
        'error a request to create pods has no name: leave out --name',
      ],
      [
        'can ann get /metrics -n shop-dev',
        "error a path such as '/metrics' has no --namespace and no --name",
      ],
      [
        'who-can get pods -A -n shop-dev',
        'error --namespace and --all-namespaces cannot be combined',
      ],
      [
        'can ann get pods --from-cluster --rendered dist',
        'error --from-cluster cannot be combined with --rendered',
      ],
      ['can ann get pods --context fra1', 'error --context must be given with --from-cluster'],
      [
        'tenant shopp',
        "error the tenant must be one that has a namespace, got 'shopp'; did you mean 'shop'?",
      ],
    ] as const;
    const ended = await Promise.all(cases.map(([words]) => project.tenantry(`access ${words}`)));
    expect(ended).toEqual(cases.map(([, err]) => ({ code: 1, out: '', err: `${err}\n` })));
  }),
);
