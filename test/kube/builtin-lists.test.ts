import { expect, test } from '@jest/globals';
import { builtinFields } from '../../kube/builtin-fields.ts';
import { builtinListKeys } from '../../kube/builtin-lists.ts';
import { fieldTable } from '../../kube/openapi/field-table.ts';
import { listKeys } from '../../kube/openapi/list-keys.ts';

test('a merged list has keys, some with defaults for items that leave them out', () => {
  expect(builtinListKeys('Container', 'env')).toEqual([{ name: 'name', default: '' }]);
  expect(builtinListKeys('ServiceSpec', 'ports')).toEqual([
    { name: 'port', default: 0 },
    { name: 'protocol', default: 'TCP' },
  ]);
  expect(builtinListKeys('v1/ServiceAccount', 'secrets')).toEqual([{ name: 'name' }]);
});

test('a set has no keys, and a list that is replaced whole is unknown', () => {
  expect(builtinListKeys('ObjectMeta', 'finalizers')).toEqual([]);
  const others = [
    ['Container', 'command'],
    ['PodSpec', 'tolerations'],
    ['v1/ServiceAccount', 'imagePullSecrets'],
    ['Container', 'image'],
    ['x', 'constructor'],
  ] as const;
  for (const [type, field] of others) expect(builtinListKeys(type, field)).toBeUndefined();
});

test('no map contains such lists: maps contain scalars, or lists of them', () => {
  const inMaps = fieldTable.matchAll(/\{\}(?:\[\])?([^ \n]+)/g);
  const held = new Set([...inMaps].map(([, type]) => type));
  expect(held.size).toBeGreaterThan(2);
  expect([...held].filter((type) => builtinFields(type!) !== undefined)).toEqual([]);
});

test('each list is a field of the table of fields, and its keys are fields of its items', () => {
  for (const line of listKeys.trim().split('\n')) {
    const [type = '', field = ''] = line.split(' ');
    const listType = builtinFields(type)?.get(field);
    expect([line, listType]).toEqual([line, expect.stringMatching(/^\[\]/)]);
    const items = builtinFields(listType!.slice(2));
    for (const { name } of builtinListKeys(type, field)!) {
      expect([line, items?.has(name)]).toEqual([line, true]);
    }
  }
});
