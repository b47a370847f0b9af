import { expect } from '@jest/globals';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { manifestsOf } from '../../examples/nginx/manifests.ts';
import { accessOf, releaseOf, type ReleaseVersion } from '../../examples/nginx/releases.ts';
import type { InstallProps } from '../../examples/nginx/operator.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { Account } from '../cluster/accounts.ts';
import { deploymentIn, RunningProgram, templateOf } from '../cluster/operator-program.ts';
import { root } from '../structure/tracked.ts';

const ACCOUNT = { name: 'nginx-operator', namespace: 'nginx-operator' };

/** The URL at which API servers of a test reach the webhook: they cannot resolve Services. */
export interface WebhookPlace {
  readonly port: number;
  readonly authority: string;
}

/** Returns the manifests of a release, with its webhook on this machine. */
export function installed(
  version: ReleaseVersion,
  { port, authority }: WebhookPlace,
  props: InstallProps = {},
): readonly Body[] {
  const manifests = manifestsOf(version, { certificates: 'cert-manager', ...props });
  const kinds = (manifests as readonly unknown[] as readonly Body[]).filter(
    ({ apiVersion = '' }) => !apiVersion.startsWith('cert-manager.io/'),
  );
  return kinds.map((object) => {
    const spec = object['spec'] as { conversion?: { webhook: { clientConfig: object } } };
    if (object.kind !== 'CustomResourceDefinition' || !spec.conversion) return object;
    const { plural, group } = releaseOf(version).definition;
    const clientConfig = {
      url: `https://127.0.0.1:${port}/convert/${plural}.${group}`,
      caBundle: Buffer.from(authority).toString('base64'),
    };
    const conversion = {
      ...spec.conversion,
      webhook: { ...spec.conversion.webhook, clientConfig },
    };
    return { ...object, spec: { ...spec, conversion } };
  });
}

export interface RunProps {
  readonly cluster: ClusterAccess;
  readonly version: ReleaseVersion;
  /** The manifests that are applied before it runs. */
  readonly manifests: readonly Body[];
  /** Additional arguments after those of its Deployment. */
  readonly flags: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs the arguments of the Deployment on this machine as its ServiceAccount, and stops it as a pod is stopped. */
export async function whileReleaseRuns(
  props: RunProps,
  during: (program: RunningProgram) => Promise<void>,
): Promise<void> {
  const program = await runRelease(props);
  try {
    await during(program);
  } catch (error) {
    throw new Error(program.stderr.slice(-4000), { cause: error });
  } finally {
    await program.stop();
  }
  expect(await program.stop()).toBe(0);
}

async function runRelease({
  cluster,
  version,
  manifests,
  flags,
  environment,
}: RunProps): Promise<RunningProgram> {
  for (const manifest of manifests) {
    // Does not wait until its kinds are served: the conversion needs the program, which does not run yet.
    const options = { fieldManager: 'test', fieldValidation: 'Strict' } as const;
    const { status, body } = await cluster.admin.apply(manifest, options);
    if (status > 201) throw new Error(`no ${manifest.kind}: ${status} ${body.message}`);
  }
  const account = await Account.of(cluster, ACCOUNT, accessOf(releaseOf(version)));
  const { args } = templateOf(deploymentIn(manifests)).spec.containers[0];
  const env = {
    PATH: process.env['PATH'],
    POD_NAMESPACE: ACCOUNT.namespace,
    KUBECONFIG: cluster.kubeconfigFile(`nginx-${version}`, account.client),
    ...environment,
  };
  const main = join(root, 'examples/nginx/main.ts');
  const stdio = ['ignore' as const, 'inherit' as const, 'pipe' as const];
  const anywhere = ['--health-port=0', '--metrics-port=0'];
  return new RunningProgram(
    spawn(process.execPath, [main, ...args, ...anywhere, ...flags], { env, stdio }),
  );
}
