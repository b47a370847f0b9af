import { expect, test } from '@jest/globals';
import { checkClass } from '../../constructs/tenant/classcheck.ts';
import { hardenedClass } from '../../constructs/tenant/hardening/class.ts';
import { resolvePlatform } from '../../constructs/tenant/platform.ts';
import { formatPath } from '../../kube/problem.ts';
import type { TenantClassSpec } from '../../crds/tenantry/tenantclass.ts';

const verdict = (spec: TenantClassSpec) => {
  const { findings, demands } = checkClass({ name: 'standard', spec }, resolvePlatform({}));
  const places = (list: typeof findings) =>
    list.map(({ rule, path }) => `${rule} ${formatPath(path)}`);
  return { findings: places(findings), demands: places(demands) };
};

test.each<[string, TenantClassSpec]>([
  ['that says nothing', {}],
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
])('a class %s is sound', (_what, spec) => {
  const { findings } = verdict(spec);
  expect(findings).toEqual([]);
});

const above: TenantClassSpec = {
  defaults: { quota: { hard: { pods: 50 } } },
  ceilings: { quota: { pods: 10 } },
};

test('defaults above a ceiling are a mistake, unless each environment says something lower', () => {
  const place = 'ceiling-quota spec.defaults.quota.hard.pods';
  expect(verdict(above)).toEqual({ findings: [place], demands: [] });
  const environments = [{ name: 'prod', quota: { hard: { pods: 5 } } }];
  expect(verdict({ ...above, environments })).toEqual({ findings: [], demands: [place] });
  const dev = { name: 'dev' };
  expect(verdict({ ...above, environments: [...environments, dev] }).findings).toEqual([place]);
});

test('a ceiling below what is built in asks tenants to say something', () => {
  expect(verdict({ ceilings: { quota: { pods: 10 }, network: { isolation: 'Closed' } } })).toEqual({
    findings: [],
    demands: [
      'ceiling-quota spec.ceilings.quota.pods',
      'ceiling-network spec.ceilings.network.isolation',
    ],
  });
});

test('a mistake in a preset is told of the preset, and not again of the defaults that choose it', () => {
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

test('what a missing preset would have said is not missed besides', () => {
  const spec = { defaults: { quota: { preset: 'a' } }, ceilings: { quota: { pods: 10 } } };
  expect(verdict(spec)).toEqual({ findings: ['preset spec.defaults.quota.preset'], demands: [] });
});
