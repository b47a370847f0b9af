import { afterAll, expect } from '@jest/globals';
import { buildReaderRole } from '../../cli/live-source/reader-role.ts';
import { tenancyKinds } from '../../import/live-kinds.ts';
import { wholeKinds } from '../../operator/cluster/kinds.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { testUnless } from '@tenantry/test-tools/skipping';
import { until } from '@tenantry/testing/waiting/until';
import { inProject, type Project } from '../cli/project.ts';
import { distFolders } from './dist.ts';
import {
  findChanges,
  readDocumentedRole,
  SECRET_VALUE,
  startImportWorld,
  type ImportWorld,
} from './import-world.ts';

const { test, binaries, reason } = await given();
const fleet = process.env['TENANTRY_FLEET'];

/** A getter throws where there are no binaries. */
async function given() {
  const own = await ownClusters();
  const { test, reason } = own;
  return { test, reason, binaries: reason === undefined ? own.binaries : undefined };
}

let starting: Promise<ImportWorld> | undefined;
const world = (): Promise<ImportWorld> => (starting ??= startImportWorld(binaries!, fleet));
afterAll(async () => (await starting)?.cluster.stop());

const fleetTest = testUnless(reason ?? (fleet ? undefined : 'TENANTRY_FLEET names no folder'));

