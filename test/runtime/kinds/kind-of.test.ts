import { expect, test } from '@jest/globals';
import { define } from '../../../crds/define.ts';
import { definitionOf, crdManifest } from '../../../crds/definition.ts';
import { kindOf, type Live, type Written } from '../../../runtime/kinds/kind.ts';
import { integer, object, required, string } from '../../../schema/language.ts';

const definition = define({
  group: 'cache.example.com',
  kind: 'Redis',
  plural: 'redises',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A cache.', {
        spec: required(
          object('What it should be.', {
            image: required(string('The image.', { maxLength: 200, example: 'redis:8' })),
            replicas: integer('How many.', { minimum: 0, maximum: 9, default: 1 }),
          }),
        ),
      }),
    },
  },
});
const redises = kindOf(definition, 'v1');
type Redis = typeof redises;

test('the kind of a definition has the scope of its objects', () => {
  expect(redises).toEqual({
    group: 'cache.example.com',
    version: 'v1',
    kind: 'Redis',
    plural: 'redises',
    scope: 'Namespaced',
  });
});

test('a written object may leave out defaults, and a read object has them', () => {
  const written: Written<Redis> = { metadata: { name: 'a' }, spec: { image: 'redis:8' } };
  const replicasOf = (live: Live<Redis>): number => live.spec.replicas;
  const change = (live: Live<Redis>): void => {
    // @ts-expect-error who reads cannot write
    live.spec.replicas = 2;
  };
  // @ts-expect-error an image is required
  const lacking: Written<Redis> = { metadata: {}, spec: {} };
  expect([written, lacking, replicasOf, change]).toHaveLength(4);
});

test('the compiler distinguishes the kinds of definitions', () => {
  const sameFields = kindOf({ ...definition, kind: 'Valkey' as const }, 'v1');
  const name: 'Redis' = redises.kind;
  const group: 'cache.example.com' = redises.group;
  // @ts-expect-error it is another kind
  const other: Redis = sameFields;
  expect([name, group, other.kind]).toEqual(['Redis', 'cache.example.com', 'Valkey']);
});

test('the error for a missing version names the existing ones', () => {
  const read = definitionOf(crdManifest(definition));
  expect(() => kindOf(read, 'v2')).toThrow('The version of Redis must be one of v1, got v2');
});
