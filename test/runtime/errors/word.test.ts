import { expect, test } from '@jest/globals';
import { ApiError } from '../../../runtime/errors/api-error.ts';
import { errorLabel } from '../../../runtime/errors/reaction.ts';

test.each<[unknown, string]>([
  [Object.assign(new Error('no answer'), { code: 'ECONNRESET' }), 'ECONNRESET'],
  [new ApiError({ code: 404 }), 'ApiError'],
  [new RangeError('too high'), 'RangeError'],
  [new DOMException('stopped', 'AbortError'), 'AbortError'],
  [{}, 'other'],
  [null, 'other'],
  ['broken', 'other'],
])('%p is counted as %s', (error, word) => {
  expect(errorLabel(error)).toBe(word);
});
