import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import type { HookReceipt } from '../../../crds/tenantry/tenantstatus.ts';
import type { Hook } from '../../../crds/tenantry/types.ts';
import { HookMetrics } from '../../../operator/hooks/hookmetrics.ts';
import type { CacheView } from '../../../runtime/controller/caches.ts';
import { Metrics } from '../../../runtime/metrics/metrics.ts';
import { VirtualClock } from '../../../testing/clock/virtualclock.ts';
import { samplesOf } from '../../runtime/metrics/scraped.ts';
import { liveTenant } from '../given.ts';

const hook: Hook = { name: 'cmdb', events: ['Onboarded', 'Offboarding'], secret: 's' };

const receipt = (state: HookReceipt['state'], of = 'cmdb'): HookReceipt => ({
  hook: of,
  event: 'Onboarded',
  state,
  key: 'k',
  since: '2026-01-01T00:00:00Z',
  attempts: 1,
});

test('tenants of which a hook was not told are counted, by hooks that the platform has', async () => {
  const registry = new Registry();
  const clock = new VirtualClock();
  const { instruments } = await Metrics.create({ clock, registry, ofProcess: false });
  const metrics = new HookMetrics([hook]);
  const tenants = [
    liveTenant({}, { status: { hooks: [receipt('Failed'), receipt('Failed', 'gone')] } }),
    liveTenant({}, { status: { hooks: [receipt('Sending')] } }),
    liveTenant({}, { status: { hooks: [receipt('Delivered')] } }),
    liveTenant({}),
  ];
  const view = { get: () => undefined, list: () => tenants } as unknown as CacheView;
  let isLeading = true;
  metrics.make({ instruments, cache: () => (isLeading ? view : undefined), clock });
  metrics.ended({ hook, event: 'Onboarded' }, 'failed');
  metrics.ended({ hook, event: 'Onboarded' }, 'failed');
  const samples = async () => Object.fromEntries(samplesOf(await registry.metrics()));
  const all = await samples();
  const ours = Object.entries(all).filter(([name]) => name.startsWith('tenantry_hook'));
  expect(Object.fromEntries(ours)).toEqual({
    'tenantry_hook_attempts_total{event="Onboarded", hook="cmdb", outcome="failed"}': 2,
    'tenantry_hook_undelivered{event="Onboarded", hook="cmdb"}': 2,
    'tenantry_hook_undelivered{event="Offboarding", hook="cmdb"}': 0,
  });
  isLeading = false;
  const names = Object.keys(await samples());
  expect(names.filter((name) => name.startsWith('tenantry_hook_undelivered'))).toEqual([]);
});
