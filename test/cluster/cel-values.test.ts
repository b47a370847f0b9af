import { expect } from '@jest/globals';
import { compileRule } from '../../schema/cel/rule.ts';
import { sharedCluster } from '../control-plane/shared.ts';
import { agrees, serverVerdicts } from './cel-evaluation.ts';
import { definition, serverRefuses } from './cel-server.ts';
import { cases } from './cel-values.ts';

const given = await sharedCluster();
const { test } = given;

test('every rule of the table is one that the API server takes', async () => {
  const found: unknown[] = [];
  for (const { rule, schema } of cases) {
    const spec = { ...schema, 'x-kubernetes-validations': [rule] };
    const server = await serverRefuses(given.cluster.admin, definition('sound', { spec }));
    const { errors, notChecked } = compileRule(rule, schema);
    const ours = notChecked ?? errors[0]?.message;
    if (server !== undefined || ours !== undefined) found.push({ rule: rule.rule, server, ours });
  }
  expect(found).toEqual([]);
});

test('a value is refused where the API server refuses it, in the same words', async () => {
  const verdicts = await serverVerdicts(given.cluster.admin, cases);
  const found: unknown[] = [];
  for (const [i, { rule, schema, value, old }] of cases.entries()) {
    const ours = compileRule(rule, schema).evaluate(value, old);
    const server = verdicts[i];
    if (!agrees(ours, server)) found.push({ rule: rule.rule, value, ours, server });
  }
  expect(found).toEqual([]);
});
