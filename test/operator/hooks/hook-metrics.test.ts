import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import type { HookReceipt } from '../../../crds/tenant-status.ts';
import type { Hook } from '../../../crds/types.ts';
import type { Tenant } from '../../../operator/cluster/kinds.ts';
import { HookMetrics } from '../../../operator/hooks/hook-metrics.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { Metrics } from '@tenantry/runtime/metrics/metrics';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { samplesOf } from '@tenantry/runtime/test/metrics/scraped';
import { liveTenant, platform } from '../given.ts';
import { viewOf } from '../metrics/served.ts';

const hook: Hook = { name: 'cmdb', events: ['Onboarded', 'Offboarding'], secret: 's' };
const strict: Hook = { name: 'strict', events: ['Onboarded'], secret: 's', classes: ['strict'] };

const receipt = (state: HookReceipt['state'], more: Partial<HookReceipt> = {}): HookReceipt => ({
  hook: 'cmdb',
  event: 'Onboarded',
  state,
  key: 'k',
  since: '2026-01-01T00:00:00Z',
  attempts: 1,
  ...more,
});

const buildTenant = (...hooks: HookReceipt[]) => liveTenant({}, { status: { hooks } });
const going = (...hooks: HookReceipt[]) =>
  liveTenant({}, { status: { hooks }, deletionTimestamp: '2026-01-01T00:10:00Z' });

/** Returns the metrics of hooks an hour after the start. */
async function served(tenants: readonly Live<typeof Tenant>[]) {
  const registry = new Registry();
  const clock = new VirtualClock();
  const { instruments } = await Metrics.create({ clock, registry, ofProcess: false });
  const metrics = new HookMetrics(platform, [hook, strict]);
  const role = { isLeading: true };
  const view = viewOf(tenants);
  metrics.make({ instruments, cache: () => (role.isLeading ? view : undefined), clock });
  await clock.advance(3_600_000);
  const samples = async (name: string): Promise<Readonly<Record<string, number>>> => {
    const all = [...samplesOf(await registry.metrics())];
    const begin = `tenantry_hook_${name}{`;
    return Object.fromEntries(
      all
        .filter(([series]) => series.startsWith(begin))
        .map(([series, value]) => [series.slice(begin.length - 1).replaceAll('"', ''), value]),
    );
  };
  return { metrics, role, samples };
}

const tenants = [
  buildTenant(receipt('Failed'), receipt('Failed', { hook: 'gone' })),
  buildTenant(receipt('Sending', { since: '2026-01-01T00:30:00Z' })),
  buildTenant(receipt('Failed', { hook: 'strict' })),
  buildTenant(receipt('Delivered')),
  liveTenant({}),
  going(receipt('Delivered')),
  going(receipt('Failed'), receipt('GivenUp', { event: 'Offboarding' })),
];

test('tenants with an undelivered hook are counted per declared hook', async () => {
  const { role, samples } = await served(tenants);
  expect(await samples('undelivered')).toEqual({
    '{event=Onboarded, hook=cmdb}': 2,
    '{event=Offboarding, hook=cmdb}': 1,
    '{event=Onboarded, hook=strict}': 0,
  });
  role.isLeading = false;
  expect(await samples('undelivered')).toEqual({});
});

test('the age of the oldest undelivered call is in seconds; an untried offboarding call counts from the deletion', async () => {
  const { role, samples } = await served(tenants);
  expect(await samples('oldest_undelivered_age_seconds')).toEqual({
    '{event=Onboarded, hook=cmdb}': 3600,
    '{event=Offboarding, hook=cmdb}': 3000,
    '{event=Onboarded, hook=strict}': 0,
  });
  role.isLeading = false;
  expect(await samples('oldest_undelivered_age_seconds')).toEqual({});
});

test('attempts are counted by outcome, from 0 on', async () => {
  const { metrics, samples } = await served([]);
  metrics.countAttempt({ hook, event: 'Offboarding' }, 'abandoned');
  metrics.countAttempt({ hook, event: 'Offboarding' }, 'abandoned');
  const all = await samples('attempts_total');
  expect(all).toMatchObject({
    '{event=Offboarding, hook=cmdb, outcome=abandoned}': 2,
    '{event=Offboarding, hook=cmdb, outcome=failed}': 0,
    '{event=Onboarded, hook=strict, outcome=delivered}': 0,
  });
  expect(Object.keys(all)).toHaveLength(12);
});
