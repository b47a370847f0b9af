import type { Texts } from '../sample.ts';

const labels = `
    app.kubernetes.io/name: shops
    app.kubernetes.io/managed-by: kustomize`;

const role = (kind: string, name: string, rules: string): string => `
apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}
metadata:
  name: ${name}
rules:
${rules}`;

const binding = (kind: string, name: string, of: string): string => `
apiVersion: rbac.authorization.k8s.io/v1
kind: ${kind}Binding
metadata:
  name: ${name}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ${kind}
  name: ${of}
subjects:
- kind: ServiceAccount
  name: controller-manager
  namespace: system
`;

const version = (name: string, isStored: boolean): string => `
  - name: ${name}
    served: true
    storage: ${isStored}
    subresources: { status: {} }
    schema:
      openAPIV3Schema:
        description: Shop is where things are sold.
        type: object
        properties:
          spec:
            type: object
            properties:
              owner: { type: string, description: Whose it is. }
          status: { type: object }`;

const manager = `
apiVersion: v1
kind: Namespace
metadata:
  labels:
    control-plane: controller-manager${labels}
  name: system
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: controller-manager
  namespace: system
  labels:
    control-plane: controller-manager${labels}
spec:
  selector:
    matchLabels:
      control-plane: controller-manager
      app.kubernetes.io/name: shops
  replicas: 1
  template:
    metadata:
      annotations:
        kubectl.kubernetes.io/default-container: manager
      labels:
        control-plane: controller-manager
        app.kubernetes.io/name: shops
    spec:
      securityContext:
        runAsNonRoot: true
        seccompProfile:
          type: RuntimeDefault
      containers:
      - command: [/manager]
        args:
        - --leader-elect
        - --health-probe-bind-address=:8081
        image: controller:latest
        name: manager
        ports: []
        securityContext:
          readOnlyRootFilesystem: true
          allowPrivilegeEscalation: false
          capabilities:
            drop: [ALL]
        livenessProbe:
          httpGet: { path: /healthz, port: 8081 }
        readinessProbe:
          httpGet: { path: /readyz, port: 8081 }
        resources:
          limits: { cpu: 500m, memory: 128Mi }
          requests: { cpu: 10m, memory: 64Mi }
        volumeMounts: []
      volumes: []
      serviceAccountName: controller-manager
      terminationGracePeriodSeconds: 10
`;

const webhookPatch = `
- op: add
  path: /spec/template/spec/containers/0/args/-
  value: --webhook-cert-path=/tmp/k8s-webhook-server/serving-certs
- op: add
  path: /spec/template/spec/containers/0/volumeMounts/-
  value: { mountPath: /tmp/k8s-webhook-server/serving-certs, name: webhook-certs, readOnly: true }
- op: add
  path: /spec/template/spec/containers/0/ports/-
  value: { containerPort: 9443, name: webhook-server, protocol: TCP }
- op: add
  path: /spec/template/spec/volumes/-
  value: { name: webhook-certs, secret: { secretName: webhook-server-cert } }
`;

