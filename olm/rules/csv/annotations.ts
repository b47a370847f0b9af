import { entryOf } from '../../../kube/mapping.ts';
import { lowerCase } from '../../../kube/names.ts';
import { show } from '../../../kube/problem.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

/** The annotations that OLM reads, by their names in lower case. */
const cased = new Map(
  [
    'olm.operatorGroup',
    'olm.operatorNamespace',
    'olm.targetNamespaces',
    'olm.providedAPIs',
    'olm.skipRange',
  ].map((name) => [lowerCase(name), name]),
);

const annotationCase: BundleRule = {
  id: 'annotation-case',
  severity: 'error',
  validators: ['csv'],
  description: 'an annotation of OLM is written in its case: `olm.skipRange`, not `olm.skiprange`',
};

const propertiesAnnotation: BundleRule = {
  id: 'properties-annotation',
  severity: 'warning',
  validators: ['csv'],
  description:
    'properties are in `metadata/properties.yaml`, not in the annotation `olm.properties`',
};

/** The rules for the annotations of a ClusterServiceVersion that OLM uses. */
export const annotations: BundleCheck = {
  rules: [annotationCase, propertiesAnnotation],
  check(bundle, say) {
    for (const key of Object.keys(bundle.csv.value.metadata?.annotations ?? {})) {
      const place = { ...locateInCsv(bundle, 'metadata', 'annotations', key), atKey: true };
      const known = cased.get(lowerCase(key));
      if (known !== undefined && known !== key) {
        say(annotationCase, place, `must be ${show(known)}, got ${show(key)}`);
      }
      if (key === PROPERTIES) {
        say(propertiesAnnotation, place, 'must be in metadata/properties.yaml, got an annotation');
      }
    }
  },
};

const PROPERTIES = 'olm.properties';

/** Returns an annotation of the ClusterServiceVersion; undefined if it does not have it. */
export function annotationOf(
  bundle: Parameters<BundleCheck['check']>[0],
  name: string,
): string | undefined {
  return entryOf(bundle.csv.value.metadata?.annotations, name);
}
