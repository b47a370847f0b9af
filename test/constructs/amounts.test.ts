import { expect, test } from '@jest/globals';
import { refused, collectFindings } from './given.ts';

const hard = (key: string, value: string | number) =>
  refused({ tenant: { quota: { hard: { [key]: value } } } });
const whole = (key: string, got: string) =>
  `spec.quota.hard["${key}"] must be whole bytes for ${key}, got '${got}'`;

test.each([
  ['requests.memory', '16m', "; did you mean '16Mi'?"],
  ['limits.memory', '512m', "; did you mean '512Mi'?"],
  ['requests.storage', '100000m', "; did you mean '100000Mi'?"],
  ['requests.ephemeral-storage', '1.5', ''],
  ['requests.memory', '5n', ''],
])('%s of %s is refused: it is less than a byte', (key, value, hint) => {
  expect(hard(key, value)).toEqual([`${whole(key, value)}${hint}`]);
});

test.each([
  ['requests.cpu', '16m'],
  ['requests.cpu', '10000m'],
  ['requests.memory', '1.5Gi'],
  ['requests.memory', '16M'],
  ['requests.memory', 'unlimited'],
])('%s of %s is accepted', (key, value) => {
  expect(hard(key, value)).toEqual([]);
});

test('limits of memory must be whole bytes, and a ratio is not a quantity', () => {
  const limits = (item: object) =>
    refused({ tenant: { limits: { items: [{ type: 'Container', ...item }] } } });
  expect(limits({ default: { memory: '512m', cpu: '500m' } })).toEqual([
    "spec.limits.items must be whole bytes for memory, got '512m'; did you mean '512Mi'? (Container default)",
  ]);
  expect(limits({ maxLimitRequestRatio: { memory: '1500m' } })).toEqual([]);
});

test('a quota that no pod can satisfy is reported with both fields', () => {
  const quota = (more: Record<string, string>) =>
    collectFindings({ tenant: { quota: { preset: 'none', hard: { ...more } } } });
  const of = 'for that to be of use, got';
  expect(quota({ 'requests.memory': '4Gi', 'limits.memory': '2Gi' })).toEqual([
    `warning spec.quota.hard["limits.memory"] must be at least the 4Gi of requests.memory ${of} '2Gi' for limits.memory`,
  ]);
  expect(quota({ memory: '4Gi', 'limits.memory': '2Gi' })).toEqual([
    `warning spec.quota.hard["limits.memory"] must be at least the 4Gi of memory ${of} '2Gi' for limits.memory`,
  ]);
});

test('a finding has the full name of a service account', () => {
  const [name, namespace] = ['a'.repeat(150), 'b'.repeat(63)];
  const admins = (holders: object) => collectFindings({ tenant: { access: { admins: holders } } });
  expect(admins({ serviceAccounts: [{ name, namespace }] })[0]).toContain(
    `got '${namespace}/${name}'`,
  );
  const user = `system:serviceaccount:${namespace}:${name}`;
  expect(admins({ users: [user] })[0]).toContain(
    `got '${user}': a service account is named in serviceAccounts`,
  );
});

test('a finding about an address block has the path of the block', () => {
  const at = (tenant: object) => collectFindings({ tenant }).map((one) => one.split(' must ')[0]);
  const rule = { name: 'x', cidrs: ['10.0.0.0/8', '10.1.2.3/16'] };
  const policy = {
    name: 'y',
    spec: {
      podSelector: {},
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.2.3/16'] } }] }],
    },
  };
  expect(at({ network: { allowFrom: [{ name: 'w', podLabels: { a: 'b' } }, rule] } })).toEqual([
    'spec.network.allowFrom[1].cidrs[1]',
  ]);
  expect(at({ namespaces: [{ name: 'a', network: { policies: [policy] } }] })).toEqual([
    'spec.namespaces[0].network.policies[0].spec.ingress[0].from[0].ipBlock.except[0]',
  ]);
  expect(collectFindings({ tenant: { network: { allowFrom: [rule] } } })[0]).toMatch(
    /, got '10\.1\.2\.3\/16' in policy 'x'; did you mean '10\.1\.0\.0\/16'\?$/,
  );
});
