import type { JSONSchemaProps, ValidationRule } from '../jsonschema.ts';
import { checkTypes } from './check.ts';
import { childrenOf, type Node } from './expression.ts';
import { BrokenExpression, Failure, NotChecked } from './failure.ts';
import { checkLiterals } from './literals.ts';
import { parse } from './parse.ts';
import { plan } from './plan.ts';
import type { Read } from './rawjson.ts';
import type { Slots, Step } from './iteration.ts';
import { readerOf, rootReaderOf } from './schemavalue.ts';
import { typeOfSchema } from './schematype.ts';
import { optional, formatType, type Type } from './type.ts';
import { Optional } from './value.ts';
import { wordingErrors, type RuleError } from './rulewording.ts';

export type { RuleError } from './rulewording.ts';

export interface CompileOptions {
  /** The schema is that of a whole resource: its name and kind are there whatever it says. */
  readonly root?: boolean;
}

/** What a rule says of a value. */
export type RuleVerdict =
  | { readonly ok: true }
  /** The message is the API server's, without the path and the value that it puts before. */
  | { readonly ok: false; readonly message: string }
  | { readonly notChecked: string };

/** One rule of a schema, ready to be asked. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Why the API server refuses the rule. */
  readonly errors: readonly RuleError[];
  /** Why nothing is said of the rule, or of its message. */
  readonly notChecked?: string;
  /** The rule asks for the value before: it is a transition rule. */
  readonly usesOldSelf: boolean;
  /** Throws nothing, whatever the values; `null` is never asked about. */
  evaluate(self: unknown, oldSelf?: unknown): RuleVerdict;
}

interface Compiled {
  readonly node?: Node;
  readonly error?: string;
  readonly notChecked?: string;
}

type Known = WeakMap<JSONSchemaProps, WeakMap<ValidationRule, CompiledRule>>;

const known: { readonly root: Known; readonly inner: Known } = {
  root: new WeakMap(),
  inner: new WeakMap(),
};

/**
 * Compiles a rule of a schema as the API server of Kubernetes 1.36 does: its syntax, its types, and
 * what else it must have. Compiled once for each schema and rule. What it costs is not estimated.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
 */
export function compileRule(
  rule: ValidationRule,
  schema: JSONSchemaProps,
  options: CompileOptions = {},
): CompiledRule {
  const ofKind = options.root ? known.root : known.inner;
  let rules = ofKind.get(schema);
  if (!rules) ofKind.set(schema, (rules = new WeakMap()));
  let compiled = rules.get(rule);
  if (!compiled) rules.set(rule, (compiled = new Rule(rule, schema, options.root === true)));
  return compiled;
}

/** The rules of one node of a schema, in their order. */
export function compileRules(
  schema: JSONSchemaProps,
  options: CompileOptions = {},
): readonly CompiledRule[] {
  return (schema['x-kubernetes-validations'] ?? []).map((rule) =>
    compileRule(rule, schema, options),
  );
}

/** The API server takes no longer message from an expression. */
const LONGEST_MESSAGE = 5120;
const VARIABLES = ['self', 'oldSelf'];

class Rule implements CompiledRule {
  readonly rule: ValidationRule;
  readonly errors: readonly RuleError[];
  readonly notChecked?: string;
  readonly usesOldSelf: boolean;
  readonly #schema: JSONSchemaProps;
  readonly #isRoot: boolean;
  readonly #condition: Compiled;
  readonly #message: Compiled;
  #step: Step | undefined;
  #messageStep: Step | undefined;
  #read: Read | undefined;

