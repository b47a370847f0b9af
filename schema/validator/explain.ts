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
import { searchAhead } from '../cel.ts';
import { wordsOf } from '../words.ts';
import { Reasons } from './undetermined.ts';
import { inOrder, findErrorCandidates } from './error-candidates.ts';
import { isMapping } from '../../kube/mapping.ts';
import { repetitions } from './lists.ts';
import { brokenKeyword } from './keyword.ts';
import { choice, howMany, mustBe, mustHave } from './messages.ts';
import type { Check, Extra, Node, Suspect, Suspects } from './types.ts';
import { unknownField } from './unknown-field.ts';
import { holdsRepetition, isUnchanged, oldItems } from './old.ts';

/** There is no value from before, or none that belongs to this one. */
export const NOTHING: unique symbol = Symbol('nothing');

/**
 * Goes through a value that is likely wrong, and says where and why.
 * @param suspects where alone something may be wrong; `anywhere` where there is a value before
 */
export function explain(
  node: Node,
  value: unknown,
  path: Path,
  old: unknown,
  suspects: Suspects,
): Verdict {
  const explanation = new Explanation(node, path, old);
  explanation.visit(node, value, old, suspects);
  return explanation;
}

class Explanation extends Findings {
  /** What is an error of a value that did not change, too. */
  #lasting: Set<Finding> | undefined;
  /** The whole; where a list of it before held an item twice, those of it now may. */
  readonly #root: Node;
  readonly #oldRoot: unknown;
  /** Where the next ones go: few values have any. */
  #doubts = new Reasons();
  /** Where we are; what is reported there shares it. */
  #path: Path;
  /** Whether rules are evaluated to find what is wrong, before they are evaluated to report it. */
  #searches = true;

  constructor(root: Node, path: Path, oldRoot: unknown) {
    super();
    this.#root = root;
    this.#oldRoot = oldRoot;
    this.#path = path.slice();
  }

  visit(node: Node, value: unknown, old: unknown, suspects: Suspects): void {
    const before = this.errors.length;
    this.#content(node, value, old, suspects);
    if (old !== NOTHING && this.errors.length > before && isUnchanged(node.schema, old, value)) {
      // What was wrong before and has not changed is left alone by the API server.
      const found = this.errors.splice(before);
      this.errors.push(...found.filter((one) => this.#lasting?.has(one)));
    }
    if (this.errors.length === before) this.#rules(node, value, old);
  }

  /** Most of what is around a mistake is right, and that is found out fast. */
  #visitWithin(key: string | number, node: Node, value: unknown, old: unknown): void {
    const suspects = old === NOTHING && this.#searches ? this.#search(node, value) : 'anywhere';
    if (suspects !== undefined) this.#visitAt(key, node, value, old, suspects);
  }

  #search(node: Node, value: unknown): Suspects | undefined {
    const { found, isComplete } = searchAhead(() => findErrorCandidates(node, value));
    if (isComplete) return found;
    // The rules cost too much together: each is evaluated once, to report the one that exceeds the limit.
    this.#searches = false;
    return 'anywhere';
  }

