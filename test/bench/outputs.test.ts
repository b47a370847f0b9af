import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { members } from '../../bench/fleet.ts';
import { countObjects, difference, readObjects, type Output } from '../../bench/outputs.ts';
import { expression, objectsOf } from '../../bench/template.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';

const folder = mkdtempSync(join(tmpdir(), 'tenantry-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): Output {
  const file = join(folder, name);
  writeFileSync(file, text);
  return { format: name.endsWith('.json') ? 'json' : 'yaml', files: [file] };
}

const list = (items: readonly KubeObject[]) =>
  ({ apiVersion: 'v1', kind: 'List', items }) as unknown as KubeObject;

const fleet = members(3);
const objects = fleet.flatMap(objectsOf);

test.each([
  ['objects, one a document', written('objects.yaml', emitYaml(objects))],
  ['a List of all', written('list.yaml', emitYaml([list(objects)]))],
  [
    'a List per tenant',
    written('lists.yaml', emitYaml(fleet.map((member) => list(objectsOf(member))))),
  ],
  ['a List in JSON', written('list.json', JSON.stringify(list(objects)))],
  [
    'an array of Lists in JSON, indented',
    written(
      'lists.json',
      JSON.stringify([list(objects.slice(0, 5)), list(objects.slice(5))], null, 2),
    ),
  ],
])('%s is counted and parsed as the objects that it contains', (_, output) => {
  expect(countObjects(output)).toBe(36);
  expect(readObjects(output)).toEqual(objects);
});

test('a missing or different object is reported', () => {
  expect(difference(objects, objects)).toBeUndefined();
  expect(difference(objects, objects.slice(1))).toMatch(
    /^tenantry.dev\/v1alpha1 Tenant \/team-00000 must be .*, got undefined$/,
  );
  const [first, ...rest] = objects as [KubeObject, ...KubeObject[]];
  const other = { ...first, spec: {} };
  expect(difference(objects, [other, ...rest])).toContain('team-00000 must be');
});

test('the template contains the objects of every member, as an expression', () => {
  const made = (text: string) =>
    fleet.flatMap((member) => new Function('t', `return ${text};`)(member) as KubeObject[]);
  expect(made(expression())).toEqual(objects);
  const quoted = expression((field) => `\${t.${field}}`).replaceAll(/"(?:\\.|[^"\\])*"/g, (text) =>
    text.includes('${') ? `\`${text.slice(1, -1)}\`` : text,
  );
  expect(made(quoted)).toEqual(objects);
});
