import { expect, test } from '@jest/globals';
import { Events } from '../../events/events.ts';
import { refusal, unreachable } from './pretend-events.ts';
import { minute, notes, RecordedEvents, web } from './recorded.ts';

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: 'u2' } };

test('an event reports who did what to which object, and why', async () => {
  const given = new RecordedEvents();
  given.record({ type: 'Warning', related: namespace, fieldPath: 'spec.containers{a}' });
  await given.clock.advance(0);
  expect([...given.server.stored.values()]).toEqual([
    {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'web.18867251edfa0000', namespace: 'shop' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      type: 'Warning',
      reason: 'Created',
      action: 'Create',
      note: 'made',
      reportingController: 'shops',
      reportingInstance: 'shops-pod-1',
      regarding: {
        apiVersion: 'v1',
        kind: 'Pod',
        namespace: 'shop',
        name: 'web',
        uid: 'u1',
        resourceVersion: '7',
        fieldPath: 'spec.containers{a}',
      },
      related: { apiVersion: 'v1', kind: 'Namespace', name: 'shop', uid: 'u2' },
    },
  ]);
  expect([given.written, given.lost]).toEqual([['created'], []]);
});

test('events about cluster-scoped objects are in the namespace default', async () => {
  const given = new RecordedEvents();
  await given.recordOften(1, { regarding: namespace });
  expect(given.server.summaries).toEqual(['shop in default: made']);
});

test('a repeated event is a series, written with the second event and then every half hour', async () => {
  const given = new RecordedEvents();
  await given.recordOften(1);
  await given.recordOften(1);
  expect(given.server.summaries).toEqual(['web in shop: made x2']);
  for (let minutes = 0; minutes < 29; minutes += 1) {
    await given.clock.advance(minute);
    await given.recordOften(10);
  }
  expect(given.server.summaries).toEqual(['web in shop: made x2']);
  await given.clock.advance(minute);
  expect(given.server.summaries).toEqual(['web in shop: made x292']);
  expect(given.server.calls).toHaveLength(3);
  const [event] = given.server.stored.values();
  expect(event?.series?.lastObservedTime).toBe('2026-01-01T00:29:00.000000Z');
  expect(event?.eventTime).toBe('2026-01-01T00:00:00.000000Z');
  expect(given.written).toEqual(['created', 'counted', 'counted']);
});

test('a series ends after six minutes: its count is written, and the next event is a new one', async () => {
  const given = new RecordedEvents();
  await given.recordOften(5);
  expect(given.server.summaries).toEqual(['web in shop: made x2']);
  await given.clock.advance(7 * minute);
  expect(given.server.summaries).toEqual(['web in shop: made x5']);
  expect(given.clock.waiting).toBe(0);
  await given.recordOften(1);
  expect(given.server.summaries).toEqual(['web in shop: made x5', 'web in shop: made']);
});

test('the six minutes start at the last event and end exactly, regardless of when the series is checked', async () => {
  const given = new RecordedEvents();
  await given.recordOften(1);
  await given.clock.advance(6 * minute);
  await given.recordOften(3);
  await given.clock.advance(6 * minute + 1);
  await given.recordOften(1);
  expect(given.server.summaries).toEqual(['web in shop: made x4', 'web in shop: made']);
});

test('events that occur while the first one is being written are counted', async () => {
  const given = new RecordedEvents();
  const { promise, resolve } = Promise.withResolvers<void>();
  given.server.before = promise;
  given.record();
  await given.clock.advance(0);
  given.record();
  given.record();
  await given.clock.advance(0);
  expect(given.server.calls).toHaveLength(1);
  resolve();
  await given.clock.advance(0);
  expect(given.server.summaries).toEqual(['web in shop: made x3']);
});

test.each([
  ['type', { type: 'Warning' }],
  ['reason', { reason: 'Other' }],
  ['action', { action: 'Other' }],
  ['note', { note: 'other' }],
  ['part', { fieldPath: 'spec' }],
  ['object', { regarding: { ...web, metadata: { ...web.metadata, uid: 'u9' } } }],
  ['related object', { related: namespace }],
] as const)('an event with another %s is another event', async (_, overrides) => {
  const given = new RecordedEvents();
  await given.recordOften(1);
  await given.recordOften(1, overrides);
  expect(given.server.stored.size).toBe(2);
});

