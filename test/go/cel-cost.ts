import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';

/** What the API server estimates of one rule. */
export interface ServerCost {
  /** Of the rule, as it writes paths: `properties[spec].x-kubernetes-validations[0]`. */
  readonly path: string;
  /** What the rule costs once, how often it is asked, and both together; absent where it is unsound. */
  readonly once?: string;
  readonly times?: string;
  readonly total?: string;
  readonly message?: string;
  readonly error?: string;
}

/** What the API server estimates of the rules of one schema, and why it refuses their costs, if that is asked. */
export interface ServerEstimate {
  readonly rules: readonly ServerCost[];
  readonly refusals?: readonly string[];
  /** The same of a definition that takes the place of its like. */
  readonly unchanged?: readonly string[];
}

/** Asks the code of the API server about many schemas, in one process. */
export type AskCosts = (
  schemas: readonly JSONSchemaProps[],
  ...flags: readonly '-refusals'[]
) => readonly ServerEstimate[];

/** Undefined where the Go program cannot be built; the reason is then printed. */
export async function serverCosts(): Promise<AskCosts | undefined> {
  const program = await buildGo('celcost');
  if (program === undefined) return undefined;
  return (schemas, ...flags) => {
    return linesOf(program, schemas, { flags }).map((line) => {
      const answer = JSON.parse(line) as ServerEstimate & { readonly error?: string };
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    });
  };
}

/** What evaluating the rules of a schema for a value costs, and what the API server says of them. */
export interface ServerSpending {
  readonly actual: string;
  readonly errors: readonly string[];
}

export interface Asked {
  readonly schema: JSONSchemaProps;
  readonly value: unknown;
}

/** Asks the code of the API server about many values. Undefined where the Go program cannot be built. */
export async function serverSpending(): Promise<
  ((asked: readonly Asked[]) => readonly ServerSpending[]) | undefined
> {
  const program = await buildGo('celcost');
  if (program === undefined) return undefined;
  return (asked) =>
    linesOf(program, asked, { flags: ['-values'] }).map((line) => {
      const answer = JSON.parse(line) as ServerSpending & { readonly error?: string };
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    });
}
