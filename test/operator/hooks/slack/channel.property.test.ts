import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { channelName } from '../../../../operator/hooks/slack/channel.ts';
import { call } from '../attempt.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const pattern = fc
  .tuple(fc.stringMatching(/^[-_a-z0-9]{0,30}$/), fc.stringMatching(/^[-_a-z0-9]{0,38}$/))
  .map(([before, after]) => `${before}{tenant}${after}`);
const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
const of = (name: string) => ({ ...call.tenant, name });

test('every tenant has a channel name that Slack accepts', () => {
  fc.assert(
    fc.property(pattern, fc.oneof(label, fc.string({ minLength: 1 })), (pattern, name) => {
      const channel = channelName(pattern, of(name));
      expect(channel).toMatch(/^[-_a-z0-9]{1,80}$/);
    }),
    runs(1000),
  );
});

test('a name that fits is used unchanged, and two tenants have two names', () => {
  fc.assert(
    fc.property(pattern, label, label, (pattern, one, other) => {
      const [a, b] = [channelName(pattern, of(one)), channelName(pattern, of(other))];
      expect(a === b).toBe(one === other);
      const meant = pattern.replace('{tenant}', one);
      if (meant.length <= 80) expect(a).toBe(meant);
    }),
    runs(1000),
  );
});

test('cut or changed names stay distinct', () => {
  const long = 'a'.repeat(78);
  const names = ['x-1', 'x-2'].map((name) => channelName(`${long}{tenant}`, of(name)));
  expect(new Set(names).size).toBe(2);
  expect(channelName('t-{tenant}', of('a.b'))).toMatch(/^t-a-b-[0-9a-f]{8}$/);
  expect(channelName('{cluster}_{class}-{tenant}', call.tenant)).toBe('eu1_standard-acme');
});
