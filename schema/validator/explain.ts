import {
  errorAt,
  Findings,
  notCheckedAt,
  within,
  type Finding,
  type Verdict,
} from '../../kube/finding.ts';
import type { Path } from '../../kube/problem.ts';
import { showAt } from '../../kube/secret.ts';
import { wordsOf } from '../words.ts';
import { doubtFails, Reasons } from './doubt.ts';
import { isMapping } from '../../kube/mapping.ts';
import { repetitions } from './lists.ts';
import { brokenKeyword, UNKNOWN_FIELD } from './keyword.ts';
import { choice, howMany, must, mustHave, unknownField } from './messages.ts';
import type { Check, Extra, Node } from './types.ts';
import { holdsRepetition, isUnchanged, oldItems } from './old.ts';

/** There is no value from before, or none that belongs to this one. */
export const NOTHING: unique symbol = Symbol('nothing');

/** Goes through a value that is likely wrong, and says where and why. */
export function explain(node: Node, value: unknown, path: Path, old: unknown): Verdict {
  const explanation = new Explanation(path, () => holdsRepetition(node, old));
  explanation.visit(node, value, old);
  return explanation;
}

class Explanation extends Findings {
  /** What is an error of a value that did not change, too. */
  readonly #lasting = new Set<Finding>();
  /** Whether a list of the value before held an item twice: then those of the value now may. */
  readonly #mayRepeat: () => boolean;
  /** Where we are; what is reported gets a copy. */
  readonly #path: (string | number)[];

  constructor(path: Path, mayRepeat: () => boolean) {
    super();
    this.#path = [...path];
    this.#mayRepeat = mayRepeat;
  }

  visit(node: Node, value: unknown, old: unknown): void {
    const before = this.errors.length;
    this.#content(node, value, old);
    if (this.errors.length > before && isUnchanged(node.schema, old, value)) {
      // What was wrong before and has not changed is left alone by the API server.
      const found = this.errors.splice(before);
      this.errors.push(...found.filter((one) => this.#lasting.has(one)));
    }
    if (this.errors.length === before) this.#rules(node, value, old);
  }

  /** Most of what is around a mistake is right, and that is found out fast. */
  #visitWithin(key: string | number, node: Node, value: unknown, old: unknown): void {
    if (old === NOTHING && node.quick(value, doubtFails)) return;
    this.#path.push(key);
    this.visit(node, value, old);
    this.#path.pop();
  }

  #content(node: Node, value: unknown, old: unknown): void {
    const before = this.errors.length;
    if (!this.#ask(node.fits, value)) {
      const message = `must be ${must(node.schema, value)}, got ${showAt(this.#path, value)}`;
      return this.#add(brokenKeyword(node, value), message);
    }
    if (Array.isArray(value)) this.#list(node, value, old);
    else if (isMapping(value)) this.#object(node, value, old);
    if (this.errors.length === before && value !== null) this.#combined(node, value);
  }

