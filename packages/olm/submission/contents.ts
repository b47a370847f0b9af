/** The rules of the pipelines for the contents of a single bundle. */
import { entryOf } from '@tenantry/kube/mapping';
import { show, type Path } from '@tenantry/kube/problem';
import { isDate } from '@tenantry/kube/time';
import { compareVersions, parseTolerantVersion, type Version } from '@tenantry/kube/semver';
import type { Bundle, BundleFinding } from '../bundle/bundle.ts';
import { parseOlmVersion } from '../semver/version.ts';
import { submissionRules as rules, type Repository, type SubmissionRule } from './rules.ts';

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
  const lowest = lowestOf(text);
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
function lowestOf(text: string): Version | undefined {
  const parts = text.trim().replace(/^=/, '').split(/[-,]/);
  const versions = parts.map((part) => parseTolerantVersion(part.trim()));
  const known = versions.filter((version) => version !== undefined);
  if (known.length < versions.length) return undefined;
  return known.toSorted(compareVersions)[0];
}
