import { expect, test } from '@jest/globals';
import { enforcedFormat, formatCheck } from '../../schema/format.ts';

test('the API server checks a known format only for the types that it is for', () => {
  expect(enforcedFormat({ type: 'string', format: 'date-time' })).toBe('datetime');
  expect(enforcedFormat({ type: 'string', format: 'k8s-short-name' })).toBe('k8sshortname');
  expect(enforcedFormat({ format: 'ipv4' })).toBe('ipv4');
  expect(enforcedFormat({ 'x-kubernetes-int-or-string': true, format: 'ipv4' })).toBe('ipv4');
  expect(enforcedFormat({ type: 'integer', format: 'int32' })).toBe('int32');
  expect(enforcedFormat({ type: 'number', format: 'float' })).toBe('float');
});

test('any other format is ignored', () => {
  for (const schema of [
    { type: 'string', format: 'quantity' },
    { type: 'string', format: 'int32' },
    { type: 'number', format: 'int32' },
    { type: 'integer', format: 'uint32' },
    { type: 'object', format: 'date' },
    { type: 'string', format: 'toString' },
    { type: 'string' },
  ]) {
    expect(enforcedFormat(schema)).toBe('');
  }
});

const wide = 'a'.repeat(63);

test.each<[string, string[], string[]]>([
  ['bsonobjectid', ['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901', '']],
  [
    'uri',
    [
      'http://a.b/c?d=e#f',
      '/a',
      'mailto:a b',
      '*',
      'http://u:p@h:80/%20',
      'http://[::1]:80/',
      'http://[fe80::1%25en0]/',
      'x://a:b:80/',
      'http://a%e4',
      '//a/b',
      'a:',
    ],
    [
      '',
      'a.b',
      './a',
      'http://a%41/',
      'http://a:b/',
      'http://a:b:80/',
      'http://[1.2.3.4]/',
      'http://a b/',
      '/%zz',
      'http://a\n',
      ':a',
      'http://é@a/',
    ],
  ],
  ['email', ['a@b', 'a.b+c@d.e', 'é@ü'], ['a', 'a..b@c', '.a@b', 'a@b.', 'a@b@c', '@b']],
  [
    'hostname',
    ['a.example.com', 'a', 'é.com', 'a$b'],
    ['-a', 'a_b', 'a.c', `${wide}a.com`, '1.2.3.4', ''],
  ],
  ['ipv4', ['1.2.3.4', '01.002.3.4', '::1.2.3.4'], ['1.2.3', '256.1.1.1', '1.2.3.4.', '::1', '']],
  [
    'ipv6',
    ['::', '::1', '1::', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8'],
    ['1.2.3.4', '::01.2.3.4', '1::2::3', '00001::', 'fe80::1%a', ':::'],
  ],
  [
    'cidr',
    ['10.0.0.0/8', '010.0.0.0/08', '::/0', '00001::/128'],
    ['10.0.0.0', '10.0.0.0/33', '::/129', '1.2.3.4/', '/8'],
  ],
  [
    'mac',
    ['01:23:45:67:89:ab', '01-23-45-67-89-ab', '0123.4567.89ab', '0123456789ab'],
    ['01:23-45:67:89:ab', '01.23.45.67.89.ab', '01:23:45:67:89'],
  ],
  [
    'uuid',
    ['123e4567-e89b-12d3-a456-426614174000', '123E4567e89b12d3a456426614174000'],
    ['123e4567'],
  ],
  ['uuid3', ['123e4567-e89b-32d3-a456-426614174000'], ['123e4567-e89b-42d3-a456-426614174000']],
  ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-42d3-c456-426614174000']],
  ['uuid5', ['123e4567-e89b-52d3-a456-426614174000'], ['123e4567-e89b-42d3-a456-426614174000']],
  ['isbn', ['0321751043', '978-0321751041'], ['0321751044', '']],
  ['isbn10', ['0 3217 5104-3', '097522980X'], ['978-0321751041']],
  ['isbn13', ['978-0321751041'], ['978-0321751042', '0321751043']],
  ['creditcard', ['4111-1111-1111-1111', 'x5105105105105100'], ['4111111111111112', '1']],
  ['ssn', ['111-11-1111', '111 11 1111'], ['111111111', '111-111111']],
  ['hexcolor', ['#FFF', 'ffffff'], ['#ffff', '']],
  ['rgbcolor', ['rgb(0, 31,255)'], ['rgb(0,31,256)', 'rgb(01,1,1)']],
  ['byte', ['YWJj', 'YQ=='], ['', 'YQ=', 'YQ-_', 'YWJj\n']],
  ['password', ['', 'x'], []],
  [
    'date',
    ['2020-02-29', '0000-02-29'],
    ['2019-02-29', '2020-1-1', '2020-13-01', '2020-00-01', ''],
  ],
  [
    'datetime',
    ['2014-12-15T19:30:20.000Z', '2014-12-15t19:30:20+01:00', '2014-12-15T19:30:20Ztx'],
    ['2014-12-15T24:00:00Z', '2014-12-15T19:30:60Z', '2014-12-15 19:30:20Z', '2014-12-15T19:30:20'],
  ],
  [
    'duration',
    ['1h', '-1.5h30m', '0', '5.s', '5 minutes', 'about 3 weeks, 1 wk', '2562047h47m16.854775807s'],
    ['', '1', '5x', '99999999999999999999s', '99999999999.h'],
  ],
  ['k8sshortname', ['a-b', wide], ['A', 'a.b', `${wide}a`, '-a', '']],
  ['k8slongname', ['a-b.c', `${wide}a.b`], ['a..b', 'A', 'a.', 'a'.repeat(254)]],
])('%s is read as in Go', (name, right, wrong) => {
  const check = formatCheck(name)!;
  expect(right.filter((value) => check(value) !== true)).toEqual([]);
  expect(wrong.filter((value) => check(value) !== false)).toEqual([]);
});

test('what only the API server can decide is neither right nor wrong', () => {
  expect(formatCheck('email')!('Ann <ann@example.com>')).toBeUndefined();
  expect(formatCheck('email')!('"a b"@c')).toBeUndefined();
});
