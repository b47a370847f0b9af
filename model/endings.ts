import { accessLevels, type Access } from '../crds/access.ts';
import type { NetworkSettings } from '../crds/network.ts';
import type { EnvironmentQuota, TemporaryHolders, TemporaryTenantQuota } from '../crds/types.ts';
import { formatList, type Path } from '@tenantry/kube/problem';
import type { TenantClassDeclaration, TenantDeclaration } from './declaration.ts';

/** Something in a declaration that ends. */
export interface Ending {
  /** The place of its end date. */
  readonly path: Path;
  /** The last day, as `2027-01-31` in UTC. */
  readonly until: string;
  /** What ends, for messages. */
  readonly what: string;
}

/** The settings of a layer that can have end dates. */
interface EndingSettings {
  readonly access?: Access;
  readonly network?: NetworkSettings;
  readonly quota?: { readonly temporary?: readonly TemporaryTenantQuota[] } | EnvironmentQuota;
}

/** Lists what ends in a Tenant. */
export function listTenantEndings({ spec }: Pick<TenantDeclaration, 'spec'>): readonly Ending[] {
  return [
    ...listSettingsEndings(spec, ['spec']),
    ...(spec.namespaces ?? []).flatMap((entry, i) =>
      listSettingsEndings(entry, ['spec', 'namespaces', i]),
    ),
  ];
}

/** Lists what ends in a class, without its parent. */
export function listClassEndings({
  spec,
}: Pick<TenantClassDeclaration, 'spec'>): readonly Ending[] {
  const { defaults, environments = [], exceptions = [] } = spec;
  return [
    ...listSettingsEndings(defaults ?? {}, ['spec', 'defaults']),
    ...environments.flatMap((one, i) => listSettingsEndings(one, ['spec', 'environments', i])),
    ...listEntries(exceptions, ['spec', 'exceptions'], ({ tenants }) => {
      return `the exception for ${formatList(tenants)}`;
    }),
  ];
}

function listSettingsEndings(settings: EndingSettings, at: Path): Ending[] {
  const { access = {}, network = {}, quota = {} } = settings;
  const raises = 'temporary' in quota ? quota.temporary : [];
  return [
    ...accessLevels.flatMap((level) =>
      listEntries(
        access[level]?.temporary,
        [...at, 'access', level, 'temporary'],
        (group) => `access as ${level} of ${formatHolders(group)}`,
      ),
    ),
    ...listEntries(
      access.clusterRoles,
      [...at, 'access', 'clusterRoles'],
      (entry) => `ClusterRole ${formatList([entry.name])} of ${formatHolders(entry)}`,
    ),
    ...listEntries(
      access.roles,
      [...at, 'access', 'roles'],
      (entry) => `Role ${formatList([entry.name ?? entry.preset!])} of ${formatHolders(entry)}`,
    ),
    ...listEntries(
      access.breakGlass,
      [...at, 'access', 'breakGlass'],
      (entry) => `the right of ${formatHolders(entry)} to request ClusterRole ${entry.clusterRole}`,
    ),
    ...(['allowFrom', 'allowTo'] as const).flatMap((field) =>
      listEntries(
        network[field],
        [...at, 'network', field],
        ({ name }) => `${field} ${formatList([name])}`,
      ),
    ),
    ...listEntries(raises, [...at, 'quota', 'temporary'], ({ hard, total }) => {
      return `the raised quota of ${formatList(Object.keys({ ...hard, ...total }))}`;
    }),
  ];
}

function listEntries<T extends { readonly until?: string }>(
  entries: readonly T[] = [],
  at: Path,
  describe: (entry: T) => string,
): Ending[] {
  return entries.flatMap((entry, i) =>
    entry.until === undefined
      ? []
      : [{ path: [...at, i, 'until'], until: entry.until, what: describe(entry) }],
  );
}

function formatHolders({
  users = [],
  groups = [],
  serviceAccounts = [],
}: Omit<TemporaryHolders, 'until'>): string {
  const accounts = serviceAccounts.map(({ namespace, name }) => `${namespace}/${name}`);
  return formatList([...users, ...groups, ...accounts]) || 'nobody';
}
