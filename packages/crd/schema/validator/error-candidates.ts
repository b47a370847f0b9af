/** The places in a value that may be wrong and are checked again for an explanation. Generated code finds them in one pass. */
import { Program } from './program.ts';
import { Translation, type ChildExpression } from './translation.ts';
import type { SchemaNode, ErrorCandidate, ErrorCandidates, CandidateSearch } from './types.ts';
import { undeterminedFails } from './undetermined.ts';

/**
 * Finds where a value may be wrong under a node; undefined if it is valid beyond doubt. Before code is generated for
 * the search, the result is only that the value is wrong somewhere.
 */
export function findErrorCandidates(node: SchemaNode, value: unknown): ErrorCandidates | undefined {
  if (node.search) return node.search(value, undeterminedFails);
  return node.quick(value, undeterminedFails) ? undefined : 'anywhere';
}

/** Sorts the candidates of an object in the order of its keys. */
export function sortCandidates(
  first: ErrorCandidate | undefined,
  object: object,
): ErrorCandidate | undefined {
  if (first?.next === undefined) return first;
  if (isInOrder(first, object)) return first;
  const suspects = new Map<string | number, ErrorCandidate>();
  for (let one: ErrorCandidate | undefined = first; one; one = one.next) suspects.set(one.key, one);
  return Object.keys(object).reduceRight<ErrorCandidate | undefined>((next, key) => {
    const suspect = suspects.get(key);
    return suspect ? { ...suspect, next } : next;
  }, undefined);
}

function isInOrder(first: ErrorCandidate, object: object): boolean {
  let next: ErrorCandidate | undefined = first;
  for (const key in object) {
    if (key !== next.key) continue;
    next = next.next;
    if (next === undefined) return true;
  }
  return false;
}

/** Generates code for `search` of the node and of the nodes within it, if the runtime can compile code from text. */
export function jitCompileSearch(node: SchemaNode): void {
  const { program, nodes } = translateSearch(node);
  for (const [i, search] of (program.functions() ?? []).entries()) nodes[i]!.search = search;
}

/** Returns the program of a node, and the nodes in the order of its functions, the given one first. */
export function translateSearch(node: SchemaNode): {
  program: Program<CandidateSearch>;
  nodes: readonly SchemaNode[];
} {
  const translation = new CandidateTranslation(new Program('search'));
  translation.translateNode(node);
  return { program: translation.program, nodes: translation.nodes() };
}

/** The candidates so far. */
interface Found {
  isSelf: boolean;
  first: Chained | undefined;
  last: Chained | undefined;
}
type Chained = ErrorCandidate & { next: Chained | undefined };

/** Adds a candidate; generated code calls it. */
function addCandidate(
  found: Found | undefined,
  key: string | number,
  node: SchemaNode | undefined,
  value: unknown,
  suspects: ErrorCandidates,
): Found {
  const suspect = { key, node, value, suspects, next: undefined };
  if (found === undefined) return { isSelf: false, first: suspect, last: suspect };
  if (found.last) found.last.next = suspect;
  else found.first = suspect;
  found.last = suspect;
  return found;
}

/** Adds the value itself as a candidate. */
function addSelf(found: Found | undefined): Found {
  if (found === undefined) return { isSelf: true, first: undefined, last: undefined };
  found.isSelf = true;
  return found;
}

/** Generates code that collects candidates in `found`. */
class CandidateTranslation extends Translation<CandidateSearch> {
  protected readonly accepted = 'return undefined;';
  protected readonly refused = `return ${this.constant(addSelf)}();`;
  protected readonly lacking = `found = ${this.constant(addSelf)}(found);`;
  protected readonly around = ['let found;', 'if (found !== undefined) return found;'] as const;

  protected emitFallback(node: SchemaNode): string {
    return `return ${this.call(node.accepts, 'value')} ? undefined : 'anywhere';`;
  }

  protected emitWrongCount(): string {
    return this.lacking;
  }

  protected emitUnknownFields({ fields }: SchemaNode): string {
    const known = this.constant(fields);
    const suspect = this.#add('key', `${known}.get(key)`, 'value[key]', `'anywhere'`);
    const isSurplus = `!${known}.has(key) || value[key] === undefined`;
    return `for (const key of Object.keys(value)) if (${isSurplus}) ${suspect}`;
  }

  protected emitRejectUnless(condition: string, { key, node, variable }: ChildExpression): string {
    return `if (!${condition}) ${this.#add(key, this.constant(node), variable, `'anywhere'`)}`;
  }

  protected emitChildCall(name: string, { key, node, variable }: ChildExpression): string {
    const suspect = this.#add(key, this.constant(node), variable, 'suspects');
    return `const suspects = ${name}(${variable}, doubts); if (suspects !== undefined) ${suspect}`;
  }

  /** All arguments are code. */
  #add(...suspect: [key: string, node: string, value: string, suspects: string]): string {
    return `found = ${this.constant(addCandidate)}(found, ${suspect.join(', ')});`;
  }
}
