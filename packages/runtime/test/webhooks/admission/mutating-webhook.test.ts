import { expect, test } from '@jest/globals';
import type { JsonPatchOperation } from '../../../webhooks/json-patch.ts';
import {
  mutatingWebhook,
  type MutatingWebhookProps,
} from '../../../webhooks/admission/admission-webhook.ts';
import { allowed, changed, denied } from '../../../webhooks/admission/verdict.ts';
import { RecordingLog } from '../../certificates/recording-log.ts';
import { applied } from '../applied.ts';
import { ask, box, boxes, boxKind, review } from './reviews.ts';

type Mutate = MutatingWebhookProps<typeof boxKind>['mutate'];
const hook = (mutate: Mutate) => mutatingWebhook({ kind: boxKind, mutate });
const object = box({ width: 1 });
const create = review({ object });

/** Returns the object that the API server stores. */
async function stored(mutate: Mutate, given: object = object): Promise<unknown> {
  const response = await ask(hook(mutate), review({ object: given }));
  if (typeof response === 'string') return response;
  const { patch = '', patchType } = response;
  if (patchType !== 'JSONPatch') return response;
  const text = Buffer.from(patch, 'base64').toString();
  return applied(given, JSON.parse(text) as JsonPatchOperation[]);
}

test('the patch produces the object that a handler returns', async () => {
  const paint: Mutate = ({ object }) =>
    object
      ? changed({
          ...object,
          metadata: { ...object.metadata, labels: { 'a/b': 'c' } },
          spec: { ...object.spec, colour: 'red' },
        })
      : allowed;
  expect(await stored(paint)).toEqual(box({ width: 1, colour: 'red' }, { labels: { 'a/b': 'c' } }));
});

test('an unchanged object has no patch', async () => {
  const response = { uid: 'u', allowed: true };
  expect(
    await ask(
      hook(() => allowed),
      create,
    ),
  ).toEqual(response);
  expect(
    await ask(
      hook(({ object }) => changed(object!)),
      create,
    ),
  ).toEqual(response);
});

test('an undefined field counts as missing', async () => {
  const bare: Mutate = ({ object }) =>
    changed({ ...object!, spec: { width: 2, colour: undefined } } as typeof object & object);
  expect(await stored(bare, box({ width: 1, colour: 'red' }))).toEqual(box({ width: 2 }));
});

test('a mutating webhook can refuse', async () => {
  expect(
    await ask(
      hook(() => denied('no')),
      create,
    ),
  ).toMatchObject({
    allowed: false,
    status: { message: 'no' },
  });
});

test.each([
  ['apiVersion', { apiVersion: 'example.com/v2' }, `'example.com/v1', got 'example.com/v2'`],
  ['kind', { kind: 'Bag' }, `'Box', got 'Bag'`],
  ['metadata.name', { metadata: { ...object.metadata, name: 'b' } }, `'small', got 'b'`],
  ['metadata.namespace', { metadata: { name: 'small' } }, `'shop', got nothing`],
  ['metadata.uid', { metadata: { ...object.metadata, uid: '1' } }, `nothing, got '1'`],
])('a handler that changes %s refuses, and the reason is logged', async (field, change, what) => {
  const log = new RecordingLog();
  const wrong: Mutate = ({ object }) => changed({ ...object!, ...(change as object) });
  expect(await ask(hook(wrong), create, { log })).toMatchObject({
    allowed: false,
    status: { code: 500 },
  });
  expect(log.lines[0]?.fields['error']).toMatchObject({ message: `${field} must stay ${what}` });
});

test.each(['labels', 'annotations', 'finalizers', 'ownerReferences'])(
  'a handler may change metadata.%s',
  async (field) => {
    const value = field === 'labels' || field === 'annotations' ? { a: 'b' } : [{ name: 'x' }];
    const change: Mutate = ({ object }) =>
      changed({ ...object!, metadata: { ...object!.metadata, [field]: value } });
    expect(await stored(change)).toEqual(box({ width: 1 }, { [field]: value }));
  },
);

test('a deleted object cannot be changed', async () => {
  const log = new RecordingLog();
  const response = await ask(
    hook(({ oldObject }) => changed(oldObject!)),
    review({ operation: 'DELETE', oldObject: object }),
    { log },
  );
  expect(response).toMatchObject({ allowed: false });
  expect(log.lines[0]?.fields['error']).toMatchObject({
    message: 'DELETE has no object that could be changed',
  });
});

test('with a schema, an object that does not match it is left to the API server', async () => {
  const asked: unknown[] = [];
  const held = mutatingWebhook({
    kind: boxKind,
    schema: boxes.versions.v1.schema,
    mutate: ({ object }) => {
      asked.push(object?.spec);
      return denied('asked');
    },
  });
  expect(await ask(held, review({ object: box({ width: 'x' }) }))).toMatchObject({ allowed: true });
  expect(await ask(held, create)).toMatchObject({ allowed: false });
  expect(asked).toEqual([{ width: 1 }]);
});
