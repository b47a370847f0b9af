import { isMapping, valueAt } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import { isEqual } from '../counting.ts';
import type { FoundObject } from '../manifests.ts';

/** What became of a field of another system's object. */
export type FieldOutcome =
  /** The declarations have the same effect. */
  | { readonly path: Path; readonly outcome: 'taken'; readonly becomes: string }
  /** The declarations have nearly the same effect. */
  | {
      readonly path: Path;
      readonly outcome: 'changed';
      readonly becomes: string;
      readonly difference: string;
    }
  /** The declarations lack it. */
  | { readonly path: Path; readonly outcome: 'left'; readonly reason: string };

/** The reason for fields to which no translation refers: a newer version of the system may have them. */
export const UNKNOWN_FIELD = 'Tenantry does not know this field';

/**
 * An object of another tenancy system. Its translation records what became of each field; every other field is
 * reported as left, so that none is lost in silence.
 */
export class SystemObject<Content = unknown> {
  readonly found: FoundObject;
  /** The object, valid by the schema of its kind. Fields that the schema lacks are still in it. */
  readonly content: Content;
  readonly #outcomes: FieldOutcome[] = [];
  readonly #unknown: readonly Path[];

  /** @param unknown fields that no version of the kind is known to have, wherever they are */
  constructor(found: FoundObject, unknown: readonly Path[] = []) {
    this.found = found;
    this.content = found.object as Content;
    this.#unknown = unknown;
  }

  get name(): string {
    return this.found.object.metadata.name;
  }

  /** Records that a field, with all below it, has the same effect as something that is declared. */
  take(path: Path, becomes: string): void {
    this.#outcomes.push({ path, outcome: 'taken', becomes });
  }

  /** Records that a field, with all below it, is declared as something with another effect. */
  change(path: Path, becomes: string, difference: string): void {
    this.#outcomes.push({ path, outcome: 'changed', becomes, difference });
  }

  /** Records that a field, with all below it, is not declared. */
  leave(path: Path, reason: string): void {
    this.#outcomes.push({ path, outcome: 'left', reason });
  }

  /**
   * Lists what became of each field: first what was recorded, then all others. Fields that do not exist are not listed,
   * so a translation may record every field that it knows. A field can be listed twice if it has two effects.
   */
  listOutcomes(): FieldOutcome[] {
    const {
      apiVersion: _version,
      kind: _kind,
      metadata: _names,
      status: _status,
      ...fields
    } = this.found.object;
    // A null field is an absent one.
    const recorded = this.#outcomes.filter(
      ({ path }) => (valueAt(this.found.object, path) ?? null) !== null,
    );
    const uncovered = listUncovered(fields, [], buildTree(recorded.map(({ path }) => path)));
    const unknown = [...uncovered, ...this.#unknown];
    const others = unknown.map((path): FieldOutcome => ({
      path,
      outcome: 'left',
      reason: UNKNOWN_FIELD,
    }));
    return dedupe([...recorded, ...others]);
  }
}

/** Returns an object without its null fields. To the API server, a null field is an absent one. */
export function dropNulls(found: FoundObject): FoundObject {
  const object = removeNulls(found.object) as FoundObject['object'];
  return isEqual(object, found.object) ? found : { ...found, object };
}

function removeNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeNulls);
  if (!isMapping(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, removeNulls(inner)]));
}

/** Recorded paths by their parts. A node is covered if a path ends at it. */
interface PathTree {
  isCovered: boolean;
  readonly below: Map<string | number, PathTree>;
}

function buildTree(paths: readonly Path[]): PathTree {
  const root: PathTree = { isCovered: false, below: new Map() };
  for (const path of paths) {
    let at = root;
    for (const part of path) {
      const next = at.below.get(part) ?? { isCovered: false, below: new Map() };
      at.below.set(part, next);
      at = next;
    }
    at.isCovered = true;
  }
  return root;
}

/** Lists the shortest paths below which nothing is recorded. Nulls are absent fields. */
function listUncovered(value: unknown, path: Path, recorded: PathTree | undefined): Path[] {
  if (value === null || value === undefined || recorded?.isCovered) return [];
  if (!recorded && path.length > 0) return isEmpty(value) ? [] : [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(isMapping(value) ? value : {});
  return entries.flatMap(([key, inner]) =>
    listUncovered(inner, [...path, key], recorded?.below.get(key)),
  );
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function dedupe(outcomes: readonly FieldOutcome[]): FieldOutcome[] {
  const unique = new Map(outcomes.map((outcome) => [JSON.stringify(outcome), outcome]));
  return [...unique.values()];
}