  #visitAt(
    key: string | number,
    node: Node,
    value: unknown,
    old: unknown,
    suspects: Suspects,
  ): void {
    const outer = this.#path;
    this.#path = stepped(outer, key);
    this.visit(node, value, old, suspects);
    this.#path = outer;
  }

  #content(node: Node, value: unknown, old: unknown, suspects: Suspects): void {
    const before = this.errors.length;
    if (isSelf(suspects) && !this.#ask(node.fits, value)) {
      const told = mustBe(node.schema, value) + showAt(this.#path, value);
      return this.#add(brokenKeyword(node, value), told);
    }
    if (Array.isArray(value)) this.#list(node, value, old, suspects);
    else if (isMapping(value)) this.#object(node, value, old, suspects);
    if (this.errors.length === before && value !== null) this.#combined(node, value);
  }

  #list(node: Node, list: readonly unknown[], old: unknown, suspects: Suspects): void {
    if (isSelf(suspects) && !this.#isOfLength(node, list)) return;
    const { schema, items } = node;
    const before = this.errors.length;
    if (suspects !== 'anywhere') this.#suspected(node, suspects.first);
    else if (items) {
      const olds = oldItems(schema, old);
      for (let i = 0; i < list.length; i += 1) {
        this.#visitWithin(i, items, list[i], olds?.(list[i]) ?? NOTHING);
      }
    }
    this.#repetitions(node, list, this.errors.length === before);
  }

  /** Whether a list has as many items as it must. */
  #isOfLength({ schema }: Node, { length }: readonly unknown[]): boolean {
    const { minItems = 0, maxItems = Infinity } = schema;
    if (length >= minItems && length <= maxItems) return true;
    const bounds = howMany(minItems, maxItems, 'item', 'items');
    const rule = length < minItems ? 'minItems' : 'maxItems';
    this.#add(rule, `${mustHave(schema, bounds)}, got ${length}`);
    return false;
  }

  /** The API server asks for them apart from all else, of all lists or, where some did so before, of none. */
  #repetitions({ schema, isUnique }: Node, list: readonly unknown[], isSound: boolean): void {
    if (!isUnique) return;
    const found = repetitions(schema, list);
    if (found.length === 0) return;
    if (schema['x-kubernetes-list-type'] && holdsRepetition(this.#root, this.#oldRoot)) return;
    const [key] = schema['x-kubernetes-list-map-keys'] ?? [];
    const rule = schema['x-kubernetes-list-type'] ? 'x-kubernetes-list-type' : 'uniqueItems';
    for (const { index, first, value } of found) {
      const isKey = key !== undefined && isMapping(list[index]);
      // A key that is missing is reported where it is missing.
      if (value === undefined && !isSound) continue;
      const where = isKey ? [index, key] : [index];
      const shown = showAt([...this.#path, ...where], value);
      const again = `got ${shown} again (first at [${first}])`;
      this.add({
        ...errorAt([...this.#path, ...where], `must be unique in the list, ${again}`, rule),
        about: { firstItem: first },
      });
      if (schema['x-kubernetes-list-type']) this.#keep(this.errors.at(-1)!);
    }
  }

  #object(node: Node, object: Record<string, unknown>, old: unknown, suspects: Suspects): void {
    if (isSelf(suspects) && !this.#counts(node, object)) return;
    if (suspects !== 'anywhere') return this.#suspected(node, inOrder(suspects.first, object));
    const { fields, extra } = node;
    const olds = isMapping(old) ? old : undefined;
    for (const key of Object.keys(object)) {
      const field = fields.get(key) ?? extra;
      if (typeof field === 'object') {
        const before = olds && Object.hasOwn(olds, key) ? olds[key] : NOTHING;
        this.#visitWithin(key, field, object[key], before);
      } else if (field === 'refused') this.#unknown(node, key);
    }
  }

  /** Whether an object has as many entries as it must; those it lacks are told in any case. */
  #counts({ schema, fields, extra }: Node, object: Record<string, unknown>): boolean {
    const { minProperties = 0, maxProperties = Infinity, required = [] } = schema;
    for (const name of required) {
      if (Object.hasOwn(object, name)) continue;
      this.#addAt([name], 'required', mustBeThere(fields.get(name) ?? extra));
    }
    const count = Object.keys(object).length;
    if (count >= minProperties && count <= maxProperties) return true;
    const bounds = howMany(minProperties, maxProperties, 'entry', 'entries');
    const rule = count < minProperties ? 'minProperties' : 'maxProperties';
    this.#add(rule, `${mustHave(schema, bounds)}, got ${count}`);
    return false;
  }

  /** @param around the node of the list or the object that they are in */
  #suspected(around: Node, first: Suspect | undefined): void {
    for (let one = first; one; one = one.next) {
      const { key, node, value, suspects } = one;
      if (node) this.#visitAt(key, node, value, NOTHING, suspects);
      else this.#unknown(around, key);
    }
  }

  #unknown({ fields }: Node, key: string | number): void {
    this.add(unknownField([...this.#path, key], [...fields.keys()]));
  }

  /** Within allOf and the like, what was before does not count. */
  #combined({ combinators, schema }: Node, value: unknown): void {
    if (!combinators) return;
    const before = this.errors.length;
    for (const node of combinators.allOf) this.visit(node, value, NOTHING, 'anywhere');
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
      if (usesOldSelf) this.#keep(told);
      this.add(told);
    }
  }

  #keep(finding: Finding): void {
    this.#lasting ??= new Set();
    this.#lasting.add(finding);
  }

  /** Asks, and keeps what could not be decided. */
  #ask(accepts: Check, value: unknown): boolean {
    const doubts = this.#doubts;
    const answer = accepts(value, doubts);
    if (doubts.isEmpty) return answer;
    this.#doubts = new Reasons();
    for (const { rule, reason } of doubts.all()) {
      this.add(notCheckedAt(this.#path, reason, rule));
    }
    return answer;
  }

  #add(rule: string, message: string): void {
    this.error(this.#path, message, rule);
  }

  /** Of what stands within, or would stand there. */
  #addAt(within: Path, rule: string, message: string): void {
    this.error([...this.#path, ...within], message, rule);
  }
}

/** One step further. */
function stepped(path: Path, key: string | number): Path {
  const { length } = path;
  // oxlint-disable-next-line unicorn/no-new-array -- a list that grows or is spread takes twice to thrice the time
  const further = new Array<string | number>(length + 1);
  for (let i = 0; i < length; i += 1) further[i] = path[i]!;
  further[length] = key;
  return further;
}

/** Whether something may be wrong with a value apart from what stands within. */
function isSelf(suspects: Suspects): boolean {
  return suspects === 'anywhere' || suspects.isSelf;
}

/** What a field that is required, and absent, is told. */
function mustBeThere(field: Extra): string {
  if (field === 'refused')
    return 'must be there, and the schema declares no such field, got nothing';
  return `${mustBe(field === 'kept' ? {} : field.schema)}nothing`;
}
