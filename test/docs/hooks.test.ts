import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { resolvePlatform } from '../../model/platform.ts';
import { HookMetrics } from '../../operator/hooks/hook-metrics.ts';
import { Metrics } from '@tenantry/runtime/metrics/metrics';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { root } from './pages.ts';

test('docs/hooks.md has all metrics of hooks, with the descriptions in the code', async () => {
  const page = readFileSync(join(root, 'docs/hooks.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(tenantry_\w+)` +\|(.+)\|$/gm)];
  const described = rows.map(([, name, rest = '']) => {
    const [type, labels, help] = rest.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    return { name, type, labels: labels!.split(', '), help };
  });
  const clock = new VirtualClock();
  const registry = new Registry();
  const { instruments } = await Metrics.create({ clock, registry, ofProcess: false });
  new HookMetrics(resolvePlatform(), []).make({ instruments, cache: () => undefined, clock });
  const all: readonly { readonly name: string; readonly labelNames?: readonly string[] }[] =
    registry.getMetricsAsArray();
  const labelsOf = (name: string) => all.find((one) => one.name === name)?.labelNames;
  const made = (await registry.getMetricsAsJSON())
    .filter(({ name }) => name.startsWith('tenantry_hook'))
    .map(({ name, type, help }) => ({ name, type: String(type), labels: labelsOf(name), help }));
  expect(described).toEqual(made);
});
