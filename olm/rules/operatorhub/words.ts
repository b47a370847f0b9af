import { trimSpace } from '../../../kube/names.ts';
import { didYouMean, findNearest, show } from '../../../kube/problem.ts';
import { annotationOf } from '../csv/annotations.ts';
import { locateInCsv, type BundleCheck, type BundleRule } from '../rule.ts';

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
  check(bundle, say, options) {
    const at = (name: string) => locateInCsv(bundle, 'metadata', 'annotations', name);
    const level = annotationOf(bundle, 'capabilities');
    if (level !== undefined && !LEVELS.includes(level)) {
      say(capabilities, at('capabilities'), wrong(level, LEVELS));
    }
    const known = options.categories ?? CATEGORIES;
    for (const category of annotationOf(bundle, 'categories')?.split(',') ?? []) {
      if (known.includes(trimSpace(category))) continue;
      say(categories, at('categories'), wrong(category, known));
    }
  },
};

function wrong(got: string, known: readonly string[]): string {
  return `must be one of ${known.join(', ')}, got ${show(got)}${didYouMean(findNearest(got, known))}`;
}
