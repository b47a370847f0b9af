import { posix } from 'node:path';
import { errorAt, warningAt } from '@tenantry/kube/finding';
import { A_DNS_LABEL, isDnsLabel } from '@tenantry/kube/names';
import { formatPath, formatList, show } from '@tenantry/kube/problem';
import { A_VERSION, parseVersion } from '@tenantry/kube/semver';
import { entryOf } from '@tenantry/kube/mapping';
import { decodeUtf8 } from '@tenantry/kube/utf8';
import { emitYaml } from '@tenantry/kube/yaml/write';
import type { Bundle, BundleFile, BundleFinding } from '../bundle/bundle.ts';
import { parseBundle } from '../bundle/parse.ts';
import { validateBundle } from '../rules/validate-bundle.ts';
import { isDockerfile, bundleImageFile } from '../bundle/dockerfile.ts';
import {
  renderCiConfig,
  readCiConfig,
  releaseConfigText,
  type CiConfig,
  type NewCiConfig,
} from './pipeline-config.ts';
import { checkContents, checkPackage, type PublishedVersion } from './pipeline-checks.ts';
import { submissionRules as rules, type Repository } from './rules.ts';

/** The place of a bundle in a repository; undefined, with the reason, if it cannot be determined. */
type SubmissionTarget =
  | { readonly packageName: string; readonly version: string; readonly findings?: never }
  | { readonly findings: readonly BundleFinding[]; readonly packageName?: never };

/** The existing contents of the repository, and the settings of a submission. */
export interface SubmissionOptions extends NewCiConfig {
  readonly repository: Repository;
  /** The other versions of the package. */
  readonly others: readonly PublishedVersion[];
  /** The `ci.yaml` of the package. @default - it is created */
  readonly ci?: string;
  /** The files of the version if it exists already. */
  readonly published?: readonly BundleFile[];
}

/** The files that a submission adds to a repository, and the expected findings of its pipeline. */
export interface Submission {
  /** The files of the version's folder, sorted by path. If the version exists, all of them do. */
  readonly files: readonly BundleFile[];
  /** The text of a new `ci.yaml`. */
  readonly ci?: string;
  /** The bundle as it is in the repository: findings are about its files. */
  readonly bundle: Bundle;
  readonly findings: readonly BundleFinding[];
  /** The existing or new `ci.yaml`. */
  readonly config: CiConfig;
  /** Whether the version exists unchanged. */
  readonly isPublished: boolean;
}

const PACKAGE = 'operators.operatorframework.io.bundle.package.v1';

/** Resolves the folder of a bundle. Names of folders come from a bundle only after validation. */
export function resolveSubmissionTarget(bundle: Bundle): SubmissionTarget {
  const packageName = entryOf(bundle.annotations.values, PACKAGE) ?? '';
  const version = bundle.csv?.value.spec?.version ?? '';
  const findings: BundleFinding[] = [];
  if (!isDnsLabel(packageName)) {
    const { file } = bundle.annotations.document ?? {};
    const message = `must be ${A_DNS_LABEL}, got ${show(packageName)}`;
    const finding = errorAt(['annotations', PACKAGE], message, rules.package.id);
    findings.push({ ...finding, ...(file !== undefined && { file }) });
  }
  if (!parseVersion(version)) {
    const { csv } = bundle;
    const message = `must be ${A_VERSION}, got ${show(version)}`;
    const finding = errorAt(['spec', 'version'], message, rules.version.id);
    findings.push({ ...finding, ...(csv && { file: csv.file, document: csv.index }) });
  }
  return findings.length > 0 ? { findings } : { packageName, version };
}

/**
 * Builds the submission of a bundle to a repository of operators, with all findings: those of the suites `operatorhub`
 * and `community`, and those of the repository's pipeline.
 */
export function buildSubmission(
  given: Bundle,
  packageName: string,
  options: SubmissionOptions,
): Submission {
  const { repository, others, published } = options;
  const ci = options.ci ?? renderCiConfig(options);
  const config = readCiConfig(ci);
  const layout = versionLayout(given);
  const release = config.templates && releaseConfigText(given, config.templates);
  const hasRelease = layout.files.some(({ path }) => path === 'release-config.yaml');
  const files =
    release === undefined || hasRelease
      ? layout.files
      : [...layout.files, { path: 'release-config.yaml', bytes: Buffer.from(release) }].toSorted(
          (a, b) => (a.path < b.path ? -1 : 1),
        );
  const bundle = parseBundle({ files });
  const graph = config.templates ? undefined : config.graph;
  const findings: BundleFinding[] = [
    ...oncePerPlace(
      validateBundle(bundle, { suite: 'community', optional: ['operatorhub'] }),
      checkContents(bundle, repository),
    ),
    ...checkPackage(bundle, packageName, others, graph),
  ];
  if (layout.isDockerfileNew) {
    const message = 'must copy the folders beside it, got other folders: it is rewritten';
    findings.push({ ...warningAt([], message, rules.dockerfile.id), file: 'bundle.Dockerfile' });
  }
  const differing = published && findDifferingFiles(files, published);
  if (differing !== undefined && differing.length > 0) {
    const message = `must be as it is published, got another ${formatList(differing)}: raise the version`;
    findings.push(errorAt([], message, rules.published.id));
  }
  return {
    files,
    ...(options.ci === undefined && { ci }),
    bundle,
    findings,
    config,
    isPublished: differing?.length === 0,
  };
}

/** Keeps one finding for a field that both the suites and the pipeline check: the stricter one. */
function oncePerPlace(
  suites: readonly BundleFinding[],
  pipeline: readonly BundleFinding[],
): BundleFinding[] {
  const keyOf = ({ file, path }: BundleFinding): string => `${file} ${formatPath(path)}`;
  const refused = new Set(suites.filter(({ severity }) => severity === 'error').map(keyOf));
  const own = pipeline.filter((one) => one.rule !== rules.advised.id || !refused.has(keyOf(one)));
  const fields = new Set([rules.required.id, rules.advised.id]);
  const reported = new Set(own.filter(({ rule }) => fields.has(rule)).map(keyOf));
  return [...suites.filter((one) => !reported.has(keyOf(one))), ...own];
}

/** Returns the files that only one side has, or that differ. */
function findDifferingFiles(
  files: readonly BundleFile[],
  published: readonly BundleFile[],
): string[] {
  const [own, theirs] = [files, published].map((all) => {
    return new Map(all.map(({ path, bytes }) => [path, Buffer.from(bytes)]));
  });
  const paths = new Set([...own!.keys(), ...theirs!.keys()]);
  return [...paths].toSorted().filter((path) => {
    const [a, b] = [own!.get(path), theirs!.get(path)];
    return !a || !b || !a.equals(b);
  });
}

/** The folder of a version in a repository. */
interface VersionLayout {
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
function versionLayout(bundle: Bundle): VersionLayout {
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
