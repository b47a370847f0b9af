import { entryOf } from '@tenantry/kube/mapping';
import { lowerCase, trimSpace } from '@tenantry/kube/names';
import { show, didYouMean, findNearest } from '@tenantry/kube/problem';
import { locateInCsv, type BundleCheck, type BundleRule } from './rule.ts';

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
  check(bundle, report) {
    for (const key of Object.keys(bundle.csv.value.metadata?.annotations ?? {})) {
      const place = { ...locateInCsv(bundle, 'metadata', 'annotations', key), atKey: true };
      const known = cased.get(lowerCase(key));
      if (known !== undefined && known !== key) {
        report(annotationCase, place, `must be ${show(known)}, got ${show(key)}`);
      }
      if (key === PROPERTIES) {
        report(
          propertiesAnnotation,
          place,
          'must be in metadata/properties.yaml, got an annotation',
        );
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

const capabilities: BundleRule = {
  id: 'capabilities',
  severity: 'error',
  validators: ['capabilities'],
  description:
    'the annotation `capabilities` is Basic Install, Seamless Upgrades, Full Lifecycle, Deep Insights or Auto Pilot',
};

const categories: BundleRule = {
  id: 'categories',
  severity: 'error',
  validators: ['categories'],
  description: 'the annotation `categories` lists categories of OperatorHub, with commas between',
};

const LEVELS = [
  'Basic Install',
  'Seamless Upgrades',
  'Full Lifecycle',
  'Deep Insights',
  'Auto Pilot',
];

/** The categories of OperatorHub. */
const CATEGORIES = [
  'AI/Machine Learning',
  'Application Runtime',
  'Big Data',
  'Cloud Provider',
  'Database',
  'Developer Tools',
  'Integration & Delivery',
  'Logging & Tracing',
  'Modernization & Migration',
  'Monitoring',
  'Networking',
  'Observability',
  'OpenShift Optional',
  'Security',
  'Storage',
  'Streaming & Messaging',
];

/** The rules for annotations with a fixed set of values in OperatorHub. */
export const words: BundleCheck = {
  rules: [capabilities, categories],
  check(bundle, report, options) {
    const at = (name: string) => locateInCsv(bundle, 'metadata', 'annotations', name);
    const level = annotationOf(bundle, 'capabilities');
    if (level !== undefined && !LEVELS.includes(level)) {
      report(capabilities, at('capabilities'), wrong(level, LEVELS));
    }
    const known = options.categories ?? CATEGORIES;
    for (const category of annotationOf(bundle, 'categories')?.split(',') ?? []) {
      if (known.includes(trimSpace(category))) continue;
      report(categories, at('categories'), wrong(category, known));
    }
  },
};

function wrong(got: string, known: readonly string[]): string {
  return `must be one of ${known.join(', ')}, got ${show(got)}${didYouMean(findNearest(got, known))}`;
}
