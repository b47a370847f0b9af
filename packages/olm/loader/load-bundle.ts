import { isMapping } from '@tenantry/kube/mapping';
import { show } from '@tenantry/kube/problem';
import type { Bundle, BundleFile } from '../bundle/bundle.ts';
import { decodeAs, type DecodeResult } from '../decoding/decode.ts';
import { readManifestFile, readWhole, type LoadedFile } from './manifest-file.ts';
import type {
  LoadedBundle,
  LoadedDefinition,
  LoadedDocument,
  LoadedObject,
  LoadedVersion,
  BundleLocation,
} from './loaded-bundle.ts';

/** The reason why OLM's tools cannot load a bundle; they then report nothing else about it. */
export interface LoadFault extends BundleLocation {
  readonly rule: LoadRule;
  readonly message: string;
}

/** The requirements for loading a bundle. */
type LoadRule =
  | 'one-csv'
  | 'manifest-folder'
  | 'manifest-hidden'
  | 'manifest-object'
  | 'definition-version'
  | 'field-type'
  | 'annotations-file';

/** A loaded bundle, or the reasons why it cannot be loaded. */
type LoadResult =
  | { readonly bundle: LoadedBundle; readonly faults?: undefined }
  | { readonly bundle?: undefined; readonly faults: readonly LoadFault[] };

const CSV = 'ClusterServiceVersion';
const CRD = 'CustomResourceDefinition';

/**
 * Loads a bundle as OLM's tools do: every file in the folder of the ClusterServiceVersion is an object, of which only
 * the first document counts.
 *
 * Source: github.com/operator-framework/api/pkg/manifests/bundleloader.go
 */
export function loadBundle(bundle: Bundle): LoadResult {
  const faults: LoadFault[] = [];
  const readings = new Readings(bundle);
  const visible = bundle.files.filter(({ path }) => !path.split('/').some(isHidden));
  const annotations = loadAnnotations(visible, faults);
  const versions = visible.filter((file) => kindIn(readings.of(file)) === CSV);
  if (versions.length === 0) {
    faults.push({
      rule: 'one-csv',
      path: [],
      message: 'must have a file with a ClusterServiceVersion, got none',
    });
  }
  let manifests: Manifests | undefined;
  for (const folder of new Set(versions.map(({ path }) => folderOf(path)))) {
    manifests = new ManifestLoader(bundle, folder, readings, faults).load();
  }
  if (faults.length > 0 || manifests?.csv === undefined) return { faults };
  const { csv } = manifests;
  const loaded = {
    read: bundle,
    name: csv.value.metadata?.name ?? '',
    ...manifests,
    csv,
    ...annotations,
  };
  return { bundle: loaded };
}

const PREFIX = 'operators.operatorframework.io.bundle.';

interface AnnotationsFile {
  readonly annotations?: Readonly<Record<string, string>>;
}

function loadAnnotations(files: readonly BundleFile[], faults: LoadFault[]) {
  let annotations: Readonly<Record<string, string>> = {};
  for (const { path, bytes } of files) {
    if (!nameOf(path).startsWith('annotations')) continue;
    const read = readWhole(bytes);
    const decoded =
      read.fault === undefined
        ? decodeAs<AnnotationsFile>('AnnotationsFile', read.value)
        : undefined;
    const [fault] = decoded?.faults ?? [{ path: [], message: read.fault ?? '' }];
    if (fault) faults.push({ rule: 'annotations-file', file: path, ...fault });
    else annotations = decoded?.value.annotations ?? {};
  }
  return {
    packageName: annotations[`${PREFIX}package.v1`] ?? '',
    channels: (annotations[`${PREFIX}channels.v1`] ?? '').split(','),
    defaultChannel: annotations[`${PREFIX}channel.default.v1`] ?? '',
  };
}

/** Reads each file once; files of one document are taken from the bundle. */
class Readings {
  readonly #known = new Map<string, { value: unknown } | undefined>();
  readonly #readings = new Map<string, LoadedFile>();

  constructor(bundle: Bundle) {
    const faulty = new Set(bundle.faults.map(({ file }) => file));
    for (const { file, value } of bundle.manifests) {
      const isOne = !this.#known.has(file) && !faulty.has(file);
      this.#known.set(file, isOne ? { value } : undefined);
    }
  }

  of({ path, bytes }: BundleFile): LoadedFile {
    const reading = this.#readings.get(path) ?? readManifestFile(bytes, this.#known.get(path));
    this.#readings.set(path, reading);
    return reading;
  }
}

interface Manifests {
  csv?: LoadedDocument<LoadedVersion>;
  readonly objects: LoadedObject[];
  readonly definitions: LoadedDocument<LoadedDefinition>[];
  readonly betaDefinitions: LoadedDocument<LoadedDefinition>[];
}

