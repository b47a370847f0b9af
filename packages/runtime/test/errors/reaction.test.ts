import { expect, test } from '@jest/globals';
import { isAborted, ifExists, ifGone } from '../../errors/reaction.ts';
import { ApiError } from '../../errors/api-error.ts';

test('only the expected error is ignored', () => {
  const exists = new ApiError({ code: 409, reason: 'AlreadyExists' });
  const conflict = new ApiError({ code: 409, reason: 'Conflict' });
  const gone = new ApiError({ code: 404, reason: 'NotFound' });
  expect([ifExists(exists), ifGone(gone)]).toEqual([undefined, undefined]);
  for (const other of [conflict, gone, new Error('x')])
    expect(() => ifExists(other)).toThrow(other);
  for (const other of [exists, conflict, 'x']) expect(() => ifGone(other)).toThrow(other);
});

test('an abort by the signal is distinguished from other failures', () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const abort = new DOMException('This operation was aborted', 'AbortError');
  expect([reason, abort].map((error) => isAborted(error, controller.signal))).toEqual([
    false,
    false,
  ]);
  controller.abort(reason);
  const candidates = [reason, abort, new Error('enough'), undefined, 'AbortError'];
  expect(candidates.map((error) => isAborted(error, controller.signal))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
