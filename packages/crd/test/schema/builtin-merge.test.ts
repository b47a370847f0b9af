import { expect, test } from '@jest/globals';
import { formatFinding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import { validateBuiltinMerge } from '../../schema/builtin-merge.ts';
import { measureCpuTime } from '@tenantry/test-tools/cpu-time';

type Fields = Readonly<Record<string, unknown>>;

const object = (type: string, fields: Fields): KubeObject => {
  const [kind = '', ...version] = type.split('/').toReversed();
  const apiVersion = version.toReversed().join('/');
  return { apiVersion, kind, metadata: { name: 'x' }, ...fields };
};

const validateFields = (type: string, fields: Fields): string[] =>
  validateBuiltinMerge(object(type, fields)).map(formatFinding);

const ofContainer = (container: Fields): string[] =>
  validateFields('v1/Pod', { spec: { containers: [{ name: 'a', ...container }] } }).map((text) =>
    text.replace('spec.containers[0].', ''),
  );

test('an item with the key of another one is refused at its key, with the first such item', () => {
  const env = [{ name: 'A', value: 'x' }, { name: 'B' }, { name: 'A', value: 'y' }, { name: 'A' }];
  expect(ofContainer({ env })).toEqual([
    "env[2].name must be unique in the list, got 'A' again (first at [0])",
    "env[3].name must be unique in the list, got 'A' again (first at [0])",
  ]);
  const volumeMounts = [
    { name: 'a', mountPath: '/x' },
    { name: 'b', mountPath: '/x' },
  ];
  expect(ofContainer({ volumeMounts })).toEqual([
    "volumeMounts[1].mountPath must be unique in the list, got '/x' again (first at [0])",
  ]);
});

test('an item without its first key is refused, even where the API server has a default for it', () => {
  const lacking = (text: string) =>
    `${text.replace(' ', ' must not be empty: it identifies the items of the list, got ')}`;
  expect(ofContainer({ env: [{ value: 'x' }, { name: 'A' }, {}, { name: null }] })).toEqual(
    ['env[0].name nothing', 'env[2].name nothing', 'env[3].name nothing'].map(lacking),
  );
  expect(ofContainer({ ports: [{}, { protocol: 'UDP' }, { containerPort: 80 }] })).toEqual(
    ['ports[0].containerPort nothing', 'ports[1].containerPort nothing'].map(lacking),
  );
  expect(validateFields('v1/Service', { spec: { ports: [{}] } })).toEqual([
    lacking('spec.ports[0].port nothing'),
  ]);
  expect(validateFields('v1/Pod', { spec: { containers: [{ image: 'x' }] } })).toEqual([
    lacking('spec.containers[0].name nothing'),
  ]);
});

test('an empty key is a key, which the API server itself refuses', () => {
  expect(ofContainer({ env: [{ name: '' }, { name: 'A' }] })).toEqual([]);
  expect(ofContainer({ env: [{ name: '' }, { name: '' }] })).toEqual([
    "env[1].name must be unique in the list, got '' again (first at [0])",
  ]);
});

test('if a list has several keys all must be equal, and an absent or null one counts as its default', () => {
  const tcp = { containerPort: 80, protocol: 'TCP' };
  const refused = (again: string) => [
    `ports[1].containerPort must be unique in the list, got ${again} again (first at [0])`,
  ];
  expect(ofContainer({ ports: [tcp, tcp] })).toEqual(
    refused("containerPort 80 and protocol 'TCP'"),
  );
  for (const protocol of [undefined, null, '']) {
    const second = { containerPort: 80, protocol };
    expect(ofContainer({ ports: [tcp, second] })).toEqual(
      refused("containerPort 80 and protocol 'TCP' (the default)"),
    );
  }
  expect(ofContainer({ ports: [tcp, { ...tcp, protocol: 'UDP' }] })).toEqual([]);
  expect(ofContainer({ ports: [tcp, { ...tcp, containerPort: 81 }] })).toEqual([]);
  const spread = { topologyKey: 'zone', maxSkew: 1 };
  expect(
    validateFields('v1/Pod', { spec: { topologySpreadConstraints: [spread, spread] } }),
  ).toEqual([
    "spec.topologySpreadConstraints[1].topologyKey must be unique in the list, got topologyKey 'zone' and no whenUnsatisfiable again (first at [0])",
  ]);
});

test('the fields of a manager are a mapping', () => {
  const fields = (fieldsV1: unknown) => ({
    metadata: { name: 'x', managedFields: [{ manager: 'a', fieldsV1 }] },
  });
  expect(validateFields('v1/Pod', fields({ a: 1 }))).toEqual([]);
  expect(validateFields('v1/Pod', fields(null))).toEqual([]);
  for (const [value, got] of [
    [[], 'an empty list'],
    ['a', "'a'"],
    [1, '1'],
  ] as const) {
    expect(validateFields('v1/Pod', fields(value))).toEqual([
      `metadata.managedFields[0].fieldsV1 must be a mapping, got ${got}`,
    ]);
  }
});

test('a set contains each of its items once', () => {
  const onExitCodes = { operator: 'In', values: [1, 2, 1] };
  const rules = [{ action: 'Ignore', onExitCodes }];
  expect(validateFields('batch/v1/Job', { spec: { podFailurePolicy: { rules } } })).toEqual([
    'spec.podFailurePolicy.rules[0].onExitCodes.values[2] must be unique in the list, got 1 again (first at [0])',
  ]);
});

test('in a merged list a null and an item without its keys are refused', () => {
  expect(ofContainer({ env: [null, { name: 'A' }], command: [null] })).toEqual([
    'env[0] must be a mapping with name, got null',
  ]);
  expect(validateFields('v1/Pod', { metadata: { name: 'x', finalizers: [null] } })).toEqual([
    'metadata.finalizers[0] must be a value, got null',
  ]);
  const lacking = [{ name: 'a' }, {}, { name: null }, { name: '' }];
  const refused = (list: string) =>
    ['[1].name nothing', '[2].name nothing', "[3].name ''"].map((text) => {
      const [at, got] = text.split(' ');
      return `${list}${at} must not be empty: it identifies the items of the list, got ${got}`;
    });
  expect(validateFields('v1/ServiceAccount', { secrets: lacking })).toEqual(refused('secrets'));
  expect(validateFields('v1/Pod', { spec: { imagePullSecrets: lacking } })).toEqual(
    refused('spec.imagePullSecrets'),
  );
});

test('lists within lists, templates and maps are validated', () => {
  const env = [{ name: 'A' }, { name: 'A' }];
  const template = {
    metadata: { finalizers: ['a/b', 'a/b'] },
    spec: { containers: [{ name: 'a', env }, { name: 'b' }, { name: 'a', env }] },
  };
  const at = 'spec.jobTemplate.spec.template';
  const spec = { jobTemplate: { spec: { template } } };
  expect(validateFields('batch/v1/CronJob', { spec }).toSorted()).toEqual([
    `${at}.metadata.finalizers[1] must be unique in the list, got 'a/b' again (first at [0])`,
    `${at}.spec.containers[0].env[1].name must be unique in the list, got 'A' again (first at [0])`,
    `${at}.spec.containers[2].env[1].name must be unique in the list, got 'A' again (first at [0])`,
    `${at}.spec.containers[2].name must be unique in the list, got 'a' again (first at [0])`,
  ]);
});

test('a list that is replaced whole may contain an item twice, and other values are not checked', () => {
  expect(ofContainer({ command: ['a', 'a'], envFrom: [{ prefix: 'A' }, { prefix: 'A' }] })).toEqual(
    [],
  );
  expect(ofContainer({ env: ['A', 'A', []], ports: { a: [{}, {}] }, volumeMounts: null })).toEqual(
    [],
  );
  expect(validateFields('v1/Pod', { spec: [{ containers: [{}, {}] }] })).toEqual([]);
  const twice = { containers: [{ name: 'a' }, { name: 'a' }] };
  for (const type of ['v2/Pod', 'example.com/v1/Pod', 'v1/Namespace', 'v1/constructor']) {
    expect(validateFields(type, { spec: twice })).toEqual([]);
  }
});

test('a large object is validated quickly', () => {
  const many = <T>(length: number, make: (i: number) => T) =>
    Array.from({ length }, (_, i) => make(i));
  const containers = many(20, (i) => ({
    name: `c${i}`,
    env: many(50, (n) => ({ name: `NAME_${n}`, value: 'x' })),
    ports: many(10, (n) => ({ containerPort: 8000 + n, name: `p${n}` })),
    volumeMounts: many(10, (n) => ({ name: `v${n}`, mountPath: `/v/${n}` })),
  }));
  const large = object('apps/v1/Deployment', { spec: { template: { spec: { containers } } } });
  expect(validateBuiltinMerge(large)).toEqual([]);
  const ask = () => {
    for (let i = 0; i < 200; i += 1) validateBuiltinMerge(large);
  };
  ask();
  expect(measureCpuTime(ask)).toBeLessThan(1000);
});
