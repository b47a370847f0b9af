import { expect, test } from '@jest/globals';
import { omitUndefined } from '../mapping.ts';

interface Address {
  readonly host: string;
  readonly port?: number;
}

const unknownPort = undefined as number | undefined;

test('an undefined field is removed, and the others keep their order', () => {
  const fields: Record<string, unknown> = omitUndefined({ b: 1, gone: undefined, a: null, c: '' });
  expect(Object.entries(fields)).toEqual([
    ['b', 1],
    ['a', null],
    ['c', ''],
  ]);
});

test('a key of others is a field like any other', () => {
  const fields = JSON.parse('{"__proto__": {"isAdmin": true}}') as Record<string, unknown>;
  expect(JSON.stringify(omitUndefined<Record<string, unknown>>(fields))).toBe(
    '{"__proto__":{"isAdmin":true}}',
  );
});

test('only optional fields may be undefined, and no field unknown', () => {
  const address: Address = omitUndefined({ host: 'registry', port: unknownPort });
  expect(Object.keys(address)).toEqual(['host']);
  // @ts-expect-error host is not optional
  omitUndefined<Address>({ host: undefined });
  // @ts-expect-error there is no such field
  omitUndefined<Address>({ host: 'registry', prot: unknownPort });
});
