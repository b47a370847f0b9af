import { clusterServiceVersionErrors } from '../../bundle/cluster-service-version.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

const unknownField: BundleRule = {
  id: 'unknown-field',
  severity: 'error',
  validators: ['fields'],
  description:
    'each field of the ClusterServiceVersion is one that OLM knows, in its case: it passes over others without a word',
};

const schema: BundleRule = {
  id: 'csv-schema',
  severity: 'error',
  validators: ['fields'],
  description:
    'the ClusterServiceVersion is one that an API server with OLM takes: what must be there is, and words are among those that there are',
};

/** What an API server with OLM refuses of a ClusterServiceVersion. */
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
