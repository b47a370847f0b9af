import { didYouMean, formatPath, findNearest, show, type Path } from '@tenantry/kube/problem';
import type { Bundle, BundleFinding } from '../bundle/bundle.ts';
import { rulesIgnoredByOlm } from '../bundle/reading-rules.ts';
import { loadBundle, type LoadFault } from '../loader/load-bundle.ts';
import type { RuleOptions, FindingReporter, Validator, BundleCheck, BundleRule } from './rule.ts';
import {
  relatedImagesCheck,
  serviceAccountsCheck,
  bundleSizeCheck,
  bundleKindsCheck,
} from './bundle-contents.ts';
import { releaseNamesCheck, csvNamesCheck, updateEdgesCheck } from './csv-names.ts';
import { ownedKindsCheck, definitionsCheck } from './definitions.ts';
import { annotationsCheck, annotationValuesCheck, bundleAnnotationsCheck } from './annotations.ts';
import { examplesCheck } from './examples.ts';
import {
  installModesCheck,
  minKubeVersionCheck,
  requiredFieldsCheck,
  csvFieldsCheck,
} from './csv-fields.ts';
import { conditionsCheck, dependenciesCheck } from './dependencies.ts';
import { servedApisCheck, removedApisCheck } from './removed-apis.ts';
import { budgetsCheck, objectRightsCheck } from './objects.ts';
import { iconsCheck, maintainersCheck, versionsCheck } from './presentation.ts';
import { openshiftCheck } from './openshift.ts';
import {
  definitionPracticesCheck,
  deploymentsCheck,
  namingConventionsCheck,
} from './good-practices.ts';
import { permissionsCheck } from './permissions.ts';
import { scorecardExamplesCheck } from './scorecard-examples.ts';

/** Options of `validateBundle`. */
export interface BundleValidationOptions extends RuleOptions {
  /** @default 'default' */
  readonly suite?: Suite;
  /** Further validators, by their names upstream. @default - none */
  readonly optional?: readonly string[];
}

/**
 * Validates a bundle and returns its errors and warnings. If OLM's tools cannot load the bundle, returns only the
 * reasons, as they do. In the suite `operatorhub` the findings are those of upstream's validator, at the same objects
 * and fields. In addition it checks two rules that upstream intends to check but never does (`install-mode-unique`,
 * `annotation-folders`).
 *
 * @example
 * ```ts
 * import { readBundle, validateBundle } from '@tenantry/olm';
 *
 * const findings = validateBundle(readBundle('operators/redis'), { suite: 'operatorhub' });
 * console.log(findings.map(({ rule, severity }) => `${severity} ${rule}`)); // [ 'error bundle-folder' ]
 * ```
 *
 * @throws {RangeError} for an unknown validator
 */
export function validateBundle(
  bundle: Bundle,
  { suite = 'default', optional = [], ...options }: BundleValidationOptions = {},
): readonly BundleFinding[] {
  const enabled = new Set<Validator>([...suites[suite], ...optional.flatMap(findValidators)]);
  const { bundle: loaded, faults } = loadBundle(bundle);
  if (loaded === undefined) return reportLoadFaults(bundle, faults);
  const findings: BundleFinding[] = [];
  const report: FindingReporter = (rule, { path, ...place }, message) => {
    if (!rule.validators.some((one) => enabled.has(one))) return;
    const isReported =
      rule.id === 'csv-schema' && findings.some((one) => isAt(one, place.file, path));
    if (isReported) return;
    findings.push({ ...place, path, message, rule: rule.id, severity: rule.severity });
  };
  for (const { rules, check } of checks) {
    const isEnabled = rules.some(({ validators }) => validators.some((one) => enabled.has(one)));
    if (isEnabled) check(loaded, report, options);
  }
  const isStrict = suite !== 'operatorhub';
  return [
    ...bundle.faults.filter(({ rule }) => isStrict || !rulesIgnoredByOlm.has(rule)),
    ...findings,
  ];
}

