import { expect } from '@jest/globals';
import fc from 'fast-check';
import { compileRule } from '@tenantry/crd/schema/cel/rule';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { agrees, serverVerdicts } from '../verdicts/schema/cel/evaluation.ts';
import { ground, rules, values } from './cel-generated.ts';
import { definition, serverRefuses } from '../verdicts/schema/cel/server.ts';

const given = await sharedCluster();
const { test } = given;

const LONG = 1_800_000;

test(
  'for any expression, validation and the API server reach the same verdict',
  async () => {
    const agree = fc.asyncProperty(rules, async (rule) => {
      const { errors, notChecked } = compileRule({ rule }, ground);
      const spec = { ...ground, 'x-kubernetes-validations': [{ rule }] };
      const server = await serverRefuses(given.cluster.admin, definition('ground', { spec }));
      expect({ notChecked, sound: errors.length === 0 }).toEqual({
        notChecked: [],
        sound: server === undefined,
      });
    });
    await fc.assert(agree, runs(200));
  },
  LONG,
);

test(
  'for any expression and value, evaluation and the API server refuse the same',
  async () => {
    const { seed, numRuns } = runs(100);
    const sampled = fc.sample(fc.tuple(rules, values), { seed, numRuns });
    const cases: { rule: { rule: string }; schema: typeof ground; value: object }[] = [];
    for (const [text, value] of sampled) {
      const rule = { rule: text };
      const spec = { ...ground, 'x-kubernetes-validations': [rule] };
      const { status } = await given.cluster.admin.create(definition('ground', { spec }), {
        dryRun: true,
      });
      // An expression that the API server finds too costly may be sound, and cannot be compared.
      if (status === 201) cases.push({ rule, schema: ground, value });
    }
    const verdicts = await serverVerdicts(given.cluster.admin, cases);
    const found = cases.flatMap(({ rule, value }, i) => {
      const ours = compileRule(rule, ground).evaluate(value);
      const server = verdicts[i];
      return agrees(ours, server) ? [] : [{ rule: rule.rule, value, ours, server }];
    });
    expect(found).toEqual([]);
    expect(cases.length).toBeGreaterThan(numRuns / 3);
  },
  LONG,
);
