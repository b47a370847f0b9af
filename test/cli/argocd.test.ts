import { expect, test } from '@jest/globals';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { inProject, platform, tenant } from './project.ts';

const clusters = [
  { name: 'fra1', server: 'https://fra1.example.com:6443' },
  { name: 'arn1', server: 'https://arn1.example.com:6443' },
];
const everywhere = { clusters: ['fra1', 'arn1'] };
const files = {
  'tenantry.yaml': platform({ clusters, argocd: { namespace: 'gitops' } }),
  'tenants/shop.yaml': tenant('shop', everywhere),
};

interface Listed {
  readonly items: readonly {
    readonly kind: string;
    readonly metadata: { readonly name: string };
    readonly rules?: readonly { readonly resources: readonly string[] }[];
    readonly subjects?: readonly object[];
    readonly data?: Readonly<Record<string, string>>;
  }[];
}

test(
  'the roles of an Argo CD are printed for the accounts that the platform names, and written to a file',
  inProject(files, async (project) => {
    await project.tenantry('synth');
    const { code, out, err } = await project.tenantry('argocd rbac --cluster fra1');
    expect([code, err]).toEqual([0, '']);
    const { documents } = readDocuments(out);
    expect(documents.map(({ value }) => value)).toMatchObject([
      { kind: 'ClusterRole', metadata: { name: 'tenantry-argocd' } },
      {
        kind: 'ClusterRoleBinding',
        roleRef: { name: 'tenantry-argocd' },
        subjects: [
          { kind: 'ServiceAccount', namespace: 'gitops', name: 'argocd-application-controller' },
        ],
      },
      { kind: 'ClusterRole', metadata: { name: 'tenantry-argocd-grants' } },
      { kind: 'ClusterRoleBinding', roleRef: { name: 'tenantry-argocd-grants' } },
    ]);
    expect(out).not.toMatch(/^ *- (secrets|\W*\*\W*)$/m);
    const withoutCluster = await project.tenantry('argocd rbac');
    expect(withoutCluster.err).toBe('error --cluster must be one of arn1, fra1, got none\n');
    const written = await project.tenantry('argocd rbac --cluster fra1 --to roles.yaml');
    expect(written).toEqual({ code: 0, out: '', err: '' });
    expect(project.tree()['roles.yaml']).toBe(out);
  }),
);

test(
  'accounts can be named, and JSON is a List',
  inProject(files, async (project) => {
    await project.tenantry('synth');
    const command = 'argocd rbac --cluster arn1 --account kube-system/argocd-manager --output json';
    const { items } = JSON.parse((await project.tenantry(command)).out) as Listed;
    expect(items[1]?.subjects).toEqual([
      { kind: 'ServiceAccount', namespace: 'kube-system', name: 'argocd-manager' },
    ]);
    for (const account of ['manager', 'kube-system/', '/manager', 'kube-system/argocd/manager']) {
      const wrong = await project.tenantry(`argocd rbac --cluster arn1 --account ${account}`);
      expect(wrong).toEqual({
        code: 1,
        out: '',
        err: `error --account must be namespace/name, got '${account}'\n`,
      });
    }
  }),
);

test(
  'where Argo CD runs in the cluster itself, it also reads its own kinds there',
  inProject({ 'tenants/shop.yaml': tenant('shop') }, async (project) => {
    await project.tenantry('synth');
    const { items } = JSON.parse(
      (await project.tenantry('argocd rbac --output json')).out,
    ) as Listed;
    expect(items[0]?.rules).toContainEqual({
      apiGroups: ['argoproj.io'],
      resources: ['applications', 'applicationsets', 'appprojects'],
      verbs: ['get', 'list', 'watch'],
    });
    const { out } = await project.tenantry(
      'argocd inclusions --in-cluster-address https://10.96.0.1:443',
    );
    expect(out).toContain('      - ApplicationSet\n');
    expect(out).toContain(
      '      - https://kubernetes.default.svc\n      - https://10.96.0.1:443\n',
    );
    const withoutAddress = await project.tenantry('argocd inclusions');
    expect(withoutAddress).toEqual({
      code: 1,
      out: '',
      err: 'error --in-cluster-address must be the address of the API server that pods have, since Argo CD runs in in-cluster, got none\n',
    });
  }),
);