/** All checks of a loaded bundle. */
const checks: readonly BundleCheck[] = [
  csvNamesCheck,
  requiredFieldsCheck,
  annotationsCheck,
  examplesCheck,
  installModesCheck,
  minKubeVersionCheck,
  definitionsCheck,
  ownedKindsCheck,
  serviceAccountsCheck,
  bundleSizeCheck,
  relatedImagesCheck,
  releaseNamesCheck,
  maintainersCheck,
  versionsCheck,
  iconsCheck,
  annotationValuesCheck,
  removedApisCheck,
  openshiftCheck,
  budgetsCheck,
  objectRightsCheck,
  deploymentsCheck,
  definitionPracticesCheck,
  namingConventionsCheck,
  permissionsCheck,
  scorecardExamplesCheck,
  bundleAnnotationsCheck,
  dependenciesCheck,
  conditionsCheck,
  bundleKindsCheck,
  csvFieldsCheck,
  updateEdgesCheck,
  servedApisCheck,
];

/** All rules for a loaded bundle. */
export const bundleRules: readonly BundleRule[] = checks.flatMap(({ rules }) => rules);

/** A set of validators. */
export type Suite = 'default' | 'operatorhub' | 'community' | 'good-practices';

const upstream: readonly Validator[] = ['csv', 'crd', 'bundle'];
const operatorhub: readonly Validator[] = ['operatorhubv2', 'capabilities', 'categories'];
const whole: readonly Validator[] = [...upstream, 'format', 'fields'];

/** The validators of each suite. `operatorhub` contains exactly the checks of upstream's `operator-verify`. */
export const suites: Readonly<Record<Suite, readonly Validator[]>> = {
  default: whole,
  operatorhub: [...upstream, ...operatorhub],
  community: [...whole, 'community'],
  'good-practices': [...whole, 'good-practices'],
};

/** The optional validators. */
export const optionalValidators: Readonly<Record<string, readonly Validator[]>> = {
  operatorhub,
  operatorhubv2: ['operatorhubv2'],
  capabilities: ['capabilities'],
  categories: ['categories'],
  community: ['community'],
  'alpha-deprecated-apis': ['alpha-deprecated-apis'],
  'good-practices': ['good-practices'],
  objects: ['objects'],
  scorecard: ['scorecard'],
};

function findValidators(name: string): readonly Validator[] {
  const found = Object.hasOwn(optionalValidators, name) ? optionalValidators[name] : undefined;
  if (found) return found;
  const known = Object.keys(optionalValidators);
  const meant = didYouMean(findNearest(name, known));
  throw new RangeError(`optional must be of ${known.join(', ')}, got ${show(name)}${meant}`);
}

function isAt(finding: BundleFinding, file: string | undefined, path: Path): boolean {
  return finding.file === file && formatPath(finding.path) === formatPath(path);
}

/** Returns the reasons why the bundle is not loaded, one for each place. A mere warning can be what OLM refuses. */
function reportLoadFaults(bundle: Bundle, faults: readonly LoadFault[]): BundleFinding[] {
  const more = filterUnreported(bundle, faults);
  const own = bundle.faults.filter((one) => !more.some(({ file, path }) => isAt(one, file, path)));
  return [...own, ...more];
}

/** Returns the faults that are not reported yet. */
function filterUnreported(bundle: Bundle, faults: readonly LoadFault[]): BundleFinding[] {
  const errors = bundle.faults.filter(({ severity }) => severity === 'error');
  const reportedFiles = new Set(errors.map(({ file }) => file));
  // An unread file may contain the ClusterServiceVersion.
  const isReported = ({ path, file, rule }: LoadFault): boolean =>
    path.length === 0 && (reportedFiles.has(file) || (rule === 'one-csv' && errors.length > 0));
  return faults.filter((fault) => !isReported(fault)).map(asFinding);
}

function asFinding({ path, message, rule, ...place }: LoadFault): BundleFinding {
  return { ...place, path, message, rule, severity: 'error' };
}
