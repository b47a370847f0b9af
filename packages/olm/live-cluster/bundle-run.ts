import { omitUndefined } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { builtinResource, builtinScope } from '@tenantry/kube/builtin-kinds';
import type { Client } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { ConfigMap, Service } from '@tenantry/runtime/kinds/core';
import type { CatalogSourceSpec } from '../api/types.ts';
import type { Immutable, Kind, Live } from '@tenantry/runtime/kinds/kind';
import {
  waitUntil,
  type ClusterOperation,
  type PollResult,
} from '@tenantry/operator-kit/install/await/cluster-operation';
import { pollRollout } from '@tenantry/operator-kit/install/await/rollout';
import { MAX_CONFIGMAP_BYTES, servedCatalog } from './catalog-objects.ts';
import { chooseGroup, type RequestedInstallMode } from './install-mode.ts';
import {
  CatalogSource,
  ClusterServiceVersion,
  InstallPlan,
  OperatorGroup,
  RUN,
  RUN_MANAGER,
  Subscription,
  VERSIONS,
} from './kinds.ts';
import { renderCatalog, canUpgradeFrom, type RunnableBundle } from './runnable-bundle.ts';
import { decideNextStep } from './install-progress.ts';

interface BundleRunOptions {
  readonly namespace: string;
  /** The image of opm, which serves the catalog. */
  readonly opm: string;
  readonly mode: RequestedInstallMode | undefined;
  /** Secrets for pulling the images of opm and of the bundle. */
  readonly pullSecrets: readonly string[];
}

/** Reports why the operation was not started, one line per reason. Nothing was changed. */
export class CannotRunBundle extends Error {
  override readonly name = 'CannotRunBundle';
}

/** The objects of the package in the namespace. */
interface Found {
  readonly group: ReturnType<typeof chooseGroup>;
  readonly subscription: Live<typeof Subscription> | undefined;
}

/**
 * Brings a bundle to Succeeded with OLM: a catalog that serves it, an OperatorGroup, a
 * Subscription, and an approved InstallPlan. An older version from an earlier run is upgraded if
 * the bundle allows it. Another run continues.
 * @throws {CannotRunBundle} before anything is changed
 * @throws {TimeoutError} with the reasons from OLM, Deployments and pods
 */
export async function runBundle(
  bundle: RunnableBundle,
  options: BundleRunOptions,
  operation: ClusterOperation,
): Promise<Live<typeof ClusterServiceVersion>> {
  const { namespace } = options;
  const found = await survey(bundle, options, operation.client);
  const channel = found.subscription?.spec.channel ?? bundle.channel;
  const source = await serve(bundle, channel, options, operation);
  if ('make' in found.group) await makeGroup(bundle, found.group.make, options, operation);
  const own = { labels: { [RUN]: bundle.package } };
  await operation.client.apply(
    Subscription,
    {
      metadata: { name: found.subscription?.metadata.name ?? bundle.package, namespace, ...own },
      spec: {
        name: bundle.package,
        channel,
        source,
        sourceNamespace: namespace,
        startingCSV: bundle.name,
        installPlanApproval: 'Manual',
      },
    },
    { fieldManager: RUN_MANAGER },
  );
  operation.report(
    `Subscription ${namespace}/${found.subscription?.metadata.name ?? bundle.package}`,
  );
  const csv = await succeeded(bundle, source, options, operation);
  await dropOldCatalogs(bundle, source, options, operation);
  return csv;
}

