import { isMapping } from '@tenantry/kube/mapping';
import type { NamespaceEntry, TenantSpec } from '../crds/types.ts';
import { isEqual } from './counting.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Maps whose entries are shared one by one. Other fields are shared as a whole. */
const sharedByEntry: ReadonlySet<string> = new Set([
  'labels',
  'annotations',
  'contact',
  'podSecurity',
  'access',
]);

/**
 * Declares namespaces as one Tenant: what all of them have in common is declared once. A Tenant of one namespace that
 * has its name does not name it.
 */
export function mergeNamespaces(
  name: string,
  entries: readonly NamespaceEntry[],
  className: string | undefined,
): TenantSpec {
  const settings = entries.map(({ name: _name, ...rest }): Fields => rest);
  const head = className === undefined ? {} : { className };
  if (entries.length === 1) {
    const isNamed = entries[0]!.name !== name;
    const { environment, ...rest } = settings[0] as Omit<NamespaceEntry, 'name'>;
    const own = environment === undefined ? {} : { environment };
    return {
      ...head,
      ...own,
      ...(isNamed && { namespaces: [{ name: entries[0]!.name }] }),
      ...rest,
    };
  }
  // Objects of one namespace must not come into another one.
  const shared = pickCommon(settings.map(({ resources: _resources, ...rest }) => rest));
  const namespaces = entries.map((entry, i) => ({
    name: entry.name,
    ...pickBeyond(settings[i]!, shared),
  }));
  return { ...head, namespaces, ...shared } as TenantSpec;
}

function pickCommon(all: readonly Fields[], depth = 0): Fields {
  const [first = {}, ...others] = all;
  const found = Object.entries(first).flatMap(([key, value]): [string, unknown][] => {
    const rest = others.map((one) => one[key]);
    if (rest.every((one) => isEqual(one ?? null, value))) return [[key, value]];
    if (depth > 0 || !sharedByEntry.has(key) || ![value, ...rest].every(isMapping)) return [];
    const inner = pickCommon([value, ...rest] as Fields[], depth + 1);
    return Object.keys(inner).length > 0 ? [[key, inner]] : [];
  });
  return Object.fromEntries(found);
}

/** Returns the values that differ from the shared ones. */
function pickBeyond(own: Fields, shared: Fields): Fields {
  const left = Object.entries(own).flatMap(([key, value]): [string, unknown][] => {
    if (!(key in shared)) return [[key, value]];
    if (isEqual(value, shared[key])) return [];
    const inner = pickBeyond(value as Fields, shared[key] as Fields);
    return Object.keys(inner).length > 0 ? [[key, inner]] : [];
  });
  return Object.fromEntries(left);
}