test('the same event about a later state of the object is the same event', async () => {
  const given = new RecordedEvents();
  await given.recordOften(1);
  await given.recordOften(1, {
    regarding: { ...web, metadata: { ...web.metadata, resourceVersion: '8' } },
  });
  expect(given.server.summaries).toEqual(['web in shop: made x2']);
});

test('the event of another controller is another event', async () => {
  const given = new RecordedEvents();
  const event = { type: 'Normal', reason: 'A', action: 'B', note: 'c', regarding: web } as const;
  for (const name of ['one', 'example.com/two']) given.events.recorder(name).record(event);
  await given.clock.advance(0);
  expect([...given.server.stored.values()].map((one) => one.reportingController)).toEqual([
    'one',
    'example.com/two',
  ]);
});

test('from the tenth note on, notes become one event; notes that were written before do not', async () => {
  const given = new RecordedEvents();
  await given.recordNotes(notes(12));
  await given.recordNotes(['note 1', 'note 12']);
  expect(given.server.summaries).toEqual([
    'web in shop: note 1 x2',
    ...notes(9)
      .slice(1)
      .map((note) => `web in shop: ${note}`),
    'web in shop: (combined from similar events): note 10 x2',
  ]);
  await given.events.stop();
  expect(given.server.summaries.at(-1)).toBe(
    'web in shop: (combined from similar events): note 10 x4',
  );
});

test('after ten minutes without a similar event, the count of notes starts again', async () => {
  const given = new RecordedEvents();
  await given.recordNotes(notes(9));
  await given.clock.advance(10 * minute + 1);
  await given.recordNotes(['note 10']);
  expect(given.server.summaries.at(-1)).toBe('web in shop: note 10');
  expect(given.server.summaries).toHaveLength(10);
});

test('notes of one object do not combine those of another', async () => {
  const given = new RecordedEvents();
  await given.recordNotes(notes(9));
  await given.recordNotes(['note 10'], { regarding: namespace });
  expect(given.server.summaries.at(-1)).toBe('shop in default: note 10');
});

test('per type and object, 25 events are written at once, and then one in five minutes', async () => {
  const given = new RecordedEvents();
  const reasons = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({ reason: `R${from + n}` }));
  for (const overrides of reasons(0, 30)) await given.recordOften(1, overrides);
  expect(given.server.stored.size).toBe(25);
  expect(given.losses).toEqual(Array.from({ length: 5 }, () => 'limited'));
  await given.recordOften(1, { reason: 'R', type: 'Warning' });
  await given.recordOften(1, { reason: 'R', regarding: namespace });
  expect(given.server.stored.size).toBe(27);
  await given.clock.advance(5 * minute - 1);
  await given.recordOften(1, { reason: 'A' });
  expect(given.server.stored.size).toBe(27);
  await given.clock.advance(1);
  await given.recordOften(1, { reason: 'B' });
  await given.recordOften(1, { reason: 'C' });
  expect(given.server.stored.size).toBe(28);
});

test('events that are counted in a series do not fall under the limit', async () => {
  const given = new RecordedEvents();
  for (let n = 0; n < 25; n += 1) await given.recordOften(1, { reason: `R${n}` });
  await given.recordOften(7, { reason: 'R3' });
  expect(given.server.summaries).toHaveLength(25);
  expect(given.server.summaries.every((one) => !one.includes('x'))).toBe(true);
  await given.clock.advance(5 * minute);
  expect(given.server.summaries[3]).toBe('web in shop: made x8');
  expect(given.losses).toEqual([]);
});

test('a recorder does not wait for the server, and events beyond its capacity are counted as lost', async () => {
  const given = new RecordedEvents({ most: 3 });
  given.server.before = new Promise(() => {});
  for (const note of notes(5)) given.record({ note });
  await given.clock.advance(0);
  expect([given.server.calls.length, given.losses]).toEqual([1, ['full', 'full']]);
  expect(given.lost.map(({ event }) => event.note)).toEqual(['note 4', 'note 5']);
});

test('a lost event is written when it occurs again', async () => {
  const given = new RecordedEvents({ most: 1 });
  given.record({ note: 'a' });
  given.record({ note: 'b' });
  await given.clock.advance(0);
  await given.recordOften(1, { note: 'b' });
  expect(given.server.summaries).toEqual(['web in shop: a', 'web in shop: b']);
});

