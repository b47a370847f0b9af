import { expect, test } from '@jest/globals';
import { readDeclarations } from '../../crds/declarations.ts';
import { platform } from '../../crds/platform.ts';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';

const collectProblems = (kind: string, spec: string): string[] => {
  const text = `apiVersion: tenantry.dev/v1alpha1\nkind: ${kind}\nmetadata: {name: a}\nspec: ${spec}\n`;
  const none = () => {
    throw new Error('no file');
  };
  return readDeclarations('t.yaml', text, [tenant, tenantClass, platform], none).problems.map(
    ({ path, message }) => `${path} ${message}`,
  );
};

const BOOLEANS = 'YAML reads y, n, yes, no, on and off as true and false: write a text in quotes';

test.each([
  [
    'a fraction without quotes',
    'Tenant',
    '{quota: {hard: {requests.cpu: 1.5}}}',
    "got 1.5; write it in quotes, '1.5', or as '1500m'",
  ],
  [
    'a fraction that is no number of thousandths',
    'Tenant',
    '{quota: {hard: {requests.cpu: 0.0005}}}',
    "got 0.0005; write it in quotes, '0.0005'",
  ],
  ['a number below zero', 'Tenant', '{quota: {hard: {requests.cpu: -1.5}}}', 'got -1.5'],
  ['a boolean of YAML 1.1', 'Tenant', '{labels: {on-call: no}}', `got false; ${BOOLEANS}`],
  ['one where a quantity is due', 'Tenant', '{quota: {hard: {pods: y}}}', `got true; ${BOOLEANS}`],
  [
    'a version without quotes',
    'Platform',
    '{clusters: [{name: eu1, kubernetesVersion: 1.30}]}',
    'got 1.3; YAML reads it as a number: write it in quotes, as it is meant',
  ],
  [
    'a word where a boolean is due',
    'Tenant',
    '{serviceAccounts: [{name: a, automountServiceAccountToken: "no"}]}',
    "got 'no'",
  ],
  ['a text that is no quantity', 'Tenant', '{quota: {hard: {pods: many}}}', "got 'many'"],
  ['what is missing', 'Tenant', '{namespaces: [{}]}', 'got nothing'],
])(
  'the problem contains the correct notation if YAML read something else: %s',
  (_what, kind, spec, end) => {
    const problems = collectProblems(kind, spec);
    expect(problems).toHaveLength(1);
    expect(problems[0]!.endsWith(`, ${end}`)).toBe(true);
  },
);

test.each([
  [
    'Tenant',
    '{namespaces: [a, b]}',
    "spec.namespaces[0] must be a mapping, got 'a'; write { name: a }",
  ],
  [
    'TenantClass',
    '{environments: [dev, prod]}',
    "spec.environments[0] must be a mapping, got 'dev'; write { name: dev }",
  ],
  [
    'Platform',
    '{clusters: [eu1, us1]}',
    "spec.clusters[0] must be a mapping, got 'eu1'; write { name: eu1 }",
  ],
  [
    'Tenant',
    '{limits: {items: [Container, Pod]}}',
    "spec.limits.items[0] must be a mapping, got 'Container'; write { type: Container }",
  ],
  [
    'Tenant',
    '{network: {allowFrom: [{name: x, namespaces: [b], ports: [80, 443]}]}}',
    'spec.network.allowFrom[0].ports[0] must be a mapping, got 80',
  ],
  ['Tenant', '{namespaces: [1, 2]}', 'spec.namespaces[0] must be a mapping, got 1'],
])(
  'names where mappings are due are one problem, with the form to write: %s %s',
  (kind, spec, problem) => {
    expect(collectProblems(kind, spec)).toEqual([problem]);
  },
);

test('two lists of names are two problems, and mappings among names are validated', () => {
  expect(
    collectProblems('TenantClass', '{environments: [dev, {name: 3}], presets: {quotas: [small]}}'),
  ).toEqual([
    expect.stringMatching(/^spec\.environments\[0\] .*; write \{ name: dev \}$/),
    expect.stringMatching(
      /^spec\.environments\[1\]\.name must be .*, got 3; YAML reads it as a number/,
    ),
    expect.stringMatching(/^spec\.presets\.quotas\[0\] .*; write \{ name: small \}$/),
  ]);
});

test('a value that may be a secret is not shown and gets no advice', () => {
  expect(collectProblems('Tenant', '{labels: {api-token: 3}}')[0]).toMatch(
    /got a value that is not shown$/,
  );
});
