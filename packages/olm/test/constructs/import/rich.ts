import { annotations, crd, csv, type Texts } from '../../sample.ts';

const rule = (verb: string): string => `{ apiGroups: [''], resources: [pods], verbs: [${verb}] }`;

/**
 * A bundle that no `OperatorSpec` can express: two Deployments, webhooks, additional objects,
 * multi-line texts.
 */
export const rich: Texts = {
  'manifests/redis-operator.clusterserviceversion.yaml': csv
    .replace(
      `  name: redis-operator.v1.2.3
  annotations:
    alm-examples: '[]'
`,
      `  name: redisoperator.1.2.3
  namespace: placeholder
  labels: { operatorframework.io/arch.arm64: supported }
  annotations:
    alm-examples: '[{"apiVersion":"example.com/v1","kind":"Redis","metadata":{"name":"a"},"spec":{}}]'
    capabilities: Deep Insights
    categories: Database,Storage
    certified: 'false'
    createdAt: '2024-01-02T03:04:05Z'
    olm.skipRange: <1.2.3
`,
    )
    .replace(
      '  displayName: Redis\n',
      `  displayName: Redis
  description: |
    # Redis

    It's \`fast\`, and costs \${nothing}.
  icon: [{ base64data: ${'PHN2Zy8+'.repeat(20)}, mediatype: image/svg+xml }]
  replaces: redisoperator.1.2.2
  maintainers: [{ name: "Redis' people", email: redis@example.com }]
  relatedImages: [{ name: server, image: 'quay.io/example/server:1' }, { name: server, image: 'quay.io/example/server:2' }]
  apiservicedefinitions: {}
  webhookdefinitions:
    - { generateName: v.redis.example.com, type: ValidatingAdmissionWebhook, deploymentName: hooks,
        sideEffects: None, admissionReviewVersions: [v1], rules: [{ apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [redises] }] }
`,
    )
    .replace(
      '      deployments:\n',
      `      permissions: [{ serviceAccountName: one, rules: [${rule('get')}] }]
      clusterPermissions: [{ serviceAccountName: two, rules: [${rule('list')}, ${rule('watch')}] }]
      deployments:
        - name: hooks
          label: { app: hooks }
          spec:
            selector: { matchLabels: { app: hooks } }
            template:
              metadata: { labels: { app: hooks } }
              spec:
                serviceAccountName: two
                containers: [{ name: hooks, image: 'quay.io/example/hooks:1', securityContext: {}, ports: [{ containerPort: 9443, protocol: TCP }] }]
`,
    ),
  'manifests/example.com_redises.yaml': crd,
  'manifests/old.yaml':
    'apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: { name: olds.example.com }\nspec: { group: example.com, version: v1, scope: Namespaced, names: { kind: Old, plural: olds } }\n',
  'manifests/settings.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, creationTimestamp: null }\ndata: { a.yaml: "x: 1\\ny: 2\\n" }\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: other }\n',
  'metadata/annotations.yaml': `${annotations.replace('v1: stable', 'v1: alpha, stable')}  com.redhat.openshift.versions: v4.8-v4.20\n`,
  'metadata/dependencies.yaml':
    'dependencies:\n  - { type: olm.gvk, value: { group: cert-manager.io, kind: Certificate, version: v1 } }\n  - { type: olm.package, value: { packageName: prometheus, version: ">0.27.0" } }\n  - { type: olm.label, value: { label: x } }\n',
  'metadata/properties.yaml': 'properties: [{ type: olm.maxOpenShiftVersion, value: "4.20" }]\n',
  'bundle.Dockerfile': 'FROM scratch\nLABEL com.redhat.delivery.backport=true "a b"="c $d"\n',
  'tests/scorecard/config.yaml':
    'apiVersion: scorecard.operatorframework.io/v1alpha3\nkind: Configuration\nmetadata: { name: config }\nstages: []\n',
};