test('events wait for an unreachable server, and are written in order', async () => {
  const given = new RecordedEvents({ random: () => 0.5 });
  given.server.fault = () => unreachable;
  await given.recordNotes(notes(3));
  expect(given.server.calls).toHaveLength(1);
  await given.clock.advance(11_249);
  expect(given.server.calls).toHaveLength(1);
  given.server.fault = () => undefined;
  await given.clock.advance(1);
  expect(given.server.summaries).toEqual(notes(3).map((note) => `web in shop: ${note}`));
});

test('after twelve attempts an event is lost', async () => {
  const given = new RecordedEvents();
  given.server.fault = () => unreachable;
  await given.recordOften(1);
  await given.clock.advance(109_999);
  expect([given.server.calls.length, given.losses]).toEqual([11, []]);
  await given.clock.advance(1);
  expect([given.server.calls.length, given.losses]).toEqual([12, ['unreachable']]);
  expect(given.lost[0]?.error).toBe(unreachable.error);
});

test('an event that fails on the server does not delay others', async () => {
  const given = new RecordedEvents();
  given.server.fault = (_, name) =>
    name.startsWith('bad/') ? refusal(500, 'InternalError') : undefined;
  const bad = { ...web, metadata: { ...web.metadata, namespace: 'bad' } };
  await given.recordOften(1, { regarding: bad });
  await given.recordOften(1);
  expect(given.server.summaries).toEqual(['web in shop: made']);
  given.server.fault = () => undefined;
  await given.clock.advance(10_000);
  expect(given.server.summaries).toEqual(['web in shop: made', 'web in bad: made']);
  expect(given.losses).toEqual([]);
});

test('a busy server gets no calls during its Retry-After', async () => {
  const given = new RecordedEvents();
  given.server.fault = () => refusal(429, 'TooManyRequests', 42_000);
  await given.recordNotes(notes(2));
  given.server.fault = () => undefined;
  await given.clock.advance(41_999);
  expect(given.server.calls).toHaveLength(1);
  await given.clock.advance(1);
  expect(given.server.summaries).toHaveLength(2);
});

test('a refused event is lost at once, and the next one is tried again', async () => {
  const given = new RecordedEvents();
  given.server.fault = () => refusal(403, 'Forbidden');
  await given.recordOften(1);
  expect([given.losses, given.server.calls.length]).toEqual([['refused'], 1]);
  given.server.fault = () => undefined;
  await given.recordOften(1);
  expect(given.server.summaries).toEqual(['web in shop: made']);
});

test('a series whose event has expired on the server is created again, with its count', async () => {
  const given = new RecordedEvents();
  await given.recordOften(2);
  given.server.stored.clear();
  await given.recordOften(2);
  await given.events.stop();
  expect(given.server.summaries).toEqual(['web in shop: made x4']);
  const [event] = given.server.stored.values();
  expect(event?.eventTime).toBe('2026-01-01T00:00:00.000000Z');
});

test.each([1, 3])(
  'an event whose answer was lost is not written twice (%d times)',
  async (times) => {
    const given = new RecordedEvents();
    given.server.fault = () => ({ ...unreachable, afterwards: true });
    await given.recordOften(times);
    given.server.fault = () => undefined;
    await given.clock.advance(10_000);
    expect(given.server.summaries).toEqual([`web in shop: made${times > 1 ? ` x${times}` : ''}`]);
  },
);

test('a name that is taken is not overwritten, and another one is used', async () => {
  const other = new RecordedEvents();
  await other.recordOften(1);
  const given = new RecordedEvents();
  for (const [key, event] of other.server.stored) given.server.stored.set(key, event);
  await given.recordOften(1);
  expect(given.server.summaries).toEqual(['web in shop: made', 'web in shop: made']);
  expect(given.losses).toEqual([]);
});

test('a stop writes the waiting events and the counts of series, and nothing after that', async () => {
  const given = new RecordedEvents();
  await given.recordOften(4);
  given.record({ note: 'last' });
  const stopped = given.events.stop();
  given.record({ note: 'late' });
  await given.clock.advance(0);
  await stopped;
  expect(given.server.summaries).toEqual(['web in shop: made x4', 'web in shop: last']);
  expect(given.losses).toEqual(['stopped']);
  expect(given.clock.waiting).toBe(0);
  await given.events.stop();
});