interface Report {
  readonly objects: Readonly<Record<string, number>>;
  readonly leftOut: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

async function importLive(project: Project, kubeconfig: string, ...words: readonly string[]) {
  const args = ['import', '--from-cluster', '--kubeconfig', kubeconfig, ...words];
  const { code, out, err } = await project.tenantry([...args, '--report', 'json']);
  if (!out.startsWith('{')) throw new Error(out + err);
  expect(out + err + JSON.stringify(project.tree())).not.toContain(SECRET_VALUE);
  return { code, report: JSON.parse(out) as Report };
}

/** Runs a test with an empty project. */
const withProject = (body: (project: Project) => Promise<void>): (() => Promise<void>) =>
  inProject({}, body) as () => Promise<void>;

const OWN = ['--selector', 'import-test=own'];

test(
  'with the documented rights, objects of people are equal, those of other managers are named, and the others are counted',
  withProject(async (project) => {
    const { addUser, cluster } = await world();
    const kubeconfig = await addUser('importer', readDocumentedRole());
    const { code, report } = await importLive(project, kubeconfig, ...OWN);
    expect(code).toBe(1);
    expect(report).toMatchObject({
      cluster: {
        server: cluster.server,
        excluded: [{ reason: 'they are protected (*-system)', namespaces: ['shop-system'] }],
        dropped: [
          { what: 'annotation argocd.argoproj.io/tracking-id', writer: 'Argo CD', objects: 2 },
        ],
        notRead: expect.arrayContaining(['ConfigMap', 'Secret', 'Deployment.apps']),
      },
      objects: { equal: 7, different: 0, leftOut: 3, made: 1 },
      made: [{ kind: 'ServiceAccount', reason: 'the cluster makes it', objects: 1 }],
    });
    expect(
      report.leftOut.toSorted((a, b) => (String(a['object']) < String(b['object']) ? -1 : 1)),
    ).toEqual([
      {
        object: 'Role shop/generated',
        reason: 'the program provisioner manages it',
        manager: 'program:provisioner',
        accepted: false,
      },
      {
        object: 'Role shop/of-the-app',
        reason: 'the Argo CD application shop manages it',
        manager: 'argocd:shop',
        accepted: false,
      },
      {
        object: 'Role shop/redis',
        reason: 'the Helm release shop/redis manages it',
        manager: 'helm:shop/redis',
        accepted: false,
      },
    ]);
    const text = await project.tenantry([
      'import',
      '--from-cluster',
      '--kubeconfig',
      kubeconfig,
      ...OWN,
      '--dry-run',
    ]);
    expect(text.out).toContain(`Cluster ${cluster.server}: 8 list requests: LimitRange 1, `);
    expect(text.out).toContain(
      '  Role shop/redis: the Helm release shop/redis manages it (helm:shop/redis)\n',
    );
    expect(text.out).not.toContain('undefined');
    const accepted = await importLive(
      project,
      kubeconfig,
      ...OWN,
      '--managed-by',
      'program:provisioner',
      '--accept',
      'helm:*',
      '--accept',
      'argocd:shop',
      '--overwrite',
    );
    expect(accepted).toMatchObject({ code: 0, report: { objects: { equal: 8, accepted: 2 } } });
  }),
);

test(
  'an import sends only list requests and discovery, at most 20 for a kind, and none for Secrets',
  withProject(async (project) => {
    const { addUser, cluster } = await world();
    const kubeconfig = await addUser('counted', readDocumentedRole());
    await importLive(project, kubeconfig, '--dry-run');
    const sent = await until('the requests are in the audit log', () => {
      const all = cluster
        .auditLog()
        .filter(({ user, userAgent }) => user.username === 'counted' && userAgent === 'tenantry');
      return all.filter(({ objectRef }) => objectRef).length >= tenancyKinds.length && all;
    });
    const others = sent.filter(({ objectRef }) => !objectRef);
    expect(new Set(others.map(({ requestURI }) => requestURI))).toEqual(new Set(['/api', '/apis']));
    const lists = sent.filter(({ objectRef }) => objectRef);
    expect(new Set(lists.map(({ verb }) => verb))).toEqual(new Set(['list']));
    const byResource = Map.groupBy(lists, ({ objectRef }) => objectRef!.resource);
    expect([...byResource.keys()].toSorted()).toEqual(
      wholeKinds.map(({ plural }) => plural).toSorted(),
    );
    for (const requests of byResource.values()) expect(requests.length).toBeLessThanOrEqual(20);
  }),
);

test('the documented role is the one that an error would show', () => {
  const role = buildReaderRole(
    wholeKinds.toSorted((a, b) => (`${a.group}/${a.kind}` < `${b.group}/${b.kind}` ? -1 : 1)),
  );
  expect(readDocumentedRole()).toEqual(role);
});

test(
  'all missing rights are one error with the role that suffices, and nothing is written',
  withProject(async (project) => {
    const { addUser } = await world();
    const only = [{ apiGroups: [''], resources: ['namespaces'], verbs: ['list'] }];
    const kubeconfig = await addUser('limited', { ...readDocumentedRole(), rules: only });
    const { code, out, err } = await project.tenantry(
      `import --from-cluster --kubeconfig ${kubeconfig}`,
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
    const [first = '', ...rest] = err.split('\n');
    expect(first).toContain(
      'limitranges, resourcequotas, serviceaccounts, networkpolicies.networking.k8s.io, poddisruptionbudgets.policy, roles.rbac.authorization.k8s.io, rolebindings.rbac.authorization.k8s.io',
    );
    expect(rest.join('\n')).toContain('kind: ClusterRole\nmetadata:\n  name: tenantry-import\n');
    expect(project.tree()).toEqual({});
  }),
);

test(
  'further kinds are read on request: what a Deployment makes is counted, and addresses of Services are not declared',
  withProject(async (project) => {
    const { cluster } = await world();
    const kubeconfig = cluster.kubeconfigFile('kinds');
    const words = [...OWN, '--kinds', '*', '--accept', 'helm:*', '--accept', 'argocd:*'];
    const { code, report } = await importLive(
      project,
      kubeconfig,
      ...words,
      '--accept',
      'program:*',
    );
    expect({ code, leftOut: report.objects['leftOut'] }).toEqual({ code: 0, leftOut: 3 });
    expect(report['made']).toEqual(
      expect.arrayContaining([
        { kind: 'Pod', reason: 'a controller made it for a ReplicaSet', objects: 2 },
        { kind: 'ReplicaSet', reason: 'a controller made it for a Deployment', objects: 1 },
        { kind: 'ConfigMap', reason: 'the cluster makes it', objects: 1 },
      ]),
    );
    const tree = project.tree('tenants/resources/shop');
    expect(Object.keys(tree)).toEqual(['configmap.yaml', 'deployment.yaml', 'service.yaml']);
    expect(tree['service.yaml']).not.toMatch(/clusterIP|status|uid/);
    expect(await project.tenantry('synth --quiet')).toMatchObject({ code: 0 });
    expect(await changesOf(project)).toEqual([]);
  }),
);

/** Returns the objects of the output that would change the cluster. */
async function changesOf({ folder }: Project): Promise<readonly string[]> {
  const folders = distFolders('in-cluster', `${folder}/dist/clusters`);
  const tenants = folders.filter(({ name }) => name === 'tenants');
  const objects = tenants.flatMap((one) => one.objects).filter(({ kind }) => kind !== 'Tenant');
  expect(objects.length).toBeGreaterThan(5);
  return findChanges(await world(), objects);
}

fleetTest(
  '84 namespaces are imported from a cluster as they are from files, and applying the output changes nothing',
  withProject(async (project) => {
    const { cluster, addUser } = await world();
    const rest = ['--selector', 'import-test!=own'];
    const usual = await importLive(
      project,
      await addUser('fleet', readDocumentedRole()),
      ...rest,
      '--dry-run',
    );
    expect(usual).toMatchObject({
      code: 0,
      report: { namespaces: 84, objects: { equal: 615, different: 0, leftOut: 0, made: 84 } },
    });
    const kinds = 'Certificate.cert-manager.io,NetworkPolicy.projectcalico.org,ServiceMonitor';
    const whole = await importLive(
      project,
      cluster.kubeconfigFile('fleet'),
      ...rest,
      '--kinds',
      kinds,
    );
    expect(whole).toMatchObject({
      code: 0,
      report: { namespaces: 84, objects: { equal: 1007, different: 0, leftOut: 0, made: 84 } },
    });
    expect(await project.tenantry('synth --quiet')).toMatchObject({ code: 0 });
    expect(await changesOf(project)).toEqual([]);
  }),
);
