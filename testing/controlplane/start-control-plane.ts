import { ConnectedControlPlane, type ControlPlane } from './control-plane.ts';
import { launchCluster } from './launch.ts';
import type { Manifest } from './manifests.ts';
import { findPublishedCluster } from './sharing.ts';

/** What a control plane has. */
export interface ControlPlaneOptions {
  /** '1.35'. @default - what TENANTRY_KUBERNETES says, or the newest that is known */
  readonly kubernetesVersion?: string | undefined;
  /** Deployments, garbage collection, quotas, the end of namespaces. @default true */
  readonly controllerManager?: boolean | undefined;
  /** Pods get a node. @default true */
  readonly scheduler?: boolean | undefined;
  /**
   * The node that pods get: it says of each that it is ready, and runs nothing.
   * @default true
   */
  readonly readyPods?: boolean | undefined;
  /** What is in it from the start, such as definitions: see `apply`. @default - nothing */
  readonly manifests?: readonly Manifest[] | undefined;
  /** Flags of kube-apiserver, such as `--v=4`; one that is ours too is as it is said here. @default - none */
  readonly apiServerFlags?: readonly string[] | undefined;
  /**
   * A folder in which its data stays when it ends; a control plane that was there before goes on.
   * @default - a folder of its own, which goes away with it
   */
  readonly folder?: string | undefined;
}

/**
 * Starts a real kube-apiserver with etcd, controller manager, scheduler, and a node whose pods become
 * ready without running anything, on free ports of 127.0.0.1, and returns when all of it is ready. It
 * takes some seconds. Any number can run at once, for any test framework.
 *
 * The programs come from the first of these that has them, said in a line on standard error: the
 * folder that KUBEBUILDER_ASSETS names; the cache of the user; what the envtest and Kubernetes projects publish
 * (for Linux), verified; a build with the machine's Go, of minutes. What was got is kept in the cache.
 *
 * @example
 * ```ts
 * import { core } from 'tenantry/runtime';
 * import { startControlPlane, untilObject } from 'tenantry/testing';
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
 * its last words
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { manifests = [], folder, ...rest } = options;
  const { controllerManager = true, scheduler = true, readyPods = true } = rest;
  const launched = await launchCluster({
    controllerManager,
    scheduler,
    readyPods,
    apiServerFlags: rest.apiServerFlags ?? [],
    kubernetesVersion: rest.kubernetesVersion,
    ...(folder !== undefined && { folder }),
  });
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
 * The control plane that was shared with this process (`share`), of which `stop` closes the
 * clients and nothing else; where none was, a new one, which it ends. So a file of tests runs with others,
 * and alone. All files use a shared one at the same time: what they make needs names of its own, and
 * `manifests` are applied by each. The other options are those of whoever shares it.
 *
 * @example
 * ```ts
 * import { sharedControlPlane, startControlPlane } from 'tenantry/testing';
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
 * @throws {Error} where the one that was shared is gone, or a new one cannot start
 */
export async function sharedControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const details = findPublishedCluster();
  if (!details) return startControlPlane(options);
  const cluster = new ConnectedControlPlane(details, () => Promise.resolve());
  await cluster.apply(...(options.manifests ?? []));
  return cluster;
}