async function survey(
  bundle: RunnableBundle,
  { namespace, mode: wanted }: BundleRunOptions,
  client: Client,
): Promise<Found> {
  const { items } = await client.list(Subscription, { namespace }).catch(withoutOlm);
  const subscription = items.find(({ spec }) => spec.name === bundle.package);
  if (subscription && subscription.metadata.labels?.[RUN] !== bundle.package) {
    throw new CannotRunBundle(
      `package ${bundle.package} must be subscribed to by nobody else in ${namespace}, got Subscription ${subscription.metadata.name} to catalog ${subscription.spec.source}`,
    );
  }
  const installed = subscription?.status?.installedCSV;
  if (installed !== undefined && installed !== bundle.name) {
    const old = await client
      .get(ClusterServiceVersion, { name: installed, namespace })
      .catch(ifGone);
    const version = old?.spec?.version ?? '';
    if (!canUpgradeFrom(bundle, { name: installed, version })) {
      throw new CannotRunBundle(
        `${bundle.name} must lead from ${installed}, which runs, by replaces, skips or olm.skipRange, got replaces: ${bundle.replaces ?? 'nothing'}`,
      );
    }
  }
  const groups = (await client.list(OperatorGroup, { namespace })).items.map(
    ({ metadata, spec }) => ({
      name: metadata.name,
      targetNamespaces: spec?.targetNamespaces ?? [],
      isSelecting: spec?.selector !== undefined,
    }),
  );
  const group = chooseGroup({ namespace, supported: bundle.installModes, groups, wanted });
  if ('refusal' in group) throw new CannotRunBundle(group.refusal);
  return { group, subscription };
}

function withoutOlm(error: unknown): never {
  if (!(error instanceof ApiError && error.isNotFound)) throw error;
  throw new CannotRunBundle(
    'the cluster must have OLM v0, got no definition of Subscriptions: see tenantry olm status',
  );
}

/** Serves the catalog of the bundle. @returns the name of its CatalogSource */
async function serve(
  bundle: RunnableBundle,
  channel: string,
  options: BundleRunOptions,
  operation: ClusterOperation,
): Promise<string> {
  const { namespace } = options;
  const name = `${bundle.package}-catalog`;
  const texts = renderCatalog(bundle, channel);
  if (texts.some((text) => Buffer.byteLength(text) > MAX_CONFIGMAP_BYTES)) {
    throw new CannotRunBundle(
      `${bundle.name} must take at most ${MAX_CONFIGMAP_BYTES} bytes in a catalog: push it to a registry, and give --image`,
    );
  }
  const before = await operation.client.get(CatalogSource, { name, namespace }).catch(ifGone);
  if (before && before.metadata.labels?.[RUN] !== bundle.package) {
    throw new CannotRunBundle(
      `CatalogSource ${namespace}/${name} must be of bundle run, got another's`,
    );
  }
  const ran = (before?.metadata.annotations?.[VERSIONS] ?? '').split(',').filter(Boolean);
  const versions = [...new Set([...ran, bundle.name])].join(',');
  const metadata = {
    name,
    namespace,
    labels: { [RUN]: bundle.package },
    annotations: { [VERSIONS]: versions },
  };
  const apply = (address: string) =>
    operation.client.apply(
      CatalogSource,
      { metadata, spec: sourceSpec(bundle, address, options) },
      { fieldManager: RUN_MANAGER },
    );
  // The CatalogSource owns the objects, so it is created first.
  const source = before ?? (await apply('127.0.0.1:50051'));
  const owner = { name, uid: source.metadata.uid };
  const { opm: image, pullSecrets } = options;
  const served = servedCatalog({
    package: bundle.package,
    namespace,
    image,
    texts,
    owner,
    pullSecrets,
  });
  for (const object of served.objects) {
    await operation.client.apply(kindOfBuiltin(object), object as never, {
      fieldManager: RUN_MANAGER,
    });
  }
  await waitUntil(operation, `the catalog ${namespace}/${served.name} to be served`, () =>
    pollRollout(operation.client, { name: served.name, namespace }),
  );
  await apply(served.address);
  operation.report(`CatalogSource ${namespace}/${name}`);
  return name;
}

function sourceSpec(
  { package: displayName }: RunnableBundle,
  address: string,
  { pullSecrets: secrets }: BundleRunOptions,
): Immutable<CatalogSourceSpec> {
  // OLM pulls a pushed bundle with the Secrets of its catalog.
  return omitUndefined({
    sourceType: 'grpc',
    address,
    displayName,
    publisher: 'tenantry',
    secrets: secrets.length > 0 ? secrets : undefined,
  });
}

function kindOfBuiltin({ apiVersion, kind }: KubeObject): Kind {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const scope = builtinScope(group, kind)!;
  return { group, version, kind, plural: builtinResource(group, kind).resource, scope };
}

