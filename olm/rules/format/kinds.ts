import { formatList, show } from '../../../kube/problem.ts';
import { MOST_TOLD } from '../../bundle/documents.ts';
import type { BundleCheck, BundleRule } from '../rule.ts';

const kind: BundleRule = {
  id: 'kind',
  severity: 'error',
  validators: ['format'],
  description: 'each object is of a kind that OLM installs',
};

const unread: BundleRule = {
  id: 'document-unread',
  severity: 'error',
  validators: ['format'],
  description: 'a file contains one object: of several documents OLM installs only the first',
};

/** The kinds of registry+v1 bundles. */
export const bundleKinds: readonly string[] = [
  'ClusterServiceVersion',
  'CustomResourceDefinition',
  'Secret',
  'ConfigMap',
  'ServiceAccount',
  'Service',
  'Role',
  'RoleBinding',
  'ClusterRole',
  'ClusterRoleBinding',
  'PrometheusRule',
  'ServiceMonitor',
  'PodMonitor',
  'PodDisruptionBudget',
  'PriorityClass',
  'VerticalPodAutoscaler',
  'NetworkPolicy',
  'ConsoleYAMLSample',
  'ConsoleQuickStart',
  'ConsoleCLIDownload',
  'ConsoleLink',
  'ConsolePlugin',
];

/** The rules for the kinds in a bundle, and for one object per file. */
export const kinds: BundleCheck = {
  rules: [kind, unread],
  check(bundle, say) {
    for (const object of bundle.objects) {
      if (bundleKinds.includes(object.kind)) continue;
      const message = `must be a kind that OLM installs (${formatList(bundleKinds)}), got ${show(object.kind)}`;
      say(kind, { file: object.file, path: ['kind'] }, message);
    }
    const reportedCounts = new Map(bundle.objects.map(({ file }) => [file, 0]));
    for (const { file, index, kind: got } of bundle.read.manifests) {
      const before = reportedCounts.get(file) ?? MOST_TOLD;
      if (index === 0 || before === MOST_TOLD) continue;
      reportedCounts.set(file, before + 1);
      const message = `must be in a file of its own, got ${show(got)} behind another object`;
      say(unread, { file, document: index, path: [] }, message);
    }
  },
};
