import { expect, test } from '@jest/globals';
import { signedHeaders, parseSigningKey } from '../../../operator/hooks/webhook.ts';
import { otherKey, signingKey } from './given.ts';

const keyOf = (text: string): Buffer => parseSigningKey(text)!;

// https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/webhook.test.ts
test('a message is signed as in the example of the specification', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  };
  expect(signedHeaders(message, [keyOf(signingKey)])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('during a key rotation a message has a signature of each key', () => {
  const message = { id: 'a', timestamp: 1, body: '{}' };
  const [first, second] = [signingKey, otherKey].map(
    (key) => signedHeaders(message, [keyOf(key)])['webhook-signature'],
  );
  const both = signedHeaders(message, [keyOf(signingKey), keyOf(otherKey)]);
  expect(both['webhook-signature']).toBe(`${first} ${second}`);
});

test('a signing key has at least 24 bytes in base64, with or without its prefix', () => {
  const of = (length: number): string => Buffer.alloc(length, 1).toString('base64');
  expect(parseSigningKey(`whsec_${of(24)}`)).toEqual(Buffer.alloc(24, 1));
  expect(parseSigningKey(of(24))).toEqual(Buffer.alloc(24, 1));
  expect(parseSigningKey(`whsec_${of(23)}`)).toBeUndefined();
  expect(parseSigningKey('correct horse battery staple and more')).toBeUndefined();
  expect(parseSigningKey('')).toBeUndefined();
});
