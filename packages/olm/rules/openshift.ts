import { parseJson } from '@tenantry/kube/json';
import { isMapping } from '@tenantry/kube/mapping';
import { show } from '@tenantry/kube/problem';
import { compareVersions, parseVersion } from '@tenantry/kube/semver';
import { parseOlmVersion } from '../semver/version.ts';
import type { LoadedBundle } from '../loader/loaded-bundle.ts';
import { findAnnotation } from './annotations.ts';
import { locateInCsv, type BundleCheck, type BundleRule, type FindingReporter } from './rule.ts';
import { hasRemovedApis } from './removed-apis.ts';

const maximum: BundleRule = {
  id: 'openshift-maximum',
  severity: 'error',
  validators: ['community'],
  description:
    'with an API that Kubernetes 1.22 removed, the annotation `olm.properties` has an `olm.maxOpenShiftVersion` below 4.9',
};

const patch: BundleRule = {
  id: 'openshift-maximum-patch',
  severity: 'warning',
  validators: ['community'],
  description: 'that version has only a major and a minor',
};

const label: BundleRule = {
  id: 'openshift-label',
  severity: 'error',
  validators: ['community'],
  description:
    'with such an API, the label `com.redhat.openshift.versions` of the index image ends below 4.9',
};

const unlabelled: BundleRule = {
  id: 'openshift-label-unchecked',
  severity: 'warning',
  validators: ['community'],
  description: 'with such an API, the file with that label is given',
};

/** The first OpenShift without the APIs that Kubernetes 1.22 removed. */
const GONE = parseVersion('4.9.0')!;
const LABEL = 'com.redhat.openshift.versions';

/** The rules for the OpenShift versions on which a bundle with old APIs can be installed. */
export const openshiftCheck: BundleCheck = {
  rules: [maximum, patch, label, unlabelled],
  check(bundle, report, { indexFile }) {
    if (!hasRemovedApis(bundle, '1.22.0')) return;
    checkMaximum(bundle, report);
    const place = { path: [] };
    if (indexFile === undefined) {
      return report(
        unlabelled,
        place,
        `must be checked with the file that has the label ${LABEL}, got none`,
      );
    }
    const line = indexFile.split('\n').find((one) => one.includes(LABEL));
    if (line === undefined || !endsBelow(line)) {
      report(
        label,
        place,
        `must have the label ${LABEL} with a range such as 'v4.6-v4.8', got ${show(line)}`,
      );
    }
  },
};

function checkMaximum(bundle: LoadedBundle, report: FindingReporter): void {
  const text = findAnnotation(bundle, 'olm.properties') ?? '';
  const place = locateInCsv(bundle, 'metadata', 'annotations', 'olm.properties');
  const got = maximumIn(text);
  const version = got === undefined ? undefined : parseOlmVersion(got);
  if (version === undefined) {
    const message = `must have olm.maxOpenShiftVersion with a version below 4.9, got ${show(got)}`;
    report(maximum, place, message);
  } else if (version.patch !== 0n || version.prerelease.length > 0) {
    report(
      patch,
      place,
      `must have a major and a minor in olm.maxOpenShiftVersion, got ${show(got)}`,
    );
  } else if (compareVersions(version, GONE) >= 0) {
    report(maximum, place, `must have olm.maxOpenShiftVersion below 4.9, got ${show(got)}`);
  }
}

function maximumIn(text: string): string | undefined {
  let list: unknown;
  try {
    list = parseJson(text);
  } catch {
    return undefined;
  }
  const properties = Array.isArray(list) ? list.filter(isMapping) : [];
  const found = properties.find(({ type }) => type === 'olm.maxOpenShiftVersion');
  return typeof found?.['value'] === 'string' ? found['value'] : undefined;
}

/**
 * Whether a label such as `LABEL x=v4.6-v4.8` or `x="=v4.6"` ends below the version. A version alone includes all later
 * ones.
 */
function endsBelow(line: string): boolean {
  const [, range = '', exact = ''] = line.replaceAll(/['"v]/g, '').split('=');
  const [, last = exact] = exact === '' ? range.split('-') : [];
  const version = parseOlmVersion(last);
  return last !== '' && version !== undefined && compareVersions(version, GONE) < 0;
}
