import { expect, test } from '@jest/globals';
import { findLostField } from '../../storage-migration/stored-versions.ts';
import { boolean, integer, list, map, object, string } from '@tenantry/crd/schema/language';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';

const of = (fields: Record<string, JSONSchemaProps>): JSONSchemaProps =>
  object('', { spec: object('', fields) });
const open: JSONSchemaProps = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const ports = (fields: Record<string, JSONSchemaProps>) => list('', object('', fields));

test.each<[string, JSONSchemaProps, JSONSchemaProps, string | undefined]>([
  ['the same fields', of({ a: string('') }), of({ a: string('of another text') }), undefined],
  ['one more', of({ a: string('') }), of({ a: string(''), b: string('') }), undefined],
  ['one less', of({ a: string(''), b: string('') }), of({ a: string('') }), 'spec.b'],
  ['another name', of({ port: integer('') }), of({ ports: ports({}) }), 'spec.port'],
  [
    'a field is missing in a list',
    of({ ports: ports({ port: integer(''), name: string('') }) }),
    of({ ports: ports({ port: integer('') }) }),
    'spec.ports.*.name',
  ],
  [
    'a field is missing in a map',
    of({ sizes: map('', object('', { width: integer(''), isRound: boolean('') })) }),
    of({ sizes: map('', object('', { width: integer('') })) }),
    'spec.sizes.*.isRound',
  ],
  ['any value instead of fields', of({ a: string('') }), object('', { spec: open }), undefined],
  ['fields instead of any value', object('', { spec: open }), of({ a: string('') }), 'spec'],
  [
    'a map instead of fields',
    of({ a: string('') }),
    object('', { spec: map('', string('')) }),
    undefined,
  ],
  [
    'fields instead of a map',
    object('', { spec: map('', string('')) }),
    of({ a: string('') }),
    'spec.*',
  ],
  [
    'fields that every object has need no schema',
    object('', { metadata: object('', { name: string('') }), spec: object('', {}) }),
    of({}),
    undefined,
  ],
])('%s', (_, from, to, lost) => {
  expect(findLostField(from, to)).toBe(lost);
});
