import { expect, test } from '@jest/globals';
import { tenantRules } from '../../model/findings/tenant-rules.ts';
import { defineTenantCheck } from '../../model/rules/check.ts';
import { examples } from './tenant-rule-examples.ts';

test.each(tenantRules)('an input triggers $id, with its severity', ({ id, severity }) => {
  const found = examples[id]().filter(({ rule }) => rule === id);
  expect(found.map((one) => one.severity)).toContain(severity);
});

test('findings have only rules of the list', () => {
  const ids = new Set<string | undefined>(tenantRules.map(({ id }) => id));
  const found = Object.values(examples).flatMap((example) => example());
  expect(found.filter(({ rule }) => !ids.has(rule))).toEqual([]);
});

test('each id is listed once', () => {
  const ids = tenantRules.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

test('a check that reports a rule which it does not list does not compile', () => {
  // @ts-expect-error the check lists another rule
  const check = defineTenantCheck(['preset'], (_tenant, report) => report([], '', 'class'));
  expect(check.rules).toEqual(['preset']);
});
