import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PathStep } from '../../../operator/drift/difference.ts';
import { redact, HIDDEN } from '../../../operator/drift/redact.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const redactLive = (live: unknown, path: readonly PathStep[], kind = 'Widget'): unknown =>
  redact(kind, { path, live }).live;

const web: PathStep = { by: { name: 'web' } };
const named = (name: string): PathStep => ({ by: { name } });

test.each<[string, unknown, readonly PathStep[], string]>([
  ['the data of a ConfigMap', 'plain', ['data', 'mode'], 'ConfigMap'],
  ['the binary data of one', 'aGVsbG8=', ['binaryData', 'logo'], 'ConfigMap'],
  ['the complete data of one', { a: 'b' }, ['data'], 'ConfigMap'],
  ['the data of a Secret', 'plain', ['stringData', 'mode'], 'Secret'],
  ['the value of a variable', 'plain', ['spec', 'env', named('MODE'), 'value'], 'Widget'],
  ['the value of a variable selected by name', 'plain', ['spec', 'env', 'MODE'], 'Widget'],
  ['a field that is named like a credential', 'x', ['spec', 'dbPassword'], 'Widget'],
  ['a field inside one', 'x', ['spec', 'credentials', 'user'], 'Widget'],
  ['a parameter that is named like one', 'x', ['spec', 'set', named('apiKey'), 'value'], 'Widget'],
  ['a number', 1234, ['spec', 'passphrase'], 'Widget'],
  ['a key in PEM', '-----BEGIN RSA PRIVATE KEY-----\nMII', ['spec', 'note'], 'Widget'],
  ['an address with a password', 'postgres://app:hunter2@db/app', ['spec', 'url'], 'Widget'],
  [
    'an address with a token',
    'https://api.example.com/?v=1&token=hunter2',
    ['spec', 'url'],
    'Widget',
  ],
  ['a token that is known by its prefix', 'ghp_0123456789abcdef', ['spec', 'note'], 'Widget'],
  ['a header', 'Bearer 0123456789', ['spec', 'header'], 'Widget'],
  ['a text without words', 'aB3'.repeat(12), ['spec', 'note'], 'Widget'],
  ['an argument', '--db-password=hunter2', ['spec', 'containers', web, 'args', 0], 'Widget'],
  ['a text that sets one', 'user: app\npassword: hunter2\n', ['spec', 'config'], 'Widget'],
  ['JSON that sets one', '{"user":"app","apiKey":"hunter2"}', ['spec', 'config'], 'Widget'],
])('it is hidden: %s', (_, live, path, kind) => {
  expect(redactLive(live, path, kind)).toBe(HIDDEN);
  expect(redact(kind, { path, desired: live })).toEqual({ path, desired: HIDDEN });
});

test.each<[string, unknown, readonly PathStep[]]>([
  ['an image', 'registry.example.com/shop/web:1.2.3', ['spec', 'containers', web, 'image']],
  ['a switch', false, ['spec', 'automountServiceAccountToken']],
  ['the name of a Secret', 'tls', ['spec', 'tls', 0, 'secretName']],
  ['the name of a Secret that is mounted', 'tls', ['spec', 'volumes', web, 'secret', 'secretName']],
  ['a reference to a Secret', 'tls', ['spec', 'secretKeyRef', 'name']],
  ['the type of a key', 'ECDSA', ['spec', 'privateKey', 'algorithm']],
  ['pull secrets', [{ name: 'registry' }], ['spec', 'imagePullSecrets']],
  ['a number', 3, ['spec', 'replicas']],
  ['arguments', ['--port=8080', '--verbose', 'serve'], ['spec', 'args']],
  ['an address', 'https://example.com:8443/a?b=c', ['spec', 'url']],
  ['an expression', "object.spec.token == 'x'", ['spec', 'expression']],
])('it is shown: %s', (_, live, path) => {
  expect(redactLive(live, path)).toEqual(live);
});

const from = { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } };
const env = [{ name: 'A', value: 'hunter2' }, from];
const hidden = [{ name: 'A', value: HIDDEN }, from];

test.each<[string, unknown, readonly PathStep[], unknown]>([
  [
    'a container',
    { name: 'web', image: 'nginx', env },
    ['spec', 'containers', web],
    { name: 'web', image: 'nginx', env: hidden },
  ],
  ['its variables', env, ['spec', 'containers', web, 'env'], hidden],
  ['one of them', env[0], ['spec', 'containers', web, 'env', named('A')], hidden[0]],
  ['variables by their names', { A: 'hunter2' }, ['spec', 'env'], { A: HIDDEN }],
  ['variables inside a part', { env: { A: 'hunter2' } }, ['spec', 'part'], { env: { A: HIDDEN } }],
  [
    'a command line',
    ['run', '--password', 'hunter2', '--port', '80'],
    ['spec', 'command'],
    ['run', '--password', HIDDEN, '--port', '80'],
  ],
  [
    'parameters',
    [
      { name: 'token', value: 'hunter2' },
      { name: 'mode', value: 'fast' },
    ],
    ['spec', 'set'],
    [
      { name: 'token', value: HIDDEN },
      { name: 'mode', value: 'fast' },
    ],
  ],
])('of %s everything except secrets is shown', (_, live, path, shown) => {
  expect(redactLive(live, path)).toEqual(shown);
});

test('a missing value is not shown as a value', () => {
  const path = ['spec', 'x'];
  expect(redact('Pod', { path, desired: 1 })).toEqual({ path, desired: 1 });
  expect(redact('Pod', { path, live: undefined })).toEqual({ path, live: undefined });
});

test.each(['a', 'eyJ-', '://a:', ':a', 'token', '-', ' =', '--a '])(
  'a text of any length is redacted quickly: %s',
  (part) => {
    const began = performance.now();
    const text = part.repeat(300_000);
    const { length } = String(redactLive(text, ['spec', 'note']));
    expect([text.length, HIDDEN.length]).toContain(length);
    expect(performance.now() - began).toBeLessThan(2000);
  },
);

/** Puts a credential into an object, at different distances from the field that differs. */
const places = fc.constantFrom<(secret: string) => unknown>(
  (secret) => ({ password: secret }),
  (secret) => ({ clientSecret: { value: secret } }),
  (secret) => ({ env: [{ name: 'MODE', value: secret }] }),
  (secret) => ({ env: { MODE: secret } }),
  (secret) => [{ name: 'apiKey', value: secret }],
  (secret) => [`--token=${secret}`],
  (secret) => ['--token', secret],
  (secret) => `https://app:${secret}@db.example.com`,
);
const around = fc.array(
  fc.constantFrom<(inside: unknown) => unknown>(
    (inside) => ({ spec: inside }),
    (inside) => [inside],
    (inside) => ({ name: 'web', template: inside }),
    (inside) => [{ name: 'web' }, inside],
  ),
  { maxLength: 4 },
);

test('a credential is hidden however deep it is in the differing value', () => {
  const secrets = fc.stringMatching(/^[a-z0-9]{8,20}$/).map((text) => `planted${text}`);
  fc.assert(
    fc.property(secrets, places, around, (secret, place, wraps) => {
      const live = wraps.reduce<unknown>((inside, wrap) => wrap(inside), place(secret));
      const text = JSON.stringify(redact('Widget', { path: ['spec', 'x'], live, desired: live }));
      expect(text).not.toContain(secret);
    }),
    runs(300),
  );
});
