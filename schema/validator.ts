import { errorAt, type Verdict } from '../kube/finding.ts';
import type { Path } from '../kube/problem.ts';
import { OUT_OF_BUDGET, withinObjectLimit } from './cel.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import {
  undeterminedFails,
  undeterminedPasses,
  type Undetermined,
} from './validator/undetermined.ts';
import { explain, NO_OLD_VALUE } from './validator/explain.ts';
import { jitCompile } from './validator/code.ts';
import { getNode } from './validator/node.ts';
import { jitCompileSearch } from './validator/search.ts';
import type { SchemaNode, ErrorCandidates } from './validator/types.ts';

export { UNKNOWN_FIELD } from './validator/keyword.ts';

/** What the values are. */
export interface ValidatorOptions {
  /**
   * The value is a whole object of Kubernetes: it has an apiVersion, a kind and metadata, which the
   * schema need not declare. @default - false
   */
  readonly root?: boolean;
}

/** A schema that was made ready for many values. */
export interface Validator {
  /** Whether nothing is wrong, apart from what cannot be decided here. The fastest question. */
  accepts(value: unknown): boolean;
  /**
   * Everything that is wrong, in the order of the document, and what was not decided; there are no
   * warnings. The rule of a finding is the keyword of the schema that is not kept, as it is spelled
   * (`type`, `required`, `x-kubernetes-validations`), and `unknown-field` for a field that the schema
   * does not declare. With the value before, rules about the change are asked, and what was wrong
   * before and did not change is no error.
   */
  check(value: unknown, options?: { readonly path?: Path; readonly oldValue?: unknown }): Verdict;
}

/** Code is made for schemas that are asked this often: making it takes as long as so many answers. */
const JIT_THRESHOLD = 200;

const NOTHING_WRONG: Verdict = { errors: [], warnings: [], notChecked: [] };

/**
 * The validator of a schema: what the API server asks of a value after it has dropped nulls and
 * filled in defaults. Made once for each schema object, which must not be changed afterwards. It
 * never throws, whatever the value.
 *
 * Source: Kubernetes 1.36, k8s.io/apiextensions-apiserver and k8s.io/kube-openapi
 *
 * @example
 * ```ts
 * import { compileSchema, integer, object } from 'tenantry/schema';
 *
 * const validator = compileSchema(object('A box.', { size: integer('How big.', { minimum: 1 }) }));
 * console.log(validator.accepts({ size: 3 })); // true
 * console.log(validator.accepts({ size: 0 })); // false
 * ```
 */
export function compileSchema(schema: JSONSchemaProps, options: ValidatorOptions = {}): Validator {
  const node = getNode(schema, 'strict', options.root);
  const explained = (
    value: unknown,
    path: Path,
    old: unknown,
    suspects: ErrorCandidates,
  ): Verdict =>
    addBudgetError(
      withinObjectLimit(() => explain(node, value, path, old, suspects)),
      path,
    );
  return {
    accepts(value) {
      const { value: isValid, isComplete } = withinObjectLimit(() =>
        isAccepted(node, value, undeterminedPasses),
      );
      return isValid && isComplete;
    },
    check(value, { path = [], oldValue = NO_OLD_VALUE } = {}) {
      if (oldValue !== NO_OLD_VALUE) return explained(value, path, oldValue, 'anywhere');
      const { value: suspects, isComplete } = withinObjectLimit(() => searchErrors(node, value));
      // Where too little was left for all rules, what is beyond those that were evaluated is unknown.
      if (!isComplete) return explained(value, path, NO_OLD_VALUE, 'anywhere');
      return suspects === undefined
        ? NOTHING_WRONG
        : explained(value, path, NO_OLD_VALUE, suspects);
    },
  };
}

/** What is said of a value, also where that it costs too much was found on the way to another answer. */
function addBudgetError(
  { value, isComplete }: { readonly value: Verdict; readonly isComplete: boolean },
  path: Path,
): Verdict {
  if (isComplete || value.errors.length > 0) return value;
  return { ...value, errors: [errorAt(path, OUT_OF_BUDGET, 'x-kubernetes-validations')] };
}

function isAccepted(node: SchemaNode, value: unknown, doubts: Undetermined): boolean {
  node.asked += 1;
  if (node.asked === JIT_THRESHOLD) jitCompile(node);
  return node.quick(value, doubts);
}

/** Where a value may be wrong; undefined where it is valid beyond doubt. */
function searchErrors(node: SchemaNode, value: unknown): ErrorCandidates | undefined {
  if (node.search) return node.search(value, undeterminedFails);
  if (isAccepted(node, value, undeterminedFails)) return undefined;
  node.refused += 1;
  if (node.refused === JIT_THRESHOLD) jitCompileSearch(node);
  return 'anywhere';
}
