import type { Path } from '@tenantry/kube/problem';

/** The documents in which a value can be declared, as the first key of an `Origin`. */
export type OriginDocument = 'builtin' | 'base' | 'class' | 'spec' | 'metadata' | 'platform';

/**
 * Where a value is declared. The first key is the document: `builtin`, `class`, `base` for the parent of the class, or
 * `platform`. A path that begins with `spec` or `metadata` is in the Tenant. The rest is the path in the document.
 */
export type Origin = Path;

/** The values that a merge puts into its result: the path in the result, and the path in what was merged over. */
export type PlacementListener = (target: Path, source: Path) => void;

interface Node {
  origin?: Origin;
  readonly parts: Map<string, Node>;
}

/**
 * The origins of the values in a merge. Each merge records them where it places a value, so they cannot differ from what
 * was merged. Items of lists that merge by a key are named by the key, all others by their index.
 */
export class Origins {
  readonly #root: Node = { parts: new Map() };

  /** Records that the value at a path, with everything in it, is from an origin. */
  record(target: Path, origin: Origin): void {
    const node = this.#open(target);
    node.origin = origin;
    node.parts.clear();
  }

  /** Forgets all values in the value at a path but one, because the merge starts again there. */
  restart(target: Path, kept: string): void {
    const { parts } = this.#open(target);
    for (const key of parts.keys()) if (key !== kept) parts.delete(key);
  }

  /** Returns the origin of a value; undefined if none is recorded for it or for what contains it. */
  find(target: Path): Origin | undefined {
    let node: Node | undefined = this.#root;
    let found = node.origin;
    for (const key of target) {
      node = node?.parts.get(String(key));
      if (node?.origin) found = node.origin;
      else if (found) found = [...found, key];
    }
    return found;
  }

  /** Returns a copy, so that what is recorded in it does not change these origins. */
  copy(): Origins {
    const copy = new Origins();
    copyNode(this.#root, copy.#root);
    return copy;
  }

  #open(target: Path): Node {
    let node = this.#root;
    for (const key of target) {
      const next = node.parts.get(String(key)) ?? { parts: new Map() };
      node.parts.set(String(key), next);
      node = next;
    }
    return node;
  }
}

function copyNode(from: Node, to: Node): void {
  if (from.origin) to.origin = from.origin;
  for (const [key, part] of from.parts) {
    const node: Node = { parts: new Map() };
    to.parts.set(key, node);
    copyNode(part, node);
  }
}

/** Names the layer of an origin, as messages and reports spell it. */
export function nameLayer([document, ...rest]: Origin): string {
  if (document === 'builtin') return 'built-in';
  if (document === 'platform') return 'platform';
  if (document === 'spec' && rest[0] === 'namespaces') return 'namespace';
  if (document !== 'class' && document !== 'base') return 'tenant';
  const parts: Readonly<Record<string, string>> = {
    environments: 'environment',
    presets: 'preset',
    exceptions: 'exception',
  };
  const part = parts[String(rest[1])] ?? 'class';
  return document === 'base' ? `parent ${part}` : part;
}
