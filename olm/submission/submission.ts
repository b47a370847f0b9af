import { errorAt, warningAt } from '../../kube/finding.ts';
import { A_DNS_LABEL, isDnsLabel } from '../../kube/names.ts';
import { formatPath, formatList, show } from '../../kube/problem.ts';
import { A_VERSION, parseVersion } from '../../kube/semver.ts';
import { entryOf } from '../../kube/mapping.ts';
import type { Bundle, BundleFile, BundleFinding } from '../bundle/bundle.ts';
import { parseBundle } from '../bundle/parse.ts';
import { validateBundle } from '../rules/validate-bundle.ts';
import { renderCiConfig, readCiConfig, type CiConfig, type NewCiConfig } from './ci-config.ts';
import { checkContents } from './contents.ts';
import { versionLayout } from './layout.ts';
import { checkPackage, type PublishedVersion } from './package.ts';
import { releaseConfigText } from './release-config.ts';
import { submissionRules as rules, type Repository } from './rules.ts';

/** The place of a bundle in a repository; undefined, with the reason, if it cannot be determined. */
export type SubmissionTarget =
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
  questions: SubmissionOptions,
): Submission {
  const { repository, others, published } = questions;
  const ci = questions.ci ?? renderCiConfig(questions);
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
    ...(questions.ci === undefined && { ci }),
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
