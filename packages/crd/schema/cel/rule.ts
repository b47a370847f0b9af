import type { JSONSchemaProps, ValidationRule } from '../json-schema.ts';
import { errorAt, notCheckedAt, type Finding, type Verdict } from '@tenantry/kube/finding';
import { compile, type CompiledExpression } from './compile.ts';
import { estimate, type Estimate } from './cost/estimate.ts';
import { SchemaSize, type BoundOverrides } from './cost/size.ts';
import { findField, validateRuleFields } from './rule-fields.ts';
import { listChildren, type ExpressionNode } from './expression.ts';
import { Failure, Undecided } from './failure.ts';
import { kubernetes } from './library.ts';
import { plan } from './plan.ts';
import type { JsonReader } from './schema-collections.ts';
import type { Slots, Step } from './steps.ts';
import {
  beginEvaluation,
  charge,
  costSoFar,
  CostExceeded,
  endEvaluations,
  mayEvaluate,
} from './spending.ts';
import { getReader, createRootReader } from './schema-value.ts';
import { typeOfSchema } from './schema-type.ts';
import { optional, type Type } from './type.ts';
import { Optional } from './value.ts';

interface CompileOptions {
  /** The schema is that of a whole resource: its name and kind are visible even if the schema does not declare them. */
  readonly root?: boolean;
  /**
   * The schema for compilation and cost estimates, where the API server uses another one for them. Such a rule must not
   * be evaluated, and it is compiled again each time.
   */
  readonly as?: JSONSchemaProps | undefined;
}

/** The API server's cost estimate of a rule, in units of about 50 nanoseconds. */
interface RuleEstimate {
  /** The cost of one evaluation. */
  readonly rule: Estimate;
  /** The cost of computing the message; undefined if no expression computes it or the cost is unknown. */
  readonly messageExpression: Estimate | undefined;
  /** How many values of the schema fit into one request. */
  readonly count: bigint;
}

/**
 * A compiled rule of a schema. It is itself the verdict on the rule: why the API server refuses the rule, and why the
 * rule or its message was not checked. Paths are relative to the rule.
 */
export interface CompiledRule extends Verdict {
  readonly rule: ValidationRule;
  /** Whether the rule uses the old value: it is then a transition rule. */
  readonly usesOldSelf: boolean;
  /**
   * Evaluates the rule for a value. Returns undefined if the rule is true, an error at the field that the rule names,
   * or the reason why the rule was not evaluated. The error message is the API server's, without the path and the value
   * that the server puts before it. Never throws, whatever the values. Do not call it with `null`.
   */
  evaluate(self: unknown, oldSelf?: unknown): Finding | undefined;
  /**
   * Returns the API server's cost estimate of the rule; undefined if the rule is broken or was not parsed. With other
   * bounds, returns the cost that the rule would have if the schemas had those bounds.
   */
  estimate(others?: BoundOverrides): RuleEstimate | undefined;
}

type Known = WeakMap<JSONSchemaProps, WeakMap<ValidationRule, CompiledRule>>;

const known: { readonly root: Known; readonly inner: Known } = {
  root: new WeakMap(),
  inner: new WeakMap(),
};

/**
 * Compiles a rule of a schema as the API server of Kubernetes 1.36 does: it checks syntax, types and further
 * requirements. Compiles once for each schema and rule.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
 */
export function compileRule(
  rule: ValidationRule,
  schema: JSONSchemaProps,
  options: CompileOptions = {},
): CompiledRule {
  const { root = false, as } = options;
  if (as) return new Rule(rule, schema, { root, as });
  const ofKind = root ? known.root : known.inner;
  let rules = ofKind.get(schema);
  if (!rules) ofKind.set(schema, (rules = new WeakMap()));
  let compiled = rules.get(rule);
  if (!compiled) rules.set(rule, (compiled = new Rule(rule, schema, { root, as: schema })));
  return compiled;
}

