import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const requiredField: BundleRule = {
  id: 'required-field',
  severity: 'error',
  validators: ['csv'],
  description:
    '`apiVersion` or `kind`, `metadata`, `spec`, `spec.displayName`, `spec.install`, its `strategy` and its `spec.deployments` are there and not empty',
};

/** What a ClusterServiceVersion cannot be without; what a mapping lacks that is empty is not asked for. */
export const requiredFields: BundleCheck = {
  rules: [requiredField],
  check(bundle, say) {
    const { apiVersion, kind, metadata, spec } = bundle.csv.value;
    const missing = (...path: string[]): void => {
      say(requiredField, locateInCsv(bundle, ...path), 'must be there and not empty, got nothing');
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

/** Whether nothing is said: no field but such as are false, zero or empty mappings of fields. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === false || value === 0) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([field, item]) => !maps.has(field) && isEmpty(item));
}

/** Fields that are maps, or that Go can tell apart from absence: an empty one is something said. */
const maps = new Set([
  'labels',
  'annotations',
  'selector',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]);
