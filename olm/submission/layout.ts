import { posix } from 'node:path';
import type { Bundle, BundleFile } from '../bundle/bundle.ts';
import { isDockerfile, bundleImageFile } from '../bundle/dockerfile.ts';
import { decodeUtf8 } from '../../kube/utf8.ts';
import { emitYaml } from '../../kube/yaml/write.ts';

/** The folder of a version in a repository. */
export interface VersionLayout {
  /** Sorted by path. */
  readonly files: readonly BundleFile[];
  /** Whether the Dockerfile of the bundle would not build there and is replaced. */
  readonly isDockerfileNew: boolean;
}

const RELEASE_CONFIG = 'release-config.yaml';

/**
 * Arranges the files of a bundle of any layout as the repositories expect them: `manifests/`, `metadata/`, `tests/`,
 * and a `bundle.Dockerfile` that builds them. Other files are left out.
 */
export function versionLayout(bundle: Bundle): VersionLayout {
  const { manifestsFolder: home } = bundle;
  const root = folderOf(home);
  const below = (folder: string): string => (root === '' ? folder : `${root}/${folder}`);
  const files = new Map<string, Uint8Array>();
  for (const { path, bytes } of bundle.files) {
    const isManifest = folderOf(path) === home && !(home === '' && isDockerfile(path));
    if (isManifest && (home !== '' || isYaml(path))) files.set(`manifests/${nameOf(path)}`, bytes);
    for (const folder of ['metadata', 'tests']) {
      const prefix = `${below(folder)}/`;
      if (path.startsWith(prefix)) files.set(`${folder}/${path.slice(prefix.length)}`, bytes);
    }
    if (path === below(RELEASE_CONFIG)) files.set(RELEASE_CONFIG, bytes);
  }
  const { document, values } = bundle.annotations;
  if (![...files.keys()].some((path) => path.startsWith('metadata/')) && document) {
    files.delete(`manifests/${nameOf(document.file)}`);
    files.set('metadata/annotations.yaml', Buffer.from(emitYaml([{ annotations: values }])));
  }
  const given = bundle.files.find(
    ({ path }) => isDockerfile(nameOf(path)) && folderOf(path) === root,
  );
  const isDockerfileNew = given === undefined || !builds(given, [...files.keys()]);
  const image = isDockerfileNew ? Buffer.from(imageFile(values, files)) : given.bytes;
  files.set('bundle.Dockerfile', image);
  return {
    files: [...files]
      .map(([path, bytes]) => ({ path, bytes }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    isDockerfileNew: given !== undefined && isDockerfileNew,
  };
}

function imageFile(
  annotations: Readonly<Record<string, string>>,
  files: ReadonlyMap<string, unknown>,
): string {
  const paths = [...files.keys()];
  const folders = ['manifests', 'metadata', 'tests/scorecard'];
  const there = folders.filter((folder) => paths.some((path) => path.startsWith(`${folder}/`)));
  return bundleImageFile(annotations, there);
}

/** Whether everything that a Dockerfile copies exists. */
function builds({ bytes }: BundleFile, paths: readonly string[]): boolean {
  const { text } = decodeUtf8(bytes);
  if (text === undefined) return false;
  const copied = text.split('\n').flatMap((line) => {
    const [word = '', ...words] = line.trim().split(/\s+/);
    const isCopy = word.toUpperCase() === 'COPY' || word.toUpperCase() === 'ADD';
    return isCopy ? words.filter((one) => !one.startsWith('--')).slice(0, -1) : [];
  });
  return copied.every((source) => {
    // Docker builds in the folder of the version, and no path leads out of it.
    const plain = posix.join('/', source).slice(1).replace(/\/$/, '');
    return plain === '' || paths.some((path) => path === plain || path.startsWith(`${plain}/`));
  });
}

function isYaml(path: string): boolean {
  return /\.(?:ya?ml|json)$/.test(path);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
