import { expect, test } from '@jest/globals';
import type { Step } from '../../../operator/drift/difference.ts';
import { disclosed } from '../../../operator/drift/disclosed.ts';

const told = (live: unknown, path: readonly Step[], kind = 'Widget'): unknown =>
  disclosed(kind, { path, live }).live;

const web: Step = { by: { name: 'web' } };

test.each<[string, unknown, readonly Step[], string?]>([
  ['what a ConfigMap holds', 'plain', ['data', 'mode'], 'ConfigMap'],
  ['the bytes of one', 'aGVsbG8=', ['binaryData', 'logo'], 'ConfigMap'],
  ['all that one holds', { a: 'b' }, ['data'], 'ConfigMap'],
  ['what a variable is set to', 'plain', ['spec', 'env', { by: { name: 'MODE' } }, 'value']],
  ['a field that is called like a credential', 'x', ['spec', 'dbPassword']],
  ['a field within one', 'x', ['spec', 'credentials', 'user']],
  [
    'a parameter that is called like one',
    'x',
    ['spec', 'set', { by: { name: 'apiKey' } }, 'value'],
  ],
  ['a number', 1234, ['spec', 'passphrase']],
  ['a key in PEM', '-----BEGIN RSA PRIVATE KEY-----\nMII', ['spec', 'note']],
  ['an address with a password', 'postgres://app:hunter2@db/app', ['spec', 'url']],
  ['a token by its beginning', 'ghp_0123456789abcdef', ['spec', 'note']],
  ['a text without words', 'aB3'.repeat(12), ['spec', 'note']],
])('it is not told: %s', (_, live, path, kind) => {
  expect(told(live, path, kind)).toBe('(hidden)');
});

test.each<[string, unknown, readonly Step[]]>([
  ['an image', 'registry.example.com/shop/web:1.2.3', ['spec', 'containers', web, 'image']],
  ['a switch', false, ['spec', 'automountServiceAccountToken']],
  ['the name of a Secret', 'tls', ['spec', 'tls', 0, 'secretName']],
  ['a reference to a Secret', 'tls', ['spec', 'secretKeyRef', 'name']],
  ['the sort of a key', 'ECDSA', ['spec', 'privateKey', 'algorithm']],
  ['pull secrets', [{ name: 'registry' }], ['spec', 'imagePullSecrets']],
  ['a number', 3, ['spec', 'replicas']],
])('it is told: %s', (_, live, path) => {
  expect(told(live, path)).toEqual(live);
});

test('of a whole container all is told but what its variables are set to', () => {
  const from = { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } };
  const container = { name: 'web', image: 'nginx', env: [{ name: 'A', value: 'hunter2' }, from] };
  expect(told(container, ['spec', 'containers', web])).toEqual({
    ...container,
    env: [{ name: 'A', value: '(hidden)' }, from],
  });
  expect(disclosed('Pod', { path: ['spec', 'x'], desired: 1 })).toEqual({
    path: ['spec', 'x'],
    desired: 1,
  });
});
