import { expect, test } from '@jest/globals';
import type { AdmissionRequest } from '../../../webhooks/admission/request.ts';
import { allowed, denied, type AdmissionVerdict } from '../../../webhooks/admission/verdict.ts';
import { validatingWebhook } from '../../../webhooks/admission/admission-webhook.ts';
import { TimedOut } from '../../../webhooks/webhook.ts';
import { RecordingLog } from '../../certificates/recording-log.ts';
import { ask, box, boxKind, review } from './reviews.ts';

type Asked = AdmissionRequest<typeof boxKind>;
const hook = (validate: (asked: Asked) => AdmissionVerdict | Promise<AdmissionVerdict>) =>
  validatingWebhook({ kind: boxKind, validate });
const create = review({ object: box({ width: 1 }) });

test('an allowed request is answered with the uid of the review', async () => {
  expect(
    await ask(
      hook(() => allowed),
      create,
    ),
  ).toEqual({ uid: 'u', allowed: true });
});

test('a refused request is answered with the reason and a status', async () => {
  const small = hook(({ object }) =>
    object && object.spec.width > 5
      ? denied(`spec.width must be at most 5, got ${object.spec.width}`)
      : allowed,
  );
  expect(await ask(small, create)).toEqual({ uid: 'u', allowed: true });
  expect(await ask(small, review({ object: box({ width: 6 }) }))).toEqual({
    uid: 'u',
    allowed: false,
    status: {
      status: 'Failure',
      message: 'spec.width must be at most 5, got 6',
      code: 403,
      reason: 'Forbidden',
    },
  });
  const invalid = hook(() => denied('no', { code: 422, reason: 'Invalid' }));
  expect(await ask(invalid, create)).toMatchObject({ status: { code: 422, reason: 'Invalid' } });
});

test('a handler gets the objects of the operation, the user, and whether the request is a dry run', async () => {
  const seen: Partial<Asked>[] = [];
  const all = hook((asked) => {
    const { operation, object, oldObject, name, namespace, user, dryRun } = asked;
    seen.push({ operation, object, oldObject, name, namespace, user, dryRun } as Partial<Asked>);
    return allowed;
  });
  const [one, two] = [box({ width: 1 }), box({ width: 2 })];
  await ask(all, review({ operation: 'UPDATE', object: one, oldObject: two, dryRun: true }));
  await ask(all, review({ operation: 'DELETE', oldObject: two, name: '', namespace: '' }));
  await ask(all, review({ operation: 'CONNECT', object: one, userInfo: {} }));
  const user = { username: 'alice', groups: ['a'], extra: {} };
  const where = { name: 'small', namespace: 'shop' };
  expect(seen).toEqual([
    { operation: 'UPDATE', object: one, oldObject: two, ...where, user, dryRun: true },
    { operation: 'DELETE', oldObject: two, name: '', user, dryRun: false },
    {
      operation: 'CONNECT',
      object: one,
      ...where,
      user: { username: '', groups: [], extra: {} },
      dryRun: false,
    },
  ]);
});

test('a handler cannot change its input', async () => {
  const log = new RecordingLog();
  const changes = hook(({ object }) => {
    (object!.spec as { width: number }).width = 9;
    return allowed;
  });
  expect(await ask(changes, create, { log })).toMatchObject({ allowed: false });
  expect(String(log.lines[0]?.fields['error'])).toContain('read only property');
});

test('warnings and audit annotations are part of the answer', async () => {
  const webhook = hook(({ warn, audit }) => {
    warn('soon\nno more');
    warn('b');
    audit('why', 'because');
    return allowed;
  });
  expect(await ask(webhook, create)).toEqual({
    uid: 'u',
    allowed: true,
    warnings: ['soon no more', 'b'],
    auditAnnotations: { why: 'because' },
  });
});

test.each(['', 'a/b', 'ä', 'a'.repeat(64)])('%j is not a key of the audit log', async (key) => {
  const log = new RecordingLog();
  const webhook = hook(({ audit }) => {
    audit(key, 'x');
    return allowed;
  });
  expect(await ask(webhook, create, { log })).toMatchObject({ allowed: false });
  expect(String(log.lines[0]?.fields['error'])).toContain('a key of the audit log must be');
});

test.each([
  [
    'throws',
    () => {
      throw new Error('secret');
    },
  ],
  ['rejects', () => Promise.reject(new Error('secret'))],
])('a handler that %s refuses, and the reason is only in the log', async (_, fail) => {
  const log = new RecordingLog();
  expect(await ask(hook(fail), create, { log })).toEqual({
    uid: 'u',
    allowed: false,
    status: {
      status: 'Failure',
      message: 'the webhook failed; see its log under the uid u',
      code: 500,
      reason: 'InternalError',
    },
  });
  expect(log.lines).toMatchObject([
    { level: 'error', fields: { uid: 'u', error: new Error('secret') } },
  ]);
});

test('a handler that is too slow refuses, and its later error is logged', async () => {
  const log = new RecordingLog();
  const over = new AbortController();
  let fail: (error: Error) => void = () => {};
  const slow = hook(() => new Promise((_, reject) => (fail = reject)));
  const answer = ask(slow, create, { log, signal: over.signal });
  over.abort(new TimedOut(10_000));
  expect(await answer).toMatchObject({
    allowed: false,
    status: { message: 'there was no answer within 10 s', code: 504, reason: 'Timeout' },
  });
  fail(new Error('late'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.lines.map(({ sentence }) => sentence)).toEqual([
    'an admission webhook failed',
    'it failed later',
  ]);
});

test('a review of another version, kind or subresource has no verdict', async () => {
  const webhook = hook(() => allowed);
  const must = '400 the body must be an AdmissionReview:';
  const pods = { group: '', version: 'v1', kind: 'Pod' };
  expect(await ask(webhook, { ...create, apiVersion: 'admission.k8s.io/v1beta1' })).toBe(
    `${must} apiVersion must be admission.k8s.io/v1, got 'admission.k8s.io/v1beta1'`,
  );
  expect(await ask(webhook, review({ object: box({}), kind: pods }))).toBe(
    `${must} request.kind must be example.com/v1 Box, by the rules of the configuration, got 'v1 Pod'`,
  );
  expect(await ask(webhook, review({ object: box({}), subResource: 'status' }))).toBe(
    `${must} request.subResource must be none, got 'status'`,
  );
  expect(await ask(webhook, review({ operation: 'DELETE' }))).toBe(
    `${must} request.oldObject must be an object, got null`,
  );
  expect(await ask(webhook, review({ operation: 'READ', uid: 1 }))).toBe(
    `${must} request.uid must be a string, got 1; request.operation must be CREATE, UPDATE, DELETE, CONNECT, got 'READ'`,
  );
  for (const given of [null, 1, [], {}]) expect(await ask(webhook, given)).toContain(must);
});

test('a webhook for a subresource has a path of its own, and accepts no other subresource', async () => {
  const status = validatingWebhook({
    kind: boxKind,
    subresource: 'status',
    validate: () => allowed,
  });
  expect([status.path, hook(() => allowed).path]).toEqual([
    '/validate/boxes.example.com/status',
    '/validate/boxes.example.com',
  ]);
  const given = { object: box({}), subResource: 'status' };
  expect(await ask(status, review(given))).toMatchObject({ allowed: true });
  expect(await ask(status, create)).toContain('request.subResource must be status');
});