test('a stop does not wait for a server that hangs', async () => {
  const given = new RecordedEvents();
  given.server.before = new Promise(() => {});
  for (const note of notes(3)) given.record({ note });
  let isStopped = false;
  void given.events.stop(3000).then(() => (isStopped = true));
  await given.clock.advance(2999);
  expect(isStopped).toBe(false);
  await given.clock.advance(1);
  expect(isStopped).toBe(true);
  expect(given.losses).toEqual(['stopped', 'stopped', 'stopped']);
  expect(given.clock.waiting).toBe(0);
});

test('a second stop may have a shorter timeout', async () => {
  const given = new RecordedEvents();
  given.server.before = new Promise(() => {});
  for (const note of notes(2)) given.record({ note });
  const stopped = given.events.stop(60_000);
  await given.clock.advance(1);
  expect(given.losses).toEqual([]);
  await given.events.stop(0);
  await stopped;
  await given.clock.advance(0);
  expect(given.losses).toEqual(['stopped', 'stopped']);
  expect(given.clock.waiting).toBe(0);
});

test('only the reference of an object is kept', async () => {
  const given = new RecordedEvents();
  given.server.fault = () => refusal(403, 'Forbidden');
  const pod = {
    ...web,
    metadata: { ...web.metadata, labels: { a: 'b' } },
    spec: { nodeName: 'n' },
  };
  await given.recordOften(1, { regarding: pod, related: pod });
  expect(given.lost.map(({ event }) => [event.regarding, event.related])).toEqual([[web, web]]);
});

test('a recorder never throws, whatever it is given', async () => {
  const given = new RecordedEvents();
  given.record(JSON.parse('{ "regarding": null }') as object);
  given.record(JSON.parse('{ "note": null, "reason": 7 }') as object);
  await given.clock.advance(0);
  expect([given.losses, given.server.calls]).toEqual([['invalid', 'invalid'], []]);
});

test('a stop retries nothing, and tries each waiting event once', async () => {
  const given = new RecordedEvents();
  given.server.fault = () => refusal(500, 'InternalError');
  await given.recordNotes(notes(2));
  given.server.fault = (_, name) => (name.endsWith('0') ? undefined : unreachable);
  const stopped = given.events.stop();
  await given.clock.advance(0);
  await stopped;
  expect(given.server.summaries).toEqual(['web in shop: note 1']);
  expect(given.losses).toEqual(['unreachable']);
  expect(given.server.calls).toHaveLength(4);
  expect(given.clock.waiting).toBe(0);
});

test('a stop retries events that wait for the server at once', async () => {
  const given = new RecordedEvents();
  given.server.fault = () => unreachable;
  await given.recordOften(1);
  given.server.fault = () => undefined;
  const stopped = given.events.stop();
  await given.clock.advance(0);
  await stopped;
  expect(given.server.summaries).toEqual(['web in shop: made']);
});

test.each([
  [{ reason: '' }, "reason must have 1 to 128 bytes, got ''"],
  [{ action: 'x'.repeat(129) }, 'action must have 1 to 128 bytes'],
  [{ action: '\u00e9'.repeat(65) }, 'action must have 1 to 128 bytes'],
  [{ regarding: { ...web, kind: '' } }, 'regarding must have an apiVersion, a kind and a name'],
])('%j is invalid, and is reported without a call', async (overrides, message) => {
  const given = new RecordedEvents();
  await given.recordOften(1, overrides);
  expect([given.losses, given.server.calls]).toEqual([['invalid'], []]);
  expect(String(given.lost[0]?.error)).toContain(message);
});

test('a reporter must have a name that the server accepts', () => {
  const { events, clock, server } = new RecordedEvents();
  expect(() => events.recorder('my shops')).toThrow(
    'the reporting controller must be a name of letters',
  );
  const nameless = new Events({ client: server.client, clock, random: () => 0, instance: '' });
  expect(() => nameless.recorder('shops')).toThrow('must have a name');
});

test('the number of remembered series is limited, and the count of a forgotten one is written', async () => {
  const given = new RecordedEvents({ most: 10_000 });
  await given.recordOften(3, { regarding: namespace });
  for (let n = 0; n < 4096; n += 1) {
    given.record({ regarding: { ...web, metadata: { name: `pod-${n}`, namespace: 'shop' } } });
  }
  await given.clock.advance(0);
  expect(given.server.summaries[0]).toBe('shop in default: made x3');
  expect(given.losses).toEqual([]);
});
