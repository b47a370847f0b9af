import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleOf } from '../../../examples/nginx/bundle.ts';
import { NAME } from '../../../examples/nginx/deployment.ts';
import { accessOf, releaseOf, type ReleaseVersion } from '../../../examples/nginx/releases.ts';
import { App } from '../../../index.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { Account } from '../accounts.ts';
import { RunningProgram, templateOf } from '../operator-program.ts';
import { partsOf, type BundleParts } from './install-bundle.ts';
import { variablesOf } from './pod.ts';
import { csvReference } from './real-olm.ts';
import { forward } from './service-addresses.ts';

export const NAMESPACE = 'web';

/** The definition of the NginxOperator kind. */
export const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  name: 'nginxoperators.operator.example.com',
};

/** The Deployment of the operator, as OLM creates it. */
export const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: NAMESPACE,
  name: NAME,
};

/** Returns the manifests of the bundle of a release. */
export function nginxParts(version: ReleaseVersion): BundleParts {
  return partsOf(bundleOf(version, new App()).files);
}

/** Returns a bundle whose pods fit no node, so that its Deployment never becomes ready. */
export function neverReady(parts: BundleParts): BundleParts {
  const csv = structuredClone(parts.csv);
  const { deployments } = csv.spec.install.spec as unknown as {
    deployments: [{ spec: { template: { spec: Record<string, unknown> } } }];
  };
  deployments[0].spec.template.spec['nodeSelector'] = { disk: 'golden' };
  return { ...parts, csv };
}

/**
 * Runs the program of a release on this machine, in place of a pod of the current Deployment. It uses the arguments
 * and variables of the pod, the files of the Secret that OLM mounts, and the account of the bundle. The Service that
 * OLM created leads to it.
 */
export async function runNginx(
  cluster: ClusterAccess,
  version: ReleaseVersion,
  flags: readonly string[] = [],
): Promise<RunningNginx> {
  const { body: deployment } = await cluster.admin.get(DEPLOYMENT);
  const access = accessOf(releaseOf(version));
  const account = await Account.of(cluster, { name: NAME, namespace: NAMESPACE }, access);
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-nginx-'));
  const mounted = await mountedFor(cluster, deployment, folder);
  const env = {
    PATH: process.env['PATH'],
    KUBECONFIG: cluster.kubeconfigFile(`nginx-${version}`, account.client),
    ...(await variablesOf(cluster, deployment)),
  };
  const { args } = templateOf(deployment).spec.containers[0];
  const here = ['--health-port=0', '--metrics-port=0', '--webhook-port=0'];
  if (mounted !== undefined) here.push(`--certificate-folder=${mounted}`);
  const main = join(import.meta.dirname, '../../../examples/nginx/main.ts');
  const stdio = ['ignore' as const, 'inherit' as const, 'pipe' as const];
  const program = new RunningProgram(
    spawn(process.execPath, [main, ...args, ...here, ...flags], { env, stdio }),
  );
  const service = mounted === undefined ? undefined : await serviceTo(cluster, program);
  return {
    program,
    account,
    stop: async () => {
      const code = await program.stop();
      await service?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

export interface RunningNginx {
  readonly program: RunningProgram;
  readonly account: Account;
  /** Stops the program, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** The folder in which the program looks for the certificate of its webhooks. */
export const CERTIFICATES = '/tmp/k8s-webhook-server/serving-certs';

/** Writes the files of the volume at that path, as kubelet does; returns undefined if there is none. */
async function mountedFor(
  { admin }: ClusterAccess,
  deployment: Body,
  folder: string,
): Promise<string | undefined> {
  const { containers, volumes = [] } = templateOf(deployment).spec;
  const { volumeMounts = [] } = containers[0];
  const mount = volumeMounts.find(({ mountPath }) => mountPath === CERTIFICATES);
  if (!mount) return undefined;
  const { secret } = volumes.find(({ name }) => name === mount.name) as unknown as {
    secret: { secretName: string; items: readonly { key: string; path: string }[] };
  };
  const reference = { apiVersion: 'v1', kind: 'Secret', name: secret.secretName };
  // The Secret of the previous version is deleted with it, and OLM creates another one when it next processes the
  // version.
  const owner = deployment.metadata!.labels!['olm.owner']!;
  let looks = 0;
  const data = await until(
    `the certificate of ${owner} exists`,
    async () => {
      const { body } = await admin.get({ ...reference, namespace: NAMESPACE });
      const isOwn = body.metadata?.ownerReferences?.some(({ name }) => name === owner) ?? false;
      if (isOwn) return (body as unknown as { data: Readonly<Record<string, string>> }).data;
      const labels = { looks: String((looks += 1)) };
      await admin.patch(csvReference({ namespace: NAMESPACE, name: owner }), {
        metadata: { labels },
      });
      return undefined;
    },
    { every: 500 },
  );
  const place = join(folder, 'serving-certs');
  await mkdir(place);
  for (const { key, path } of secret.items) {
    await writeFile(join(place, path), Buffer.from(data[key]!, 'base64'));
  }
  return place;
}

async function serviceTo(
  { admin }: ClusterAccess,
  program: RunningProgram,
): Promise<AsyncDisposable> {
  const name = `${NAME}-service`;
  const reference = { apiVersion: 'v1', kind: 'Service', namespace: NAMESPACE, name };
  const { clusterIP, ports } = (await admin.get(reference)).body.spec as {
    clusterIP: string;
    ports: readonly [{ port: number; targetPort: number }];
  };
  const { port } = (await program.logged('webhooks are served')) as { port: number };
  return forward(clusterIP, ports[0].port, port);
}