  #list(node: Node, list: readonly unknown[], old: unknown): void {
    const { schema, items } = node;
    const { minItems = 0, maxItems = Infinity } = schema;
    if (list.length < minItems || list.length > maxItems) {
      const bounds = howMany(minItems, maxItems, 'item', 'items');
      const rule = list.length < minItems ? 'minItems' : 'maxItems';
      return this.#add(rule, `${mustHave(schema, bounds)}, got ${list.length}`);
    }
    const before = this.errors.length;
    if (items) {
      const olds = oldItems(schema, old);
      for (let i = 0; i < list.length; i += 1) {
        this.#visitWithin(i, items, list[i], olds?.(list[i]) ?? NOTHING);
      }
    }
    this.#repetitions(node, list, this.errors.length === before);
  }

  /** The API server asks for them apart from all else, of all lists or, where some did so before, of none. */
  #repetitions({ schema, isUnique }: Node, list: readonly unknown[], isSound: boolean): void {
    const found = isUnique ? repetitions(schema, list) : [];
    if (found.length === 0 || (schema['x-kubernetes-list-type'] && this.#mayRepeat())) return;
    const [key] = schema['x-kubernetes-list-map-keys'] ?? [];
    const rule = schema['x-kubernetes-list-type'] ? 'x-kubernetes-list-type' : 'uniqueItems';
    for (const { index, first, value } of found) {
      const isKey = key !== undefined && isMapping(list[index]);
      // A key that is missing is reported where it is missing.
      if (value === undefined && !isSound) continue;
      const where = isKey ? [index, key] : [index];
      const shown = showAt([...this.#path, ...where], value);
      const again = `got ${shown} again (first at [${first}])`;
      this.#add(rule, `must be unique in the list, ${again}`, where);
      if (schema['x-kubernetes-list-type']) this.#lasting.add(this.errors.at(-1)!);
    }
  }

  #object(node: Node, object: Record<string, unknown>, old: unknown): void {
    const { schema, fields, extra } = node;
    const { minProperties = 0, maxProperties = Infinity, required = [] } = schema;
    for (const name of required) {
      if (Object.hasOwn(object, name)) continue;
      const words = mustBeThere(fields.get(name) ?? extra);
      this.#add('required', `must be ${words}, got nothing`, [name]);
    }
    const keys = Object.keys(object);
    if (keys.length > maxProperties || keys.length < minProperties) {
      const bounds = howMany(minProperties, maxProperties, 'entry', 'entries');
      const rule = keys.length < minProperties ? 'minProperties' : 'maxProperties';
      return this.#add(rule, `${mustHave(schema, bounds)}, got ${keys.length}`);
    }
    const olds = isMapping(old) ? old : undefined;
    for (const key of keys) {
      const field = fields.get(key) ?? extra;
      if (typeof field === 'object') {
        const before = olds && Object.hasOwn(olds, key) ? olds[key] : NOTHING;
        this.#visitWithin(key, field, object[key], before);
      } else if (field === 'refused') {
        const message = unknownField(key, [...fields.keys()]);
        const finding = errorAt([...this.#path, key], message, UNKNOWN_FIELD);
        this.add({ ...finding, atKey: true });
      }
    }
  }

  /** Within allOf and the like, what was before does not count. */
  #combined({ combinators, schema }: Node, value: unknown): void {
    if (!combinators) return;
    const before = this.errors.length;
    for (const node of combinators.allOf) this.visit(node, value, NOTHING);
    if (this.errors.length > before) return;
    const { acceptsAny, acceptsOne, acceptsNot } = combinators;
    const { anyOf = [], oneOf = [] } = schema;
    const words = wordsOf(schema).must;
    const ask = (rule: string, accepts: Check, text: () => string): void => {
      if (this.#ask(accepts, value)) return;
      const told = words === undefined ? text() : `must be ${words}`;
      this.#add(rule, `${told}, got ${showAt(this.#path, value)}`);
    };
    ask('anyOf', acceptsAny, () => choice('anyOf', anyOf));
    ask('oneOf', acceptsOne, () => choice('oneOf', oneOf));
    ask('not', acceptsNot, () => 'must not fit the schema of not');
  }

  #rules({ rules, schema }: Node, value: unknown, old: unknown): void {
    if (!rules) return;
    const isSame = isUnchanged(schema, old, value);
    const before = old === NOTHING ? undefined : old;
    for (const { finding, usesOldSelf } of rules.findings(value, before, isSame)) {
      const isScalar = finding.severity === 'error' && typeof value !== 'object';
      const got = isScalar ? `, got ${showAt(this.#path, value)}` : '';
      const told = within(this.#path, { ...finding, message: finding.message + got });
      if (usesOldSelf) this.#lasting.add(told);
      this.add(told);
    }
  }

  /** Asks, and keeps what could not be decided. */
  #ask(accepts: Check, value: unknown): boolean {
    if (accepts(value, doubtFails)) return true;
    const doubts = new Reasons();
    const answer = accepts(value, doubts);
    for (const { rule, reason } of doubts.all()) {
      this.add(notCheckedAt([...this.#path], reason, rule));
    }
    return answer;
  }

  #add(rule: string, message: string, within: Path = []): void {
    this.error([...this.#path, ...within], message, rule);
  }
}

/** What a field that is required is told. */
function mustBeThere(field: Extra): string {
  if (field === 'refused') return 'there, and the schema declares no such field';
  return must(field === 'kept' ? {} : field.schema);
}
