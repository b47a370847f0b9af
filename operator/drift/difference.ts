import { entryOf, isMapping } from '@tenantry/kube/mapping';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { normalizeValue, type Content } from '../stored/content.ts';

/** A step of a path: a field, a position in a list, or the keys that identify a list entry. */
export type PathStep =
  string | number | { readonly by: Readonly<Record<string, string | number | boolean>> };

/** A path at which two values differ. */
export interface FieldDiff {
  readonly path: readonly PathStep[];
  /** Undefined if the value should not exist. */
  readonly desired?: unknown;
  /** Undefined if the value does not exist. */
  readonly live?: unknown;
}

interface Item {
  readonly value: unknown;
  readonly index: number;
  readonly meaning: string;
}

/** The keys that identify list entries, where present: `ci` can be a user, a group and a service account. */
const keys = ['type', 'kind', 'namespace', 'name'];

/**
 * Compares two contents and returns the differences, as deep as they can be located. List entries are matched by their
 * identifying keys, or else by position among the entries without an equal on the other side. The order of a list does
 * not matter.
 */
export function diffContent(desired: Content, live: Content): readonly FieldDiff[] {
  const found: FieldDiff[] = [];
  new Comparison(desired, (one) => found.push(one)).compare(desired.fields, live.fields, [], []);
  return found;
}

class Comparison {
  readonly #content: Content;
  readonly #report: (difference: FieldDiff) => void;

  constructor(content: Content, report: (difference: FieldDiff) => void) {
    this.#content = content;
    this.#report = report;
  }

  /** @param place the path by positions alone, which determines the meaning of a value */
  compare(
    desired: unknown,
    live: unknown,
    path: readonly PathStep[],
    place: readonly (string | number)[],
  ): void {
    if (Array.isArray(desired) && Array.isArray(live)) {
      this.#compareLists(desired, live, path, place);
    } else if (isMapping(desired) && isMapping(live)) {
      for (const name of new Set([...Object.keys(desired), ...Object.keys(live)])) {
        const [wanted, there] = [entryOf(desired, name), entryOf(live, name)];
        this.compare(wanted, there, [...path, name], [...place, name]);
      }
    } else if (this.#meaning(desired, place) !== this.#meaning(live, place)) {
      this.#report({
        path,
        ...(desired !== undefined && { desired }),
        ...(live !== undefined && { live }),
      });
    }
  }

  #compareLists(
    desired: readonly unknown[],
    live: readonly unknown[],
    path: readonly PathStep[],
    place: readonly (string | number)[],
  ): void {
    const [wanted, there] = withoutEqual(this.#items(desired, place), this.#items(live, place));
    for (const one of wanted) {
      const at = there.findIndex((other) => isTheSame(one.value, other.value));
      const [partner] = at < 0 ? [] : there.splice(at, 1);
      this.compare(one.value, partner?.value, [...path, stepTo(one)], [...place, one.index]);
    }
    for (const one of there) {
      this.compare(undefined, one.value, [...path, stepTo(one)], [...place, one.index]);
    }
  }

  #items(list: readonly unknown[], place: readonly (string | number)[]): Item[] {
    return list.map((value, index) => ({
      value,
      index,
      meaning: this.#meaning(value, [...place, index]),
    }));
  }

  #meaning(value: unknown, place: readonly (string | number)[]): string {
    return value === undefined ? 'nothing' : normalizeValue(value, place, this.#content);
  }
}

/** Returns the items of each side that have no equal on the other side. */
function withoutEqual(desired: Item[], live: Item[]): [Item[], Item[]] {
  const rest = [...live];
  const wanted = desired.filter(({ meaning }) => {
    const at = rest.findIndex((other) => other.meaning === meaning);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [wanted, rest];
}

/** Whether two entries that differ are the same entry, changed. */
function isTheSame(a: unknown, b: unknown): boolean {
  if (!isMapping(a) || !isMapping(b)) return false;
  return keys.every((key) => entryOf(a, key) === entryOf(b, key));
}

function stepTo({ value, index }: Item): PathStep {
  if (!isMapping(value)) return index;
  const by = keys.flatMap((key): [string, string][] => {
    const is = entryOf(value, key);
    return typeof is === 'string' ? [[key, is]] : [];
  });
  return by.length === 0 ? index : { by: Object.fromEntries(by) };
}

/**
 * Formats a path on one line, whatever names it contains: `spec.limits[type=Container].max.cpu`,
 * `subjects[kind=User,name=alice]`, `metadata.labels["a/b"]`.
 */
export function formatSteps(path: readonly PathStep[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (typeof step === 'object') text += `[${formatEntry(step.by)}]`;
    else if (!/^[A-Za-z_$][\w$-]*$/.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return escapeForTerminal(text);
}

function formatEntry(by: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(by)
    .map(([key, is]) => `${key}=${/^[\w.:/@-]+$/.test(String(is)) ? is : JSON.stringify(is)}`)
    .join();
}
