import { show, type Path } from '../problem.ts';
import { wordsOf } from '../schema/schema.ts';
import { doubts, takeDoubts } from './doubt.ts';
import { isEqual } from './equality.ts';
import { isMapping } from './kinds.ts';
import { repetitions } from './lists.ts';
import { choice, must, unknownField } from './messages.ts';
import type { Check, Node } from './types.ts';
import { oldItems } from './old.ts';

/** One mismatch between a value and its schema. */
export interface Mismatch {
  readonly path: Path;
  /** The mismatch is about the last key of the path itself, not about its value. */
  readonly atKey?: true;
  readonly message: string;
}

/** One thing that only the API server can decide. */
export interface NotChecked {
  readonly path: Path;
  /** Why it was not decided. */
  readonly reason: string;
}

export interface Verdict {
  /** In the order of the document; empty: the value is valid, apart from what was not checked. */
  readonly mismatches: readonly Mismatch[];
  readonly notChecked: readonly NotChecked[];
}

/** There is no value from before, or none that belongs to this one. */
export const NOTHING: unique symbol = Symbol('nothing');

/** Goes through a value that may be wrong, and says where and why. */
export class Explanation implements Verdict {
  readonly mismatches: Mismatch[] = [];
  readonly notChecked: NotChecked[] = [];

  visit(node: Node, value: unknown, path: Path, old: unknown): void {
    if (old === NOTHING && this.#isRight(node, value)) return;
    const before = this.mismatches.length;
    this.#content(node, value, path, old);
    if (this.mismatches.length === before) this.#rules(node, value, path, old);
    // What was wrong before and has not changed is left alone by the API server.
    else if (old !== NOTHING && isEqual(old, value)) this.mismatches.splice(before);
  }

  /** Most of what is around a mistake is right, and that is found out fast. */
  #isRight(node: Node, value: unknown): boolean {
    const before = doubts();
    const isAccepted = node.accepts(value);
    const isCertain = doubts() === before;
    if (!isCertain) takeDoubts(before);
    return isAccepted && isCertain;
  }

  #content(node: Node, value: unknown, path: Path, old: unknown): void {
    const { schema } = node;
    const before = this.mismatches.length;
    if (!this.#ask(() => node.fits(value), path)) {
      return this.#add(path, `must be ${must(schema)}, got ${show(value)}`);
    }
    if (Array.isArray(value)) this.#list(node, value, path, old);
    else if (isMapping(value)) this.#object(node, value, path, old);
    if (this.mismatches.length === before && value !== null) this.#combined(node, value, path);
  }

  #list(node: Node, list: readonly unknown[], path: Path, old: unknown): void {
    const { schema, items } = node;
    const { minItems = 0, maxItems = Infinity } = schema;
    if (list.length < minItems || list.length > maxItems) {
      const bounds = maxItems === Infinity ? `at least ${minItems}` : `${minItems} to ${maxItems}`;
      return this.#add(path, `must have ${bounds} items, got ${list.length}`);
    }
    const before = this.mismatches.length;
    if (items) {
      const olds = oldItems(schema, old);
      for (const [i, item] of list.entries()) {
        this.visit(items, item, [...path, i], olds?.(item) ?? NOTHING);
      }
    }
    const isSound = this.mismatches.length === before;
    const [key] = schema['x-kubernetes-list-map-keys'] ?? [];
    for (const { index, first, value } of repetitions(schema, list)) {
      const isKey = key !== undefined && isMapping(list[index]);
      // A key that is missing is told where it is missing.
      if (value === undefined && !isSound) continue;
      const where = isKey ? [...path, index, key] : [...path, index];
      const again = `got ${show(value)} again (first at [${first}])`;
      this.#add(where, `must be unique in the list, ${again}`);
    }
  }

  #object(node: Node, object: Record<string, unknown>, path: Path, old: unknown): void {
    const { schema, fields, extra } = node;
    const { minProperties = 0, maxProperties = Infinity, required = [] } = schema;
    for (const name of required) {
      if (Object.hasOwn(object, name)) continue;
      this.#add([...path, name], `must be ${must(fields.get(name)?.schema ?? {})}, got nothing`);
    }
    const keys = Object.keys(object);
    if (keys.length > maxProperties || keys.length < minProperties) {
      const bounds =
        maxProperties === Infinity
          ? `at least ${minProperties}`
          : `${minProperties} to ${maxProperties}`;
      return this.#add(path, `must have ${bounds} entries, got ${keys.length}`);
    }
    const olds = isMapping(old) ? old : undefined;
    for (const key of keys) {
      const field = fields.get(key) ?? extra;
      const at = [...path, key];
      if (typeof field === 'object') {
        const before = olds && Object.hasOwn(olds, key) ? olds[key] : NOTHING;
        this.visit(field, object[key], at, before);
      } else if (field === 'refused') {
        const message = unknownField(key, [...fields.keys()]);
        this.mismatches.push({ path: at, atKey: true, message });
      }
    }
  }

  /** Within allOf and the like, what was before does not count. */
  #combined({ combinators, schema }: Node, value: unknown, path: Path): void {
    if (!combinators) return;
    const before = this.mismatches.length;
    for (const node of combinators.allOf) this.visit(node, value, path, NOTHING);
    if (this.mismatches.length > before) return;
    const { acceptsAny, acceptsOne, acceptsNot } = combinators;
    const { anyOf = [], oneOf = [] } = schema;
    const words = wordsOf(schema).must;
    const ask = (accepts: Check, text: string): void => {
      if (this.#ask(() => accepts(value), path)) return;
      this.#add(path, `${words === undefined ? text : `must be ${words}`}, got ${show(value)}`);
    };
    ask(acceptsAny, choice('anyOf', anyOf));
    ask(acceptsOne, choice('oneOf', oneOf));
    ask(acceptsNot, 'must not fit the schema of not');
  }

  #rules({ rules }: Node, value: unknown, path: Path, old: unknown): void {
    if (!rules) return;
    const isUnchanged = old !== NOTHING && isEqual(old, value);
    const before = old === NOTHING ? undefined : old;
    for (const objection of rules.objections(value, before, isUnchanged)) {
      if ('notChecked' in objection) {
        this.notChecked.push({ path, reason: objection.notChecked });
      } else {
        const got = typeof value === 'object' ? '' : `, got ${show(value)}`;
        this.#add([...path, ...objection.path], objection.message + got);
      }
    }
  }

  /** Asks, and keeps what could not be decided. */
  #ask(question: () => boolean, path: Path): boolean {
    const before = doubts();
    const answer = question();
    for (const reason of takeDoubts(before)) this.notChecked.push({ path, reason });
    return answer;
  }

  #add(path: Path, message: string): void {
    this.mismatches.push({ path, message });
  }
}
