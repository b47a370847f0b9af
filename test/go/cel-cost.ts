import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { buildGo } from './build.ts';
import { linesOf } from './lines.ts';

/** The API server's cost estimate of one rule. */
export interface ServerCost {
  /** The path of the rule, as the API server writes it: `properties[spec].x-kubernetes-validations[0]`. */
  readonly path: string;
  /** The cost of one evaluation, the number of evaluations, and the product; absent if the rule is unsound. */
  readonly once?: string;
  readonly times?: string;
  readonly total?: string;
  readonly message?: string;
  readonly error?: string;
}

/** The API server's cost estimates of the rules of one schema, and on request its reasons to reject the costs. */
export interface ServerEstimate {
  readonly rules: readonly ServerCost[];
  readonly refusals?: readonly string[];
  /** The same for an update of a definition with unchanged rules. */
  readonly unchanged?: readonly string[];
}

/** Estimates the costs of many schemas with the code of the API server, in one process. */
export type AskCosts = (
  schemas: readonly JSONSchemaProps[],
  ...flags: readonly '-refusals'[]
) => readonly ServerEstimate[];

/** Returns undefined and prints the reason if the Go program cannot be built. */
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

/** The cost of evaluating the rules of a schema for a value, and the resulting errors of the API server. */
export interface ServerSpending {
  readonly actual: string;
  readonly errors: readonly string[];
}

export interface Asked {
  readonly schema: JSONSchemaProps;
  readonly value: unknown;
}

/** Evaluates many values with the code of the API server. Returns undefined if the Go program cannot be built. */
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
