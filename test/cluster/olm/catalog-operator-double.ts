import { setTimeout as pause } from 'node:timers/promises';
import {
  CatalogSource,
  ClusterServiceVersion,
  InstallPlan,
  Subscription,
} from '@tenantry/olm/live-cluster/kinds';
import type { Client } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifExists, ifGone } from '@tenantry/runtime/errors/reaction';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { ConfigMap } from '@tenantry/runtime/kinds/core';
import type { Live } from '@tenantry/runtime/kinds/kind';

interface Blob {
  readonly schema: string;
  readonly name: string;
  readonly image?: string;
  readonly entries?: readonly { readonly name: string; readonly replaces?: string }[];
  readonly properties?: readonly {
    readonly type: string;
    readonly value: { readonly data?: string };
  }[];
}

/**
 * A double of OLM's catalog operator, and of the part of OLM's operator that follows an InstallPlan. It reads the
 * catalog where opm would, and creates an InstallPlan for each Subscription. For an approved one it creates
 * definitions and a ClusterServiceVersion, whose phase it sets itself. It resolves, pulls and runs nothing.
 */
export class CatalogOperatorDouble {
  readonly #client: Client;
  /** The phase of each ClusterServiceVersion that it creates. */
  phase = 'Succeeded';
  /** Additional ClusterServiceVersions of each InstallPlan. */
  others: readonly string[] = [];
  /** The pushed manifests of bundles, by image. */
  readonly pushed = new Map<string, readonly object[]>();
  readonly #changes: (() => Promise<void>)[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const change of this.#changes.splice(0)) await change();
      for (const one of (await this.#client.list(Subscription)).items) {
        // An object that the command is writing at this moment is processed again.
        await this.#step(one).catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
        });
      }
      await pause(100);
    }
  }

  /** Makes a change while this double does nothing, so that it observes either none or all of it. */
  change(make: () => Promise<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#changes.push(() => make().then(() => resolve(), reject));
    });
  }

  async #step(subscription: Live<typeof Subscription>): Promise<void> {
    const { namespace = '', name } = subscription.metadata;
    const { source } = subscription.spec;
    const catalog = await this.#client.get(CatalogSource, { name: source, namespace });
    const served = catalog.spec.address?.split('.')[0] ?? '';
    const blobs = await this.#blobs(namespace, served);
    const entry = blobs.find(({ schema }) => schema === 'olm.channel')?.entries?.[0];
    if (!entry) return;
    await this.#status(CatalogSource, catalog, {
      connectionState: { lastObservedState: 'READY', address: catalog.spec.address },
    });
    const plan = `install-${entry.name.replaceAll('.', '-')}`;
    const at = { name: plan, namespace };
    if (!(await this.#client.get(InstallPlan, at).catch(ifGone))) {
      const clusterServiceVersionNames = [entry.name, ...this.others];
      const spec = { approval: 'Manual', approved: false, clusterServiceVersionNames };
      const made = await this.#client.create(InstallPlan, { metadata: at, spec });
      await this.#status(InstallPlan, made, { phase: 'RequiresApproval', catalogSources: [] });
    }
    const now = new Date().toISOString();
    const { installedCSV } = subscription.status ?? {};
    const state = { currentCSV: entry.name, installPlanRef: at, lastUpdated: now };
    await this.#status(Subscription, subscription, {
      ...state,
      ...(installedCSV && { installedCSV }),
    });
    const { spec, status } = await this.#client.get(InstallPlan, at);
    if (!spec.approved || status?.phase === 'Complete') return;
    const objects = await this.#unpack(blobs, at);
    if (!objects) return;
    // Read the phase once: a test may change it while this is written to the cluster.
    const { phase } = this;
    await this.#install(objects, namespace, phase);
    if (phase !== 'Succeeded') return;
    await this.#status(
      Subscription,
      { metadata: { name, namespace } },
      { ...state, installedCSV: entry.name },
    );
    if (entry.replaces !== undefined) {
      const old = { name: entry.replaces, namespace };
      await this.#client.delete(ClusterServiceVersion, old).catch(ifGone);
    }
    // As with OLM, a Complete InstallPlan installs nothing again, not even while its objects are being removed.
    await this.#status(InstallPlan, { metadata: at }, { phase: 'Complete' });
  }

  async #blobs(namespace: string, served: string): Promise<readonly Blob[]> {
    const { items } = await this.#client.list(ConfigMap, { namespace });
    return items
      .filter(({ metadata }) => metadata.name.startsWith(`${served}-`))
      .flatMap(({ data }) => (data?.['catalog.json'] ?? '').split('\n'))
      .map((line) => JSON.parse(line) as Blob);
  }

  /** Returns the manifests of the bundle; undefined if its image cannot be pulled. */
  async #unpack(
    blobs: readonly Blob[],
    plan: { readonly name: string; readonly namespace: string },
  ): Promise<readonly object[] | undefined> {
    const { image, properties = [] } = blobs.find(({ schema }) => schema === 'olm.bundle')!;
    if (image === undefined) {
      return properties
        .filter(({ type }) => type === 'olm.bundle.object')
        .map(({ value }) => JSON.parse(Buffer.from(value.data!, 'base64').toString()) as object);
    }
    const pushed = this.pushed.get(image);
    if (!pushed) {
      const message = `unpack job not completed: cannot pull ${image}`;
      const conditions = [{ type: 'BundleLookupPending', status: 'True', message }];
      const lookup = {
        catalogSourceRef: {},
        identifier: '',
        path: image,
        replaces: '',
        conditions,
      };
      const status = { phase: 'Installing', catalogSources: [], bundleLookups: [lookup] };
      await this.#status(InstallPlan, { metadata: plan }, status);
    }
    return pushed;
  }

  async #install(objects: readonly object[], namespace: string, phase: string): Promise<void> {
    for (const object of objects as readonly Live[]) {
      const { metadata } = object;
      if (object.kind === 'CustomResourceDefinition') {
        await this.#client.create(CustomResourceDefinition, object as never).catch(ifExists);
      } else if (object.kind === 'ClusterServiceVersion') {
        const csv = { ...object, metadata: { ...metadata, namespace } };
        const options = { fieldValidation: 'Ignore' } as const;
        await this.#client.create(ClusterServiceVersion, csv as never, options).catch(ifExists);
        const failed = { reason: 'InstallComponentFailed', message: 'no room' };
        await this.#status(ClusterServiceVersion, csv, {
          phase,
          ...(phase === 'Failed' && failed),
        });
      }
    }
  }

  async #status(
    kind:
      | typeof CatalogSource
      | typeof Subscription
      | typeof InstallPlan
      | typeof ClusterServiceVersion,
    {
      metadata,
    }: Pick<Live, 'metadata'> | { readonly metadata: { name: string; namespace: string } },
    status: object,
  ): Promise<void> {
    const options = { subresource: 'status', fieldValidation: 'Ignore' } as const;
    await this.#client.patch(kind, metadata, { status } as never, options);
  }
}
