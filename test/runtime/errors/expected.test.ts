import { expect, test } from '@jest/globals';
import { ApiError } from '../../../runtime/errors/apierror.ts';
import { ifExists, ifGone } from '../../../runtime/errors/expected.ts';

test('only what is expected is no error', () => {
  const exists = new ApiError({ code: 409, reason: 'AlreadyExists' });
  const conflict = new ApiError({ code: 409, reason: 'Conflict' });
  const gone = new ApiError({ code: 404, reason: 'NotFound' });
  expect([ifExists(exists), ifGone(gone)]).toEqual([undefined, undefined]);
  for (const other of [conflict, gone, new Error('x')])
    expect(() => ifExists(other)).toThrow(other);
  for (const other of [exists, conflict, 'x']) expect(() => ifGone(other)).toThrow(other);
});
