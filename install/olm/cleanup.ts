import type { Client } from '../../runtime/client/client.ts';
import { CustomResourceDefinition } from '../../runtime/kinds/apiextensions.ts';
import type { Kind, Live, ObjectName } from '../../runtime/kinds/kind.ts';
import { surveyObjects } from '../removal/look.ts';
import type { RetainedObject } from '../removal/plan.ts';
import type { FoundObject, Survey } from '../removal/survey.ts';
import {
  CatalogSource,
  ClusterServiceVersion,
  OperatorGroup,
  RUN,
  Subscription,
  VERSIONS,
} from './kinds.ts';

/** The objects of a package that `bundle run` installed. */
export interface InstalledPackage {
  /** Deleted first, so that OLM does not install the package again. */
  readonly subscriptions: readonly FoundObject[];
  /** ClusterServiceVersion, CatalogSource with its server, OperatorGroup. */
  readonly objects: readonly FoundObject[];
  /** Definitions that its versions own, with their objects. */
  readonly definitions: Survey;
  readonly staying: readonly RetainedObject[];
}

/** Finds what `bundle run` created for a package in a namespace. It changes nothing. */
export async function findInstalledPackage(
  client: Client,
  packageName: string,
  namespace: string,
): Promise<InstalledPackage> {
  const labelSelector = `${RUN}=${packageName}`;
  const selection = { namespace, labelSelector };
  const listed = async <K extends Kind>(kind: K): Promise<readonly Live<K>[]> =>
    (await client.list(kind, selection)).items;
  const [sources, subscriptions, groups] = await Promise.all([
    listed(CatalogSource),
    listed(Subscription),
    listed(OperatorGroup),
  ]);
  const names = new Set([
    ...sources.flatMap(({ metadata }) => (metadata.annotations?.[VERSIONS] ?? '').split(',')),
    ...subscriptions.map(({ status }) => status?.installedCSV ?? ''),
  ]);
  const all = (await client.list(ClusterServiceVersion)).items.filter(
    ({ metadata }) => metadata.labels?.['olm.copiedFrom'] === undefined,
  );
  const own = all.filter(
    ({ metadata }) => metadata.namespace === namespace && names.has(metadata.name),
  );
  const others = all.filter((csv) => !own.includes(csv));
  const staying: RetainedObject[] = [];
  const users = new Map(
    others.flatMap((csv) => ownedBy(csv).map((name) => [name, csv.metadata.name])),
  );
  const wanted = [...new Set(own.flatMap(ownedBy))].filter((name) => {
    const user = users.get(name);
    if (user === undefined) return true;
    const named = { kind: CustomResourceDefinition, name: { name } };
    staying.push({ named, because: `${user} owns it, too` });
    return false;
  });
  const definitions = await surveyObjects(
    client,
    wanted.map((name) => ({ kind: CustomResourceDefinition, name: { name } })),
  );
  const isShared = others.some(({ metadata }) => metadata.namespace === namespace);
  const going = isShared ? [] : groups;
  for (const { metadata } of isShared ? groups : []) {
    const because = 'other operators in the namespace need it';
    staying.push({ named: { kind: OperatorGroup, name: nameOf(metadata) }, because });
  }
  return {
    subscriptions: subscriptions.map((one) => found(Subscription, one)),
    objects: [
      ...own.map((one) => found(ClusterServiceVersion, one)),
      ...sources.map((one) => found(CatalogSource, one)),
      ...going.map((one) => found(OperatorGroup, one)),
    ],
    definitions,
    staying,
  };
}

function ownedBy({ spec }: Live<typeof ClusterServiceVersion>): readonly string[] {
  return (spec?.customresourcedefinitions?.owned ?? []).flatMap(({ name }) => name ?? []);
}

function found(kind: Kind, { metadata }: Live): FoundObject {
  return { kind, name: nameOf(metadata), metadata };
}

function nameOf({ name, namespace }: Live['metadata']): ObjectName {
  return { name, namespace };
}