test(
  'the resources that Argo CD reads are a key of its ConfigMap, with the address of each cluster',
  inProject(files, async (project) => {
    await project.tenantry('synth');
    const { code, out } = await project.tenantry('argocd inclusions --output json');
    expect(code).toBe(0);
    const [settings] = (JSON.parse(out) as Listed).items;
    expect(settings).toMatchObject({
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm', namespace: 'gitops' },
    });
    expect(Object.keys(settings?.data ?? {})).toEqual(['resource.inclusions']);
    const { documents } = readDocuments(settings!.data!['resource.inclusions']!);
    const inclusions = documents[0]!.value as readonly object[];
    expect(inclusions).toContainEqual({
      apiGroups: ['tenantry.dev'],
      kinds: ['Tenant', 'TenantClass'],
      clusters: ['https://arn1.example.com:6443'],
    });
    expect(JSON.stringify(inclusions)).not.toContain('Secret');

    project.write({ 'dist/argocd/tenants/shop/project.yaml': '' });
    for (const command of ['argocd inclusions', 'argocd rbac --cluster fra1']) {
      const { code: done, err } = await project.tenantry(command);
      expect([done, err]).toEqual([
        0,
        'warning dist/argocd/tenants: kinds that tenants deploy from repositories of their own are not among these, nor is the right to impersonate their accounts\n',
      ]);
    }
  }),
);

test(
  'where Secrets are rendered, a warning explains that Argo CD reads all of them',
  inProject(files, async (project) => {
    await project.tenantry('synth');
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: shop }\n';
    project.write({ 'dist/clusters/fra1/tenants/shop/secret.yaml': secret });
    const readWarnings = async (cluster: string) =>
      (await project.tenantry(`argocd rbac --cluster ${cluster}`)).err;
    expect([await readWarnings('fra1'), await readWarnings('arn1')]).toEqual([
      'warning Argo CD reads all Secrets of fra1, where some are rendered\n',
      '',
    ]);
  }),
);

test(
  'all obstacles are reported at once, and nothing is written',
  inProject(
    {
      ...files,
      'tenantry.yaml': platform({
        clusters: [{ name: 'fra1' }, clusters[1]],
        kinds: [{ group: 'cert-manager.io', kind: 'Certificate', scope: 'Namespaced' }],
      }),
      'tenants/shop.yaml': tenant('shop', {
        ...everywhere,
        resources: [
          {
            manifest: {
              apiVersion: 'cert-manager.io/v1',
              kind: 'Certificate',
              metadata: { name: 'web' },
              spec: {},
            },
          },
        ],
      }),
    },
    async (project) => {
      const unrendered = await project.tenantry('argocd rbac --cluster fra1 --to roles.yaml');
      expect(unrendered.code).toBe(1);
      expect(unrendered.err).toContain('must be a folder that Tenantry rendered');
      expect((await project.tenantry('synth')).code).toBe(0);
      const { code, out, err } = await project.tenantry(
        'argocd rbac --cluster fra1 --to roles.yaml',
      );
      expect([code, out]).toEqual([1, '']);
      expect(err).toBe(
        'error tenantry.yaml spec.kinds must define the plural of Certificate (cert-manager.io), or crdFiles have its definition, got neither: fra1 has Certificate web (kind)\n\n1 problem; nothing is written\n',
      );
      expect(project.tree()).not.toHaveProperty('roles.yaml');
      const both = await project.tenantry('argocd inclusions');
      expect(both.err).toMatch(
        /^error .* got neither: arn1 has Certificate web \(kind\)\n\n1 problem; /,
      );
      const none = await project.tenantry('argocd rbac --cluster fra2');
      expect(none.err).toBe(
        "error --cluster must be one that is rendered, got 'fra2'; did you mean 'fra1'?\n",
      );
    },
  ),
);

test(
  'a cluster without an address cannot be part of the Argo CD settings',
  inProject(
    { ...files, 'tenantry.yaml': platform({ clusters: [{ name: 'fra1' }, clusters[1]] }) },
    async (project) => {
      await project.tenantry('synth');
      const { code, err } = await project.tenantry('argocd inclusions');
      expect(code).toBe(1);
      expect(err).toContain(
        'spec.clusters must have `server` for fra1, its address as Argo CD knows it, got none',
      );
    },
  ),
);
