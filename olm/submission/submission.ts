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

/** Where a bundle belongs in a repository; undefined with the reason where nobody can say. */
export type SubmissionTarget =
  | { readonly packageName: string; readonly version: string; readonly findings?: never }
  | { readonly findings: readonly BundleFinding[]; readonly packageName?: never };

/** What is there already, and what is asked for. */
export interface SubmissionOptions extends NewCiConfig {
  readonly repository: Repository;
  /** The other versions of the package. */
  readonly others: readonly PublishedVersion[];
  /** The `ci.yaml` of the package. Absent: it is made. */
  readonly ci?: string;
  /** The files of the version where it is there already. */
  readonly published?: readonly BundleFile[];
}

/** What a submission adds to a repository, and what its pipeline will say of it. */
export interface Submission {
  /** The files of the folder of the version, sorted by path; all are there already where it is. */
  readonly files: readonly BundleFile[];
  /** The text of a `ci.yaml` that is not there yet. */
  readonly ci?: string;
  /** The bundle as it lies in the repository: findings are about its files. */
  readonly bundle: Bundle;
  readonly findings: readonly BundleFinding[];
  /** The `ci.yaml` that is there, or that comes. */
  readonly config: CiConfig;
  /** The version is there, and is the same. */
  readonly isPublished: boolean;
}

const PACKAGE = 'operators.operatorframework.io.bundle.package.v1';

/** The folder of a bundle: names of folders are never what somebody's bundle says, unasked. */
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
 * What a bundle becomes in a repository of operators, and all that is wrong with it there: the rules of the
 * suites `operatorhub` and `community`, and those of the repository's pipeline.
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
    const message = 'must copy what lies beside it, got other folders: it is written anew';
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

/** Where suites and the pipeline both ask for a field, what the one of them says that asks for more. */
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

/** The files that one of the two has and the other has not, or has otherwise. */
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
