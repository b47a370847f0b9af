import { expect, test } from '@jest/globals';
import type { TenantClassDeclaration } from '../../model/declaration.ts';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { ofKind, collectFindings, type Given } from './given.ts';

/** The limits of etcd and the API server in bytes: for an object, and for its annotations. */
const MAX_BYTES = { object: 393_216, annotations: 262_144 };

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** ConfigMaps of about 60,000 bytes, the last one with the given text. */
const maps = (last: string): TenantSpec => ({
  resources: ['x', 'x', 'x', 'x', 'x', 'x', last].map((text, i) => ({
    manifest: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `m${i}` },
      data: { text: text === 'x' ? 'x'.repeat(60_000) : text },
    },
  })),
});

/** The bytes of a declaration as the cluster stores it. */
const kept = (spec: object): number => bytesOf({ metadata: { name: 'acme' }, spec });

test('a Tenant is at most as large as the cluster can store, in bytes', () => {
  const room = MAX_BYTES.object - kept(maps(''));
  expect(collectFindings({ tenant: maps('a'.repeat(room)) })).toEqual([]);
  expect(collectFindings({ tenant: maps('ä'.repeat(room / 2) + 'a'.repeat(room % 2)) })).toEqual(
    [],
  );
  const parts = `resources ${bytesOf(maps('a'.repeat(room + 1)).resources)}`;
  expect(collectFindings({ tenant: maps('a'.repeat(room + 1)) })).toEqual([
    `spec must be at most ${MAX_BYTES.object} bytes, so that the cluster can keep the Tenant, got ${MAX_BYTES.object + 1} (${parts})`,
  ]);
});

test('an error for a Tenant that is too large names the two largest parts', () => {
  const tenant: TenantSpec = {
    environment: 'prod',
    contact: { team: 'x'.repeat(200) },
    ...maps('a'.repeat(60_000)),
  };
  expect(collectFindings({ tenant })).toEqual([
    expect.stringMatching(/got \d+ \(resources 4\d{5}, contact 211\)$/),
  ]);
});

test('labels and annotations of the Tenant are stored with it, and count', () => {
  const room = MAX_BYTES.object - kept(maps(''));
  const tenant = maps('a'.repeat(room));
  expect(collectFindings({ tenant, labels: { a: 'b' } })).toHaveLength(1);
  expect(collectFindings({ tenant, annotations: { a: 'b' } })).toHaveLength(1);
});

/** Twenty annotations with so many bytes together, all of one character. */
function annotations(bytes: number, character = 'x'): Record<string, string> {
  const keys = Array.from({ length: 20 }, (_, i) => `example.com/${i + 10}`);
  const size = Buffer.byteLength(character);
  const each = Math.floor((bytes / 20 - 14) / size);
  const rest = bytes - 20 * (14 + each * size);
  return Object.fromEntries(
    keys.map((key, i) => [key, character.repeat(each) + (i === 0 ? 'x'.repeat(rest) : '')]),
  );
}
const tooMany = `must have at most ${MAX_BYTES.annotations} bytes of annotations, got ${MAX_BYTES.annotations + 1}`;

test.each(['x', 'ä', '€'])('annotations of the Tenant are at most 256 KiB of %s', (character) => {
  expect(collectFindings({ annotations: annotations(MAX_BYTES.annotations, character) })).toEqual(
    [],
  );
  expect(
    collectFindings({ annotations: annotations(MAX_BYTES.annotations + 1, character) }),
  ).toEqual([`metadata.annotations ${tooMany}`]);
});

test('the keys of annotations count too, also where the values are empty', () => {
  const domain = `${`${'d'.repeat(49)}.`.repeat(4)}${'d'.repeat(45)}`;
  const keys = (count: number) =>
    Array.from({ length: count }, (_, i) => `${domain}/k${`${i}`.padStart(9, '0')}`);
  const empty = (count: number) => Object.fromEntries(keys(count).map((key) => [key, '']));
  expect(collectFindings({ annotations: empty(1024) })).toEqual([]);
  expect(collectFindings({ annotations: empty(1025) })).toHaveLength(1);
});

