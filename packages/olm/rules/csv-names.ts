import { A_LABEL_VALUE, A_SUBDOMAIN, isLabelValue, isSubdomain } from '@tenantry/kube/names';
import { show } from '@tenantry/kube/problem';
import { entryOf } from '@tenantry/kube/mapping';
import { parseVersion } from '@tenantry/kube/semver';
import { parseGroupVersionKind } from '../loader/loaded-bundle.ts';
import { parseOlmVersion, formatVersion, A_RANGE, parseRange } from '../semver/version.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from './rule.ts';

const name: BundleRule = {
  id: 'csv-name',
  severity: 'error',
  validators: ['csv'],
  description: '`metadata.name` is a DNS subdomain and a label value: at most 63 characters',
};

const replaces: BundleRule = {
  id: 'csv-replaces',
  severity: 'error',
  validators: ['csv'],
  description: '`spec.replaces` is a name that a ClusterServiceVersion can have',
};

const apiVersion: BundleRule = {
  id: 'csv-api-version',
  severity: 'error',
  validators: ['csv'],
  description: '`apiVersion` is present and contains a version',
};

const kind: BundleRule = {
  id: 'csv-kind',
  severity: 'error',
  validators: ['csv'],
  description: '`kind` is present in the document that OLM decodes',
};

/** The rules for the names, the kind and the apiVersion of a ClusterServiceVersion. */
export const csvNamesCheck: BundleCheck = {
  rules: [name, replaces, apiVersion, kind],
  check(bundle, report) {
    const { value } = bundle.csv;
    const own = value.metadata?.name ?? '';
    if (!isVersionName(own)) report(name, locateInCsv(bundle, 'metadata', 'name'), wrong(own));
    const other = value.spec?.replaces ?? '';
    if (other !== '' && !isVersionName(other)) {
      report(replaces, locateInCsv(bundle, 'spec', 'replaces'), wrong(other));
    }
    const { version } = parseGroupVersionKind(value.apiVersion ?? '', '');
    if (version === '') {
      const message = `must be operators.coreos.com/v1alpha1, got ${show(value.apiVersion)}`;
      report(apiVersion, locateInCsv(bundle, 'apiVersion'), message);
    }
    if (value.kind === undefined) {
      report(kind, locateInCsv(bundle, 'kind'), 'must be ClusterServiceVersion, got nothing');
    }
  },
};

function isVersionName(text: string): boolean {
  return isSubdomain(text) && isLabelValue(text);
}

function wrong(got: string): string {
  const must = isSubdomain(got) ? A_LABEL_VALUE : A_SUBDOMAIN;
  return `must be ${must}, got ${show(got === '' ? undefined : got)}`;
}

const releaseName: BundleRule = {
  id: 'release-name',
  severity: 'error',
  validators: ['bundle'],
  description: 'with `spec.release`, `metadata.name` is `<package>-v<version>-<release>`',
};

/** The rule for the name of a bundle that has a release. */
export const releaseNamesCheck: BundleCheck = {
  rules: [releaseName],
  check(bundle, report) {
    const { release, version = '' } = bundle.csv.value.spec ?? {};
    if (release === undefined) return;
    const parsed = parseOlmVersion(version);
    const shown = parsed === undefined ? '0.0.0' : formatVersion(parsed);
    const wanted = `${bundle.packageName}-v${shown}-${release}`;
    if (bundle.name === wanted) return;
    const place = locateInCsv(bundle, 'metadata', 'name');
    report(releaseName, place, `must be ${show(wanted)}, got ${show(bundle.name)}`);
  },
};

const SKIP_RANGE = 'olm.skipRange';

const replacesItself: BundleRule = {
  id: 'replaces-itself',
  severity: 'error',
  validators: ['fields'],
  description:
    '`spec.replaces` is not the name of the bundle itself: its channel would have no head',
};

const skipsItself: BundleRule = {
  id: 'skips-itself',
  severity: 'error',
  validators: ['fields'],
  description:
    '`spec.skips` does not have the name of the bundle itself: its channel would have no head',
};

const rangeHasItself: BundleRule = {
  id: 'skip-range-itself',
  severity: 'warning',
  validators: ['fields'],
  description:
    '`olm.skipRange` ends below `spec.version`: OLM offers the bundle as an upgrade of itself otherwise',
};

const rangeFormat: BundleRule = {
  id: 'skip-range-format',
  severity: 'error',
  validators: ['fields'],
  description: '`olm.skipRange` is a range of versions: a catalog with another one is refused',
};

/** The rules for the bundles from which an upgrade to this one starts. */
export const updateEdgesCheck: BundleCheck = {
  rules: [replacesItself, skipsItself, rangeHasItself, rangeFormat],
  check(bundle, report) {
    const { metadata, spec } = bundle.csv.value;
    const name = metadata?.name ?? '';
    const must = `must be another bundle than ${show(name)} itself, got ${show(name)}`;
    if (name !== '' && spec?.replaces === name) {
      report(replacesItself, locateInCsv(bundle, 'spec', 'replaces'), must);
    }
    for (const [i, skipped] of (spec?.skips ?? []).entries()) {
      if (name === '' || skipped !== name) continue;
      report(skipsItself, locateInCsv(bundle, 'spec', 'skips', i), must);
    }
    const text = entryOf(metadata?.annotations, SKIP_RANGE) ?? '';
    if (text === '') return;
    const place = locateInCsv(bundle, 'metadata', 'annotations', SKIP_RANGE);
    const range = parseRange(text);
    const version = parseVersion(spec?.version ?? '');
    if (!range) report(rangeFormat, place, `must be ${A_RANGE}, got ${show(text)}`);
    else if (version && range(version)) {
      const message = `must not have the version of the bundle itself, ${spec?.version}, got ${show(text)}`;
      report(rangeHasItself, place, message);
    }
  },
};
