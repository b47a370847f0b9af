import { expect, test } from '@jest/globals';
import { checkClass } from '../../model/class-check.ts';
import { extendClass } from '../../model/classes/extend.ts';
import { hardenedClass } from '../../model/hardening/class.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { Finding } from '@tenantry/kube/finding';
import { formatPath } from '@tenantry/kube/problem';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';

const places = (list: readonly Finding[]): string[] =>
  list.map(({ rule, path }) => `${rule} ${formatPath(path)}`);

const verdict = (spec: TenantClassSpec) => {
  const { findings, demands } = checkClass({ name: 'standard', spec }, resolvePlatform({}));
  return { findings: places(findings), demands: places(demands) };
};

test.each<[string, TenantClassSpec]>([
  ['without settings', {}],
  ['for the benchmarks', hardenedClass],
  [
    'with a preset above its ceiling, which an exception may need',
    {
      presets: { quotas: [{ name: 'huge', hard: { pods: 500 } }] },
      ceilings: { quota: { pods: 100 } },
    },
  ],
  [
    'that sets labels which tenants may not',
    { defaults: { labels: { 'example.com/tier': 'gold' } } },
  ],
  [
    'that keeps to an old version of Pod Security',
    {
      defaults: { podSecurity: { enforce: 'baseline', version: 'v1.30' } },
      ceilings: { podSecurity: 'baseline' },
    },
  ],
  [
    'that binds people to a role of its own',
    {
      defaults: { access: { clusterRoles: [{ name: 'log-reader', groups: ['x'] }] } },
    },
  ],
])('a class %s is valid', (_what, spec) => {
  const { findings } = verdict(spec);
  expect(findings).toEqual([]);
});

const above: TenantClassSpec = {
  defaults: { quota: { hard: { pods: 50 } } },
  ceilings: { quota: { pods: 10 } },
};

test('defaults above a ceiling are an error, unless each environment overrides them with less', () => {
  const place = 'ceiling-quota spec.defaults.quota.hard.pods';
  expect(verdict(above)).toEqual({ findings: [place], demands: [] });
  const environments = [{ name: 'prod', quota: { hard: { pods: 5 } } }];
  expect(verdict({ ...above, environments })).toEqual({ findings: [], demands: [place] });
  const dev = { name: 'dev' };
  expect(verdict({ ...above, environments: [...environments, dev] }).findings).toEqual([place]);
});

test('a ceiling below the built-in defaults is a demand on tenants', () => {
  expect(verdict({ ceilings: { quota: { pods: 10 }, network: { isolation: 'Closed' } } })).toEqual({
    findings: [],
    demands: [
      'ceiling-quota spec.ceilings.quota.pods',
      'ceiling-network spec.ceilings.network.isolation',
    ],
  });
});

test('an error in a preset is reported at the preset, and not again at the defaults that select it', () => {
  const presets = {
    quotas: [
      { name: 'a', hard: { pods: 1 } },
      { name: 'b', hard: { podz: 1 } },
    ],
  };
  const environments = [{ name: 'prod', quota: { preset: 'b' } }];
  expect(verdict({ presets, defaults: { quota: { preset: 'b' } }, environments }).findings).toEqual(
    ['quota-key spec.presets.quotas[1].hard.podz'],
  );
});

test('a missing preset causes no second finding about the fields that it would have set', () => {
  const spec = { defaults: { quota: { preset: 'a' } }, ceilings: { quota: { pods: 10 } } };
  expect(verdict(spec)).toEqual({ findings: ['preset spec.defaults.quota.preset'], demands: [] });
});

const mistyped = { pods: 12, podz: 1 };

/** Checks a class that extends another one. */
const extending = (spec: TenantClassSpec, parent: TenantClassSpec) => {
  const base = { name: 'standard', spec: parent };
  const declared = { name: 'child', spec: { extends: 'standard', ...spec } };
  const found = checkClass(declared, resolvePlatform({}), extendClass(declared, base));
  return {
    findings: places(found.findings),
    demands: places(found.demands),
    inherited: places(found.inherited),
    messages: found.findings.map(({ message }) => message),
  };
};
const sound = { findings: [], demands: [], inherited: [], messages: [] };
const small: TenantClassSpec = {
  presets: { quotas: [{ name: 'small', hard: { pods: 10 } }] },
  defaults: { quota: { preset: 'small' } },
  ceilings: { quota: { pods: 20 } },
};

test('a class is checked together with what it inherits', () => {
  expect(extending({}, small)).toEqual(sound);
  expect(
    extending({ environments: [{ name: 'prod', quota: { preset: 'small' } }] }, small),
  ).toEqual(sound);
  expect(extending({ defaults: { quota: { hard: { pods: 15 } } } }, small)).toEqual(sound);
});

