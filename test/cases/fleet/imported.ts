import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { platform as platformKind } from '../../../crds/platform.ts';
import type { TenantClassDeclaration } from '../../../model/declaration.ts';
import { toTenantClassObject, toTenantObject } from '../../../model/declared-objects.ts';
import { Fleet } from '../../../model/fleet.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import { importManifests, type ImportResult } from '../../../import/import-manifests.ts';
import { readManifests, type ManifestFile } from '../../../import/manifests.ts';
import { sortByNamespace, type FoundNamespace } from '../../../import/namespaces.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { Placed } from './compare.ts';

/** A folder of manifests as the import declares it, and what the declarations render. */
export interface ImportedFolder {
  readonly result: ImportResult;
  /** The namespaces of the folder as they are written, sorted by name. */
  readonly originals: readonly FoundNamespace[];
  readonly platform: KubeObject;
  readonly klass: TenantClassDeclaration;
  readonly tenants: readonly KubeObject[];
  readonly rendered: readonly Placed[];
  /** Messages about exceptions without an effect. */
  readonly idle: readonly string[];
}

export const CLUSTER = 'live';

/** Reads the manifests below a folder, sorted by their paths. */
export function readFolder(folder: string): ManifestFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ya?ml$/.test(path))
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
}

/** @throws {Error} when a file has an error */
export function importFolder(folder: string): ImportedFolder {
  const files = readFolder(folder);
  const choices = { className: 'standard', cluster: CLUSTER, pinned: new Map<string, string>() };
  const result = importManifests(files, choices);
  if (!('proof' in result)) throw new Error(`${folder}: ${result.problems[0]?.message}`);
  const { platform: spec, classes, tenants } = result.fleet;
  const [klass] = classes as readonly [TenantClassDeclaration];
  const fleet = new Fleet(resolvePlatform(spec));
  fleet.classes.add(klass);
  const rendered = tenants.flatMap(({ name, spec }) =>
    fleet
      .add({ name, spec }, name)
      .namespaces.flatMap(({ cluster, objects }) => objects.map((object) => ({ cluster, object }))),
  );
  const { apiVersion, kind } = platformKind;
  return {
    result,
    originals: sortByNamespace(readManifests(files).objects, { isProtected: () => undefined })
      .namespaces,
    platform: { apiVersion, kind, metadata: { name: 'platform' }, spec },
    klass,
    tenants: tenants.map(toTenantObject),
    rendered,
    idle: fleet.exceptionWarnings(klass).map(({ message }) => message),
  };
}

/** Returns the class as an object of a cluster. */
export const classObject = ({ klass }: ImportedFolder): KubeObject => toTenantClassObject(klass);
