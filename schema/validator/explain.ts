import { showAt } from '../../kube/secret.ts';
import type { Path } from '../../kube/problem.ts';
import { wordsOf } from '../words.ts';
import { doubtFails, Reasons } from './doubt.ts';
import { isEqual } from './equality.ts';
import { isMapping } from '../../kube/mapping.ts';
import { repetitions } from './lists.ts';
import { choice, howMany, must, unknownField } from './messages.ts';
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

/** What is wrong with a value, and what could not be decided. */
export interface Verdict {
  /** In the order of the document; empty: the value is valid, apart from what was not checked. */
  readonly mismatches: readonly Mismatch[];
  readonly notChecked: readonly NotChecked[];
}

/** There is no value from before, or none that belongs to this one. */
export const NOTHING: unique symbol = Symbol('nothing');

/** Goes through a value that is likely wrong, and says where and why. */
export function explain(node: Node, value: unknown, path: Path, old: unknown): Verdict {
  const explanation = new Explanation(path);
  explanation.visit(node, value, old);
  return explanation;
}

class Explanation implements Verdict {
  readonly mismatches: Mismatch[] = [];
  readonly notChecked: NotChecked[] = [];
  /** What rules about the change have against a value that did not change. */
  readonly #lasting = new Set<Mismatch>();
  /** Where we are; what is told has a copy. */
  readonly #path: (string | number)[];

  constructor(path: Path) {
    this.#path = [...path];
  }

  visit(node: Node, value: unknown, old: unknown): void {
    const before = this.mismatches.length;
    this.#content(node, value, old);
    if (this.mismatches.length === before) this.#rules(node, value, old);
    // What was wrong before and has not changed is left alone by the API server.
    else if (old !== NOTHING && isEqual(old, value)) {
      const found = this.mismatches.splice(before);
      this.mismatches.push(...found.filter((one) => this.#lasting.has(one)));
    }
  }

  /** Most of what is around a mistake is right, and that is found out fast. */
  #visitWithin(key: string | number, node: Node, value: unknown, old: unknown): void {
    if (old === NOTHING && node.quick(value, doubtFails)) return;
    this.#path.push(key);
    this.visit(node, value, old);
    this.#path.pop();
  }

  #content(node: Node, value: unknown, old: unknown): void {
    const before = this.mismatches.length;
    if (!this.#ask(node.fits, value)) {
      return this.#add(`must be ${must(node.schema, value)}, got ${showAt(this.#path, value)}`);
    }
    if (Array.isArray(value)) this.#list(node, value, old);
    else if (isMapping(value)) this.#object(node, value, old);
    if (this.mismatches.length === before && value !== null) this.#combined(node, value);
  }

  #list(node: Node, list: readonly unknown[], old: unknown): void {
    const { schema, items, isUnique } = node;
    const { minItems = 0, maxItems = Infinity } = schema;
    if (list.length < minItems || list.length > maxItems) {
      const bounds = howMany(minItems, maxItems, 'item', 'items');
      return this.#add(`must have ${bounds}, got ${list.length}`);
    }
    const before = this.mismatches.length;
    if (items) {
      const olds = oldItems(schema, old);
      for (let i = 0; i < list.length; i += 1) {
        this.#visitWithin(i, items, list[i], olds?.(list[i]) ?? NOTHING);
      }
    }
    const isSound = this.mismatches.length === before;
    const [key] = schema['x-kubernetes-list-map-keys'] ?? [];
    for (const { index, first, value } of isUnique ? repetitions(schema, list) : []) {
      const isKey = key !== undefined && isMapping(list[index]);
      // A key that is missing is told where it is missing.
      if (value === undefined && !isSound) continue;
      const where = isKey ? [index, key] : [index];
      const shown = showAt([...this.#path, ...where], value);
      const again = `got ${shown} again (first at [${first}])`;
      this.#add(`must be unique in the list, ${again}`, where);
    }
  }

  #object(node: Node, object: Record<string, unknown>, old: unknown): void {
    const { schema, fields, extra } = node;
    const { minProperties = 0, maxProperties = Infinity, required = [] } = schema;
    for (const name of required) {
      if (Object.hasOwn(object, name)) continue;
      this.#add(`must be ${must(fields.get(name)?.schema ?? {})}, got nothing`, [name]);
    }
    const keys = Object.keys(object);
    if (keys.length > maxProperties || keys.length < minProperties) {
      const bounds = howMany(minProperties, maxProperties, 'entry', 'entries');
      return this.#add(`must have ${bounds}, got ${keys.length}`);
    }
    const olds = isMapping(old) ? old : undefined;
    for (const key of keys) {
      const field = fields.get(key) ?? extra;
      if (typeof field === 'object') {
        const before = olds && Object.hasOwn(olds, key) ? olds[key] : NOTHING;
        this.#visitWithin(key, field, object[key], before);
      } else if (field === 'refused') {
        const message = unknownField(key, [...fields.keys()]);
        this.mismatches.push({ path: [...this.#path, key], atKey: true, message });
      }
    }
  }

  /** Within allOf and the like, what was before does not count. */
  #combined({ combinators, schema }: Node, value: unknown): void {
    if (!combinators) return;
    const before = this.mismatches.length;
    for (const node of combinators.allOf) {
      if (!node.quick(value, doubtFails)) this.visit(node, value, NOTHING);
    }
    if (this.mismatches.length > before) return;
    const { acceptsAny, acceptsOne, acceptsNot } = combinators;
    const { anyOf = [], oneOf = [] } = schema;
    const words = wordsOf(schema).must;
    const ask = (accepts: Check, text: () => string): void => {
      if (this.#ask(accepts, value)) return;
      this.#add(
        `${words === undefined ? text() : `must be ${words}`}, got ${showAt(this.#path, value)}`,
      );
    };
    ask(acceptsAny, () => choice('anyOf', anyOf));
    ask(acceptsOne, () => choice('oneOf', oneOf));
    ask(acceptsNot, () => 'must not fit the schema of not');
  }

  #rules({ rules }: Node, value: unknown, old: unknown): void {
    if (!rules) return;
    const isUnchanged = old !== NOTHING && isEqual(old, value);
    const before = old === NOTHING ? undefined : old;
    for (const objection of rules.objections(value, before, isUnchanged)) {
      if ('notChecked' in objection) {
        this.notChecked.push({ path: [...this.#path], reason: objection.notChecked });
      } else {
        const got = typeof value === 'object' ? '' : `, got ${showAt(this.#path, value)}`;
        this.#add(objection.message + got, objection.path);
        if (isUnchanged) this.#lasting.add(this.mismatches.at(-1)!);
      }
    }
  }

  /** Asks, and keeps what could not be decided. */
  #ask(accepts: Check, value: unknown): boolean {
    const doubts = new Reasons();
    const answer = accepts(value, doubts);
    for (const reason of doubts.all()) this.notChecked.push({ path: [...this.#path], reason });
    return answer;
  }

  #add(message: string, within: Path = []): void {
    this.mismatches.push({ path: [...this.#path, ...within], message });
  }
}
