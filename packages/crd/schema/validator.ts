import { errorAt, type Verdict } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import { OUT_OF_BUDGET, withinObjectLimit } from './cel.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import {
  undeterminedFails,
  undeterminedPasses,
  type Undetermined,
} from './validator/schema-node.ts';
import { explain, NO_OLD_VALUE } from './validator/explain.ts';
import { jitCompile } from './validator/code.ts';
import { getNode } from './validator/node.ts';

export { findContradiction } from './validator/contradiction.ts';
export { UNKNOWN_FIELD } from './validator/messages.ts';

/** Options of `compileSchema`. */
export interface ValidatorOptions {
  /**
   * Whether the value is a whole Kubernetes object: it has an apiVersion, a kind and metadata, which the schema need
   * not declare. @default false
   */
  readonly root?: boolean;
}

/** A schema that is compiled to validate many values. */
export interface Validator {
  /** Whether the value has no error, apart from what cannot be decided here. The fastest method. */
  accepts(value: unknown): boolean;
  /**
   * Returns all errors, in the order of the document, and what could not be decided; there are no warnings. The rule of
   * a finding is the schema keyword that the value breaks (`type`, `required`, `x-kubernetes-validations`), or
   * `unknown-field` for a field that the schema does not declare. With an old value, transition rules are evaluated
   * too, and errors in unchanged parts are not reported.
   */
  check(value: unknown, options?: { readonly path?: Path; readonly oldValue?: unknown }): Verdict;
}

/**
 * The number of validations after which code is generated for a schema: generating it takes as long as that many
 * validations.
 */
const JIT_THRESHOLD = 200;

const NOTHING_WRONG: Verdict = { errors: [], warnings: [], notChecked: [] };

/**
 * Compiles the validator of a schema. It reports what the API server refuses in a value, after nulls are dropped and
 * defaults filled in. Each schema object is compiled once and must not be changed afterwards. The validator never
 * throws, whatever the value.
 *
 * Source: Kubernetes 1.36, k8s.io/apiextensions-apiserver and k8s.io/kube-openapi
 *
 * @example
 * ```ts
 * import { compileSchema, integer, object } from '@tenantry/crd/schema';
 *
 * const validator = compileSchema(object('A box.', { size: integer('How big.', { minimum: 1 }) }));
 * console.log(validator.accepts({ size: 3 })); // true
 * console.log(validator.accepts({ size: 0 })); // false
 * ```
 */
export function compileSchema(schema: JSONSchemaProps, options: ValidatorOptions = {}): Validator {
  const node = getNode(schema, 'strict', options.root);
  const isAccepted = (value: unknown, undetermined: Undetermined): boolean => {
    node.calls += 1;
    if (node.calls === JIT_THRESHOLD) jitCompile(node);
    const { value: isValid, isComplete } = withinObjectLimit(() => node.quick(value, undetermined));
    // If the budget did not suffice for all rules, the result of the rules after the evaluated ones is unknown.
    return isValid && isComplete;
  };
  return {
    accepts: (value) => isAccepted(value, undeterminedPasses),
    check(value, { path = [], oldValue = NO_OLD_VALUE } = {}) {
      if (oldValue === NO_OLD_VALUE && isAccepted(value, undeterminedFails)) return NOTHING_WRONG;
      const explained = withinObjectLimit(() => explain(node, value, path, oldValue));
      return addBudgetError(explained, path);
    },
  };
}

/** Adds the error of an exhausted cost budget to a verdict without errors. */
function addBudgetError(
  { value, isComplete }: { readonly value: Verdict; readonly isComplete: boolean },
  path: Path,
): Verdict {
  if (isComplete || value.errors.length > 0) return value;
  return { ...value, errors: [errorAt(path, OUT_OF_BUDGET, 'x-kubernetes-validations')] };
}
