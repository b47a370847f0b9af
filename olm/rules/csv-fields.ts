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
export const requiredFields: BundleCheck = {
  rules: [requiredField],
  check(bundle, say) {
    const { apiVersion, kind, metadata, spec } = bundle.csv.value;
    const missing = (...path: string[]): void => {
      say(
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
export const fields: BundleCheck = {
  rules: [unknownField, schema],
  check(bundle, say) {
    const { file, document } = bundle.csv;
    const written = bundle.read.manifests.find((one) => {
      return one.file === file && one.index === document;
    });
    for (const finding of written ? clusterServiceVersionErrors(written.value) : []) {
      const { path, atKey = false, message, rule } = finding;
      const place = { ...locateInCsv(bundle, ...path), ...(atKey && { atKey }) };
      say(rule === 'unknown-field' ? unknownField : schema, place, message);
    }
  },
};
