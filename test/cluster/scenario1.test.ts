import { afterAll, expect } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { Tenant } from '../../operator/cluster/kinds.ts';
import { isConditionTrue } from '@tenantry/runtime/conditions/conditions';
import { applyFolders } from '../../scripts/demo/dist.ts';
import { startCluster, type Cluster } from '@tenantry/testing/controlplane/cluster';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until, untilObject } from '@tenantry/testing/waiting/until';
import { clientOf, closeClients } from '../examples/operator.ts';
import { withoutKubectl } from '../kubectl.ts';
import { root } from '../structure/tracked.ts';
import { JenkinsDouble } from '../operator/hooks/doubles/jenkins.ts';
import { Served } from '../operator/hooks/doubles/served.ts';
import { SlackDouble } from '../operator/hooks/doubles/slack.ts';
import { MountedSecrets } from '../operator/hooks/given.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { RunningProgram } from './operator-program.ts';

const given = await ownClusters();
afterAll(closeClients);
const program = join(root, 'cli', 'main.ts');
const run = promisify(execFile);

/** Starts doubles of the Jenkins and the Slack of a platform. */
async function startDoubles() {
  const jenkins = new JenkinsDouble();
  jenkins.now = Date.now();
  jenkins.jobs.set('onboard', { parameters: ['TENANT', 'TENANTRY_KEY'] });
  const slack = new SlackDouble();
  const [ci, chat] = [await Served.start(jenkins), await Served.start(slack)];
  const secrets = new MountedSecrets()
    .put('pipeline', { username: jenkins.user, token: jenkins.token })
    .put('channel', { token: slack.token });
  const stop = async (): Promise<void> => {
    secrets[Symbol.dispose]();
    await Promise.all([ci.stop(), chat.stop()]);
  };
  return { jenkins, slack, ci, chat, credentials: secrets.folder, stop };
}

/**
 * The files that a platform team commits: the drift policy, the hooks, and the defaults of a team that declares
 * nothing.
 */
const filesFor = (ci: string, chat: string) => ({
  'tenantry.yaml': `
apiVersion: tenantry.dev/v1alpha1
kind: Platform
metadata: { name: platform }
spec:
  clusters: [{ name: main }]
  defaultClass: standard
  operator:
    image: registry.example.com/tenantry:1
    driftPolicy: Heal
    hooks:
      - name: pipeline
        events: [Onboarded]
        secret: jenkins
        plainHttp: true
        jenkins: { url: '${ci}/ci', job: onboard, parameters: { TENANT: tenant } }
      - name: channel
        events: [Onboarded]
        secret: slack
        plainHttp: true
        slack: { url: '${chat}/api', channel: 'team-{tenant}', onboarded: 'Welcome, {tenant}' }
`,
  'tenants/classes/standard.yaml': `
apiVersion: tenantry.dev/v1alpha1
kind: TenantClass
metadata: { name: standard }
spec:
  driftPolicy: Heal
  presets:
    quotas: [{ name: small, hard: { pods: 20, requests.cpu: 4 } }]
  defaults:
    quota: { preset: small }
    disruptionBudgets:
      - { name: web, selector: { matchLabels: { app: web } }, minAvailable: 1 }
`,
});

/** The Tenant that a developer writes. */
const declared = `
apiVersion: tenantry.dev/v1alpha1
kind: Tenant
metadata: { name: checkout }
spec:
  access: { admins: { groups: [checkout-team] } }
`;

const hasKubectl = withoutKubectl === undefined;

/**
 * Applies a file with kubectl as an administrator; without kubectl on this machine, sends what `kubectl apply` sends.
 */
async function apply(cluster: Cluster, file: string, object: Body): Promise<void> {
  if (hasKubectl) {
    const kubeconfig = cluster.kubeconfigFile('admin');
    await run('kubectl', ['--kubeconfig', kubeconfig, 'apply', '-f', file]);
    return;
  }
  const { status, body } = await cluster.admin.create(object, { fieldManager: 'kubectl' });
  if (status !== 201) throw new Error(body.message);
}

