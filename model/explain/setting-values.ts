import type { Path } from '@tenantry/kube/problem';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';
import type { Origin, Origins } from '../origins.ts';
import { listLeaves, type ExplainedValue } from './explained-value.ts';
import { valueAtOrigin } from './origin-values.ts';

/** Returns the place in the resolved tenant of a value in a namespace. */
type SlotBuilder = (...rest: Path) => Path;

/**
 * Returns the recorded origin of a setting of a traced namespace.
 * @throws {Error} when no layer is recorded
 */
export function findOrigin({ origins }: ResolvedNamespace, setting: Path): Origin {
  const origin = origins?.find(setting);
  if (!origin) throw new Error(`no layer is recorded for ${setting.join('.')}`);
  return origin;
}

/** Explains the settings that all layers share and that merge by key. */
export function explainSettings(
  resolved: ResolvedTenant,
  namespace: ResolvedNamespace,
  at: SlotBuilder,
): ExplainedValue[] {
  const { labels, annotations, contact, limits, network, podSecurity } = namespace.settings;
  const { disruptionBudgets, serviceAccounts, imagePullSecrets, deletion } = namespace.settings;
  const { name, hard, scoped, unlimited } = namespace.settings.quota;
  const quota = { name, hard, scoped };
  const groups = { quota, limits, network, podSecurity, disruptionBudgets, serviceAccounts };
  const merged = [
    ...listLeaves({ labels, annotations, contact, ...groups }),
    ...listLeaves({ imagePullSecrets }, { splitsLists: true }),
  ].map(({ path, slot, value }): ExplainedValue => ({
    path,
    value,
    origin: findOrigin(namespace, path),
    slot: at('settings', ...slot),
  }));
  // A namespace gets its share of a total, even of a key that a layer leaves unbounded.
  const unbounded = unlimited.filter((key) => !Object.hasOwn(hard, key));
  const inProtection = ['protection', 'deletion'];
  return [
    ...explainPresets(resolved, namespace),
    ...merged,
    ...unbounded.map((key): ExplainedValue => {
      const path = ['quota', 'hard', key];
      return { path, value: 'unlimited', origin: findOrigin(namespace, path) };
    }),
    {
      path: inProtection,
      value: deletion,
      origin: findOrigin(namespace, inProtection),
      slot: at('settings', 'deletion'),
    },
  ];
}

/** Explains which presets of the class are chosen. */
function explainPresets(resolved: ResolvedTenant, namespace: ResolvedNamespace): ExplainedValue[] {
  return ['quota', 'limits', 'network'].flatMap((group): ExplainedValue[] => {
    const path = [group, 'preset'];
    const origin = findOrigin(namespace, path);
    const isChosen = origin[0] !== 'builtin' && origin.at(-1) === 'preset';
    return isChosen ? [{ path, value: valueAtOrigin(resolved, origin), origin }] : [];
  });
}

/** Explains the lists to which every layer adds: sync windows, and further objects. */
export function explainLists(
  { settings: { syncWindows, resources } }: ResolvedNamespace,
  at: SlotBuilder,
): ExplainedValue[] {
  const windows = syncWindows.map(({ value, path: origin }, i): ExplainedValue => {
    const slot = at('settings', 'syncWindows', i, 'value');
    return { path: ['argocd', 'syncWindows', String(i)], value, origin, slot };
  });
  const objects = resources.flatMap(({ manifest, path: place, origin }, i) => {
    const key = `${manifest.kind}/${manifest.metadata.name}`;
    return listLeaves(manifest, { splitsLists: true }).map(
      ({ path, slot, value }): ExplainedValue => ({
        path: ['resources', key, ...path],
        value,
        // What a preset renders has no place of its own: it is where the preset is used.
        origin: origin ? place : [...place, ...slot],
        slot: at('settings', 'resources', i, 'manifest', ...slot),
      }),
    );
  });
  return [...windows, ...objects];
}

/** Explains the ceilings, the allowances and the rest of the class, with the exceptions for the namespace. */
export function explainBounds(
  { klass }: ResolvedNamespace,
  at: SlotBuilder,
  classOrigins: Origins,
): ExplainedValue[] {
  const {
    presets: _presets,
    defaults: _defaults,
    environments: _environments,
    ...rest
  } = klass.spec;
  const { exceptions: _exceptions, description: _description, ...bounds } = rest;
  return listLeaves(bounds, { splitsLists: true }).map(({ path, slot, value }): ExplainedValue => ({
    path: ['class', ...path],
    value,
    origin: classOrigins.find(slot) ?? ['class', 'spec', ...slot],
    slot: at('klass', 'spec', ...slot),
  }));
}
