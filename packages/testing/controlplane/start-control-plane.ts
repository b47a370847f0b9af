import { omitUndefined } from '@tenantry/kube/mapping';
import { ConnectedControlPlane, findPublishedCluster, type ControlPlane } from './control-plane.ts';
import { launchCluster } from './launch.ts';
import type { Manifest } from './manifests.ts';

/** The options of a control plane. */
export interface ControlPlaneOptions {
  /** '1.35'. @default - the value of TENANTRY_KUBERNETES, or the newest known version */
  readonly kubernetesVersion?: string | undefined;
  /** Runs Deployments, garbage collection, quotas and the deletion of namespaces. @default true */
  readonly controllerManager?: boolean | undefined;
  /** Assigns a node to pods. @default true */
  readonly scheduler?: boolean | undefined;
  /**
   * Adds the node that pods are assigned to. It reports each pod as ready, and runs nothing.
   * @default true
   */
  readonly readyPods?: boolean | undefined;
  /** Objects that are applied at the start, such as definitions: see `apply`. @default - nothing */
  readonly manifests?: readonly Manifest[] | undefined;
  /** Flags of kube-apiserver, such as `--v=4`. They override flags that Tenantry sets. @default - none */
  readonly apiServerFlags?: readonly string[] | undefined;
  /**
   * A folder in which the data is kept; a control plane that ran there before continues.
   * @default - a folder of its own, which is removed with it
   */
  readonly folder?: string | undefined;
}

/**
 * Starts a real kube-apiserver with etcd, controller manager, scheduler, and a node whose pods become
 * ready without running anything. They listen on free ports of 127.0.0.1. Returns when all of them are
 * ready, after some seconds. Any number can run at once, in any test framework.
 *
 * The programs come from the first source that has them, which one line on standard error names:
 * - the folder that KUBEBUILDER_ASSETS names;
 * - the cache of the user;
 * - what the envtest and Kubernetes projects publish (for Linux), verified;
 * - a build with the machine's Go, which takes minutes.
 *
 * Downloads and builds are kept in the cache.
 *
 * @example
 * ```ts
 * import { core } from '@tenantry/runtime';
 * import { startControlPlane, untilObject } from '@tenantry/testing';
 *
 * export async function everyNamespaceHasAnAccount(): Promise<void> {
 *   await using cluster = await startControlPlane();
 *   const { client } = cluster;
 *   await client.create(core.Namespace, { metadata: { name: 'shop' } });
 *   const account = { namespace: 'shop', name: 'default' };
 *   await untilObject('it is made', client, core.ServiceAccount, account, () => true);
 * }
 * ```
 *
 * @throws {Error} where there are no programs, with the reason of each source, or where one ends, with
 * its last output
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { manifests = [], folder, ...rest } = options;
  const { controllerManager = true, scheduler = true, readyPods = true } = rest;
  const launched = await launchCluster(
    omitUndefined({
      controllerManager,
      scheduler,
      readyPods,
      apiServerFlags: rest.apiServerFlags ?? [],
      kubernetesVersion: rest.kubernetesVersion,
      folder,
    }),
  );
  const cluster = new ConnectedControlPlane(launched.details, () => launched.stop());
  try {
    await cluster.apply(...manifests);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/**
 * Returns the control plane that was shared with this process (`share`); its `stop` closes only the
 * clients. Where none was shared, it starts a new one, which `stop` ends. So a test file runs together
 * with others, and alone. All files use a shared one at the same time, so their objects need names of
 * their own. Each call applies its `manifests`. The other options are those with which the shared one
 * was started.
 *
 * @example
 * ```ts
 * import { sharedControlPlane, startControlPlane } from '@tenantry/testing';
 *
 * // What runs once, before all tests: `globalSetup` of jest and vitest.
 * export async function setup(): Promise<void> {
 *   const cluster = await startControlPlane();
 *   cluster.share();
 * }
 *
 * // In a file of tests.
 * export async function test(): Promise<void> {
 *   await using cluster = await sharedControlPlane();
 *   await cluster.apply('config/crds');
 * }
 * ```
 *
 * @throws {Error} where the shared one has ended, or a new one cannot start
 */
export async function sharedControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const details = findPublishedCluster();
  if (!details) return startControlPlane(options);
  const cluster = new ConnectedControlPlane(details, () => Promise.resolve());
  await cluster.apply(...(options.manifests ?? []));
  return cluster;
}
