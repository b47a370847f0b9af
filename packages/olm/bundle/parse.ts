import { errorAt } from '@tenantry/kube/finding';
import { isMapping } from '@tenantry/kube/mapping';
import { formatList, show, showWhole } from '@tenantry/kube/problem';
import type {
  Bundle,
  BundleDocument,
  BundleFile,
  BundleFinding,
  BundleManifest,
  ImageLabels,
} from './bundle.ts';
import {
  clusterServiceVersion,
  CSV_KIND,
  type ClusterServiceVersion,
} from './cluster-service-version.ts';
import { decodeBySchema, type Decoded } from './decoded.ts';
import { isDockerfile, parseDockerfileLabels } from './dockerfile.ts';
import { MAX_REPORTED, readBundleFile, type BundleFileContents } from './documents.ts';
import { readBundleMetadata } from './metadata.ts';
import type { ReadingRule } from './reading-rules.ts';

/** The source of a bundle: the files of a folder or of an image. */
export interface BundleSource {
  /** The files, in any order. */
  readonly files: readonly BundleFile[];
  /** The folders, in any order. @default - the folders that contain the files */
  readonly folders?: readonly string[];
  /** The labels of the image. @default - those of the Dockerfile at the root, if there is one */
  readonly labels?: ImageLabels;
  /** The errors of reading the source. @default - none */
  readonly faults?: readonly BundleFinding[];
}

/**
 * The maximum size of a request to etcd, in bytes: no object can be larger.
 * Source: https://etcd.io/docs/v3.5/dev-guide/limit/
 */
const MAX_OBJECT = 1.5 * 2 ** 20;

/** The annotation that names the folder of the manifests. */
const MANIFESTS = 'operators.operatorframework.io.bundle.manifests.v1';

/**
 * Parses a bundle of any layout: the manifests are in the folder of the ClusterServiceVersion. Errors are in its
 * `faults`; nothing is thrown.
 */
export function parseBundle(source: BundleSource): Bundle {
  const files = source.files.toSorted((a, b) => inOrder(a.path, b.path));
  const folders = source.folders ?? listFolders(files);
  const reader = new Reader(files);
  const dockerfile = files.find(({ path }) => isDockerfile(path));
  const labels = source.labels ?? (dockerfile && parseDockerfileLabels(dockerfile));
  const faults = [...(source.faults ?? [])];
  const homes = findCsvFolders(reader);
  const home = homes.at(-1) ?? namedFolder(reader, folders, labels);
  const manifests = home === undefined ? [] : readManifests(reader, home, faults);
  const manifestsFolder = home ?? '';
  const versions = manifests.filter(({ kind }) => kind === CSV_KIND);
  // An unread file may contain the ClusterServiceVersion.
  const isUnread = (source.faults?.length ?? 0) > 0 || reader.faults().length > 0;
  if (versions.length > 0 || !isUnread) faults.push(...countFaults(files, homes, versions));
  const root = folderOf(manifestsFolder);
  const { faults: wrong, ...metadata } = readBundleMetadata(
    metadataDocuments(reader, root),
    labels,
  );
  const scorecard = readScorecard(reader, root);
  const [csv] = versions;
  return {
    files,
    folders: folders.toSorted(inOrder),
    manifestsFolder,
    manifests,
    ...(csv && { csv: decodedCsv(csv) }),
    ...metadata,
    ...(scorecard && { scorecard }),
    ...(labels && { labels }),
    faults: [...faults, ...reader.faults(), ...wrong],
  };
}

/** Reads each file once, and only on demand. */
class Reader {
  readonly files: readonly BundleFile[];
  readonly #read = new Map<string, BundleFileContents>();

  constructor(files: readonly BundleFile[]) {
    this.files = files.filter(({ path }) => !isHidden(path));
  }

  documents(file: BundleFile): readonly BundleDocument[] {
    let reading = this.#read.get(file.path);
    if (!reading) this.#read.set(file.path, (reading = readBundleFile(file)));
    return reading.documents;
  }

  in(folder: string): readonly BundleFile[] {
    return this.files.filter(({ path }) => folderOf(path) === folder);
  }

  /** Returns the errors of the files that were read. */
  faults(): BundleFinding[] {
    return this.files.flatMap(({ path }) => this.#read.get(path)?.faults ?? []);
  }
}

/** Returns the folders in which a file has a ClusterServiceVersion as its first document, in the order of a walk. */
function findCsvFolders(reader: Reader): string[] {
  const homes = reader.files.filter((file) => {
    if (
      !Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length).includes(CSV_KIND)
    ) {
      return false;
    }
    const [first] = reader.documents(file);
    return isMapping(first?.value) && first.value['kind'] === CSV_KIND;
  });
  return [...new Set(homes.map(({ path }) => folderOf(path)))];
}

/** Returns the folder that the annotation names for the manifests, if it exists. */
function namedFolder(
  reader: Reader,
  folders: readonly string[],
  labels: ImageLabels | undefined,
): string | undefined {
  const { annotations } = readBundleMetadata(metadataDocuments(reader, ''), labels);
  const named = annotations.values[MANIFESTS]?.replace(/\/+$/, '');
  if (named !== undefined && folders.includes(named)) return named;
  return folders.includes('manifests') ? 'manifests' : undefined;
}

