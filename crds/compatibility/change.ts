import { formatCanonicalJson } from '../../kube/equality.ts';

/**
 * `compatible`: every object and every writer of today goes on. `breaking`: some object that was
 * accepted is refused or loses something, some client stops, or the API server or the deprecation
 * policy of Kubernetes forbids it. `unknown`: no comparison can tell.
 */
export type Compatibility = 'compatible' | 'breaking' | 'unknown';

/** One difference between two definitions, judged. */
export interface Change {
  /** The version it is about; absent for what all versions share. */
  readonly version?: string;
  /**
   * Where. With a dot at the start, in the objects: `.spec.replicas`, `.spec.ports[].name`,
   * `.spec.labels{}` for the values of a map, `.spec(anyOf[0])` for a branch. Without one, in the
   * definition: `spec.scope`, and `subresources.status` in a version.
   */
  readonly path: string;
  readonly verdict: Compatibility;
  /** Stable name of the comparison: a row of the table of docs/crd-diff.md. */
  readonly rule: string;
  /** What changed, and why the verdict. */
  readonly message: string;
  /** What OLD says there; absent where it says nothing. */
  readonly before?: unknown;
  /** What NEW says there; absent where it says nothing. */
  readonly after?: unknown;
  /**
   * NEW accepts what OLD did not: nothing that exists breaks, but readers of objects may meet
   * values that they do not know.
   */
  readonly widens?: true;
}

/** What a comparison says of a difference, besides where it is. */
export type Judgement = Omit<Change, 'version' | 'path'>;

/** One side of a difference, left out where there is nothing. */
export function buildSides(before: unknown, after: unknown): { before?: unknown; after?: unknown } {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

const order: Readonly<Record<Compatibility, number>> = { breaking: 0, unknown: 1, compatible: 2 };

/** In the order of versions (those about all first), paths and rules. */
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

/** A value as a message shows it: JSON on one line, cut at 80 characters. */
export function formatValue(value: unknown): string {
  const text = formatCanonicalJson(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** `"a", "b" and "c"`; of more than five the first four. */
export function formatValues(values: readonly unknown[]): string {
  const texts = values.map(formatValue);
  if (texts.length > 5) return `${texts.slice(0, 4).join(', ')} and ${texts.length - 4} more`;
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

/** The members of a list that are not in another one, each once. */
export function subtract(list: readonly string[], others: readonly string[]): string[] {
  return [...new Set(list)].filter((member) => !others.includes(member));
}
