import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isMapping } from '@tenantry/kube/mapping';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { findReadMarks, marks } from '../../apps/eject/marks.ts';
import { eject, ejectedFiles, objectsOf } from './ejected.ts';

const namespace = (labels: object, annotations: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'a', labels, annotations },
  });
const reader = (spec: unknown): string =>
  JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Reader', metadata: { name: 'r' }, spec });

const tenantLabel = { 'tenantry.dev/tenant': 'a' };

test.each([
  ['a selector', { selector: { matchLabels: tenantLabel } }],
  ['an expression', { matchExpressions: [{ key: 'tenantry.dev/tenant', operator: 'Exists' }] }],
  ['CEL', { expression: "object.metadata.labels['tenantry.dev/tenant'] == 'a'" }],
  ['an escaped path', { jsonPath: String.raw`.metadata.labels.tenantry\.dev/tenant` }],
  ['a regular expression', { key: '^tenantry[.]dev/tenant$' }],
  ['a pattern for all keys', { keys: ['tenantry.dev/*'] }],
  ['a label of a metric', { expr: 'kube_namespace_labels{label_tenantry_dev_tenant="a"}' }],
])('a mark stays that %s reads', (_, spec) => {
  const files = { 'clusters/c/a.yaml': namespace(tenantLabel), 'clusters/c/r.yaml': reader(spec) };
  const ejection = eject(files, true);
  expect(ejection.marks).toMatchObject([{ objects: 1, readers: ['Reader r'] }]);
  const [object] = objectsOf(new Map(ejectedFiles(ejection)).get('clusters/c/a.yaml')!);
  expect(object!.metadata.labels).toEqual(tenantLabel);
});

test.each([
  ['another key that begins like it', { key: 'tenantry.dev/tenants' }],
  ['a key of another domain', { key: 'not-tenantry.dev/tenant' }],
  ['the domain alone', { group: 'tenantry.dev' }],
  ['a label of its own', undefined],
])('a mark is removed that only looks like %s', (_, spec) => {
  const files = { 'clusters/c/a.yaml': namespace(tenantLabel), 'clusters/c/r.yaml': reader(spec) };
  expect(eject(files, true).marks).toMatchObject([{ readers: [] }]);
});

test('what somebody else manages does not keep the label of what Tenantry manages', () => {
  const key = 'app.kubernetes.io/managed-by';
  const template = (value: string) => ({ template: { metadata: { labels: { [key]: value } } } });
  const readersOf = (spec: object): unknown =>
    eject({
      'clusters/c/a.yaml': namespace({ [key]: 'tenantry' }),
      'clusters/c/r.yaml': reader(spec),
    }).marks[0]!.readers;
  expect(readersOf(template('Helm'))).toEqual([]);
  expect(readersOf({ matchLabels: { [key]: 'tenantry' } })).toEqual(['Reader r']);
  expect(readersOf({ matchExpressions: [{ key, operator: 'Exists' }] })).toEqual(['Reader r']);
});

test('keys of a declaration stay, whatever their domain is', () => {
  const annotations = { 'tenantry.dev/team': 'Payments', 'tenantry.dev/owner': 'p@example.com' };
  const labels = { 'app.kubernetes.io/part-of': 'tenantry', ...tenantLabel, team: 'a' };
  const files = { 'clusters/c/a.yaml': namespace(labels, annotations) };
  const [object] = objectsOf(new Map(ejectedFiles(eject(files, true))).get('clusters/c/a.yaml')!);
  expect(object!.metadata).toEqual({
    name: 'a',
    labels: { 'app.kubernetes.io/part-of': 'tenantry', team: 'a' },
    annotations,
  });
});

/** Lists the keys by which an object selects, in any form of a selector. */
function selectedKeys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(selectedKeys);
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'matchLabels' && isMapping(inner)) return Object.keys(inner);
    if (name === 'key' && typeof inner === 'string') return [inner];
    return selectedKeys(inner);
  });
}

test('no selector loses a label that it selects by, and no other mark stays', () => {
  const keys = marks.map(({ key }) => key);
  const labels = fc.dictionary(
    fc.constantFrom(...keys, 'team', 'tenantry.dev/team'),
    fc.constantFrom('tenantry', 'a'),
  );
  const selector = fc.oneof(
    fc.record({
      matchLabels: fc.dictionary(fc.constantFrom(...keys, 'team'), fc.constant('tenantry')),
    }),
    fc.record({
      matchExpressions: fc.array(
        fc.record({ key: fc.constantFrom(...keys), operator: fc.constant('Exists') }),
        { maxLength: 2 },
      ),
    }),
  );
  const object = fc.record({
    labels,
    annotations: labels,
    spec: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.record({ selector }) },
    ),
  });
  fc.assert(
    fc.property(fc.array(object, { minLength: 1, maxLength: 8 }), (specs) => {
      const objects = specs.map(({ spec, ...metadata }, i) => ({
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: { name: `o${i}`, ...metadata },
        spec,
      }));
      const files = Object.fromEntries(
        objects.map((one, i) => [`clusters/c/${i}.yaml`, JSON.stringify(one)]),
      );
      const texts = new Map(ejectedFiles(eject(files, true)));
      const selected = new Set(objects.flatMap(({ spec }) => selectedKeys(spec)));
      objects.forEach((before, i) => {
        const [after] = objectsOf(texts.get(`clusters/c/${i}.yaml`)!);
        expect(after!['spec']).toEqual(before.spec);
        for (const part of ['labels', 'annotations'] as const) {
          for (const [key, value] of Object.entries(before.metadata[part])) {
            const isMark = marks.some(
              (mark) => mark.part === part && mark.key === key && (mark.value ?? value) === value,
            );
            const isPartOf =
              key === 'app.kubernetes.io/part-of' &&
              'tenantry.dev/tenant' in before.metadata.labels;
            const stays = !isMark || isPartOf || selected.has(key);
            expect([key, after!.metadata[part]?.[key]]).toEqual([key, stays ? value : undefined]);
          }
        }
      });
    }),
    runs(400),
  );
});

test('a label that both Tenantry and others use stays where an object selects by its key alone', () => {
  for (const key of ['app.kubernetes.io/managed-by', 'app.kubernetes.io/part-of']) {
    const selector = { matchExpressions: [{ key, operator: 'Exists' }] };
    expect(findReadMarks({ spec: { selector } }).map((mark) => mark.key)).toEqual([key]);
  }
});
