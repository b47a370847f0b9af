import { formatCanonicalJson, isDeepEqual } from '@tenantry/kube/json';

/**
 * The effect of a change.
 *
 * - `compatible`: every object and every writer of today keeps working.
 * - `breaking`: an accepted object is refused or loses data, or a client stops working. The API
 * server or the deprecation policy of Kubernetes may also forbid the change.
 * - `unknown`: no comparison can decide.
 */
export type Compatibility = 'compatible' | 'breaking' | 'unknown';

/** A judged difference between two definitions. */
export interface Change {
  /** The version of the change; absent if all versions share it. */
  readonly version?: string;
  /**
   * The place of the change. With a leading dot, it is a path in the objects: `.spec.replicas`,
   * `.spec.ports[].name`, `.spec.labels{}` for the values of a map, `.spec(anyOf[0])` for a branch.
   * Without one, it is a path in the definition: `spec.scope`, or `subresources.status` in a
   * version.
   */
  readonly path: string;
  readonly verdict: Compatibility;
  /** The stable name of the comparison: a row of the table in docs/crd-versions.md. */
  readonly rule: string;
  /** What changed, and the reason for the verdict. */
  readonly message: string;
  /** The value in OLD; absent if there is none. */
  readonly before?: unknown;
  /** The value in NEW; absent if there is none. */
  readonly after?: unknown;
  /**
   * NEW accepts values that OLD did not. No existing object breaks, but readers of objects may get
   * values that they do not know.
   */
  readonly widens?: true;
}

/** A difference between OLD and NEW. One of its methods judges it and adds the change to a list. */
export class Difference {
  readonly #found: Change[];
  readonly #change: Omit<Change, 'verdict' | 'message'>;

  /** @param version the version of the change; undefined if all versions share it */
  constructor(
    found: Change[],
    version: string | undefined,
    path: string,
    rule: string,
    before: unknown,
    after: unknown,
  ) {
    this.#found = found;
    this.#change = {
      ...(version !== undefined && { version }),
      path,
      rule,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    };
  }

  judge(verdict: Compatibility, message: string): void {
    this.#found.push({ ...this.#change, verdict, message });
  }

  compatible(message: string): void {
    this.judge('compatible', message);
  }

  /** Judges a compatible difference: NEW accepts more than OLD. */
  widening(message: string): void {
    this.#found.push({ ...this.#change, verdict: 'compatible', message, widens: true });
  }

  breaking(message: string): void {
    this.judge('breaking', message);
  }

  unknown(message: string): void {
    this.judge('unknown', message);
  }
}

/** Begins a change at a path; a side without a value is left out. */
export type ChangeBuilder = (
  path: string,
  rule: string,
  before?: unknown,
  after?: unknown,
) => Difference;

/** Returns a builder of changes of one version, or of all of them, that are added to a list. */
export function buildChangesOf(found: Change[], version?: string): ChangeBuilder {
  return (path, rule, before, after) => new Difference(found, version, path, rule, before, after);
}

const order: Readonly<Record<Compatibility, number>> = { breaking: 0, unknown: 1, compatible: 2 };

/** Orders changes by version (those about all versions first), path and rule. */
export function compareChanges(a: Change, b: Change): number {
  return (
    inOrder(a.version ?? '', b.version ?? '') ||
    inOrder(a.path, b.path) ||
    order[a.verdict] - order[b.verdict] ||
    inOrder(a.rule, b.rule) ||
    inOrder(a.message, b.message)
  );
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Formats a value for a message: JSON on one line, cut at 80 characters. */
export function formatValue(value: unknown): string {
  const text = formatCanonicalJson(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** Formats `"a", "b" and "c"`; of more than five values the first four. */
export function formatValues(values: readonly unknown[]): string {
  const texts = values.map(formatValue);
  if (texts.length > 5) return `${texts.slice(0, 4).join(', ')} and ${texts.length - 4} more`;
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

/** Returns the members of a list that are not in another one, without duplicates. */
export function subtract(list: readonly string[], others: readonly string[]): string[] {
  return [...new Set(list)].filter((member) => !others.includes(member));
}

/** Returns the fields outside of `understood` in which two mappings differ, with their values. */
export function findUnhandled(
  before: object,
  after: object,
  understood: ReadonlySet<string>,
): [string, unknown, unknown][] {
  const [a, b]: Record<string, unknown>[] = [{ ...before }, { ...after }];
  return [...new Set([...Object.keys(a!), ...Object.keys(b!)])]
    .filter((key) => !understood.has(key) && !isDeepEqual(a![key], b![key]))
    .map((key) => [key, a![key], b![key]]);
}

/** The rules of all changes, which docs/crd-versions.md lists. */
export const changeRules = [
  'field-removed',
  'field-added',
  'required',
  'type',
  'format',
  'enum',
  'default',
  'nullable',
  'minimum',
  'maximum',
  'multiple-of',
  'min-length',
  'max-length',
  'min-items',
  'max-items',
  'min-properties',
  'max-properties',
  'pattern',
  'items',
  'additional-properties',
  'preserve-unknown',
  'embedded-resource',
  'list-type',
  'list-map-keys',
  'map-type',
  'cel-rule',
  'all-of',
  'any-of',
  'one-of',
  'not',
  'documentation',
  'schema',
  'unhandled',
  'definition-removed',
  'definition-added',
  'name',
  'scope',
  'group',
  'kind',
  'plural',
  'singular',
  'list-kind',
  'short-names',
  'categories',
  'metadata',
  'conversion',
  'version-added',
  'version-removed',
  'version-served',
  'version-not-served',
  'stored-version',
  'storage-version',
  'deprecated',
  'served-versions',
  'status-subresource',
  'scale-subresource',
  'selectable-fields',
  'printer-columns',
  'refused',
] as const;