  constructor(rule: ValidationRule, schema: JSONSchemaProps, isRoot: boolean) {
    this.rule = rule;
    this.#schema = schema;
    this.#isRoot = isRoot;
    const wording = wordingErrors(rule, schema);
    const type = typeOfSchema(schema, isRoot);
    const isReady = wording.length === 0;
    this.#condition = isReady ? compile(rule.rule, 'bool', type, rule) : {};
    const { messageExpression } = rule;
    const hasMessage = this.#condition.node !== undefined && messageExpression;
    this.#message = hasMessage ? compile(messageExpression, 'string', type, rule) : {};
    this.usesOldSelf = this.#condition.node !== undefined && names(this.#condition.node, 'oldSelf');
    this.errors = [...wording, ...this.#compileErrors()];
    const notChecked = this.#condition.notChecked ?? this.#message.notChecked;
    if (notChecked !== undefined) this.notChecked = notChecked;
  }

  *#compileErrors(): Iterable<RuleError> {
    const { error, node } = this.#condition;
    if (error !== undefined) yield { field: 'rule', message: error };
    if (this.#message.error !== undefined) {
      yield { field: 'messageExpression', message: this.#message.error };
    }
    if (node && this.rule.optionalOldSelf !== undefined && !this.usesOldSelf) {
      const message = 'must be absent where the rule does not ask for oldSelf';
      yield { field: 'optionalOldSelf', message: `${message}, got ${this.rule.optionalOldSelf}` };
    }
  }

  evaluate(self: unknown, oldSelf?: unknown): RuleVerdict {
    const [first] = this.errors;
    if (first) return { notChecked: `the ${first.field} ${first.message}` };
    const { node, notChecked } = this.#condition;
    if (!node) return { notChecked: notChecked! };
    const isNew = oldSelf === undefined || oldSelf === null;
    if (self === undefined || self === null) return { ok: true };
    if (this.usesOldSelf && isNew && !this.rule.optionalOldSelf) return { ok: true };
    try {
      const slots = this.#slots(self, isNew ? undefined : oldSelf);
      if ((this.#step ??= plan(node, VARIABLES))(slots) === true) return { ok: true };
      return { ok: false, message: this.#messageOf(slots) };
    } catch (error) {
      if (error instanceof NotChecked) return { notChecked: error.message };
      if (error instanceof Failure) return { ok: false, message: this.#failed(error.message) };
      throw error;
    }
  }

  #slots(self: unknown, oldSelf: unknown): Slots {
    this.#read ??= this.#isRoot ? rootReaderOf(this.#schema) : readerOf(this.#schema);
    const slots: Slots = [this.#read(self), undefined];
    if (!this.usesOldSelf) return slots;
    const old = oldSelf === undefined ? undefined : this.#read(oldSelf);
    slots[1] = this.rule.optionalOldSelf ? new Optional(old) : old;
    return slots;
  }

  #failed(failure: string): string {
    const what = this.rule.message?.trim() || this.rule.rule.trim();
    if (!failure.startsWith('no such overload')) return `${failure} evaluating rule: ${what}`;
    const why = 'call arguments did not match a supported operator, function or macro signature';
    return `'${failure}': ${why} for rule: ${what}`;
  }

  #messageOf(slots: Slots): string {
    const { message, rule } = this.rule;
    return this.#expressed(slots) ?? (message ? message.trim() : `failed rule: ${rule.trim()}`);
  }

  /** Undefined where the expression gives no message that can be told. */
  #expressed(slots: Slots): string | undefined {
    const { node } = this.#message;
    if (!node) return undefined;
    try {
      const text = (this.#messageStep ??= plan(node, VARIABLES))(slots);
      const trimmed = typeof text === 'string' ? text.trim() : '';
      const isLong = new TextEncoder().encode(trimmed).length > LONGEST_MESSAGE;
      return trimmed === '' || trimmed.includes('\n') || isLong ? undefined : trimmed;
    } catch (error) {
      if (error instanceof Failure || error instanceof NotChecked) return undefined;
      throw error;
    }
  }
}

/** The expression, checked against the type that it must be of. */
function compile(
  text: string,
  wanted: 'bool' | 'string',
  self: Type | undefined,
  rule: ValidationRule,
): Compiled {
  if (!self) return { error: 'must stand at a value whose type CEL can tell, got one of any type' };
  const oldSelf = rule.optionalOldSelf ? optional(self) : self;
  try {
    const node = parse(text);
    const type = checkTypes(
      node,
      new Map([
        ['self', self],
        ['oldSelf', oldSelf],
      ]),
    );
    checkLiterals(node);
    if (type.kind === wanted) return { node };
    return { error: `must be CEL that gives a ${wanted}, got one that gives ${formatType(type)}` };
  } catch (error) {
    if (error instanceof NotChecked) return { notChecked: `${error.message}: ${text.trim()}` };
    if (!(error instanceof BrokenExpression)) throw error;
    return {
      error: `must be CEL without mistakes, got one at ${place(text, error.at)}: it ${error.message}`,
    };
  }
}

/** `line:column`, from 1. */
function place(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

function names(node: Node, name: string): boolean {
  if (node.kind === 'ident' && node.name.replace(/^\./, '') === name) return true;
  return childrenOf(node).some((child) => names(child, name));
}
