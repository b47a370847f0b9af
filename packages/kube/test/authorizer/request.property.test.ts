import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ruleAllows } from '../../authorizer/request.ts';
import { Rights } from '../../rights/rights.ts';
import { objectRequests, rightsRules } from '../rights/arbitrary-rules.ts';
import { runs } from '../yaml/runs.ts';

test('a rule allows a request if the comparison of rights covers it', () => {
  fc.assert(
    fc.property(rightsRules, objectRequests, (rules, { name = '', ...request }) => {
      const isAllowed = rules.some((rule) => ruleAllows(rule, { ...request, name }));
      expect(isAllowed).toBe(new Rights(rules).coversObject({ ...request, name }));
    }),
    runs(2000),
  );
});

const paths = fc.constantFrom(
  '/metrics',
  '/healthz',
  '/healthz/etcd',
  '/apis',
  '/apis/a',
  '/apis/apps',
  '/',
  '/other',
);

test('a rule allows a path if the comparison of rights covers it', () => {
  fc.assert(
    fc.property(rightsRules, fc.constantFrom('get', 'post', 'put'), paths, (rules, verb, path) => {
      const isAllowed = rules.some((rule) => ruleAllows(rule, { verb, path }));
      expect(isAllowed).toBe(new Rights(rules).coversPath({ verb, path }));
    }),
    runs(1000),
  );
});
