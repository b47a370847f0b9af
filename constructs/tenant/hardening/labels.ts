import type { Hardening } from '../../../crds/tenantry/hardening.ts';

/**
 * The labels of a Namespace by which the hardening policies select it. They work like those of Pod Security: the
 * policies are the same on every cluster, the label switches one on, and the guard prevents changes of the label.
 */
export const hardeningLabel = {
  imagePullPolicy: 'policy.tenantry.dev/image-pull-policy',
  storage: 'policy.tenantry.dev/storage',
  podDefaults: 'policy.tenantry.dev/pod-defaults',
} as const satisfies Record<keyof Hardening, string>;

export function buildHardeningLabels(hardening: Hardening): Readonly<Record<string, string>> {
  const keys = Object.keys(hardeningLabel) as (keyof Hardening)[];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = hardening[key];
      return value === undefined ? [] : [[hardeningLabel[key], value]];
    }),
  );
}

/** Selects the namespaces in which a hardening promise applies. */
export function selectHardenedNamespaces<K extends keyof Hardening>(
  key: K,
  value: NonNullable<Hardening[K]>,
): object {
  return { matchLabels: { [hardeningLabel[key]]: value } };
}
