import { parseBundle } from '../bundle/parse.ts';
import type { Bundle } from '../bundle/bundle.ts';

export type Texts = Readonly<Record<string, string>>;

export const csv = `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: redis-operator.v1.2.3
  annotations:
    alm-examples: '[]'
spec:
  displayName: Redis
  version: 1.2.3
  install:
    strategy: deployment
    spec:
      deployments:
        - name: redis-operator
          spec:
            selector: { matchLabels: { app: redis-operator } }
            template:
              metadata: { labels: { app: redis-operator } }
              spec:
                containers:
                  - { name: manager, image: 'quay.io/example/redis@sha256:1' }
  installModes:
    - { type: AllNamespaces, supported: true }
  customresourcedefinitions:
    owned:
      - { name: redises.example.com, version: v1, kind: Redis }
`;

export const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: redises.example.com }
spec:
  group: example.com
  names: { kind: Redis, plural: redises }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object } }
`;

export const annotations = `annotations:
  operators.operatorframework.io.bundle.mediatype.v1: registry+v1
  operators.operatorframework.io.bundle.manifests.v1: manifests/
  operators.operatorframework.io.bundle.metadata.v1: metadata/
  operators.operatorframework.io.bundle.package.v1: redis-operator
  operators.operatorframework.io.bundle.channels.v1: stable
`;

/** A bundle without findings of the reader. */
export const sample: Texts = {
  'manifests/redis-operator.clusterserviceversion.yaml': csv,
  'manifests/example.com_redises.yaml': crd,
  'metadata/annotations.yaml': annotations,
};

/** Builds the bundle of these files. */
export function bundleOf(files: Texts): Bundle {
  return parseBundle({
    files: Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
  });
}

/** Returns the faults of a bundle: file, rule and message. */
export function faultsOf({ faults }: Bundle): string[] {
  return faults.map(({ file, rule, message }) => `${file ?? ''} [${rule}] ${message}`);
}
