import type { TenantClassDeclaration, TenantDeclaration } from '../../../model/declaration.ts';
import type { PlatformSpec } from '../../../crds/platform.ts';
import type { TenantSpec } from '../../../crds/tenant.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { same } from './counting.ts';
import type { Original } from './originals.ts';
import { tenantOf } from './tenants.ts';

/** Declares some namespaces as one Tenant: values that all of them share are declared once. */
export function tenantFor(
  group: readonly Original[],
  klass: TenantClassDeclaration,
  platform: PlatformSpec,
): TenantDeclaration {
  const specs = group.map((one) => tenantOf(one, klass, platform).spec);
  const [{ namespaces: _entries, className, ...first }] = specs as [TenantSpec];
  const rest = specs.map(({ namespaces: _own, className: _class, ...settings }) => settings);
  const shared = group.length === 1 ? first : common(rest);
  const namespaces = specs.map(({ namespaces: [entry] = [] }, i) => ({
    ...entry!,
    ...(group.length === 1 ? {} : beyond(rest[i]!, shared)),
  }));
  const name = nameOf(group.map(({ namespace }) => namespace));
  const isNamed = namespaces.length === 1 && same(Object.keys(namespaces[0]!), ['name']);
  return {
    name,
    spec: {
      ...(className !== undefined && { className }),
      ...(!isNamed && { namespaces }),
      ...shared,
    } as TenantSpec,
  };
}

/** Returns the common prefix of the names up to a dash; without one, the first name. */
function nameOf([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  const words = first.split('-');
  while (words.length > 0) {
    const start = words.join('-');
    if (others.every((name) => name === start || name.startsWith(`${start}-`))) return start;
    words.pop();
  }
  return first;
}

/** Maps that are shared entry by entry; other fields are shared as a whole. */
const byKey = new Set(['labels', 'annotations', 'contact', 'podSecurity', 'access']);

type Fields = Readonly<Record<string, unknown>>;

function common(all: readonly Fields[], depth = 0): Fields {
  const [first = {}, ...others] = all;
  const found = Object.entries(first).flatMap(([key, value]): [string, unknown][] => {
    const rest = others.map((one) => one[key]);
    if (rest.every((one) => same(one ?? null, value))) return [[key, value]];
    if (depth > 0 || !byKey.has(key) || ![value, ...rest].every(isMapping)) return [];
    const inner = common([value, ...rest] as Fields[], depth + 1);
    return Object.keys(inner).length > 0 ? [[key, inner]] : [];
  });
  return Object.fromEntries(found);
}

/** Returns the values of a part that differ from the shared ones. */
function beyond(own: Fields, shared: Fields): Fields {
  const left = Object.entries(own).flatMap(([key, value]): [string, unknown][] => {
    if (!(key in shared)) return [[key, value]];
    if (same(value, shared[key])) return [];
    const inner = beyond(value as Fields, shared[key] as Fields);
    return Object.keys(inner).length > 0 ? [[key, inner]] : [];
  });
  return Object.fromEntries(left);
}
