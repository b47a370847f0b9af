import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EventInput } from '../../events/event.ts';
import { refusal, unreachable, wrongOf, type Fault } from './pretend-events.ts';
import { minute, RecordedEvents, web } from './recorded.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { anyCodePoint } from '@tenantry/kube/test/code-points';

const text = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 20 }),
  fc
    .tuple(
      fc.constantFrom('a', '\u00e9', '\u20ac', '\u{1F40B}', '\ud800'),
      fc.integer({ min: 240, max: 1100 }),
    )
    .map(([one, times]) => one.repeat(times)),
);

const names = fc.oneof(
  fc.constantFrom('web', 'system:aggregate-to-edit', 'Admins', '-', 'x'.repeat(250), '\u{1F40B}'),
  fc.string({ minLength: 1, maxLength: 20 }),
);

const subject = fc.record({
  apiVersion: fc.constant('v1'),
  kind: fc.constantFrom('Pod', 'ClusterRole', 'odd_kind', 'K'.repeat(300)),
  metadata: fc.record(
    { name: names, namespace: fc.constantFrom('shop', ''), uid: fc.uuid() },
    { requiredKeys: ['name'] },
  ),
});

const anyEvent: fc.Arbitrary<EventInput> = fc.record(
  {
    type: fc.constantFrom('Normal' as const, 'Warning' as const),
    reason: fc.oneof(fc.constant('Created'), text),
    action: fc.oneof(fc.constant('Create'), text),
    note: text,
    regarding: subject,
    related: subject,
    fieldPath: text,
  },
  { requiredKeys: ['type', 'reason', 'action', 'note', 'regarding'] },
);

test('every event is either accepted by the API server, or refused before it is sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent, { maxLength: 20 }), async (all) => {
      const given = new RecordedEvents();
      for (const one of all) given.recorder.record(one);
      await given.clock.advance(0);
      expect(given.losses.filter((cause) => cause !== 'invalid' && cause !== 'limited')).toEqual(
        [],
      );
      const stored = [...given.server.stored.values()];
      expect(stored.map(wrongOf).filter(Boolean)).toEqual([]);
      const counted = stored.reduce((sum, { series }) => sum + (series?.count ?? 1), 0);
      expect(counted + given.lost.length).toBe(all.length);
    }),
    runs(100),
  );
});

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ say: fc.nat(3) }) },
    fc.record({ wait: fc.constantFrom(1000, minute, 5 * minute, 7 * minute) }),
    fc.record({
      fault: fc.constantFrom<Fault>(
        undefined,
        undefined,
        unreachable,
        { ...unreachable, afterwards: true },
        refusal(500, 'InternalError'),
        refusal(429, 'TooManyRequests', 30_000),
      ),
    }),
  ),
  { maxLength: 60 },
);

test('whatever fails on the way, every event is either counted once on the server or counted as lost', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.double({ min: 0, max: 0.99, noNaN: true }), async (all, chance) => {
      const given = new RecordedEvents({ random: () => chance });
      let times = 0;
      for (const step of all) {
        if ('say' in step) {
          times += 1;
          given.record({ note: `note ${step.say}`, regarding: subjects[step.say % 2]! });
          await given.clock.advance(0);
        } else if ('wait' in step) await given.clock.advance(step.wait);
        else given.server.fault = () => step.fault;
      }
      given.server.fault = () => undefined;
      const stopped = given.events.stop();
      await given.clock.advance(0);
      await stopped;
      expect(given.clock.waiting).toBe(0);
      const stored = [...given.server.stored.values()];
      const counted = stored.reduce((sum, { series }) => sum + (series?.count ?? 1), 0);
      if (given.lost.length === 0) expect(counted).toBe(times);
      else expect(counted).toBeLessThanOrEqual(times);
      expect(
        given.losses.filter((cause) => cause !== 'unreachable' && cause !== 'limited'),
      ).toEqual([]);
    }),
    runs(100),
  );
});

const subjects = [web, { ...web, metadata: { name: 'other', namespace: 'shop' } }];
