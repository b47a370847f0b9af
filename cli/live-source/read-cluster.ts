import { selectNamespaces, type NamespaceChoices } from '../../import/live-namespaces.ts';
import {
  readLiveObject,
  readUnreadableObject,
  type LiveObject,
  type ReadObject,
} from '../../import/live-objects.ts';
import { formatKindName } from '../../import/live-kinds.ts';
import type { FoundObject } from '../../import/manifests.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { apiVersionOf, type Kind } from '@tenantry/runtime/kinds/kind';
import { KindList } from './kind-list.ts';
import type { ReportedCluster } from './reported-cluster.ts';

/** The objects of a cluster that are imported, and what was read besides. */
export interface ReadCluster {
  readonly objects: readonly FoundObject[];
  /** The names of all namespaces. */
  readonly existing: ReadonlySet<string>;
  readonly report: Pick<ReportedCluster, 'kinds' | 'excluded' | 'dropped'>;
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
  const lists = kinds.map((kind) => new KindList<ReadObject>(client, kind, createReaders(kind)));
  const report = (): void => onPage(lists.reduce((sum, { items }) => sum + items.length, 0));
  const forbidden: Kind[] = [];
  // All first pages come first, so that missing rights are known before anything large is read.
  const unfinished = await findInOrder(lists, async (list) => {
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
  if (forbidden.length > 0) throw new MissingRights(forbidden, kinds);
  await findInOrder(unfinished, async (list) => {
    while (await list.readPage()) report();
    return false;
  });
  return select(lists, choices);
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

function createReaders(kind: Kind): ConstructorParameters<typeof KindList<ReadObject>>[2] {
  return {
    read: (object) => readLiveObject(object as LiveObject),
    readUnreadable: ({ metadata, error }) => {
      const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
      return { found: readUnreadableObject(object, error.message), dropped: [] };
    },
  };
}

/** Returns the items for which an asynchronous check is true, a few of which run at the same time. */
async function findInOrder<T>(
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

function select(lists: readonly KindList<ReadObject>[], choices: NamespaceChoices): ReadCluster {
  const read = lists.flatMap(({ items }) => items);
  const { objects, existing, excluded } = selectNamespaces(
    read.map(({ found }) => found),
    choices,
  );
  const imported = new Set(objects);
  return {
    objects,
    existing,
    report: {
      kinds: lists.map(({ kind, items, requests }) => ({
        kind: formatKindName(kind),
        objects: items.length,
        requests,
      })),
      excluded,
      dropped: countDropped(read.filter(({ found }) => imported.has(found))),
    },
  };
}

/** Counts the parts of objects that are not declared, the most frequent first. */
function countDropped(read: readonly ReadObject[]): ReportedCluster['dropped'] {
  const counts = new Map<string, { what: string; writer: string; objects: number }>();
  for (const { what, writer } of read.flatMap(({ dropped }) => dropped)) {
    const entry = counts.get(what) ?? { what, writer, objects: 0 };
    entry.objects += 1;
    counts.set(what, entry);
  }
  return [...counts.values()].toSorted((a, b) => b.objects - a.objects);
}