test.each<[string, TenantClassSpec, string]>([
  [
    'a value above a ceiling of the other',
    { defaults: { quota: { hard: { pods: 30 } } } },
    'ceiling-quota spec.defaults.quota.hard.pods',
  ],
  [
    'the same in an environment',
    { environments: [{ name: 'prod', quota: { hard: { pods: 30 } } }] },
    'ceiling-quota spec.environments[0].quota.hard.pods',
  ],
  [
    'a preset that takes the place of one of the other',
    { presets: { quotas: [{ name: 'small', hard: { pods: 30 } }] } },
    'ceiling-quota spec.presets.quotas[0].hard.pods',
  ],
  [
    'a preset that neither has',
    { defaults: { quota: { preset: 'smal' } } },
    'preset spec.defaults.quota.preset',
  ],
  [
    'a preset of its own',
    { presets: { quotas: [{ name: 'large', hard: mistyped }] } },
    'quota-key spec.presets.quotas[0].hard.podz',
  ],
  ['a word of its own', { ceilings: { quota: mistyped } }, 'quota-key spec.ceilings.quota.podz'],
])('an error of the child is reported at the child: %s', (_what, spec, place) => {
  expect(extending(spec, small).findings).toEqual([place]);
});

test('an error that tenants can correct is a demand of the class', () => {
  const total = { defaults: { quota: { total: { 'requests.cpu': '1u' } } } };
  expect(extending(total, small)).toEqual({
    ...sound,
    demands: ['total spec.defaults.quota.total["requests.cpu"]'],
  });
  expect(extending({}, total)).toEqual({
    ...sound,
    inherited: ['total spec.defaults.quota.total["requests.cpu"]'],
  });
});

test('an inherited value that violates the child is reported at the child, with the place in the parent', () => {
  const low = extending({ ceilings: { quota: { pods: 5 } } }, small);
  expect(low.findings).toEqual(['ceiling-quota spec.ceilings.quota.pods']);
  expect(low.messages).toEqual([
    'must be at most 5 for pods (ceiling of class child), got 10 in namespace any-tenant (spec.presets.quotas[0].hard.pods of class standard)',
  ]);
  const limits: TenantClassSpec = {
    defaults: { limits: { items: [{ type: 'Container', default: { memory: '2Gi' } }] } },
  };
  expect(extending({ ceilings: { limits: { memory: '1Gi' } } }, limits).findings).toEqual([
    'ceiling-limits spec.ceilings.limits.memory',
  ]);
  const network: TenantClassSpec = {
    defaults: { network: { allowFrom: [{ name: 'x', namespaces: ['y'] }] } },
  };
  const reach = { ingressFrom: { otherNamespaces: 'Deny' as const } };
  expect(extending({ ceilings: { network: reach } }, network).findings).toEqual([
    'ceiling-network spec.ceilings.network',
  ]);
  const roomy = { defaults: { network: { isolation: 'Open' as const } } };
  const rule = { name: 'x', namespaces: ['y'] };
  const opened = { defaults: { network: { isolation: 'Open' as const } } };
  const ceilings = { network: { isolation: 'Open' as const } };
  expect(extending({ ...opened, ceilings }, network).demands).toEqual([
    'network-open spec.extends',
  ]);
  const used = extending({ defaults: { network: { allowFrom: [rule] } } }, roomy);
  expect(used.demands).toEqual(['network-open spec.defaults.network.allowFrom']);
});

test('an error of the parent alone is reported at the parent, and not at the child', () => {
  const { findings, demands, inherited } = extending(
    {},
    {
      defaults: { quota: { hard: mistyped } },
      ceilings: { quota: { pods: 20 }, podSecurity: 'restricted' as const },
    },
  );
  expect({ findings, demands }).toEqual({ findings: [], demands: [] });
  expect(inherited).toEqual(['quota-key spec.defaults.quota.hard.podz']);
  const asking: TenantClassSpec = { ceilings: { podSecurity: 'restricted' } };
  expect(extending({}, asking)).toEqual({
    ...sound,
    inherited: ['ceiling-pod-security spec.ceilings.podSecurity'],
  });
  const hard = { 'requests.ephemeral-storage': '4Gi', 'limits.ephemeral-storage': '2Gi' };
  expect(extending({}, { defaults: { quota: { hard } } })).toEqual({
    ...sound,
    inherited: ['quota-unusable spec.defaults.quota.hard["limits.ephemeral-storage"]'],
  });
  const small = { 'limits.memory': '256Mi', 'requests.memory': '256Mi' };
  expect(extending({}, { defaults: { quota: { hard: small } } })).toEqual({
    ...sound,
    inherited: ['quota-refuses-defaults spec.defaults.quota.hard["limits.memory"]'],
  });
});
