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
    'spec.network.allowFrom[0].ports[0] must be a mapping, got 80; such as { port: 80 }',
  ],
  [
    'Tenant',
    '{namespaces: [1, 2]}',
    "spec.namespaces[0] must be a mapping, got 1; write { name: '1' }",
  ],
])(
  'names where mappings are due are one problem, with the form to write: %s %s',
  (kind, spec, problem) => {
    expect(collectProblems(kind, spec)).toEqual([problem]);
  },
);

test.each([
  ['{quota: medium}', "got 'medium'; such as { preset: medium }"],
  ['{quota: [medium]}', 'got a list; such as { preset: medium }'],
  ['{quota: {hard: 10}}', "got 10; such as { pods: 50, requests.cpu: '4' }"],
  ['{access: {admins: [a@b.de]}}', 'got a list; such as { users: [a@b.de] }'],
  ['{access: {admins: {groups: "x:y"}}}', "got 'x:y'; write ['x:y']"],
  ['{imagePullSecrets: [{name: regcred}, {name: b}]}', 'got a mapping; write regcred'],
  ['{imagePullSecrets: regcred}', "got 'regcred'; write [regcred]"],
  ['{network: SameTenant}', "got 'SameTenant'; such as { isolation: SameTenant }"],
  ['{podSecurity: baseline}', "got 'baseline'; such as { enforce: baseline }"],
  [
    '{namespaces: {a-dev: {environment: dev}, a-prod: null}}',
    'got a mapping; write [{ name: a-dev, environment: dev }, { name: a-prod }]',
  ],
  ['{limits: {items: {type: Pod}}}', 'got a mapping; write [{ type: Pod }]'],
  ['{contact: team-x}', "got 'team-x'; such as { team: Payments, channel: '#payments' }"],
  // Nothing but the form may be wrong.
  ['{network: true}', 'got true; such as { preset: a }'],
])(
  'a value in the form of another field is one problem, with the form to write: %s',
  (spec, end) => {
    const problems = collectProblems('Tenant', spec);
    expect(problems).toEqual([expect.stringContaining(`, ${end}`)]);
    expect(problems[0]!.endsWith(end)).toBe(true);
  },
);

test.each([
  [
    'Tenant',
    '{network: {allowTo: [{name: a, cidrs: [10.0.0.0/8], ports: [{port: "8443"}]}]}}',
    "got '8443'; write 8443 without quotes",
  ],
  ['Tenant', '{cordoned: "false"}', "got 'false'; write false without quotes"],
  ['TenantClass', '{ceilings: {namespaces: "5"}}', "got '5'; write 5 without quotes"],
  // Without the quotes it would be as wrong.
  ['TenantClass', '{ceilings: {namespaces: "-5"}}', "got '-5'"],
])('a number or a boolean in quotes is reported as such: %s %s', (kind, spec, end) => {
  const problems = collectProblems(kind, spec);
  expect(problems).toHaveLength(1);
  expect(problems[0]!.endsWith(end)).toBe(true);
});

test.each([
  ['{namespaces: [name a]}', "got 'name a'; write ':' after 'name'"],
  ['{namespaces: ["name:a"]}', "got 'name:a'; write a space after 'name:'"],
  ['{namespaces: [{name:a, environment: dev}]}', "got 'name:a'; write a space after 'name:'"],
  ['{network: {isolation:Open}}', "got 'isolation:Open'; write a space after 'isolation:'"],
  ['\n  network:\n    isolation:Open', "got 'isolation:Open'; write a space after 'isolation:'"],
  ['\n  namespaces:\n    -name: a', "got a mapping; write a space after each '-' of the list"],
  [
    '\n  clusters:\n    -eu1\n    -us1',
    "got '-eu1 -us1'; write a space after each '-' of the list",
  ],
])('a colon or a space that is missing is one problem: %j', (spec, end) => {
  const problems = collectProblems('Tenant', spec);
  expect(problems).toHaveLength(1);
  expect(problems[0]!.endsWith(end)).toBe(true);
});

test('the beginning of the only field that has it means this field', () => {
  expect(collectProblems('Tenant', '{class: standard}')).toEqual([
    "spec.class must be a known field, got 'class'; did you mean 'className'?",
  ]);
});

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

test.each([
  ['{network: {isolation: sameTenant}}', 'SameTenant'],
  ['{network: {isolation: same-tenant}}', 'SameTenant'],
  ['{network: {isolation: SameTennant}}', 'SameTenant'],
  ['{lifecycle: retired}', 'Retired'],
  [
    '{network: {allowTo: [{name: a, cidrs: [10.0.0.0/8], ports: [{port: 1, protocol: tcp}]}]}}',
    'TCP',
  ],
])('a misspelled value of an enum is reported with the one that was meant: %s', (spec, meant) => {
  const problems = collectProblems('Tenant', spec);
  expect(problems).toHaveLength(1);
  expect(problems[0]!.endsWith(`; did you mean '${meant}'?`)).toBe(true);
});

test('a value far from each of an enum gets no suggestion', () => {
  expect(collectProblems('Tenant', '{lifecycle: gone}')).toEqual([
    "spec.lifecycle must be one of Active, Suspended, Retired, got 'gone'",
  ]);
});
