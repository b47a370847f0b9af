import { expect, test } from '@jest/globals';
import { AccessDenied, Malformed, Unreachable } from '../../errors/client-errors.ts';
import { ApiError, parseRetryAfter, toApiError, type Status } from '../../errors/api-error.ts';
import { reactionTo, errorLabel } from '../../errors/reaction.ts';

const now = new Date('2026-01-01T00:00:00Z');
const causes = (reason: string) => ({ details: { causes: [{ reason }] } });

test.each([
  [{ code: 404, reason: 'NotFound' }, ['isNotFound']],
  [{ code: 409, reason: 'AlreadyExists' }, ['isAlreadyExists']],
  [{ code: 409, reason: 'Conflict' }, ['isConflict']],
  [
    { code: 409, reason: 'Conflict', ...causes('FieldManagerConflict') },
    ['isConflict', 'isFieldConflict'],
  ],
  [{ code: 401, reason: 'Unauthorized' }, ['isUnauthorized']],
  [{ code: 403, reason: 'Forbidden' }, ['isForbidden']],
  [
    { code: 403, reason: 'Forbidden', ...causes('NamespaceTerminating') },
    ['isForbidden', 'isNamespaceTerminating'],
  ],
  [{ code: 422, reason: 'Invalid' }, ['isInvalid']],
  [{ code: 410, reason: 'Gone' }, ['isExpired']],
  [{ code: 410, reason: 'Expired' }, ['isExpired']],
  [{ code: 429, reason: 'TooManyRequests' }, ['isTooManyRequests']],
  [{ code: 500, reason: 'InternalError' }, ['isServerError']],
  [{ code: 504, reason: 'Timeout' }, ['isServerError']],
])('a refusal of %j matches %j', (status, expected) => {
  const error = new ApiError(status);
  const getters = Object.entries(Object.getOwnPropertyDescriptors(ApiError.prototype)).filter(
    ([, { get }]) => get,
  );
  expect(getters.flatMap(([name, { get }]) => (get!.call(error) ? [name] : []))).toEqual(expected);
});

const api = (code: number, rest = {}) => new ApiError({ code, ...rest });

test.each([
  ['retry', [new Unreachable('reset'), new Malformed('JSON')]],
  ['retry', [401, 408, 429, 500, 502, 503, 504].map((code) => api(code))],
  ['retry', [api(409, { reason: 'AlreadyExists', details: { retryAfterSeconds: 1 } })]],
  ['relist', [api(410), api(410, { reason: 'Gone' }), api(400, { reason: 'Expired' })]],
  ['reread', [api(404), api(409), api(409, { reason: 'AlreadyExists' })]],
  ['give up', [api(409, { reason: 'Conflict', ...causes('FieldManagerConflict') })]],
  ['give up', [400, 403, 405, 406, 413, 415, 422, 501, 304].map((code) => api(code))],
  ['give up', [new Error('ours'), new DOMException('', 'AbortError'), undefined]],
])('the reaction to an error is to %s', (reaction, errors) => {
  expect(errors.map(reactionTo)).toEqual(errors.map(() => reaction));
});

test.each([
  [{ retryAfter: '86400', body: '' }],
  [{ retryAfter: 'Fri, 02 Jan 2026 00:00:00 GMT', body: '' }],
  [{ body: JSON.stringify({ kind: 'Status', details: { retryAfterSeconds: 86_400 } }) }],
])('a Retry-After of a day is capped for %j', (answer) => {
  expect(toApiError({ status: 503, ...answer }, now).retryAfter).toBe(1_000_000);
});

test.each([
  { code: '404', message: { toString: 1, valueOf: 1 }, reason: 7 },
  { message: '', reason: '', details: 'none' },
  { details: { causes: 'none', retryAfterSeconds: 'soon' } },
  { details: { causes: [null, 'x', {}], retryAfterSeconds: -1 } },
  { details: null },
])('a Status such as %j is a refusal like any other', (fields) => {
  const error = toApiError(
    { status: 403, body: JSON.stringify({ kind: 'Status', ...fields }) },
    now,
  );
  expect(error).toMatchObject({
    message: 'the server answered 403 Forbidden',
    reason: 'Forbidden',
    isNamespaceTerminating: false,
    retryAfter: undefined,
  });
  expect(new ApiError(fields as Status).status).toBe(500);
  expect(reactionTo(error)).toBe('give up');
});

