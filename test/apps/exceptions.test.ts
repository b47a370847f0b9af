import { expect, test } from '@jest/globals';
import { Tenant } from '../../constructs/tenant/tenant.ts';
import { TenantClass } from '../../constructs/tenant/tenant-class.ts';
import type { App } from '../../synth/app.ts';
import { platform, tenant, tenantClass, withFleet, type FleetFolder } from './fleet.ts';

const pods = (amount: number) => ({ quota: { preset: 'none', hard: { pods: amount } } });

const standard = (...tenants: string[]) =>
  tenantClass('standard', {
    ceilings: { quota: { pods: 50 } },
    exceptions: [{ tenants, reason: ' agreed\n', ceilings: { quota: { pods: 90 } } }],
  });

const files = {
  'tenantry.yaml': platform({ defaultClass: 'standard' }),
  'tenants/classes/standard.yaml': standard('a', 'b'),
  'tenants/a.yaml': tenant('a', pods(80)),
  'tenants/b.yaml': tenant('b', pods(20)),
  'tenants/c.yaml': tenant('c', pods(20)),
};

/** Returns the messages about exceptions, without the folder. */
function collectExceptions(fleet: FleetFolder, memory?: string, add?: (app: App) => void) {
  const { summary } = fleet.render({
    ...(memory !== undefined && { memory }),
    ...(add && { add }),
  });
  const { warnings, exemptions } = summary!;
  return {
    warnings: warnings.map(({ path, message }) => `${path} ${message}`),
    exemptions: exemptions.map(({ path, whom, what, reason }) => [path, whom, what, reason]),
  };
}

const path = 'spec.exceptions[0].ceilings.quota.pods';

test('used and unused exceptions are reported, with and without a cache', () => {
  withFleet(files, (fleet) => {
    const wanted = {
      warnings: ["spec.exceptions[0].tenants[1] must be a tenant to which it is of use, got 'b'"],
      exemptions: [
        [path, 'a', '90', 'agreed'],
        [path, 'b', '90', 'agreed'],
      ],
    };
    for (const memory of [undefined, 'memory', 'memory']) {
      expect(collectExceptions(fleet, memory)).toEqual(wanted);
    }
    fleet.write({ 'tenants/b.yaml': tenant('b', pods(60)) });
    expect(collectExceptions(fleet, 'memory').warnings).toEqual([]);
    fleet.remove('tenants/b.yaml');
    expect(collectExceptions(fleet, 'memory')).toEqual({
      warnings: [
        "spec.exceptions[0].tenants[1] must be a tenant of the class, got 'b'; did you mean 'a'?",
      ],
      exemptions: wanted.exemptions.slice(0, 1),
    });
  });
});

test('the place of an exception is in the file of its class', () => {
  withFleet(files, (fleet) => {
    const [exemption] = fleet.render().summary!.exemptions;
    expect(exemption).toMatchObject({ line: 4, path });
    expect(exemption!.file).toMatch(/tenants\/classes\/standard\.yaml$/);
  });
});

test('tenants in TypeScript have exceptions, and classes in TypeScript make them', () => {
  withFleet({ ...files, 'tenants/c.yaml': tenant('c', { className: 'typed' }) }, (fleet) => {
    const add = (app: App): void => {
      const allow = { clusterRoles: ['x'] };
      new TenantClass(app, 'typed', {
        exceptions: [{ tenants: ['c', 'nobody'], reason: 'typed', allow }],
      });
    };
    for (const memory of [undefined, 'memory', 'memory']) {
      const { warnings, exemptions } = collectExceptions(fleet, memory, add);
      expect(warnings).toContain(
        "TenantClass typed spec.exceptions[0].tenants[1] must be a tenant of the class, got 'nobody'",
      );
      expect(exemptions).toContainEqual([
        'TenantClass typed spec.exceptions[0].allow.clusterRoles[0]',
        'c',
        "'x'",
        'typed',
      ]);
    }
  });
  const more = { ...files, 'tenants/classes/standard.yaml': standard('a', 'd') };
  withFleet(more, (fleet) => {
    const add = (app: App) => void new Tenant(app, 'd', pods(70));
    expect(collectExceptions(fleet, undefined, add).warnings).toEqual([]);
  });
});

test.each([
  ['has a mistake', { 'tenants/b.yaml': tenant('b', { nothing: 1 }) }],
  ['is no YAML', { 'tenants/b.yaml': 'a: [' }],
  ['is in the wrong folder', { 'tenants/classes/b.yaml': tenant('b') }],
])('a tenant whose file %s is not reported as missing', (_what, change) => {
  const delegation = { folders: [{ folder: '.', tenants: ['*'] }] };
  const more = {
    ...files,
    'tenantry.yaml': platform({ defaultClass: 'standard', delegation }),
    'tenants/b.yaml': '',
    ...change,
  };
  withFleet(more, (fleet) => {
    const { problems, warnings } = fleet.render();
    expect(problems).toHaveLength(1);
    expect(warnings.filter((one) => one.includes('exceptions'))).toEqual([]);
  });
});
