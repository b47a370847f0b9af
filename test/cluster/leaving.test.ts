import { expect } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startCluster, type Cluster } from '@tenantry/testing/controlplane/cluster';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { ejectOutput, type Ejection } from '../../apps/eject/ejection.ts';
import { readOutput } from '../../cli/ejected-output.ts';
import { withoutKubectl } from '../kubectl.ts';
import { testUnless } from '../skipping.ts';
import { root } from '../structure/tracked.ts';
import { place } from '../synth/output/folders.ts';
import { ofOneVersion, serve } from './crds.ts';
import { FolderSync, identity } from './folder-sync.ts';
import { attacks, findOpen } from './leaving-attacks.ts';
import { powerful, reads } from './tenant.ts';

const given = await ownClusters();
const test = testUnless(withoutKubectl, given.test);
const run = promisify(execFile);
const program = join(root, 'cli', 'main.ts');

const declared = (kind: string, name: string, spec: object): string =>
  JSON.stringify({ apiVersion: 'tenantry.dev/v1alpha1', kind, metadata: { name }, spec });

const source = { repoURL: 'https://git.example.com/platform/tenants.git', targetRevision: 'main' };

/** A fleet that uses all that leaves with Tenantry: an operator that heals, and finalizers. */
const filesOf = (isSynced: boolean) => ({
  'tenantry.yaml': declared('Platform', 'platform', {
    clusters: [{ name: 'main', server: 'https://kubernetes.default.svc' }],
    defaultClass: 'standard',
    ...(isSynced && { argocd: { source } }),
    operator: { image: 'registry.example.com/tenantry:1', driftPolicy: 'Heal' },
  }),
  'tenants/classes/standard.yaml': declared('TenantClass', 'standard', {
    driftPolicy: 'Heal',
    defaults: { podSecurity: { enforce: 'restricted' } },
  }),
  'tenants/shop.yaml': declared('Tenant', 'shop', {
    access: { admins: { users: ['alice'] }, viewers: { users: ['vic'] } },
    namespaces: [{ name: 'shop-dev', environment: 'dev' }, { name: 'shop-prod' }],
    resources: [
      { manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } } },
    ],
  }),
  'tenants/other.yaml': declared('Tenant', 'other', { namespaces: [{ name: 'other' }] }),
});

/** Returns the blocks of commands of a README. */
function commandsOf(readme: string): string[] {
  return Array.from(readme.matchAll(/^```sh\n(.*?)^```$/gms), ([, commands]) => commands!);
}

interface Fleet {
  readonly cluster: Cluster;
  readonly folder: string;
  readonly sync: FolderSync;
  shell(commands: string): Promise<string>;
}

/** The commands of dist/README.md. */
const applyByHand = `for folder in dist/clusters/main/*/; do
  kubectl apply --server-side -R -f "$folder"
done`;

/** Renders and commits the fleet, and lets it be synced to a new cluster. */
async function startFleet(cluster: Cluster, folder: string, isSynced: boolean): Promise<Fleet> {
  place(folder, filesOf(isSynced));
  const env = {
    ...process.env,
    PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
    KUBECONFIG: cluster.kubeconfigFile('admin'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 't',
    GIT_AUTHOR_EMAIL: 't@example.com',
    GIT_COMMITTER_NAME: 't',
    GIT_COMMITTER_EMAIL: 't@example.com',
  };
  const shell = async (commands: string): Promise<string> =>
    (await run('sh', ['-ec', commands], { cwd: folder, env })).stdout;
  await shell(`node ${program} synth --quiet
git init -q --initial-branch main . && git add . && git commit -q -m first
git init -q --bare ../origin.git && git remote add origin ../origin.git
git push -q -u origin main`);
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
  for (const kind of ['AppProject', 'Application', 'ApplicationSet']) {
    const plural = `${kind.toLowerCase()}s`;
    const definition = { apiVersion: 'argoproj.io/v1alpha1', kind, plural };
    await serve(cluster.admin, ofOneVersion(definition, open, 'Namespaced'));
  }
  const metadata = { name: 'argocd' };
  await cluster.admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata });
  const sync = new FolderSync(cluster.admin, folder);
  if (isSynced) await sync.run('main');
  else
    await until('everything is applied', () =>
      shell(applyByHand).then(
        () => true,
        () => false,
      ),
    );
  return { cluster, folder, sync, shell };
}

async function startAttackers({ cluster }: Fleet) {
  const alice = cluster.user('alice');
  const outsider = cluster.user('outsider');
  await reads(alice, 'shop-dev');
  const mallory = await powerful(cluster, 'mallory');
  const clients = { alice, mallory, outsider };
  await until('everything is refused', async () => (await findOpen(clients)).length === 0);
  return clients;
}

/** Adds what the operator and its hooks add to Tenants. */
async function addFinalizers({ cluster }: Fleet): Promise<void> {
  for (const name of ['shop', 'other']) {
    const reference = { apiVersion: 'tenantry.dev/v1alpha1', kind: 'Tenant', name };
    const finalizers = ['tenantry.dev/operator', 'tenantry.dev/hooks'];
    const { status } = await cluster.admin.patch(reference, { metadata: { finalizers } });
    expect(status).toBe(200);
  }
}