/** Compiles the rules of one node of a schema, in order. */
export function compileRules(
  schema: JSONSchemaProps,
  options: CompileOptions = {},
): readonly CompiledRule[] {
  return (schema['x-kubernetes-validations'] ?? []).map((rule) =>
    compileRule(rule, schema, options),
  );
}

/** The longest message, in characters, that the API server accepts from an expression. */
const MAX_MESSAGE_LENGTH = 5120;
const NO_FURTHER = 'no further validation rules will be run';
export const OUT_OF_BUDGET = `validation failed due to running out of cost budget, ${NO_FURTHER}`;
const VARIABLES = ['self', 'oldSelf'];
const RULES = 'x-kubernetes-validations';

class Rule implements CompiledRule {
  readonly rule: ValidationRule;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[] = [];
  readonly notChecked: readonly Finding[];
  readonly usesOldSelf: boolean;
  readonly #schema: JSONSchemaProps;
  readonly #as: JSONSchemaProps;
  readonly #isRoot: boolean;
  readonly #condition: CompiledExpression;
  readonly #message: CompiledExpression;
  #step: Step | undefined;
  #messageStep: Step | undefined;
  #read: JsonReader | undefined;

  constructor(
    rule: ValidationRule,
    schema: JSONSchemaProps,
    { root, as }: { readonly root: boolean; readonly as: JSONSchemaProps },
  ) {
    this.rule = rule;
    this.#schema = schema;
    this.#as = as;
    this.#isRoot = root;
    const wording = validateRuleFields(rule, schema);
    const type = typeOfSchema(as, root);
    const isReady = wording.length === 0;
    this.#condition = isReady ? compileExpression(rule.rule, 'bool', type, rule) : {};
    const { messageExpression } = rule;
    const hasMessage = this.#condition.node !== undefined && messageExpression;
    this.#message = hasMessage ? compileExpression(messageExpression, 'string', type, rule) : {};
    this.usesOldSelf =
      this.#condition.node !== undefined && usesVariable(this.#condition.node, 'oldSelf');
    this.errors = [...wording, ...this.#compileErrors()];
    const reason = this.#condition.notChecked ?? this.#message.notChecked;
    const message = `must be CEL that the API server takes (${reason})`;
    this.notChecked = reason === undefined ? [] : [notCheckedAt(['rule'], message, 'cel')];
  }

  *#compileErrors(): Iterable<Finding> {
    const { error, notChecked } = this.#condition;
    const { optionalOldSelf } = this.rule;
    if (error !== undefined) yield errorAt(['rule'], error, 'cel-rule');
    if (this.#message.error !== undefined) {
      yield errorAt(['messageExpression'], this.#message.error, 'cel-message-expression');
    }
    if (optionalOldSelf !== undefined && !this.usesOldSelf && notChecked === undefined) {
      const message = `must be absent, since the rule does not use oldSelf, got ${optionalOldSelf}`;
      yield errorAt(['optionalOldSelf'], message, 'cel-optional-old-self');
    }
  }

  evaluate(self: unknown, oldSelf?: unknown): Finding | undefined {
    const [first] = this.errors;
    if (first) return notCheckedAt([], `the ${first.path[0]} ${first.message}`, RULES);
    const { node, notChecked = '' } = this.#condition;
    if (!node) return notCheckedAt([], notChecked, RULES);
    const isNew = oldSelf === undefined || oldSelf === null;
    if (self === undefined || self === null) return undefined;
    if (this.usesOldSelf && isNew && !this.rule.optionalOldSelf) return undefined;
    if (!mayEvaluate()) return undefined;
    try {
      const slots = this.#slots(self, isNew ? undefined : oldSelf);
      beginEvaluation();
      const isTrue = (this.#step ??= plan(node, VARIABLES))(slots) === true;
      if (!charge(costSoFar())) return this.#broken(OUT_OF_BUDGET);
      return isTrue ? undefined : this.#broken(this.#formatMessage(slots));
    } catch (error) {
      if (error instanceof Undecided) return notCheckedAt([], error.message, RULES);
      if (error instanceof CostExceeded) return this.#broken(this.#exceeded(error.message));
      if (!(error instanceof Failure)) throw error;
      return this.#broken(charge(costSoFar()) ? this.#failed(error.message) : OUT_OF_BUDGET);
    }
  }

  estimate(others?: BoundOverrides): RuleEstimate | undefined {
    const [{ node }, message] = [this.#condition, this.#message.node];
    if (!node) return undefined;
    const size = new SchemaSize(this.#as, this.#isRoot, others);
    return {
      rule: estimate(node, size),
      messageExpression: message && estimate(message, size),
      count: size.count,
    };
  }

  #broken(message: string): Finding {
    const { fieldPath } = this.rule;
    const field = fieldPath ? findField(fieldPath, this.#schema, { brackets: true }) : undefined;
    return errorAt(field && 'names' in field ? field.names : [], message, RULES);
  }

  #slots(self: unknown, oldSelf: unknown): Slots {
    this.#read ??= this.#isRoot ? createRootReader(this.#schema) : getReader(this.#schema);
    const slots: Slots = [this.#read(self), undefined];
    if (!this.usesOldSelf) return slots;
    const old = oldSelf === undefined ? undefined : this.#read(oldSelf);
    slots[1] = this.rule.optionalOldSelf ? new Optional(old) : old;
    return slots;
  }

  #exceeded(message: string): string {
    if (!charge(costSoFar())) return OUT_OF_BUDGET;
    endEvaluations();
    return `'${message}': ${NO_FURTHER} due to call cost exceeds limit for rule: ${this.#described()}`;
  }

  /** Describes the rule as the API server does when it cannot evaluate the rule. */
  #described(): string {
    return this.rule.message?.trim() || this.rule.rule.trim();
  }

  #failed(failure: string): string {
    const what = this.#described();
    if (!failure.startsWith('no such overload')) return `${failure} evaluating rule: ${what}`;
    const why = 'call arguments did not match a supported operator, function or macro signature';
    return `'${failure}': ${why} for rule: ${what}`;
  }

  #formatMessage(slots: Slots): string {
    const { message, rule } = this.rule;
    return this.#expressed(slots) ?? (message ? message.trim() : `failed rule: ${rule.trim()}`);
  }