function readManifests(reader: Reader, folder: string, faults: BundleFinding[]): BundleManifest[] {
  return reader.in(folder).flatMap((file) => {
    if (folder === '' && isDockerfile(file.path)) return [];
    let reportedCount = 0;
    return reader.documents(file).flatMap((document): BundleManifest[] => {
      const fault = (message: string, rule: ReadingRule): BundleFinding => ({
        ...errorAt([], message, rule),
        file: file.path,
        document: document.index,
        position: document.position([]),
      });
      if (!isObject(document)) {
        const got = isMapping(document.value) ? 'a mapping without kind' : show(document.value);
        reportedCount += 1;
        if (reportedCount > MAX_REPORTED) return [];
        faults.push(fault(`must be an object of Kubernetes, got ${got}`, 'manifest-object'));
        return [];
      }
      const size = file.bytes.length > MAX_OBJECT ? JSON.stringify(document.value).length : 0;
      if (size > MAX_OBJECT) {
        const got = `${(size / 2 ** 20).toFixed(1)} MiB`;
        faults.push(
          fault(`must be at most 1.5 MiB, got ${got}: no cluster takes more`, 'object-size'),
        );
      }
      return [new Manifest(document, document.value)];
    });
  });
}

function isObject(
  document: BundleDocument,
): document is BundleDocument<Readonly<Record<string, unknown>>> {
  const { value } = document;
  return isMapping(value) && typeof value['kind'] === 'string' && value['kind'] !== '';
}

class Manifest<Value> implements BundleManifest<Value> {
  readonly file: string;
  readonly index: number;
  readonly value: Value;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly #document: BundleDocument;

  constructor(document: BundleDocument<Readonly<Record<string, unknown>>>, value: Value) {
    const { file, index, value: object } = document;
    this.#document = document;
    [this.file, this.index, this.value] = [file, index, value];
    this.apiVersion = text(object['apiVersion']);
    this.kind = text(object['kind']);
    this.name = isMapping(object['metadata']) ? text(object['metadata']['name']) : '';
  }

  position: BundleDocument['position'] = (path, atKey) => this.#document.position(path, atKey);
}

function decodedCsv(csv: BundleManifest): BundleManifest<Decoded<ClusterServiceVersion>> {
  return new Manifest(csv, decodeBySchema(clusterServiceVersion, csv.value) ?? {});
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Reports a number of ClusterServiceVersions other than one: a bundle is one version of one operator. */
function countFaults(
  files: readonly BundleFile[],
  homes: readonly string[],
  versions: readonly BundleManifest[],
): BundleFinding[] {
  const fault = (message: string, rule: ReadingRule, file?: string): BundleFinding => ({
    ...errorAt([], message, rule),
    ...(file !== undefined && { file }),
  });
  if (files.length === 0) {
    return [fault('must contain a bundle (manifests/ and metadata/), got no file', 'empty-bundle')];
  }
  if (homes.length > 1) {
    const where = formatList(homes.map((home) => showWhole(home || '.')));
    const message = `must be one bundle, got a ${CSV_KIND} in each of ${where}: name the folder of one`;
    return [fault(message, 'one-csv')];
  }
  const [first, ...others] = versions;
  if (!first) return [fault(`must contain a ${CSV_KIND}, got none`, 'one-csv')];
  return others.map(({ file }) => {
    const message = `must be the only ${CSV_KIND} of the bundle, got one in ${first.file}, too`;
    return fault(message, 'one-csv', file);
  });
}

/**
 * Returns the documents of the metadata folder beside the manifests, annotations.yaml first; otherwise those of
 * `annotations*` anywhere.
 */
function metadataDocuments(reader: Reader, root: string): readonly BundleDocument[] {
  const beside = reader
    .in(root === '' ? 'metadata' : `${root}/metadata`)
    .filter(({ path }) => /\.(?:ya?ml|json)$/.test(path));
  const elsewhere = reader.files.filter(({ path }) => nameOf(path).startsWith('annotations'));
  const files = beside.length > 0 ? beside : elsewhere;
  const rank = ({ path }: BundleFile): number => (nameOf(path) === 'annotations.yaml' ? 0 : 1);
  return files.toSorted((a, b) => rank(a) - rank(b)).flatMap((file) => reader.documents(file));
}

function readScorecard(reader: Reader, root: string): Bundle['scorecard'] {
  const files = reader.in(root === '' ? 'tests/scorecard' : `${root}/tests/scorecard`);
  const documents = files.flatMap((file) => reader.documents(file));
  return documents.filter(isObject).find(({ value }) => value['kind'] === 'Configuration');
}

function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.'));
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function listFolders(files: readonly BundleFile[]): string[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.add(folder);
  }
  return [...folders];
}

/**
 * Compares paths in the order of a walk: the entries of a folder by name, with the contents of a subfolder at its
 * place.
 */
function inOrder(a: string, b: string): number {
  const [one, other] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