/** Returns the uid of each object that stays, by its identity. */
async function readUids(
  cluster: Cluster,
  { kept }: Ejection,
): Promise<ReadonlyMap<string, string>> {
  const uids = new Map<string, string>();
  for (const { path, object } of kept) {
    if (path.startsWith('argocd/settings/')) continue;
    const { status, body } = await cluster.admin.get(toReference(object as unknown as Body));
    expect([identity(object as unknown as Body), status]).toEqual([expect.anything(), 200]);
    uids.set(identity(object as unknown as Body), body.metadata!.uid!);
  }
  return uids;
}

const modes = [
  { what: 'with its policies', withoutPolicies: false, isSynced: true },
  { what: 'without its policies', withoutPolicies: true, isSynced: true },
  { what: 'with its policies and without Argo CD', withoutPolicies: false, isSynced: false },
];

for (const { what, withoutPolicies, isSynced } of modes) {
  test(`a fleet that leaves ${what} keeps every object, and each step opens only what the README names`, async () => {
    const parent = mkdtempSync(join(tmpdir(), 'tenantry-leaving-'));
    await using cluster = await startCluster({ binaries: given.binaries, controllerManager: true });
    try {
      const fleet = await startFleet(cluster, join(parent, 'repository'), isSynced);
      const { shell, sync, folder } = fleet;
      await addFinalizers(fleet);
      const clients = await startAttackers(fleet);
      await shell(`node ${program} eject --quiet ${withoutPolicies ? '--without-policies' : ''}`);
      const { texts } = readOutput(join(folder, 'dist'));
      const ejection = ejectOutput(texts, { withoutPolicies }) as Ejection;
      const before = await readUids(cluster, ejection);
      const readme = readFileSync(join(folder, 'ejected/README.md'), 'utf8');

      const lost = Object.entries(attacks).flatMap(([name, { policy }]) =>
        withoutPolicies && policy !== undefined ? [name] : [],
      );
      let isAnnounced = false;
      for (const command of commandsOf(readme).flatMap(splitCommands)) {
        isAnnounced ||= command.includes('admissionpolicybinding');
        await shell(command);
        if (isSynced && command.includes('git push')) await sync.run('main');
        const open = (await findOpen(clients)).filter(
          (name) => !isAnnounced || !lost.includes(name),
        );
        expect([command, open]).toEqual([command, []]);
      }

      const { admin } = cluster;
      await until('the policies are gone', async () => {
        return !withoutPolicies || (await findOpen(clients)).length === lost.length;
      });
      expect(await findOpen(clients)).toEqual(lost);
      for (const name of lost) expect(readme).toContain(`\`${attacks[name]!.policy}\``);
      expect(await readUids(cluster, ejection)).toEqual(before);

      const crds = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
      const names = (await admin.list(crds)).body.items!.map(({ metadata }) => metadata!.name!);
      expect(names.filter((name) => name.includes('tenantry.dev'))).toEqual([]);
      const own = { apiVersion: 'v1', kind: 'Namespace' };
      const { metadata } = (await admin.get({ ...own, name: 'shop-dev' })).body;
      expect(metadata!.labels?.['app.kubernetes.io/managed-by']).toBe(undefined);
      expect(metadata!.labels?.['pod-security.kubernetes.io/enforce']).toBe('restricted');
      expect(metadata!.labels?.['tenantry.dev/tenant']).toBe(withoutPolicies ? undefined : 'shop');
      const pods = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'tenantry-system' };
      expect((await admin.list(pods)).body.items).toEqual([]);

      if (!withoutPolicies && isSynced) await addMember(fleet);

      // The account of the operator is no longer exempt, regardless of who creates it again.
      const account = 'system:serviceaccount:tenantry-system:tenantry-operator';
      const impostor = await powerful(cluster, account);
      const open = await findOpen({ ...clients, alice: impostor });
      expect(open.includes('deletes the isolation')).toBe(withoutPolicies);
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  });
}

/** Adds a member by hand, as docs/leaving.md describes it. */
async function addMember({ cluster, folder, sync }: Fleet): Promise<void> {
  const file = join(folder, 'dist/clusters/main/tenants/shop/rbac/namespace-shop-dev.yaml');
  const text = readFileSync(file, 'utf8');
  const [subject] = /^- apiGroup: .*\n {2}kind: User\n {2}name: vic$/m.exec(text)!;
  writeFileSync(file, text.replace(subject, `${subject}\n${subject.replace('vic', 'wendy')}`));
  await sync.run('main');
  await reads(cluster.user('wendy'), 'shop-dev');
  writeFileSync(file, text);
  await sync.run('main');
  await reads(cluster.user('wendy'), 'shop-dev', false);
}

/** Splits a block into its commands, if each line is one for the cluster. */
function splitCommands(commands: string): string[] {
  const lines = commands.trimEnd().split('\n');
  return lines.every((line) => /^kubectl .*[^\\|]$/.test(line)) ? lines : [commands];
}
