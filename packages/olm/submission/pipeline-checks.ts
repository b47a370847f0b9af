/** The checks of the pipelines: a bundle alone, and among the other versions of its package. */
import { entryOf } from '@tenantry/kube/mapping';
import { show, type Path, formatList, showWhole } from '@tenantry/kube/problem';
import { isDate } from '@tenantry/kube/time';
import { compareVersions, parseTolerantVersion, type Version } from '@tenantry/kube/semver';
import type { Bundle, BundleFinding } from '../bundle/bundle.ts';
import { parseOlmVersion } from '../semver/version.ts';
import { submissionRules as rules, type Repository, type SubmissionRule } from './rules.ts';
import { errorAt, warningAt, type Finding } from '@tenantry/kube/finding';
import { formatBlobLabel } from '../catalog/write-catalog.ts';
import { checkCatalog } from '../catalog/check-catalog.ts';
import { renderCatalog, type UpdateGraph } from '../catalog/render-catalog.ts';

type FindingReporter = (rule: SubmissionRule, path: Path, message: string, file?: string) => void;

/** Validates the contents of a bundle by the rules of a repository. */
export function checkContents(bundle: Bundle, repository: Repository): BundleFinding[] {
  const findings: BundleFinding[] = [];
  const { csv } = bundle;
  const report: FindingReporter = ({ id, severity, only }, path, message, file = csv?.file) => {
    if (only !== undefined && only !== repository) return;
    const document = file === csv?.file ? (csv?.index ?? 0) : 0;
    findings.push({ path, message, rule: id, severity, document, ...(file && { file }) });
  };
  checkRequired(bundle, report);
  checkAdvised(bundle, report);
  for (const { kind, apiVersion, file } of bundle.manifests) {
    if (kind !== 'NetworkPolicy' || !apiVersion.startsWith('networking.k8s.io/')) continue;
    report(rules.networkPolicy, [], 'must be left out: the pipeline refuses NetworkPolicies', file);
  }
  checkOpenShift(bundle, report);
  return findings;
}

function checkRequired({ csv }: Bundle, report: FindingReporter): void {
  const spec = csv?.value.spec ?? {};
  const { displayName = '', description = '', provider, icon = [], maintainers = [] } = spec;
  const at = (field: string, must: string, got: string): void => {
    report(rules.required, ['spec', ...field.split('.')], `must ${must}, got ${got}`);
  };
  const inLetters = (text: string): string => (text === '' ? 'nothing' : `${[...text].length}`);
  const length = [...displayName].length;
  if (length < 3 || length > 50)
    at('displayName', 'have 3 to 50 characters', inLetters(displayName));
  if ([...description].length < 20) {
    at('description', 'have at least 20 characters', inLetters(description));
  }
  if (icon.length === 0) at('icon', 'have an icon', 'none');
  if (maintainers.length === 0) at('maintainers', 'name a maintainer', 'none');
  if ((spec.links ?? []).length === 0) at('links', 'have a link', 'none');
  const name = provider?.name ?? '';
  if ([...name].length < 3) at('provider.name', 'have at least 3 characters', inLetters(name));
}

/** The annotations that the pages of operators show, and the requirement for each. */
const advised: readonly (readonly [
  name: string,
  must: string,
  isOne: (text: string) => boolean,
])[] = [
  ['capabilities', 'a level of capability', isNotBlank],
  ['categories', 'categories with commas between', isNotBlank],
  ['containerImage', "an image with a tag such as 'quay.io/example/redis:v1.2.3'", isTagged],
  ['createdAt', "a time such as '2026-01-31T12:00:00Z'", isTimestamp],
  ['repository', 'the URL of the sources', (text) => /^https?:\/\/./.test(text)],
  ['support', 'the name of the supporter, of at least 3 characters', (text) => text.length > 2],
  ['description', 'one sentence, of at least 10 characters', (text) => text.length > 9],
];

function checkAdvised({ csv }: Bundle, report: FindingReporter): void {
  const { metadata = {}, spec = {} } = csv?.value ?? {};
  for (const [name, must, isOne] of advised) {
    const text = entryOf(metadata.annotations, name);
    if (text !== undefined && isOne(text)) continue;
    report(rules.advised, ['metadata', 'annotations', name], `must be ${must}, got ${show(text)}`);
  }
  if ((spec.keywords ?? []).length > 0) return;
  report(rules.advised, ['spec', 'keywords'], 'must have keywords for a search, got none');
}

function isNotBlank(text: string): boolean {
  return text.trim() !== '';
}

function isTagged(text: string): boolean {
  const last = text.slice(text.lastIndexOf('/') + 1);
  return text.includes('/') && /^[^:]+:./.test(last);
}

