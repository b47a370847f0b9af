import type { Client } from '@tenantry/runtime/client/client';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { resourceOf, type Kind, type Live } from '@tenantry/runtime/kinds/kind';
import { errorAt, toProblem } from '@tenantry/kube/finding';
import {
  nameOf,
  surveyObjects,
  type FoundObject,
  type Survey,
} from '@tenantry/operator-kit/install/removal/survey';
import {
  definitionRefusals,
  type RetainedObject,
  type RemovalPlan,
} from '@tenantry/operator-kit/install/removal/plan';
import {
  CatalogSource,
  ClusterServiceVersion,
  OperatorGroup,
  RUN,
  Subscription,
  VERSIONS,
} from './kinds.ts';

/** The objects of a package that `bundle run` installed. */
interface InstalledPackage {
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

interface CleanupOptions {
  /** Also deletes the definitions. @default false */
  readonly deleteDefinitions?: boolean;
  /** Also deletes all objects of the definitions. @default false */
  readonly deleteObjects?: boolean;
}

/** The deletions in order: the next step starts when the previous one is finished. */
export interface Cleanup {
  readonly subscriptions: RemovalPlan;
  readonly rest: RemovalPlan;
}

/**
 * Plans the deletion of a package. The Subscription is first, so that OLM does not install it
 * again. Then come objects of definitions, while the operator runs, the ClusterServiceVersion and
 * the catalog, and the definitions last.
 */
export function planCleanup(remains: InstalledPackage, options: CleanupOptions = {}): Cleanup {
  const { deleteDefinitions = false, deleteObjects = false } = options;
  const { definitions: survey } = remains;
  const definitions = deleteDefinitions ? survey.objects : [];
  const messages = definitions.flatMap((one) =>
    definitionRefusals(one, survey, new Set(), { deleteObjects }),
  );
  const kept = deleteDefinitions ? [] : survey.objects;
  const kinds = [...survey.instances.values()].flatMap(({ kind }) => kind ?? []);
  const rest = removal([...remains.objects, ...definitions]);
  return {
    subscriptions: removal(remains.subscriptions),
    rest: {
      ...rest,
      survey,
      deleteObjects,
      instances: new Map(
        definitions.map(({ name }) => [name.name, survey.instances.get(name.name)?.found ?? []]),
      ),
      defined: new Set(kinds.map(resourceOf)),
      staying: [
        ...remains.staying,
        ...kept.map((named) => ({ named, because: 'it goes with --delete-crds' })),
      ],
      refusals: messages.map((message) => toProblem(errorAt([], message, 'removal'), {})),
    },
  };
}

function removal(going: readonly FoundObject[]): RemovalPlan {
  return {
    going,
    instances: new Map(),
    defined: new Set(),
    staying: [],
    absent: [],
    refusals: [],
    survey: { objects: going, absent: [], instances: new Map(), contents: new Map() },
    deleteObjects: false,
  };
}

function ownedBy({ spec }: Live<typeof ClusterServiceVersion>): readonly string[] {
  return (spec?.customresourcedefinitions?.owned ?? []).flatMap(({ name }) => name ?? []);
}

function found(kind: Kind, { metadata }: Live): FoundObject {
  return { kind, name: nameOf(metadata), metadata };
}
