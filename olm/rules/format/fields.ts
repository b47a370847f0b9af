import { clusterServiceVersionErrors } from '../../bundle/cluster-service-version.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

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
