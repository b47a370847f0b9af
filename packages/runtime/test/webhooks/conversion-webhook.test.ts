import { expect, test } from '@jest/globals';
import { conversions } from '@tenantry/crd/conversion/conversions';
import { convertObject } from '@tenantry/crd/conversion/convert';
import { define } from '@tenantry/crd/define';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { conversionWebhook } from '../../webhooks/conversion-webhook.ts';
import { Refused, TimedOut } from '../../webhooks/webhook.ts';
import { integer, object, required } from '@tenantry/crd/schema/language';
import { RecordingLog } from '../certificates/recording-log.ts';

const boxes = define({
  group: 'example.com',
  kind: 'Box',
  plural: 'boxes',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A box.', { spec: required(object('', { width: required(integer('')) })) }),
      storage: true,
    },
    v1beta1: {
      schema: object('A box.', { spec: required(object('', { size: required(integer('')) })) }),
    },
  },
});

/** A function that the conversion to v1 calls for each object. */
let besides: (size: number) => void = () => {};
const boxConversions = conversions(boxes, 'v1', {
  v1beta1: {
    toHub: ({ spec }) => {
      besides(spec.size);
      return { spec: { width: spec.size } };
    },
    fromHub: ({ spec }) => ({ spec: { size: spec.width } }),
  },
});

const webhook = conversionWebhook(boxConversions);
const log = new RecordingLog();

const box = (size: number | bigint) => ({
  apiVersion: 'example.com/v1beta1',
  kind: 'Box',
  metadata: { name: `box-${size}`, uid: `${size}`, labels: { a: 'b' } },
  spec: { size },
});

const review = (objects: unknown) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: 'u', desiredAPIVersion: 'example.com/v1', objects },
});

function ask(given: unknown, clock = new VirtualClock(), signal = new AbortController().signal) {
  return webhook.answer(given, { clock, signal, log });
}

const failure = (message: unknown) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  response: { uid: 'u', convertedObjects: [], result: { status: 'Failure', message } },
});

test('the path is derived from the definition, or set', () => {
  expect(webhook.path).toBe('/convert/boxes.example.com');
  expect(conversionWebhook(boxConversions, { path: '/c' }).path).toBe('/c');
});

test('all objects of a review are converted in order, with their metadata', async () => {
  const { metadata } = box(2);
  expect(await ask(review([box(1), box(2), box(3)]))).toMatchObject({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: {
      uid: 'u',
      result: { status: 'Success' },
      convertedObjects: [
        { spec: { width: 1 } },
        { apiVersion: 'example.com/v1', kind: 'Box', metadata, spec: { width: 2 } },
        { spec: { width: 3 } },
      ],
    },
  });
  expect(await ask(review([]))).toMatchObject({
    response: { uid: 'u', convertedObjects: [], result: { status: 'Success' } },
  });
});

test('if one object cannot be converted none is, and the message names the object and the reason', async () => {
  besides = (size) => {
    if (size === 2) throw new Error('too odd');
  };
  const message = 'Box box-2 from v1beta1 to v1 must be convertible, got an error: too odd';
  expect(await ask(review([box(1), box(2), box(3)]))).toEqual(failure(message));
  expect(log.lines.at(-1)).toMatchObject({ level: 'warn', fields: { uid: 'u', why: message } });
  besides = () => {};
});

test('an integer beyond 2^53 is converted with every digit', async () => {
  const answer = await ask(review([box(9007199254740993n)]));
  expect(answer).toMatchObject({
    response: { convertedObjects: [{ spec: { width: 9007199254740993n } }] },
  });
});

test('an integer beyond 2^53 that would have to be stored is refused rather than lost', () => {
  const tin = define({
    ...boxes,
    versions: {
      v1: { schema: object('', { spec: object('', { a: integer('') }) }), storage: true },
      v1beta1: { schema: object('', { spec: object('', { a: integer(''), b: integer('') }) }) },
    },
  });
  const tins = conversions(tin, 'v1', {
    v1beta1: {
      toHub: ({ spec }) => ({ spec: { a: spec?.a ?? 0 } }),
      fromHub: ({ spec }) => ({ spec: { a: spec?.a ?? 0 } }),
      keep: 'everything',
    },
  });
  const spec = { a: 1, b: 9007199254740993n };
  expect(() => convertObject(tins, { ...box(1), spec }, 'example.com/v1')).toThrow(
    'Box box-1 spec.b must have no integer beyond 2^53 to be kept in tenantry.dev/conversion-data',
  );
});

test('a body that is not a review of v1 is refused, and the message names what it must be', async () => {
  const refused = async (given: unknown) => {
    const error = await ask(given).catch((error: unknown) => error);
    return error instanceof Refused ? [error.status, error.message] : error;
  };
  const good = review([]);
  const must = 'the body must be a ConversionReview: ';
  expect(await refused({ ...good, apiVersion: 'apiextensions.k8s.io/v1beta1' })).toEqual([
    400,
    `${must}apiVersion must be apiextensions.k8s.io/v1, got 'apiextensions.k8s.io/v1beta1'`,
  ]);
  expect(await refused(review('x'))).toEqual([
    400,
    `${must}request.objects must be a list, got 'x'`,
  ]);
  for (const given of [null, 1, [], {}, { ...good, request: null }]) {
    expect(await refused(given)).toEqual([400, expect.stringContaining(must)]);
  }
});

test('a long list is converted in slices, and other work continues between them', async () => {
  let passed = 0;
  const breaths: number[] = [];
  const clock = Object.assign(new VirtualClock(), {
    now: () => passed,
    sleep: () => Promise.resolve(void breaths.push(passed)),
  });
  // Each object takes 4 ms.
  besides = () => void (passed += 4);
  const answer = await ask(review(Array.from({ length: 12 }, (_, i) => box(i))), clock);
  expect(answer).toMatchObject({ response: { result: { status: 'Success' } } });
  expect(breaths).toEqual([12, 24, 36, 48]);
  besides = () => {};
});

test('after the timeout the answer is a failure that names the timeout', async () => {
  const clock = new VirtualClock();
  const over = new AbortController();
  besides = () => over.abort(new TimedOut(10_000));
  const busy = Object.assign(clock, { now: () => (over.signal.aborted ? 100 : 0) });
  const answer = await ask(review([box(1), box(2)]), busy, over.signal);
  expect(answer).toEqual(failure('there was no answer within 10 s'));
  besides = () => {};
});