test.each([
  ['https://me:pass@login.example.com/a?token=x#y', 'https://login.example.com/a'],
  ['/dashboard/login?token=x', '/dashboard/login'],
])('a redirect to %s is reported without secrets, and not followed', (location, shown) => {
  const error = toApiError({ status: 302, body: '<a>Found</a>', location }, now);
  expect(error.message).toBe(
    `the server answered 302 with a redirect to ${shown}, which is not followed`,
  );
  expect([error.status, reactionTo(error)]).toEqual([302, 'give up']);
  expect(toApiError({ status: 201, body: 'x', location }, now).message).toBe('x');
});

test('a Status becomes an error with its message, reason, details and call', () => {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    message: 'namespaces "shop" not found',
    reason: 'NotFound',
    details: { name: 'shop', kind: 'namespaces' },
    code: 404,
  };
  const request = 'GET /api/v1/namespaces/shop';
  const error = toApiError({ status: 404, body: JSON.stringify(status), request }, now);
  expect(error).toMatchObject({
    name: 'ApiError',
    message: 'namespaces "shop" not found',
    status: 404,
    reason: 'NotFound',
    details: { name: 'shop', kind: 'namespaces' },
    retryAfter: undefined,
    request,
  });
});

test('the page of a proxy becomes an error with its text on one line', () => {
  const body = '<html>\n<head><title>502 Bad\tGateway</title></head>\n</html>';
  expect(toApiError({ status: 502, body }, now)).toMatchObject({
    message: '502 Bad Gateway',
    reason: 'Unknown',
  });
  expect(toApiError({ status: 503, body: '{"kind":"Stat' }, now)).toMatchObject({
    message: '{"kind":"Stat',
    reason: 'ServiceUnavailable',
  });
  expect(toApiError({ status: 403, body: '{"kind":"Pod","message":"no"}' }, now).reason).toBe(
    'Forbidden',
  );
});

test('a refusal without a message reports its status', () => {
  expect(toApiError({ status: 504, body: '' }, now).message).toBe(
    'the server answered 504 Timeout',
  );
});

test('the HTTP status overrides the one in the body', () => {
  const body = '{"kind":"Status","code":200}';
  expect(toApiError({ status: 500, body }, now).status).toBe(500);
});

test('the retry delay is read from the header, then from the Status, in milliseconds', () => {
  const body = '{"kind":"Status","details":{"retryAfterSeconds":3}}';
  expect(toApiError({ status: 429, body }, now).retryAfter).toBe(3000);
  expect(toApiError({ status: 429, body, retryAfter: '7' }, now).retryAfter).toBe(7000);
});

test.each([
  [undefined, undefined],
  ['0', 0],
  [' 120 ', 120_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
  ['soon', undefined],
  ['-1x', undefined],
])('Retry-After %j is %j milliseconds', (text, milliseconds) => {
  expect(parseRetryAfter(text, now)).toBe(milliseconds);
});

test('a malformed answer reports its beginning, and keeps the cause', () => {
  const cause = new SyntaxError('Unexpected token');
  const error = new Malformed('an event of a watch', { text: 'upstream\nerror', cause });
  expect(error.message).toBe(`the answer must be an event of a watch, got 'upstream\\nerror'`);
  expect(error.cause).toBe(cause);
});

test('an error without an answer reports whether the request may have been processed', () => {
  const cause = new Error('ECONNREFUSED');
  expect(new Unreachable('refused', { isUnprocessed: true, cause })).toMatchObject({
    isUnprocessed: true,
    cause,
  });
  expect(new Unreachable('reset').isUnprocessed).toBe(false);
});

test('a call without a declared grant names the grant to declare', () => {
  const missing = { group: 'apps', resource: 'deployments/status', verbs: ['patch'] } as const;
  const line = `allow(Deployment, 'patch').subresource('status')`;
  expect(new AccessDenied('shop', missing, line)).toMatchObject({
    message: `shop may not patch deployments.apps/status: its access must have ${line}`,
    missing,
    line,
  });
});

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