const TIME = /^[T ]\d\d(?::?\d\d(?::?\d\d(?:[.,]\d+)?)?)? ?(?:Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Whether a text is an ISO 8601 date, with or without a time. */
function isTimestamp(text: string): boolean {
  const [date, time] = [text.slice(0, 10), text.slice(10)];
  return isDate(date) && (time === '' || TIME.test(time));
}

const VERSIONS = 'com.redhat.openshift.versions';

/** Kubernetes 1.16 came with OpenShift 4.3, and each next minor with the next OpenShift minor. */
const FIRST_MINOR = 13;

function checkOpenShift({ csv, annotations }: Bundle, report: FindingReporter): void {
  const { minKubeVersion = '' } = csv?.value.spec ?? {};
  const least = parseOlmVersion(minKubeVersion);
  if (!least) return;
  const path = ['annotations', VERSIONS];
  const { file } = annotations.document ?? {};
  const text = entryOf(annotations.values, VERSIONS);
  if (text === undefined) {
    const message = `must be set together with minKubeVersion ${show(minKubeVersion)}, got nothing`;
    return report(rules.openshift, path, message, file);
  }
  const lowest = findLowest(text);
  if (!lowest) {
    const message = `must be versions such as 'v4.14' or 'v4.12-v4.16', got ${show(text)}`;
    return report(rules.openshift, path, message, file);
  }
  const needed = { ...least, patch: 0n, prerelease: [] };
  const kubernetes = { ...lowest, major: 1n, minor: lowest.minor + BigInt(FIRST_MINOR), patch: 0n };
  if (compareVersions(kubernetes, needed) >= 0) return;
  const message = `must begin at an OpenShift with Kubernetes ${minKubeVersion}, got ${show(text)}, which has 1.${kubernetes.minor}`;
  report(rules.openshift, path, message, file);
}

/** Returns the lowest version of `v4.12`, `=v4.12`, `v4.10-v4.12` or `v4.5,v4.6`. */
function findLowest(text: string): Version | undefined {
  const parts = text.trim().replace(/^=/, '').split(/[-,]/);
  const versions = parts.map((part) => parseTolerantVersion(part.trim()));
  const known = versions.filter((version) => version !== undefined);
  if (known.length < versions.length) return undefined;
  return known.toSorted(compareVersions)[0];
}

/** A published version. */
export interface PublishedVersion {
  /** The version, which is the name of its folder. */
  readonly version: string;
  readonly bundle: Bundle;
}

/** Validates a version together with the published ones. */
export function checkPackage(
  bundle: Bundle,
  packageName: string,
  others: readonly PublishedVersion[],
  graph: UpdateGraph | undefined,
): BundleFinding[] {
  const findings = [...nameFindings(bundle, packageName, others)];
  if (graph === 'replaces') findings.push(...replacesFindings(bundle, others));
  if (graph !== undefined) findings.push(...graphFindings(bundle, packageName, others, graph));
  const { csv } = bundle;
  const place = csv ? { file: csv.file, document: csv.index } : {};
  return findings.map((finding) => ({ ...finding, ...place }));
}

/** Returns the name of the operator, which precedes the dot and the version. */
function operatorOf({ csv }: Bundle): string {
  return (csv?.name ?? '').split('.', 1)[0]!;
}

function nameFindings(
  bundle: Bundle,
  packageName: string,
  others: readonly PublishedVersion[],
): Finding[] {
  const own = operatorOf(bundle);
  const theirs = [...new Set(others.map((one) => operatorOf(one.bundle)))];
  const path = ['metadata', 'name'];
  const got = showWhole(bundle.csv?.name ?? '');
  const { id } = rules.name;
  const [only] = theirs;
  if (only !== undefined && theirs.length === 1) {
    if (own === only) return [];
    return [
      errorAt(path, `must begin with ${show(`${only}.`)} as its other versions, got ${got}`, id),
    ];
  }
  if (own === packageName) return [];
  const buildFinding = others.length === 0 ? errorAt : warningAt;
  return [buildFinding(path, `must begin with ${show(`${packageName}.`)}, got ${got}`, id)];
}

function replacesFindings({ csv }: Bundle, others: readonly PublishedVersion[]): Finding[] {
  const { replaces = '' } = csv?.value.spec ?? {};
  const path = ['spec', 'replaces'];
  // A version that replaces itself is reported by a rule of bundles.
  if (replaces === '' || replaces === csv?.name) return [];
  const known = others.map(({ bundle }) => bundle.csv?.name ?? '');
  if (known.includes(replaces)) return [];
  const there =
    known.length === 0 ? 'there is no version' : `there are ${formatList(known.toSorted())}`;
  const message = `must be an existing version, got ${showWhole(replaces)}: ${there}`;
  return [errorAt(path, message, rules.replaces.id)];
}

/**
 * The rules of `opm validate` for channels that the pipelines also apply: several heads, cycles, unreachable versions.
 */
const graphRules = new Set([
  'catalog-channel-head',
  'catalog-channel-cycle',
  'catalog-channel-stranded',
]);

/** Returns the faults of channels that were valid without the new version. */
function graphFindings(
  bundle: Bundle,
  packageName: string,
  others: readonly PublishedVersion[],
  graph: UpdateGraph,
): Finding[] {
  const before = findFaults(others, packageName, graph);
  const after = findFaults([...others, { version: '', bundle }], packageName, graph);
  return [...after]
    .filter(([key]) => !before.has(key))
    .map(([, message]) => errorAt([], message, rules.graph.id));
}

/** Returns messages by channel and rule. */
function findFaults(
  versions: readonly PublishedVersion[],
  packageName: string,
  updateGraph: UpdateGraph,
): ReadonlyMap<string, string> {
  const bundles = versions.map(({ version, bundle }) => {
    return { id: version, bundle, image: 'example.com/{name}' };
  });
  const { catalog } = renderCatalog(bundles, { updateGraph });
  const channels = catalog.channels.filter((channel) => channel.package === packageName);
  const found = checkCatalog({ ...catalog, channels }).filter(({ rule }) => graphRules.has(rule));
  return new Map(
    found.map(({ blob, rule, message }) => [`${formatBlobLabel(blob)} ${rule}`, message]),
  );
}
