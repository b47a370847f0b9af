import {
  selectNamespaces,
  type NamespaceChoices,
  type SelectedNamespaces,
} from '../../import/live-namespaces.ts';
import {
  readLiveObject,
  readUnreadableObject,
  type LiveObject,
} from '../../import/live-objects.ts';
import { formatKindName } from '../../import/live-kinds.ts';
import type { FoundObject } from '../../import/manifests.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { apiVersionOf, type Kind } from '@tenantry/runtime/kinds/kind';
import { KindList } from './kind-list.ts';
import type { ReportedCluster } from './reported-cluster.ts';

/** The objects of a cluster that are imported, and what was read besides. */
export interface ReadCluster extends SelectedNamespaces {
  readonly kinds: ReportedCluster['kinds'];
}

/** What is read of a cluster. */
interface ReadClusterOptions extends NamespaceChoices {
  readonly kinds: readonly Kind[];
  /** Called after each page with the number of objects so far. */
  readonly onPage: (objects: number) => void;
}

/** The number of kinds that are listed at the same time. */
const AT_ONCE = 4;

/**
 * Lists the objects of kinds in all namespaces, and selects those of the namespaces to import. It only lists.
 * @throws {MissingRights} with all kinds that the user may not list
 */
export async function readCluster(
  client: Client,
  { kinds, onPage, ...choices }: ReadClusterOptions,
): Promise<ReadCluster> {
  const lists = kinds.map((kind) => new KindList<FoundObject>(client, kind, createReaders(kind)));
  await readLists(lists, onPage);
  return select(lists, choices);
}

/**
 * Reads lists to their ends, a few at the same time.
 * @param onPage called after each page with the number of objects so far
 * @throws {MissingRights} with all kinds that the user may not list
 */
export async function readLists<T>(
  lists: readonly KindList<T>[],
  onPage: (objects: number) => void,
): Promise<void> {
  const report = (): void => onPage(lists.reduce((sum, { items }) => sum + items.length, 0));
  const forbidden: Kind[] = [];
  // All first pages come first, so that missing rights are known before anything large is read.
  const unfinished = await filterConcurrently(lists, async (list) => {
    try {
      return await list.readPage();
    } catch (error) {
      if (!(error instanceof ApiError && error.isForbidden)) throw error;
      forbidden.push(list.kind);
      return false;
    } finally {
      report();
    }
  });
  if (forbidden.length > 0)
    throw new MissingRights(
      forbidden,
      lists.map(({ kind }) => kind),
    );
  await filterConcurrently(unfinished, async (list) => {
    while (await list.readPage()) report();
    return false;
  });
}

/** The user may not list kinds. */
export class MissingRights extends Error {
  readonly missing: readonly Kind[];
  /** All kinds that are to be read. */
  readonly kinds: readonly Kind[];

  constructor(missing: readonly Kind[], kinds: readonly Kind[]) {
    super('kinds cannot be listed');
    this.missing = kinds.filter((kind) => missing.includes(kind));
    this.kinds = kinds;
  }
}

function createReaders(kind: Kind): ConstructorParameters<typeof KindList<FoundObject>>[2] {
  return {
    read: (object) => readLiveObject(object as LiveObject),
    readUnreadable: ({ metadata, error }) => {
      const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
      return readUnreadableObject(object, error.message);
    },
  };
}

/** Returns the items for which an asynchronous check is true, a few of which run at the same time. */
async function filterConcurrently<T>(
  items: readonly T[],
  check: (item: T) => Promise<boolean>,
): Promise<readonly T[]> {
  const found = new Set<T>();
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) if (await check(item)) found.add(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return items.filter((item) => found.has(item));
}

function select(lists: readonly KindList<FoundObject>[], choices: NamespaceChoices): ReadCluster {
  const read = lists.flatMap(({ items }) => items);
  return {
    ...selectNamespaces(read, choices),
    kinds: lists.map(({ kind, items, requests }) => ({
      kind: formatKindName(kind),
      objects: items.length,
      requests,
    })),
  };
}