const webhooks = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: validating-webhook-configuration
webhooks:
- admissionReviewVersions: [v1]
  clientConfig:
    service: { name: webhook-service, namespace: system, path: /validate-example-com-v1-shop }
  failurePolicy: Fail
  name: vshop-v1.kb.io
  rules:
  - { apiGroups: [example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [shops] }
  sideEffects: None
`;

const service = (name: string, port: number, target: number): string => `
apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: system
spec:
  ports: [{ port: ${port}, protocol: TCP, targetPort: ${target} }]
  selector: { control-plane: controller-manager, app.kubernetes.io/name: shops }
`;

/** A project as kubebuilder 4 scaffolds it, with a webhook of each kind, metrics and a second version. */
export const kubebuilderProject: Texts = {
  PROJECT:
    'domain: example.com\nlayout: [go.kubebuilder.io/v4]\nprojectName: shops\nversion: "3"\n',
  Makefile: 'IMG ?= controller:latest\n\n.PHONY: all\nall: build\n',
  'config/crd/bases/example.com_shops.yaml': `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.19.0
  name: shops.example.com
spec:
  group: example.com
  names: { kind: Shop, listKind: ShopList, plural: shops, singular: shop }
  scope: Namespaced
  versions:${version('v1alpha1', false)}${version('v1', true)}
`,
  'config/crd/kustomization.yaml':
    'resources:\n- bases/example.com_shops.yaml\npatches:\n- path: patches/webhook_in_shops.yaml\nconfigurations:\n- kustomizeconfig.yaml\n',
  'config/crd/kustomizeconfig.yaml': `
nameReference:
- kind: Service
  version: v1
  fieldSpecs:
  - kind: CustomResourceDefinition
    version: v1
    group: apiextensions.k8s.io
    path: spec/conversion/webhook/clientConfig/service/name
`,
  'config/crd/patches/webhook_in_shops.yaml': `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: shops.example.com
spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service: { namespace: system, name: webhook-service, path: /convert }
      conversionReviewVersions: [v1]
`,
  'config/rbac/kustomization.yaml':
    'resources:\n- service_account.yaml\n- role.yaml\n- role_binding.yaml\n- leader_election_role.yaml\n- leader_election_role_binding.yaml\n- shop_viewer_role.yaml\n',
  'config/rbac/service_account.yaml':
    'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: controller-manager, namespace: system }\n',
  'config/rbac/role.yaml': role(
    'ClusterRole',
    'manager-role',
    '- { apiGroups: [example.com], resources: [shops, shops/status], verbs: [get, list, watch, patch] }',
  ),
  'config/rbac/role_binding.yaml': binding('ClusterRole', 'manager-rolebinding', 'manager-role'),
  'config/rbac/leader_election_role.yaml': role(
    'Role',
    'leader-election-role',
    '- { apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update] }',
  ),
  'config/rbac/leader_election_role_binding.yaml': binding(
    'Role',
    'leader-election-rolebinding',
    'leader-election-role',
  ),
  'config/rbac/shop_viewer_role.yaml': role(
    'ClusterRole',
    'shop-viewer-role',
    '- { apiGroups: [example.com], resources: [shops], verbs: [get, list, watch] }',
  ),
  'config/manager/kustomization.yaml':
    'resources:\n- manager.yaml\nimages:\n- name: controller\n  newName: quay.io/example/shops\n  newTag: v1.2.0\n',
  'config/manager/manager.yaml': manager,
  'config/webhook/kustomization.yaml':
    'resources:\n- manifests.yaml\n- service.yaml\nconfigurations:\n- kustomizeconfig.yaml\n',
  'config/webhook/kustomizeconfig.yaml': 'nameReference: []\n',
  'config/webhook/manifests.yaml': webhooks,
  'config/webhook/service.yaml': service('webhook-service', 443, 9443),
  'config/certmanager/kustomization.yaml': 'resources:\n- issuer.yaml\n',
  'config/certmanager/issuer.yaml':
    'apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: { name: selfsigned-issuer, namespace: system }\nspec: { selfSigned: {} }\n',
  'config/default/kustomization.yaml': `
namespace: shops-system
namePrefix: shops-
resources:
- ../crd
- ../rbac
- ../manager
- ../webhook
- ../certmanager
- metrics_service.yaml
patches:
- path: manager_metrics_patch.yaml
  target: { kind: Deployment }
- path: manager_webhook_patch.yaml
  target: { kind: Deployment }
replacements:
- source: { kind: Issuer, fieldPath: metadata.namespace }
  targets:
  - select: { kind: CustomResourceDefinition, name: shops.example.com }
    fieldPaths: ['.metadata.annotations.[cert-manager.io/inject-ca-from]']
    options: { delimiter: /, index: 0, create: true }
`,
  'config/default/metrics_service.yaml': service('controller-manager-metrics-service', 8443, 8443),
  'config/default/manager_metrics_patch.yaml':
    '- op: add\n  path: /spec/template/spec/containers/0/args/0\n  value: --metrics-bind-address=:8443\n',
  'config/default/manager_webhook_patch.yaml': webhookPatch,
  'config/samples/kustomization.yaml': 'resources:\n- v1_shop.yaml\n',
  'config/samples/v1_shop.yaml':
    'apiVersion: example.com/v1\nkind: Shop\nmetadata: { name: shop-sample }\nspec: { owner: ann }\n',
};

/** The same project as operator-sdk scaffolds it, with a base of the ClusterServiceVersion. */
export const sdkProject: Texts = {
  ...kubebuilderProject,
  Makefile: 'VERSION ?= 1.2.0\nCHANNELS = "candidate,stable"\nDEFAULT_CHANNEL = "stable"\n',
  'config/manifests/kustomization.yaml': `
resources:
- bases/shops.clusterserviceversion.yaml
- ../default
- ../samples
- ../scorecard
patches:
- target: { group: apps, version: v1, kind: Deployment, name: controller-manager, namespace: system }
  patch: |-
    # OLM mounts certificates of its own.
    - op: remove
      path: /spec/template/spec/containers/0/volumeMounts/0
    - op: remove
      path: /spec/template/spec/volumes/0
`,
  'config/manifests/bases/shops.clusterserviceversion.yaml': `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  annotations:
    alm-examples: '[]'
    capabilities: Seamless Upgrades
  name: shops.v0.0.0
  namespace: placeholder
spec:
  apiservicedefinitions: {}
  customresourcedefinitions:
    owned:
    - { name: shops.example.com, version: v1, kind: Shop, displayName: Shop, description: Where things are sold. }
  description: Runs shops.
  displayName: Shops
  icon:
  - base64data: ""
    mediatype: ""
  install:
    spec:
      deployments: null
    strategy: ""
  installModes:
  - { supported: false, type: OwnNamespace }
  - { supported: true, type: AllNamespaces }
  maintainers:
  - { email: shops@example.com, name: Shops }
  maturity: alpha
  provider: { name: Example }
  version: 0.0.0
`,
  'config/scorecard/kustomization.yaml':
    'resources:\n- bases/config.yaml\npatches:\n- path: patches/basic.config.yaml\n  target: { group: scorecard.operatorframework.io, version: v1alpha3, kind: Configuration, name: config }\n',
  'config/scorecard/bases/config.yaml':
    'apiVersion: scorecard.operatorframework.io/v1alpha3\nkind: Configuration\nmetadata: { name: config }\nstages: [{ parallel: true, tests: [] }]\n',
  'config/scorecard/patches/basic.config.yaml':
    '- op: add\n  path: /stages/0/tests/-\n  value: { entrypoint: [scorecard-test, basic-check-spec], image: "quay.io/operator-framework/scorecard-test:v1.42.0" }\n',
};
