import {
  errorAt,
  Findings,
  notCheckedAt,
  prefixFinding,
  type Finding,
  type Verdict,
} from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import { showUnlessSecret } from '@tenantry/kube/secret';
import { evaluateAhead } from '../cel.ts';
import { readWords } from '../words.ts';
import {
  undeterminedFails,
  UndeterminedReasons,
  type Check,
  type UndeclaredFields,
  type SchemaNode,
} from './schema-node.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { findDuplicates, containsDuplicates, isUnchanged, oldItems } from './equality.ts';
import {
  brokenKeyword,
  formatChoice,
  formatCountBounds,
  formatMustBe,
  formatMustHave,
  suggestEnumValue,
  buildUnknownFieldError,
} from './messages.ts';

/** Marks that there is no old value, or none that corresponds to this value. */
export const NO_OLD_VALUE: unique symbol = Symbol('nothing');

/** Down to this depth, the validator is run on each part of an invalid value. */
const VALIDATED_DEPTH = 8;

/** Walks a value that is likely invalid, and reports where and why. */
export function explain(node: SchemaNode, value: unknown, path: Path, old: unknown): Verdict {
  const explanation = new Explanation(node, path, old);
  explanation.visit(node, value, old);
  return explanation;
}

class Explanation extends Findings {
  /** Findings that are errors even in an unchanged value. */
  #lasting: Set<Finding> | undefined;
  /** The root node. If one of its lists contained a duplicate before, its lists may contain duplicates now. */
  readonly #root: SchemaNode;
  readonly #oldRoot: unknown;
  /** Collects what cannot be determined about the next values, which is nothing for most of them. */
  #undetermined = new UndeterminedReasons();
  /** The current path; findings at this place share it. */
  #path: Path;
  /** The length of the path of the whole value. */
  readonly #start: number;
  /** Whether parts are validated before they are visited. Their rules are then evaluated twice if one fails. */
  #validatesAhead = true;

  constructor(root: SchemaNode, path: Path, oldRoot: unknown) {
    super();
    this.#root = root;
    this.#oldRoot = oldRoot;
    this.#path = path.slice();
    this.#start = path.length;
  }

  visit(node: SchemaNode, value: unknown, old: unknown): void {
    const before = this.errors.length;
    this.#content(node, value, old);
    if (
      old !== NO_OLD_VALUE &&
      this.errors.length > before &&
      isUnchanged(node.schema, old, value)
    ) {
      // The API server ignores errors in unchanged parts.
      const found = this.errors.splice(before);
      this.errors.push(...found.filter((one) => this.#lasting?.has(one)));
    }
    if (this.errors.length === before) this.#rules(node, value, old);
  }

  /** Most values around an error are valid, and the validator establishes that fast. */
  #visitWithin(key: string | number, node: SchemaNode, value: unknown, old: unknown): void {
    if (old === NO_OLD_VALUE && this.#isValidatedAhead(value) && this.#accepts(node, value)) return;
    const outer = this.#path;
    this.#path = stepped(outer, key);
    this.visit(node, value, old);
    this.#path = outer;
  }

  /**
   * Whether the validator is run on a part of the current value before it is visited. Each run on a list or an object
   * repeats work of the runs above it, so deep in a value it runs only at depths that are powers of two.
   */
  #isValidatedAhead(value: unknown): boolean {
    if (!this.#validatesAhead) return false;
    const depth = this.#path.length - this.#start;
    return typeof value !== 'object' || depth < VALIDATED_DEPTH || (depth & (depth - 1)) === 0;
  }

  /** Whether a value is certainly valid. */
  #accepts(node: SchemaNode, value: unknown): boolean {
    const { value: isValid, isComplete } = evaluateAhead(() =>
      node.quick(value, undeterminedFails),
    );
    // The rules cost too much together: each is evaluated once, to report the one that exceeds the limit.
    if (!isComplete) this.#validatesAhead = false;
    return isValid && isComplete;
  }

  #content(node: SchemaNode, value: unknown, old: unknown): void {
    const before = this.errors.length;
    if (!this.#check(node.fits, value)) {
      const got = showUnlessSecret(this.#path, value) + suggestEnumValue(node.schema, value);
      const message = formatMustBe(node.schema, value) + got;
      return this.#add(brokenKeyword(node, value), message);
    }
    if (Array.isArray(value)) this.#list(node, value, old);
    else if (isMapping(value)) this.#object(node, value, old);
    if (this.errors.length === before && value !== null) this.#combined(node, value);
  }

  #list(node: SchemaNode, list: readonly unknown[], old: unknown): void {
    if (!this.#isOfLength(node, list)) return;
    const { schema, items } = node;
    const before = this.errors.length;
    if (items) {
      const olds = oldItems(schema, old);
      for (let i = 0; i < list.length; i += 1) {
        this.#visitWithin(i, items, list[i], olds?.(list[i]) ?? NO_OLD_VALUE);
      }
    }
    this.#repetitions(node, list, this.errors.length === before);
  }

  /** Whether a list has an allowed number of items; reports an error if not. */
  #isOfLength({ schema }: SchemaNode, { length }: readonly unknown[]): boolean {
    const { minItems = 0, maxItems = Infinity } = schema;
    if (length >= minItems && length <= maxItems) return true;
    const bounds = formatCountBounds(minItems, maxItems, 'item', 'items');
    const rule = length < minItems ? 'minItems' : 'maxItems';
    this.#add(rule, `${formatMustHave(schema, bounds)}, got ${length}`);
    return false;
  }

