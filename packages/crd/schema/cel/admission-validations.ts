import { checkTypes } from './check.ts';
import { ComputedMap, ComputedList } from './collection.ts';
import { Failure } from './failure.ts';
import type { Step } from './steps.ts';
import { parse } from './parse.ts';
import { plan } from './plan.ts';
import { DYN } from './type.ts';
import type { Value } from './value.ts';

/** The CEL of a ValidatingAdmissionPolicy: its variables and validations. */
interface AdmissionValidations {
  /** CEL by variable name. Each variable can use those before it. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** CEL that must be true, and CEL of the message if it is not. */
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

/** An object that is created, and its namespace. */
interface AdmittedObject {
  readonly object: object;
  readonly namespaceObject: object;
}

const scope = ['object', 'namespaceObject', 'variables'];
const types = new Map(scope.map((name) => [name, DYN]));

interface Compiled {
  readonly variables: readonly (readonly [name: string, Step])[];
  readonly validations: readonly { readonly condition: Step; readonly message: Step }[];
}

/** Evaluates the validations of a ValidatingAdmissionPolicy without an API server. Compiles them once. */
export class AdmissionEvaluator {
  readonly #compiled: Compiled;

  /** @throws {Error} for an expression that is no CEL */
  constructor({ variables = {}, validations }: AdmissionValidations) {
    this.#compiled = {
      variables: Object.entries(variables).map(([name, text]) => [name, compiled(text)]),
      validations: validations.map(({ expression, message }) => ({
        condition: compiled(expression),
        message: compiled(message),
      })),
    };
  }

  /** Returns the message of the first validation that fails; undefined if all pass. */
  findViolation({ object, namespaceObject }: AdmittedObject): string | undefined {
    const known: [string, Value][] = [];
    const run = (step: Step): Value =>
      step([toValue(object), toValue(namespaceObject), new ComputedMap(known)]);
    try {
      for (const [name, step] of this.#compiled.variables) known.push([name, run(step)]);
      const broken = this.#compiled.validations.find(({ condition }) => run(condition) !== true);
      return broken && String(run(broken.message));
    } catch (error) {
      // The API server refuses an object for which an expression fails.
      if (error instanceof Failure) return error.message;
      throw error;
    }
  }
}

function compiled(text: string): Step {
  const node = parse(text);
  checkTypes(node, types);
  return plan(node, scope);
}

/** Converts JSON to a CEL value. */
function toValue(json: unknown): Value {
  if (Array.isArray(json)) return new ComputedList(json.map(toValue));
  if (typeof json === 'number' && Number.isInteger(json)) return BigInt(json);
  if (typeof json !== 'object' || json === null) return json as Value;
  const entries = Object.entries(json).filter(([, value]) => value !== undefined);
  return new ComputedMap(entries.map(([key, value]): [Value, Value] => [key, toValue(value)]));
}
