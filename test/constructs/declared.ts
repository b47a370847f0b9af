import fc from 'fast-check';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const words = fc.uniqueArray(word, { maxLength: 4 });
const subjects = fc.record({ users: words, groups: words }, { requiredKeys: [] });
const byName = <T>(item: fc.Arbitrary<T & { name: string }>) =>
  fc.uniqueArray(item, { selector: ({ name }) => name, maxLength: 4 });

const layer = fc.record(
  {
    labels: fc.dictionary(fc.constantFrom('team', 'owner', 'project', 'purpose'), word, {
      maxKeys: 3,
    }),
    contact: fc.dictionary(fc.constantFrom('team', 'owner'), word, { maxKeys: 2 }),
    access: fc.record(
      {
        admins: subjects,
        viewers: subjects,
        roles: byName(
          fc.record({
            name: word,
            rules: fc.constant([{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]),
            users: words,
          }),
        ),
      },
      { requiredKeys: [] },
    ),
    network: fc.record(
      {
        isolation: fc.constantFrom('SameTenant', 'SameNamespace', 'Closed'),
        allowFrom: byName(
          fc.record({
            name: word.map((name) => `from-${name}`),
            namespaces: words.map((list) => ['x', ...list]),
          }),
        ),
      },
      { requiredKeys: [] },
    ),
    serviceAccounts: byName(fc.record({ name: word })),
    imagePullSecrets: words,
    disruptionBudgets: byName(
      fc.record({
        name: word,
        selector: word.map((app) => ({ matchLabels: { app } })),
        minAvailable: fc.nat(3),
      }),
    ),
    resources: fc.uniqueArray(word, { maxLength: 3 }).map((names) =>
      names.map((name) => ({
        manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
      })),
    ),
  },
  { requiredKeys: [] },
);

const lifecycle = fc.constantFrom('Active', 'Suspended', 'Retired');

const namespaces = fc.uniqueArray(
  fc.record(
    { name: word.map((name) => `ns-${name}`), lifecycle, quota: fc.record({ weight: fc.nat(5) }) },
    { requiredKeys: ['name'] },
  ),
  { selector: ({ name }) => name, minLength: 1, maxLength: 4 },
);

/** Any valid Tenant with lists and maps. */
export const anyTenant = fc
  .tuple(layer, namespaces, fc.option(lifecycle, { nil: undefined }))
  .map(
    ([settings, entries, life]): TenantSpec =>
      ({ ...settings, namespaces: entries, ...(life && { lifecycle: life }) }) as TenantSpec,
  );

/** A class with settings, without resources (two of the same name would conflict). */
export const anyClass = layer.map(
  ({ resources: _resources, ...defaults }): TenantClassSpec => ({ defaults }) as TenantClassSpec,
);

/** Returns the same value with the items of all its lists in reverse order. */
export function reordered<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reordered).toReversed() as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, reordered(inner)]),
  ) as T;
}

/** Freezes a value and everything in it, so that every attempt to change it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