given.test(
  'a Tenant created with kubectl gets its namespace, quota, RBAC and disruption budget at once, one job and one channel',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-scenario-'));
    await using cluster = await startCluster({ binaries: given.binaries, controllerManager: true });
    const admin = clientOf(cluster.admin);
    const doubles = await startDoubles();
    const files = filesFor(doubles.ci.url, doubles.chat.url);
    let operator: RunningProgram | undefined;
    try {
      mkdirSync(join(folder, 'tenants/classes'), { recursive: true });
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
      writeFileSync(join(folder, 'checkout.yaml'), declared);
      await run(process.execPath, [program, 'synth', '--quiet'], { cwd: folder });
      await applyFolders(cluster.admin, join(folder, 'dist/clusters/main'));
      const account = await cluster.serviceAccount('tenantry-system', 'tenantry-operator');
      const where = [
        `--kubeconfig=${cluster.kubeconfigFile('operator', account)}`,
        `--hook-credentials=${doubles.credentials}`,
      ];
      const alone = ['--leader-election=false', '--metrics-address=off', '--health-address=off'];
      operator = new RunningProgram(
        spawn(process.execPath, [program, 'serve', ...where, ...alone], {
          cwd: folder,
          stdio: ['ignore', 'inherit', 'pipe'],
        }),
      );
      await operator.logged('the controller runs');

      const startedAt = performance.now();
      await apply(cluster, join(folder, 'checkout.yaml'), {
        apiVersion: 'tenantry.dev/v1alpha1',
        kind: 'Tenant',
        metadata: { name: 'checkout' },
        spec: { access: { admins: { groups: ['checkout-team'] } } },
      });
      const appliedAt = performance.now();
      await untilObject('the tenant is ready', admin, Tenant, { name: 'checkout' }, ({ status }) =>
        isConditionTrue(status?.conditions, 'Ready'),
      );
      const took = Math.round(performance.now() - appliedAt);
      console.log(
        `scenario 1: ready ${took} ms after ${hasKubectl ? 'kubectl' : 'a client in place of kubectl, which is not here,'} applied it (in ${Math.round(appliedAt - startedAt)} ms)`,
      );

      const at = { namespace: 'checkout' };
      const found = async (apiVersion: string, kind: string): Promise<readonly Body[]> =>
        (await cluster.admin.list({ apiVersion, kind, ...at })).body.items!;
      const quotas = await found('v1', 'ResourceQuota');
      const quota = quotas.find(({ metadata }) => metadata!.name === 'tenant-quota');
      expect(quota!.spec).toEqual({ hard: { pods: '20', 'requests.cpu': '4' } });
      const [budget] = await found('policy/v1', 'PodDisruptionBudget');
      expect(budget!.spec).toEqual({ minAvailable: 1, selector: { matchLabels: { app: 'web' } } });
      const bindings = await found('rbac.authorization.k8s.io/v1', 'RoleBinding');
      expect(bindings.map(({ roleRef, subjects }) => ({ roleRef, subjects }))).toEqual([
        {
          roleRef: expect.objectContaining({ kind: 'ClusterRole', name: 'admin' }),
          subjects: [expect.objectContaining({ kind: 'Group', name: 'checkout-team' })],
        },
      ]);
      const member = cluster.user('somebody', { groups: ['checkout-team'] });
      await until('a member of the team has access', async () => {
        const { status } = await member.list({ apiVersion: 'v1', kind: 'Pod', ...at });
        return status === 200;
      });
      await untilObject(
        'both hooks are called',
        admin,
        Tenant,
        { name: 'checkout' },
        ({ status }) =>
          isDeepStrictEqual(
            status?.hooks?.map(({ state }) => state),
            ['Delivered', 'Delivered'],
          ),
      );
      const { jenkins, slack } = doubles;
      expect(jenkins.builds.map(({ job, parameters }) => [job, parameters['TENANT']])).toEqual([
        ['onboard', 'checkout'],
      ]);
      expect(slack.channels.map(({ name }) => name)).toEqual(['team-checkout']);
      expect(slack.posts.map(({ text }) => text)).toEqual(['Welcome, checkout']);
      const others = { apiVersion: 'v1', kind: 'Pod', namespace: 'default' };
      expect((await member.list(others)).status).toBe(403);
    } catch (error) {
      throw new Error(operator?.stderr.slice(-3000), { cause: error });
    } finally {
      const code = await operator?.stop();
      await doubles.stop();
      rmSync(folder, { recursive: true, force: true });
      if (operator) expect(code).toBe(0);
    }
  },
);