/** Stops the loading of the folder. */
class Unloadable extends Error {}

class ManifestLoader {
  readonly #bundle: Bundle;
  readonly #folder: string;
  readonly #readings: Readings;
  readonly #faults: LoadFault[];
  readonly #manifests: Manifests = { objects: [], definitions: [], betaDefinitions: [] };

  constructor(bundle: Bundle, folder: string, readings: Readings, faults: LoadFault[]) {
    this.#bundle = bundle;
    this.#folder = folder;
    this.#readings = readings;
    this.#faults = faults;
  }

  load(): Manifests {
    const before = this.#faults.length;
    this.#checkFolders();
    try {
      for (const file of this.#bundle.files) {
        if (folderOf(file.path) === this.#folder) this.#file(file);
      }
    } catch (error) {
      if (!(error instanceof Unloadable)) throw error;
      this.#faults.splice(before, this.#faults.length - before - 1);
    }
    return this.#manifests;
  }

  #checkFolders(): void {
    for (const folder of this.#bundle.folders) {
      if (folderOf(folder) !== this.#folder) continue;
      const message = `must contain no folders beside the ClusterServiceVersion, got ${show(nameOf(folder))}`;
      this.#fault('manifest-folder', folder, message);
    }
  }

  #file(file: BundleFile): void {
    if (isHidden(nameOf(file.path))) {
      const message = 'must not begin with a dot in its name, got a hidden file';
      return this.#fault('manifest-hidden', file.path, message);
    }
    const reading = this.#readings.of(file);
    if (reading.first.fault !== undefined) {
      return this.#fault('manifest-object', file.path, reading.first.fault);
    }
    const { value } = reading.first;
    // A first document with only comments is an object without a kind.
    if (value === null) return;
    const { apiVersion, kind, metadata } = isMapping(value) ? value : {};
    if (!isMapping(value) || typeof kind !== 'string' || kind === '') {
      const got = isMapping(value) ? `kind ${show(kind)}` : show(value);
      return this.#fault('manifest-object', file.path, `must be an object with a kind, got ${got}`);
    }
    this.#manifests.objects.push({
      file: file.path,
      apiVersion: toText(apiVersion),
      kind,
      name: toText(isMapping(metadata) ? metadata['name'] : undefined),
      value,
    });
    if (kind === CSV) this.#version(file, reading);
    if (kind === CRD) this.#definition(file, reading, toText(apiVersion));
  }

  #version(file: BundleFile, reading: LoadedFile): void {
    if (this.#manifests.csv !== undefined) {
      const message = `must be the only ClusterServiceVersion, got another in ${show(this.#manifests.csv.file)}`;
      this.#fatal('one-csv', file.path, message);
    }
    this.#manifests.csv = this.#typed<LoadedVersion>(CSV, file, reading);
  }

  #definition(file: BundleFile, reading: LoadedFile, apiVersion: string): void {
    if (apiVersion === 'apiextensions.k8s.io/v1') {
      this.#manifests.definitions.push(this.#typed('DefinitionV1', file, reading));
    } else if (apiVersion === 'apiextensions.k8s.io/v1beta1') {
      this.#manifests.betaDefinitions.push(this.#typed('DefinitionV1beta1', file, reading));
    } else {
      const message = `must be apiextensions.k8s.io/v1, got ${show(apiVersion)}`;
      this.#fatal('definition-version', file.path, message, ['apiVersion']);
    }
  }

  #typed<T>(type: string, file: BundleFile, reading: LoadedFile): LoadedDocument<T> {
    const read = reading.typed();
    if (read.fault !== undefined) this.#fatal('manifest-object', file.path, read.fault);
    const decoded: DecodeResult<Partial<T>> = decodeAs<T>(type, read.value);
    const [fault] = decoded.faults;
    const document = reading.isWhole ? 0 : 1;
    if (fault) {
      const place = { file: file.path, document };
      this.#faults.push({ rule: 'field-type', ...place, ...fault });
      throw new Unloadable();
    }
    return { file: file.path, document, value: decoded.value as T, unknown: decoded.unknown };
  }

  #fault(rule: LoadRule, file: string, message: string, path: readonly string[] = []): void {
    this.#faults.push({ rule, file, path, message });
  }

  #fatal(rule: LoadRule, file: string, message: string, path: readonly string[] = []): never {
    this.#fault(rule, file, message, path);
    throw new Unloadable();
  }
}

function kindIn(reading: LoadedFile): string | undefined {
  const { first } = reading;
  const value = first.fault === undefined ? first.value : undefined;
  return isMapping(value) ? toText(value['kind']) : undefined;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isHidden(name: string): boolean {
  return name.startsWith('.');
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
