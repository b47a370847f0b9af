import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileRule } from '../../../schema/cel/rule.ts';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';
import {
  findRepetition,
  timesWithin,
  type EnclosingCollection,
} from '../../../validation/cel-cost.ts';
import { validateDefinition } from '../../../validation/validate.ts';
import { validateDefinitionUpdate } from '../../../validation/update.ts';
import type { Path } from '@tenantry/kube/problem';
import { corpus } from '../../corpus.ts';
import { serverCosts, type AskCosts, type ServerCost } from '@tenantry/test-tools/go/cel-cost';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { definitionOf } from '@tenantry/test-tools/verdicts/crds/definitions/case';
import { serverPath } from '@tenantry/test-tools/verdicts/crds/definitions/server';
import { cases } from '@tenantry/test-tools/verdicts/schema/cel/values';
import { soundRules, subject } from '@tenantry/test-tools/verdicts/schema/cel/rules';
import * as table from './cost-cases.ts';
import { ruledSchemas } from './cost-generated.ts';

const LONG = 1_200_000;
const MAX_COST = 2n ** 64n - 1n;

const ask = await serverCosts();
const real = await corpus();

/** Defines a test that needs the code of the API server; skipped if that cannot be built. */
function testAgainst(sentence: string, run: (ask: AskCosts) => void, isPossible = true): void {
  if (ask && isPossible) test(sentence, () => run(ask), LONG);
  else test.skip(`${sentence} [skipped: there is no Go, or no modules for it]`, () => {});
}

/** Returns Tenantry's estimates in the form of the API server's; an unsound rule has none. */
function ourCosts(schema: JSONSchemaProps): ServerCost[] {
  const found: ServerCost[] = [];
  const visit = (
    one: JSONSchemaProps,
    path: Path,
    around: readonly EnclosingCollection[],
  ): void => {
    for (const [i, rule] of (one['x-kubernetes-validations'] ?? []).entries()) {
      const root = path.length === 0 || one['x-kubernetes-embedded-resource'] === true;
      const estimate = compileRule(rule, one, { root }).estimate();
      const at = serverPath([...path, 'x-kubernetes-validations', i]);
      if (!estimate) {
        found.push({ path: at });
        continue;
      }
      const { rule: once, messageExpression: message, count } = estimate;
      const times = timesWithin(around) ?? count;
      const total = once.cost * times;
      found.push({
        path: at,
        once: `${once.cost}`,
        times: `${times}`,
        total: `${total > MAX_COST ? MAX_COST : total}`,
        ...(message && { message: `${message.cost}` }),
      });
    }
    const repeated = findRepetition(one, path);
    const inner = repeated ? [...around, repeated] : around;
    const { additionalProperties: values, properties = {}, items } = one;
    if (typeof values === 'object') visit(values, [...path, 'additionalProperties'], inner);
    for (const [name, property] of Object.entries(properties)) {
      visit(property, [...path, 'properties', name], inner);
    }
    if (items) visit(items, [...path, 'items'], inner);
  };
  visit(schema, [], []);
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Compares all costs with the API server's own, and returns the number of rules that have any. */
function compared(ask: AskCosts, schemas: readonly JSONSchemaProps[]): number {
  const answers = ask(schemas);
  let count = 0;
  for (const [i, schema] of schemas.entries()) {
    const { rules } = answers[i]!;
    expect(ourCosts(schema)).toEqual(rules.map(({ error: _error, ...rest }) => rest));
    count += rules.filter(({ once }) => once !== undefined).length;
  }
  return count;
}

const ruled = (schema: JSONSchemaProps, rules: readonly string[]): JSONSchemaProps => ({
  type: 'object',
  properties: {
    spec: { ...schema, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) },
  },
});

testAgainst("the costs in the table are the API server's estimates", (ask) => {
  const rules = table.costs.map(([, expression]) => expression);
  expect(compared(ask, [ruled(table.subject, rules)])).toBe(rules.length);
});

testAgainst(
  'every sound rule of the other tables has the cost that the API server estimates',
  (ask) => {
    const others = cases.map(({ schema, rule }) => ruled(schema, [rule.rule]));
    expect(compared(ask, [ruled(subject, soundRules), ...others])).toBeGreaterThan(450);
  },
);

testAgainst(
  'every rule of well-known projects has the cost that the API server estimates',
  (ask) => {
    const crds = 'crds' in real ? real.crds : [];
    const schemas = crds.flatMap(({ manifest }) =>
      manifest.spec.versions.flatMap(({ schema }) => schema?.openAPIV3Schema ?? []),
    );
    expect(compared(ask, schemas)).toBeGreaterThan(900);
  },
  'crds' in real,
);

testAgainst('for any schema and rule, the costs are equal to the last digit', (ask) => {
  const { seed, numRuns } = runs(15);
  const rules = compared(ask, fc.sample(ruledSchemas, { seed, numRuns }));
  expect(rules).toBeGreaterThan(4 * numRuns);
});

/** Returns the rules that the API server refuses for their own costs, and whether it refuses them together. */
function refused(refusals: readonly string[]): { alone: string[]; together: boolean } {
  const alone = refusals.filter((one) =>
    /estimated (?:rule|messageExpression) cost exceeds/.test(one),
  );
  return {
    alone: alone.map(
      (one) => one.replace('spec.validation', 'spec.versions[0].schema').split(':')[0]!,
    ),
    together: refusals.some((one) =>
      one.includes('cost total for entire OpenAPIv3 schema exceeds'),
    ),
  };
}

testAgainst('the API server refuses the same rules for their costs, on updates too', (ask) => {
  const { seed, numRuns } = runs(15);
  const schemas = fc.sample(ruledSchemas, { seed: seed + 1, numRuns });
  const seen = { alone: 0, together: 0, unchanged: 0 };
  const answers = ask(schemas, '-refusals');
  for (const [i, { refusals = [], unchanged = [] }] of answers.entries()) {
    const manifest = definitionOf({ schema: schemas[i] });
    const server = refused(refusals);
    const costs = validateDefinition(manifest).errors.filter(({ rule }) =>
      rule.startsWith('cel-cost'),
    );
    const alone = costs.filter(({ rule }) => rule === 'cel-cost');
    expect(alone.map(({ path }) => serverPath(path)).toSorted()).toEqual(server.alone.toSorted());
    const after = validateDefinitionUpdate(manifest, manifest).errors;
    const stays = after.map(({ rule }) => rule).filter((rule) => rule.startsWith('cel-cost'));
    expect(stays).toEqual(refused(unchanged).together ? ['cel-cost-together'] : []);
    // A rule that is refused alone is not counted, so that it is reported once.
    expect(costs.length > 0).toBe(server.alone.length > 0 || server.together);
    seen.alone += alone.length;
    seen.together += costs.length - alone.length;
    seen.unchanged += stays.length;
  }
  expect(Math.min(seen.alone, seen.unchanged)).toBeGreaterThan(numRuns / 10);
});