  /**
   * Reports duplicates. The API server checks them separately: in all lists, or in none if a list had duplicates
   * before.
   */
  #repetitions({ schema, isUnique }: SchemaNode, list: readonly unknown[], isSound: boolean): void {
    if (!isUnique) return;
    const found = findDuplicates(schema, list);
    if (found.length === 0) return;
    if (schema['x-kubernetes-list-type'] && containsDuplicates(this.#root, this.#oldRoot)) return;
    const [key] = schema['x-kubernetes-list-map-keys'] ?? [];
    const rule = schema['x-kubernetes-list-type'] ? 'x-kubernetes-list-type' : 'uniqueItems';
    for (const { index, first, value } of found) {
      const isKey = key !== undefined && isMapping(list[index]);
      // A missing key is reported at its own place.
      if (value === undefined && !isSound) continue;
      const where = isKey ? [index, key] : [index];
      const shown = showUnlessSecret([...this.#path, ...where], value);
      const again = `got ${shown} again (first at [${first}])`;
      this.add({
        ...errorAt([...this.#path, ...where], `must be unique in the list, ${again}`, rule),
        about: { firstItem: first },
      });
      if (schema['x-kubernetes-list-type']) this.#keep(this.errors.at(-1)!);
    }
  }

  #object(node: SchemaNode, object: Record<string, unknown>, old: unknown): void {
    if (!this.#counts(node, object)) return;
    const { fields, extra } = node;
    const olds = isMapping(old) ? old : undefined;
    for (const key of Object.keys(object)) {
      const field = fields.get(key) ?? extra;
      if (typeof field === 'object') {
        const before = olds && Object.hasOwn(olds, key) ? olds[key] : NO_OLD_VALUE;
        this.#visitWithin(key, field, object[key], before);
      } else if (field === 'refused') {
        this.add(buildUnknownFieldError([...this.#path, key], [...fields.keys()]));
      }
    }
  }

  /** Whether an object has an allowed number of entries. Missing fields are reported in any case. */
  #counts({ schema, fields, extra }: SchemaNode, object: Record<string, unknown>): boolean {
    const { minProperties = 0, maxProperties = Infinity, required = [] } = schema;
    for (const name of required) {
      if (Object.hasOwn(object, name)) continue;
      const message = formatRequired(fields.get(name) ?? extra);
      this.addError([...this.#path, name], message, 'required');
    }
    const count = Object.keys(object).length;
    if (count >= minProperties && count <= maxProperties) return true;
    const bounds = formatCountBounds(minProperties, maxProperties, 'entry', 'entries');
    const rule = count < minProperties ? 'minProperties' : 'maxProperties';
    this.#add(rule, `${formatMustHave(schema, bounds)}, got ${count}`);
    return false;
  }

  /** Checks allOf and the like, in which the old value does not count. */
  #combined({ combinators, schema }: SchemaNode, value: unknown): void {
    if (!combinators) return;
    const before = this.errors.length;
    for (const node of combinators.allOf) this.visit(node, value, NO_OLD_VALUE);
    if (this.errors.length > before) return;
    const { acceptsAny, acceptsOne, acceptsNot } = combinators;
    const { anyOf = [], oneOf = [] } = schema;
    const words = readWords(schema).must;
    const check = (rule: string, accepts: Check, text: () => string): void => {
      if (this.#check(accepts, value)) return;
      const message = words === undefined ? text() : `must be ${words}`;
      this.#add(rule, `${message}, got ${showUnlessSecret(this.#path, value)}`);
    };
    check('anyOf', acceptsAny, () => formatChoice('anyOf', anyOf));
    check('oneOf', acceptsOne, () => formatChoice('oneOf', oneOf));
    check('not', acceptsNot, () => 'must not fit the schema of not');
  }

  #rules({ rules, schema }: SchemaNode, value: unknown, old: unknown): void {
    if (!rules) return;
    const isSame = isUnchanged(schema, old, value);
    const before = old === NO_OLD_VALUE ? undefined : old;
    for (const { finding, usesOldSelf } of rules.findings(value, before, isSame)) {
      const isScalar = finding.severity === 'error' && typeof value !== 'object';
      const got = isScalar ? `, got ${showUnlessSecret(this.#path, value)}` : '';
      const located = prefixFinding(this.#path, { ...finding, message: finding.message + got });
      if (usesOldSelf) this.#keep(located);
      this.add(located);
    }
  }

  #keep(finding: Finding): void {
    this.#lasting ??= new Set();
    this.#lasting.add(finding);
  }

  /** Runs a check, and reports what it could not determine. */
  #check(accepts: Check, value: unknown): boolean {
    const undetermined = this.#undetermined;
    const answer = accepts(value, undetermined);
    if (undetermined.isEmpty) return answer;
    this.#undetermined = new UndeterminedReasons();
    for (const { rule, reason } of undetermined.all()) {
      this.add(notCheckedAt(this.#path, reason, rule));
    }
    return answer;
  }

  #add(rule: string, message: string): void {
    this.addError(this.#path, message, rule);
  }
}

/** Extends a path by one step. */
function stepped(path: Path, key: string | number): Path {
  const { length } = path;
  // oxlint-disable-next-line unicorn/no-new-array -- a list that grows or is spread takes twice to thrice the time
  const further = new Array<string | number>(length + 1);
  for (let i = 0; i < length; i += 1) further[i] = path[i]!;
  further[length] = key;
  return further;
}

/** Formats the message for a required field that is absent. */
function formatRequired(field: UndeclaredFields): string {
  if (field === 'refused')
    return 'must be present, but the schema declares no such field, got nothing';
  return `${formatMustBe(field === 'kept' ? {} : field.schema)}nothing`;
}