  /** Computes the message from its expression; undefined if the result cannot be reported. */
  #expressed(slots: Slots): string | undefined {
    const { node } = this.#message;
    if (!node) return undefined;
    try {
      beginEvaluation();
      const text = (this.#messageStep ??= plan(node, VARIABLES))(slots);
      charge(costSoFar());
      const trimmed = typeof text === 'string' ? text.trim() : '';
      const isLong = new TextEncoder().encode(trimmed).length > MAX_MESSAGE_LENGTH;
      return trimmed === '' || trimmed.includes('\n') || isLong ? undefined : trimmed;
    } catch (error) {
      if (error instanceof CostExceeded) {
        endEvaluations();
        const what = JSON.stringify(this.rule.messageExpression);
        return `${NO_FURTHER} due to call cost exceeds limit for messageExpression: ${what}`;
      }
      if (!(error instanceof Failure || error instanceof Undecided)) throw error;
      charge(costSoFar());
      return undefined;
    }
  }
}

/** Compiles the expression and checks that it has the required type. */
function compileExpression(
  text: string,
  wanted: 'bool' | 'string',
  self: Type | undefined,
  rule: ValidationRule,
): CompiledExpression {
  if (!self) return { error: 'must be at a value whose type CEL knows, got one of any type' };
  const oldSelf = rule.optionalOldSelf ? optional(self) : self;
  const variables = new Map([
    ['self', self],
    ['oldSelf', oldSelf],
  ]);
  return compile(text, wanted, variables, kubernetes);
}

function usesVariable(node: ExpressionNode, name: string): boolean {
  if (node.kind === 'ident' && node.name.replace(/^\./, '') === name) return true;
  return listChildren(node).some((child) => usesVariable(child, name));
}
