import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TenantClassDeclaration, TenantDeclaration } from '../model/declaration.ts';
import { toTenantClassObject, toTenantObject } from '../model/declared-objects.ts';
import { Fleet } from '../model/fleet.ts';
import { resolvePlatform } from '../model/platform.ts';
import type { PlatformSpec } from '../crds/platform.ts';
import type { TenantSpec } from '../crds/tenant.ts';
import type { ClassException } from '../crds/types.ts';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { importFolder } from '../test/cases/fleet/imported.ts';
import type { Finished } from './peers/peer.ts';

/** A real fleet, declared as Tenants of one class, and repeated under other names. */
export interface RealFleet {
  /** The number of namespaces in the folder, before they are repeated. */
  readonly originals: number;
  readonly namespaces: number;
  readonly platform: KubeObject;
  readonly klass: KubeObject;
  readonly tenants: readonly KubeObject[];
  /** The rendered objects of each tenant. */
  readonly finished: readonly Finished[];
}

/**
 * Imports a folder of namespaces.
 * @param atLeast repeats the whole fleet until it has so many namespaces
 */
export function repeatedFleet(folder: string, atLeast: number): RealFleet {
  const { originals, platform, klass, tenants } = importFolder(folder);
  const names = new Set([
    ...originals.map(({ name }) => name),
    ...tenants.map(({ metadata }) => metadata.name),
  ]);
  const copies = Array.from({ length: Math.ceil(atLeast / originals.length) }, (_, i) => i);
  const all = <T>(value: readonly T[]): T[] => copies.flatMap((i) => renamed(value, names, i));
  const spec = (object: KubeObject) => object['spec'];
  const { exceptions = [], ...rest } = klass.spec;
  const repeatedClass: TenantClassDeclaration = {
    name: klass.name,
    spec: { ...rest, exceptions: exceptions.map((one) => repeatedException(one, all)) },
  };
  const declarations = copies.flatMap((i) =>
    tenants.map((tenant) => {
      const { metadata, spec: own } = renamed({ ...tenant, spec: spec(tenant) }, names, i);
      return { name: metadata.name, spec: own as TenantSpec };
    }),
  );
  return {
    originals: originals.length,
    namespaces: copies.length * originals.length,
    platform,
    klass: toTenantClassObject(repeatedClass),
    tenants: declarations.map(toTenantObject),
    finished: finish(spec(platform) as PlatformSpec, repeatedClass, declarations),
  };
}

/** Merges the exceptions of all copies of a tenant into one, as a class may have only a hundred. */
function repeatedException(
  exception: ClassException,
  all: <T>(value: readonly T[]) => T[],
): ClassException {
  const { tenants, namespaces, allow } = exception;
  const labels = allow?.labels?.map((one) =>
    one.values ? { ...one, values: [...new Set(all(one.values))] } : one,
  );
  return {
    ...exception,
    ...(allow && { allow: { ...allow, ...(labels && { labels }) } }),
    tenants: all(tenants),
    ...(namespaces && { namespaces: all(namespaces) }),
  };
}

/** Replaces the names of tenants and namespaces in a value; the first copy keeps them. */
function renamed<T>(value: T, names: ReadonlySet<string>, copy: number): T {
  if (copy === 0) return value;
  const other = (inner: unknown): unknown => {
    if (typeof inner === 'string') return names.has(inner) ? `${inner}-${copy}` : inner;
    if (Array.isArray(inner)) return inner.map(other);
    if (!isMapping(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, other(one)]));
  };
  return other(value) as T;
}

function finish(
  platform: PlatformSpec,
  klass: TenantClassDeclaration,
  tenants: readonly TenantDeclaration[],
): Finished[] {
  const fleet = new Fleet(resolvePlatform(platform));
  const findings = [...fleet.classes.add(klass)];
  const finished = tenants.map((declaration) => {
    const { tenant, namespaces, findings: found } = fleet.add(declaration, declaration.name);
    findings.push(...found);
    return {
      name: declaration.name,
      objects: [tenant, ...namespaces.flatMap(({ objects }) => objects)],
    };
  });
  const error = findings.find(({ severity }) => severity === 'error');
  if (error) throw new Error(`the repeated fleet must be valid, got: ${error.message}`);
  return finished;
}

/** Writes `tenants/`, a file for each tenant, and `tenantry.yaml`. */
export function writeRealFleet(
  folder: string,
  { platform, klass, tenants }: Pick<RealFleet, 'platform' | 'klass' | 'tenants'>,
): void {
  mkdirSync(join(folder, 'tenants', 'classes'), { recursive: true });
  writeFileSync(join(folder, 'tenantry.yaml'), emitYaml([platform]));
  writeFileSync(join(folder, 'tenants', 'classes', 'class.yaml'), emitYaml([klass]));
  for (const tenant of tenants) {
    writeFileSync(join(folder, 'tenants', `${tenant.metadata.name}.yaml`), emitYaml([tenant]));
  }
}
