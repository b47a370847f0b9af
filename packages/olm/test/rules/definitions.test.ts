import { describe, expect, test } from '@jest/globals';
import { DEFINITION_FIELD_RULES } from '@tenantry/crd/validation';
import { betaDefinition, brokenDefinitions } from './broken-definitions.ts';
import { definition } from './definition.ts';
import { judge, sample } from './sample.ts';

test('a valid definition has no findings', () => {
  const given = sample();
  expect(judge(given)).toEqual([]);
  given.crd = betaDefinition();
  // No Kubernetes version that the sample supports has the API; the definition itself is valid.
  expect(judge(given).map(({ rule }) => rule)).toEqual(['removed-api']);
});

describe('a broken definition is reported', () => {
  test.each(brokenDefinitions)('$rule', ({ rule, breaks, isBeta = false }) => {
    const given = sample();
    given.crd = isBeta ? betaDefinition() : definition();
    breaks(given.crd);
    const reportedRules = judge(given)
      .map((one) => one.rule)
      .filter((one) => one.startsWith('definition-'));
    expect(reportedRules).toContain(`definition-${rule}`);
  });
});

test('every rule of definitions is broken by a test', () => {
  const broken = new Set<string>(brokenDefinitions.map(({ rule }) => rule));
  expect(DEFINITION_FIELD_RULES.filter((rule) => !broken.has(rule))).toEqual([]);
});

test('schemas are not validated', () => {
  const given = sample();
  given.crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a = { type: 'text' };
  expect(judge(given, { suite: 'operatorhub' })).toEqual([]);
  delete given.crd.spec.versions[0].schema;
  expect(judge(given, { suite: 'operatorhub' })).toEqual([]);
});