test.each<[string, (bytes: number) => TenantSpec, string]>([
  [
    'a service account',
    (bytes) => ({
      serviceAccounts: [{ name: 'a' }, { name: 'b', annotations: annotations(bytes) }],
    }),
    'spec.serviceAccounts',
  ],
  [
    'a network policy',
    (bytes) => ({
      network: { policies: [{ name: 'b', annotations: annotations(bytes), spec: {} }] },
    }),
    'spec.network.policies',
  ],
])('annotations of %s are at most 256 KiB', (_name, tenant, path) => {
  expect(collectFindings({ tenant: tenant(MAX_BYTES.annotations) })).toEqual([]);
  expect(collectFindings({ tenant: tenant(MAX_BYTES.annotations + 1) })).toEqual([
    `${path} ${tooMany} of 'b'`,
  ]);
});

test("annotations of a Namespace are at most 256 KiB, including Tenantry's own", () => {
  const given = (bytes: number): Given => ({
    klass: { allow: { annotations: [{ key: 'example.com/*' }] } },
    tenant: { annotations: annotations(bytes) },
  });
  const all = ofKind(given(1000), 'Namespace')[0]!.metadata.annotations!;
  const ours = Buffer.byteLength(Object.entries(all).flat().join('')) - 1000;
  expect(collectFindings(given(MAX_BYTES.annotations - ours))).toEqual([]);
  expect(collectFindings(given(MAX_BYTES.annotations - ours + 1))).toEqual([
    `spec.annotations ${tooMany} on namespace acme, whose annotations name its members and objects too`,
  ]);
});

test('a short Tenant may give large objects, and none that is too large', () => {
  const given = (users: readonly string[]): Given => ({
    klass: { allow: { clusterRoles: ['view'] } },
    tenant: {
      access: {
        clusterRoles: Array.from({ length: Math.ceil(users.length / 100) }, (_, i) => ({
          name: 'view',
          bindingName: 'all',
          users: users.slice(100 * i, 100 * (i + 1)),
        })),
      },
    },
  });
  const users = (count: number, first: string) =>
    Array.from({ length: count }, (_, i) => (i === 0 ? first : `user-${10_000 + i}`));
  const size = (count: number) => bytesOf(ofKind(given(users(count, 'u')), 'RoleBinding')[0]);
  const count = 1 + Math.floor((MAX_BYTES.object - size(1)) / (size(2) - size(1)));
  const first = 'u'.repeat(1 + MAX_BYTES.object - size(count));
  expect(collectFindings(given(users(count, first)))).toEqual([]);
  expect(collectFindings(given(users(count, `${first}u`)))).toEqual([
    `spec must give objects of at most ${MAX_BYTES.object} bytes, got ${MAX_BYTES.object + 1} in RoleBinding 'all' of namespace acme`,
  ]);
  const { klass, tenant } = given(users(count, `${first}u`));
  expect(
    collectFindings({ klass: { ...klass, defaults: { access: tenant!.access! } } }),
  ).toHaveLength(1);
});

/** Returns the findings of a fleet for a class. */
const validateClass = (klass: Partial<TenantClassDeclaration>) =>
  new Fleet(resolvePlatform({})).classes.add({ name: 'standard', spec: {}, ...klass });

test('a class is at most as large as the cluster can store', () => {
  const spec = (last: string) => ({ defaults: maps(last) });
  const base = bytesOf({ metadata: { name: 'standard' }, spec: spec('') });
  const room = MAX_BYTES.object - base;
  expect(validateClass({ spec: spec('a'.repeat(room)) })).toEqual([]);
  expect(validateClass({ spec: spec('a'.repeat(room + 1)) })).toEqual([
    {
      path: ['spec'],
      message: `must be at most ${MAX_BYTES.object} bytes, so that the cluster can keep the class, got ${MAX_BYTES.object + 1}`,
      rule: 'object-size',
      severity: 'error',
    },
  ]);
});

test('annotations of a class are at most 256 KiB', () => {
  expect(validateClass({ annotations: annotations(MAX_BYTES.annotations) })).toEqual([]);
  expect(validateClass({ annotations: annotations(MAX_BYTES.annotations + 1) })).toEqual([
    {
      path: ['metadata', 'annotations'],
      message: tooMany,
      rule: 'annotations-size',
      severity: 'error',
    },
  ]);
});

test.each(['labels', 'annotations'] as const)(
  'the keys of the %s of a class must be valid',
  (part) => {
    expect(validateClass({ [part]: { 'example.com/a': 'b', c: 'd' } })).toEqual([]);
    expect(validateClass({ [part]: { a: 'b', 'no key': 'x' } })).toEqual([
      {
        path: ['metadata', part, 'no key'],
        message: "must be a key such as 'example.com/name', got 'no key'",
        rule: 'key',
        severity: 'error',
      },
    ]);
  },
);
