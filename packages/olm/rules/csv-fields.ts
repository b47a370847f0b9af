import { show } from '@tenantry/kube/problem';
import { trimSpace } from '@tenantry/kube/names';
import { A_VERSION, parseVersion } from '@tenantry/kube/semver';
import { clusterServiceVersionErrors } from '../bundle/cluster-service-version.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from './rule.ts';

const requiredField: BundleRule = {
  id: 'required-field',
  severity: 'error',
  validators: ['csv'],
  description:
    '`apiVersion` or `kind`, `metadata`, `spec`, `spec.displayName`, `spec.install`, its `strategy` and its `spec.deployments` are present and not empty',
};

/** The required fields of a ClusterServiceVersion. The fields within an empty mapping are not checked. */
export const requiredFieldsCheck: BundleCheck = {
  rules: [requiredField],
  check(bundle, report) {
    const { apiVersion, kind, metadata, spec } = bundle.csv.value;
    const missing = (...path: string[]): void => {
      report(
        requiredField,
        locateInCsv(bundle, ...path),
        'must be present and not empty, got nothing',
      );
    };
    if (apiVersion === undefined && kind === undefined) missing('kind');
    if (isEmpty(metadata)) missing('metadata');
    if (spec === undefined || isEmpty(spec)) return missing('spec');
    if (spec.displayName === undefined) missing('spec', 'displayName');
    const { install } = spec;
    if (install === undefined || isEmpty(install)) return missing('spec', 'install');
    if (install.strategy === undefined) missing('spec', 'install', 'strategy');
    if (isEmpty(install.spec) || install.spec?.deployments !== undefined) return;
    missing('spec', 'install', 'spec', 'deployments');
  },
};

/** Whether a value is empty: its fields are only false, zero, or empty mappings with fixed fields. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === false || value === 0) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([field, item]) => !maps.has(field) && isEmpty(item));
}

/** Fields that are maps, or for which Go distinguishes an empty value from absence. An empty one counts as a value. */
const maps = new Set([
  'labels',
  'annotations',
  'selector',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]);

const unknownField: BundleRule = {
  id: 'unknown-field',
  severity: 'error',
  validators: ['fields'],
  description:
    'OLM knows each field of the ClusterServiceVersion, in its case: it silently ignores others',
};

const schema: BundleRule = {
  id: 'csv-schema',
  severity: 'error',
  validators: ['fields'],
  description:
    'an API server with OLM accepts the ClusterServiceVersion: required fields are present, and enumerated values are known',
};

/** The rules for fields of a ClusterServiceVersion that an API server with OLM refuses. */
export const csvFieldsCheck: BundleCheck = {
  rules: [unknownField, schema],
  check(bundle, report) {
    const { file, document } = bundle.csv;
    const written = bundle.read.manifests.find((one) => {
      return one.file === file && one.index === document;
    });
    for (const finding of written ? clusterServiceVersionErrors(written.value) : []) {
      const { path, atKey = false, message, rule } = finding;
      const place = { ...locateInCsv(bundle, ...path), ...(atKey && { atKey }) };
      report(rule === 'unknown-field' ? unknownField : schema, place, message);
    }
  },
};

const noModes: BundleRule = {
  id: 'install-modes',
  severity: 'error',
  validators: ['csv'],
  description: '`spec.installModes` has entries',
};

const unsupported: BundleRule = {
  id: 'install-mode-supported',
  severity: 'error',
  validators: ['csv'],
  description: 'at least one install mode is supported',
};

const conversion: BundleRule = {
  id: 'install-mode-conversion',
  severity: 'error',
  validators: ['csv'],
  description:
    'where a webhook converts custom resources, AllNamespaces is the only install mode that is supported',
};

const repeated: BundleRule = {
  id: 'install-mode-unique',
  severity: 'error',
  validators: ['csv'],
  description:
    'each install mode occurs once in the list; otherwise OLM fails the ClusterServiceVersion',
  isDeadUpstream: true,
};

/** The rules for the install modes of an operator. */
export const installModesCheck: BundleCheck = {
  rules: [noModes, unsupported, conversion, repeated],
  check(bundle, report) {
    const { installModes: modes = [], webhookdefinitions = [] } = bundle.csv.value.spec ?? {};
    const at = locateInCsv(bundle, 'spec', 'installModes');
    if (modes.length === 0) return report(noModes, at, 'must have entries, got none');
    const seen = new Set<string>();
    for (const [i, { type = '' }] of modes.entries()) {
      if (seen.has(type)) {
        const place = locateInCsv(bundle, 'spec', 'installModes', i, 'type');
        report(repeated, place, `must be unique in the list, got ${show(type)} again`);
      }
      seen.add(type);
    }
    const isAllOnly = modes.every(({ type, supported = false }) => {
      return (type === 'AllNamespaces') === supported;
    });
    for (const [i, { conversionCRDs = [] }] of webhookdefinitions.entries()) {
      if (conversionCRDs.length === 0 || isAllOnly) continue;
      const place = locateInCsv(bundle, 'spec', 'webhookdefinitions', i, 'conversionCRDs');
      const message =
        'must be absent unless AllNamespaces is the only install mode that is supported, got entries';
      report(conversion, place, message);
    }
    if (!modes.some(({ supported }) => supported)) {
      report(unsupported, at, 'must have an entry that is supported, got none');
    }
  },
};

const absent: BundleRule = {
  id: 'min-kube-version',
  severity: 'warning',
  validators: ['csv', 'operatorhubv2'],
  description:
    '`spec.minKubeVersion` is present: without it the operator is offered to clusters of any version',
};

const format: BundleRule = {
  id: 'min-kube-version-format',
  severity: 'error',
  validators: ['csv', 'operatorhubv2'],
  description: '`spec.minKubeVersion` is a version of semver.org',
};

/** The rules for the minimum Kubernetes version of an operator. */
export const minKubeVersionCheck: BundleCheck = {
  rules: [absent, format],
  check(bundle, report) {
    const { minKubeVersion: text = '' } = bundle.csv.value.spec ?? {};
    const place = locateInCsv(bundle, 'spec', 'minKubeVersion');
    if (trimSpace(text) === '') {
      report(
        absent,
        place,
        `must be the oldest version of Kubernetes that it runs on, got nothing`,
      );
    } else if (parseVersion(text) === undefined) {
      report(format, place, `must be ${A_VERSION}, got ${show(text)}`);
    }
  },
};
