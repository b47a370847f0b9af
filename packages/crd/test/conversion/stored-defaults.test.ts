import { expect, test } from '@jest/globals';
import { fillListDefaults } from '../../admit-object.ts';
import { definitionOf } from '../../definition.ts';
import type { CustomResourceConversion } from '../../custom-resource-definition.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

const schemaOf = (properties: Record<string, JSONSchemaProps>) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'object', properties } } },
  } as JSONSchemaProps,
});
const text: JSONSchemaProps = { type: 'string' };
const ofText = (...names: readonly string[]): JSONSchemaProps => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
});
const stored = schemaOf({
  policy: { ...text, default: 'Keep' },
  mode: { ...text, default: 'stored' },
  later: { ...text, default: 'x' },
  within: { ...ofText('a', 'b'), default: { a: '1', b: '2' } },
});
const older = schemaOf({ policy: text, mode: { ...text, default: 'older' }, within: ofText('a') });

/** An item of an object in a version, as it is rendered. */
function itemIn(version: string, conversion?: CustomResourceConversion): unknown {
  const definition = definitionOf({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'twos.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Two', plural: 'twos' },
      ...(conversion && { conversion }),
      versions: [
        { name: 'v1', served: true, storage: true, schema: stored },
        { name: 'v1beta1', served: true, storage: false, schema: older },
      ],
    },
  });
  const object = { apiVersion: `example.com/${version}`, kind: 'Two', metadata: { name: 'a' } };
  const { items } = fillListDefaults(definition, { ...object, items: [{}] }) as unknown as {
    readonly items: readonly unknown[];
  };
  return items[0];
}

test('an object in another version than the stored one gets the defaults of both, its own first', () => {
  expect(itemIn('v1beta1')).toEqual({ policy: 'Keep', mode: 'older', within: { a: '1' } });
  expect(itemIn('v1beta1', { strategy: 'None' })).toEqual(itemIn('v1beta1'));
});

test('one in the stored version gets those of that version alone', () => {
  expect(itemIn('v1')).toEqual({
    policy: 'Keep',
    mode: 'stored',
    later: 'x',
    within: { a: '1', b: '2' },
  });
});

test('and so does one that a webhook converts', () => {
  const webhook = { conversionReviewVersions: ['v1'] };
  expect(itemIn('v1beta1', { strategy: 'Webhook', webhook })).toEqual({ mode: 'older' });
});
