import { basename, extname } from 'node:path/posix';
import type { KubeObject } from '@tenantry/kube/object';
import type { NamespaceEntry, ResourceEntry, TenantSpec } from '../crds/types.ts';
import { tenant as tenantKind } from '../crds/tenant.ts';
import { tenantClass as classKind } from '../crds/tenant-class.ts';
import { platform as platformKind, type PlatformSpec } from '../crds/platform.ts';
import type { TenantClassDeclaration } from '../model/declaration.ts';
import { formatCompactYaml } from '@tenantry/kube/yaml/write';
import { formatManifest, type FoundObject } from './manifests.ts';

/** A file to write. */
export interface OutputFile {
  /** Relative to the folder of tenants. */
  readonly path: string;
  readonly text: string;
}

/** Formats the platform file. */
export function formatPlatform(spec: PlatformSpec): string {
  return format(platformKind, 'platform', spec);
}

/** Formats a TenantClass. */
export function formatClass({ name, spec }: TenantClassDeclaration): string {
  return format(classKind, name, spec);
}

/** Formats a Tenant, with comments above it. */
export function formatTenant(name: string, spec: TenantSpec, comments: readonly string[]): string {
  const head = comments.map((line) => `# ${line}\n`).join('');
  return head + format(tenantKind, name, spec);
}

function format(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  name: string,
  spec: object,
): string {
  return formatCompactYaml({ apiVersion, kind, metadata: { name }, spec });
}

/** Puts manifests into files beside the tenants, named like the files that they were in, or else like their kind. */
export class ManifestFiles {
  readonly #texts = new Map<string, string>();
  /** The names of files of the source, by the file beside the tenants. */
  readonly #sources = new Map<string, string>();

  /** Sorted by path. */
  get files(): readonly OutputFile[] {
    return [...this.#texts]
      .map(([path, text]) => ({ path, text }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Replaces each manifest of an entry by the file that has it, and adds it to this file. */
  moveManifests(entry: NamespaceEntry, objects: readonly FoundObject[]): NamespaceEntry {
    const { resources } = entry;
    if (!resources?.some(({ manifest }) => manifest)) return entry;
    const files = new Set<string>();
    for (const { manifest } of resources) {
      if (!manifest) continue;
      const found = objects.find(({ object }) => isSameObject(object, manifest))!;
      files.add(this.#add(entry.name, found));
    }
    const uses = resources.filter(({ manifest }) => !manifest);
    const includes = [...files].map((file) => ({ file }) as unknown as ResourceEntry);
    return { ...entry, resources: [...uses, ...includes] };
  }

  #add(namespace: string, found: FoundObject): string {
    const file = found.file ?? `${found.object.kind.toLowerCase()}.yaml`;
    const text = formatManifest(found);
    const path = this.#findPath(namespace, file);
    const before = this.#texts.get(path);
    this.#sources.set(path, file);
    this.#texts.set(path, before === undefined ? text : `${before}---\n${text}`);
    return path;
  }

  #findPath(namespace: string, file: string): string {
    const extension = extname(file);
    // A name with a dot at its beginning is that of a hidden file, which is not read.
    const plain = basename(file, extension)
      .replaceAll(/[^\w.-]+/g, '-')
      .replace(/^[.-]+/, '');
    const stem = plain || 'manifests';
    for (let number = 1; ; number += 1) {
      const path = `resources/${namespace}/${number === 1 ? stem : `${stem}-${number}`}.yaml`;
      if ((this.#sources.get(path) ?? file) === file) return path;
    }
  }
}

function isSameObject(a: KubeObject, b: KubeObject): boolean {
  return a.kind === b.kind && a.apiVersion === b.apiVersion && a.metadata.name === b.metadata.name;
}
