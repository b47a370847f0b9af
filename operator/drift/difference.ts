import { entryOf, isMapping } from '../../kube/mapping.ts';
import { escapeForTerminal } from '../../kube/printable.ts';
import { meaningOf } from '../stored/digest.ts';
import type { Content } from '../stored/content.ts';

/** A step of a path: a field, the position in a list, or what an entry of a list goes by. */
export type PathStep =
  string | number | { readonly by: Readonly<Record<string, string | number | boolean>> };

/** Where two values differ. */
export interface FieldDiff {
  readonly path: readonly PathStep[];
  /** Undefined: there should be nothing. */
  readonly desired?: unknown;
  /** Undefined: there is nothing. */
  readonly live?: unknown;
}

interface Item {
  readonly value: unknown;
  readonly index: number;
  readonly meaning: string;
}

/** By what entries of lists are told from each other, where they have it: `ci` is a user, a group and an account. */
const keys = ['type', 'kind', 'namespace', 'name'];

/**
 * Where what is there differs from what should be, as deep as they can be told apart. Entries of a list are
 * found by what they go by, or else by their place among those that have no equal on the other side: the
 * order of a list means nothing.
 */
export function diffContent(desired: Content, live: Content): readonly FieldDiff[] {
  const found: FieldDiff[] = [];
  new Comparison(desired, (one) => found.push(one)).compare(desired.fields, live.fields, [], []);
  return found;
}

class Comparison {
  readonly #content: Content;
  readonly #tell: (difference: FieldDiff) => void;

  constructor(content: Content, tell: (difference: FieldDiff) => void) {
    this.#content = content;
    this.#tell = tell;
  }

  /** @param place the path by positions alone, which says what a value is */
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
      this.#tell({
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
    return value === undefined ? 'nothing' : meaningOf(value, place, this.#content);
  }
}

/** Those of each side that have no equal on the other one. */
function withoutEqual(desired: Item[], live: Item[]): [Item[], Item[]] {
  const rest = [...live];
  const wanted = desired.filter(({ meaning }) => {
    const at = rest.findIndex((other) => other.meaning === meaning);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [wanted, rest];
}

/** Whether two entries that differ are the same one, changed. */
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
 * `spec.limits[type=Container].max.cpu`, `subjects[kind=User,name=alice]`, `metadata.labels["a/b"]`: on one line,
 * whatever the names in it are.
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