async function makeGroup(
  bundle: RunnableBundle,
  { mode, targets }: RequestedInstallMode,
  { namespace }: BundleRunOptions,
  { client, report }: ClusterOperation,
): Promise<void> {
  await client.apply(
    OperatorGroup,
    {
      metadata: { name: bundle.package, namespace, labels: { [RUN]: bundle.package } },
      spec: targets.length > 0 ? { targetNamespaces: targets } : {},
    },
    { fieldManager: RUN_MANAGER },
  );
  report(`OperatorGroup ${namespace}/${bundle.package}: ${mode}`);
}

/** Waits for the ClusterServiceVersion, and approves only its InstallPlan. */
function succeeded(
  bundle: RunnableBundle,
  source: string,
  { namespace }: BundleRunOptions,
  operation: ClusterOperation,
): Promise<Live<typeof ClusterServiceVersion>> {
  const { client } = operation;
  const of = (name: string) => ({ name, namespace });
  type Csv = Live<typeof ClusterServiceVersion>;
  return waitUntil<Csv>(
    operation,
    `${bundle.name} to be Succeeded`,
    async (): Promise<PollResult<Csv>> => {
      const [catalog, subscription, csv] = await Promise.all([
        client.get(CatalogSource, of(source)).catch(ifGone),
        client.get(Subscription, of(bundle.package)).catch(ifGone),
        client.get(ClusterServiceVersion, of(bundle.name)).catch(ifGone),
      ]);
      const planned = subscription?.status?.installPlanRef?.name;
      const plan =
        planned === undefined
          ? undefined
          : await client.get(InstallPlan, of(planned)).catch(ifGone);
      const next = decideNextStep(bundle.name, { catalog, subscription, plan, csv });
      if (next.do === 'nothing') return { done: next.csv };
      if (next.do === 'approve') {
        const { name, resourceVersion } = next.plan.metadata;
        // The precondition ensures that OLM has added nothing to the InstallPlan since.
        const patch = { metadata: { resourceVersion }, spec: { approved: true } };
        await client.patch(InstallPlan, of(name), patch).catch(ifOvertaken);
        return { waiting: [`InstallPlan ${name} is approved`] };
      }
      const waiting = [...next.reasons, ...(await deploymentReasons(client, csv, namespace))];
      return { waiting, isHopeless: next.do === 'give up' };
    },
  );
}

function ifOvertaken(error: unknown): undefined {
  if (error instanceof ApiError && error.isConflict) return undefined;
  throw error;
}

/** Returns the reasons why the Deployments and pods of a ClusterServiceVersion are not available. */
async function deploymentReasons(
  client: Client,
  csv: Live<typeof ClusterServiceVersion> | undefined,
  namespace: string,
): Promise<string[]> {
  const reasons: string[] = [];
  for (const { name } of csv?.spec?.install?.spec?.deployments ?? []) {
    const look = await pollRollout(client, { name, namespace });
    if ('waiting' in look) reasons.push(...look.waiting.map((one) => `Deployment ${name}: ${one}`));
  }
  return reasons;
}

/** Deletes the servers of earlier catalogs. */
async function dropOldCatalogs(
  bundle: RunnableBundle,
  source: string,
  { namespace }: BundleRunOptions,
  { client }: ClusterOperation,
): Promise<void> {
  const now = await client.get(CatalogSource, { name: source, namespace });
  const kept = now.spec.address?.split('.')[0] ?? '';
  const labelSelector = `${RUN}=${bundle.package},app.kubernetes.io/managed-by=${RUN_MANAGER}`;
  for (const kind of [Deployment, Service, ConfigMap]) {
    for (const { metadata } of (await client.list(kind, { namespace, labelSelector })).items) {
      const isOurs = metadata.ownerReferences?.some(({ uid }) => uid === now.metadata.uid);
      if (!isOurs || metadata.name === kept || metadata.name.startsWith(`${kept}-`)) continue;
      const { uid } = metadata;
      await client.delete(kind, metadata, { preconditions: { uid } }).catch(ifGone);
    }
  }
}
