import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { Group, ServiceAccount, User } from 'cdk8s-plus-28';
import fc from 'fast-check';
import { helpsToMatch, matchesLabels } from '@tenantry/kube/label-selector';
import { holdersOf } from '../../constructs/tenant/subjects.ts';
import type { LabelSelector } from '@tenantry/crd/schema/language/kubernetes';
import { runs } from '@tenantry/kube/test/yaml/runs';

const key = fc.constantFrom('a', 'b');
const value = fc.constantFrom('x', 'y', '');
const labels = fc.dictionary(key, value);
const requirement = fc.oneof(
  fc.record({
    key,
    operator: fc.constantFrom('In' as const, 'NotIn' as const),
    values: fc.array(value, { minLength: 1 }),
  }),
  fc.record({ key, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
);
const selector: fc.Arbitrary<LabelSelector> = fc.record(
  { matchLabels: labels, matchExpressions: fc.array(requirement, { maxLength: 3 }) },
  { requiredKeys: [] },
);

test('an empty selector matches everything, and a label matches only its own value', () => {
  expect(matchesLabels({}, {})).toBe(true);
  expect(matchesLabels({ matchLabels: { a: '' } }, {})).toBe(false);
  expect(matchesLabels({ matchLabels: { toString: 'x' } }, {})).toBe(false);
  const inherited = { key: 'toString', operator: 'Exists' as const };
  expect(matchesLabels({ matchExpressions: [inherited] }, {})).toBe(false);
});

test('labels match a selector when every requirement is met, as in Kubernetes', () => {
  fc.assert(
    fc.property(selector, labels, (wanted, got) => {
      const pairs = Object.entries(wanted.matchLabels ?? {}).every(([k, v]) => got[k] === v);
      const rest = (wanted.matchExpressions ?? []).every(({ key: k, operator, values = [] }) => {
        if (operator === 'Exists') return k in got;
        if (operator === 'DoesNotExist') return !(k in got);
        const among = k in got && values.includes(got[k]!);
        return operator === 'In' ? among : !among;
      });
      expect(matchesLabels(wanted, got)).toBe(pairs && rest);
    }),
    runs(300),
  );
});

test('when labels make an object match, at least one of them is reported as helping', () => {
  fc.assert(
    fc.property(selector, labels, (wanted, put) => {
      fc.pre(matchesLabels(wanted, put) && !matchesLabels(wanted, {}));
      const helping = Object.entries(put).filter(([k, v]) => helpsToMatch(wanted, k, v));
      expect(helping.length).toBeGreaterThan(0);
    }),
    runs(300),
  );
});

test('a label that only excludes a namespace does not help to match', () => {
  const not = { matchExpressions: [{ key: 'a', operator: 'NotIn' as const, values: ['x'] }] };
  expect(helpsToMatch(not, 'a', 'y')).toBe(false);
  expect(helpsToMatch({ matchLabels: { a: 'x' } }, 'a', 'y')).toBe(false);
  expect(helpsToMatch({ matchLabels: { a: 'x' } }, 'a', 'x')).toBe(true);
});

test('subjects of cdk8s-plus can have a role', () => {
  const chart = Testing.chart();
  const account = new ServiceAccount(chart, 'ci', { metadata: { name: 'ci', namespace: 'shop' } });
  const holders = holdersOf(
    User.fromName(chart, 'u', 'alice'),
    Group.fromName(chart, 'g', 'team'),
    account,
  );
  expect(holders).toEqual({
    users: ['alice'],
    groups: ['team'],
    serviceAccounts: [{ name: 'ci', namespace: 'shop' }],
  });
});

test('a service account without a namespace cannot have a role, as it would match one in every namespace', () => {
  const chart = Testing.chart();
  const account = new ServiceAccount(chart, 'ci', { metadata: { name: 'ci' } });
  expect(() => holdersOf(account)).toThrow(
    'service account ci must have a namespace, got none: give it one',
  );
});
