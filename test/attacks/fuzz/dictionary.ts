/** Words that attackers try first, and harmless ones. */

const words = (text: string): string[] => text.trim().split(/\s+/);

export const ownNamespaces = ['mallory', 'mallory-dev', 'mallory-prod'];

export const foreignNamespaces = words(`
    kube-system kube-public default argocd tenantry-system ingress-nginx monitoring metrics
    cert-manager openshift-config victim victim-dev victim-prod bystander kube tenants nobody
  `);

export const prefixes = ['victim-', 'kube-', 'openshift-', 'mallory-', 'x'];

/** Keys of labels and annotations. */
export const harmlessKeys = ['example.com/tier', 'app', 'team', 'app.kubernetes.io/name', 'owner'];
export const trackingKeys = words(`
    argocd.argoproj.io/instance argocd.argoproj.io/tracking-id argocd.argoproj.io/sync-options
    argocd.argoproj.io/compare-options argocd.argoproj.io/hook app.kubernetes.io/instance
    app.kubernetes.io/managed-by helm.sh/hook helm.sh/resource-policy meta.helm.sh/release-name
    tenantry.dev/tenant tenantry.dev/environment tenantry.dev/adopt-by x.tenantry.dev/y
    kubectl.kubernetes.io/last-applied-configuration applyset.kubernetes.io/part-of
    config.k8s.io/owning-inventory kustomize.toolkit.fluxcd.io/prune
    objectset.rio.cattle.io/hash kapp.k14s.io/app replicator.v1.mittwald.de/replicate-from
    reflector.v1.k8s.emberstack.com/reflects olm.owner config.kubernetes.io/local-config
    internal.kpt.dev/upstream fluxcd.io/automated x.argoproj.io/y kubernetes.io/description
    kubernetes.io/ingress.class nginx.ingress.kubernetes.io/rewrite-target
    service.beta.kubernetes.io/aws-load-balancer-type service.kubernetes.io.evil/x helm.sh/chart
    helm.sh/resource-policy-x app.kubernetes.io/x x-k8s.io/y ARGOCD.argoproj.io/hook
    argocd.argoproj.io/sync-wave policy.tenantry.dev/subjects policy.tenantry.dev/pods
    policy.tenantry.dev/role-bindings policy.tenantry.dev/ingress-from policy.tenantry.dev/storage
    constructor __proto__ toString example.com/constructor
  `);
export const namespaceKeys = words(`
    pod-security.kubernetes.io/enforce pod-security.kubernetes.io/exempt
    kubernetes.io/metadata.name scheduler.alpha.kubernetes.io/node-selector
    scheduler.alpha.kubernetes.io/defaultTolerations hnc.x-k8s.io/subnamespace-of
    openshift.io/node-selector openshift.io/run-level openshift.io/sa.scc.uid-range
    security.openshift.io/scc.podSecurityLabelSync network.openshift.io/policy-group
    admission.gatekeeper.sh/ignore policies.kyverno.io/ignore control-plane
    cert-manager.io/disable-validation config.linkerd.io/admission-webhooks linkerd.io/inject
    istio-injection istio.io/rev istio.io/dataplane-mode cni.projectcalico.org/ipv4pools
    projectcalico.org/pool k8s.ovn.org/routing-external-gws field.cattle.io/projectId
    capsule.clastix.io/tenant kubesphere.io/workspace accurate.cybozu.com/parent
    iam.amazonaws.com/permitted cnrm.cloud.google.com/project-id stakater.com/tenant
    velero.io/exclude-from-backup topology.istio.io/network example.com/backup-tier component
    example.com/monitoring tier eks.amazonaws.com/role-arn policy.sigstore.dev/include
    Pod-Security.kubernetes.io/enforce
  `);
export const labelValues = [
  'a',
  'victim',
  'mallory',
  'yes',
  'true',
  'enabled',
  'ingress-controllers',
  'privileged',
  'ingress-nginx',
  'gold',
  'silver',
  'Disabled',
  'disabled',
  'prod',
  '',
  'tenantry',
  'kube-system',
];
export const annotationValues = [
  'a',
  '',
  'https://example.com/x',
  'Prune=false',
  'Replace=true,Force=true',
  'node=control',
  '{"a":1}',
  'x\n---\nkind: Namespace',
  '+argocd:skip-file-rendering',
  '$(whoami)',
  '\u0085',
];

export const cidrs = words(`
    10.40.0.0/16 10.42.7.0/24 10.90.1.0/24 10.44.0.0/20 fd00:9:1::/48 0.0.0.0/0 ::/0 0.0.0.0/1
    128.0.0.0/1 ::ffff:0:0/96 ::ffff:0.0.0.0/96 ::ffff:10.0.0.0/104 64:ff9b::/96 2002::/16 ::/1
    8000::/1 2000::/3 ::/96 10.0.0.0/8 11.0.0.0/8 12.0.0.0/8 172.16.0.0/12 192.168.0.0/16
    10.40.0.1/16 010.0.0.0/8 169.254.169.254/32 10.36.0.0/13 10.43.255.255/32 0.0.0.0/32 ::/128
    1::/16 10.40.0.0/014 ::ffff:10.40.0.0/110 2001::/32 2a00::/16 2a01::/16 2b00::/128 fc00::/7
    64:ff9b::b00:0/104 64:ff9b::/97 64:ff9b:1::/48 100.64.0.0/10 11.0.0.0/9 172.0.0.0/7 12.0.0.0/32
    fe80::/10 ff00::/8 2001:db8::/32 100::/64 5f00::/16
  `);

export const subjectNames = {
  harmless: ['alice@example.com', 'github:mallory', 'bob'],
  hostile: [
    'system:masters',
    'system:authenticated',
    'system:unauthenticated',
    'system:anonymous',
    'system:serviceaccounts',
    'system:serviceaccounts:kube-system',
    'system:kube-scheduler',
    'system:serviceaccount:victim-dev:default',
    ' system:masters',
    'SYSTEM:masters',
    '*',
    'system:masters\n',
    'system\u200b:masters',
    'a\u0000b',
    'example:support',
    'alice@example.com\nUser system:masters',
    'alice@example.com\u3164',
    'alice\u00adx',
    'oncall',
    '*@example.com',
    'constructor',
    'CN=mallory,OU=teams',
    'a"b',
    '"a", proj:tenant-victim:viewers',
    'role:admin',
    'proj:tenant-mallory:admins',
  ],
};

export const clusterRoles = {
  harmless: ['view', 'admin', 'cert-manager-view'],
  hostile: [
    'cluster-admin',
    'system:node',
    'system:controller:job-controller',
    'edit',
    '*',
    'Cluster-Admin',
    'cluster-admin ',
    'system:aggregate-to-admin',
  ],
};

export const verbs = {
  harmless: ['get', 'list', 'watch', 'create', 'patch', 'update', 'delete'],
  hostile: words(`
    * bind escalate impersonate deletecollection use approve sign proxy
  `),
};
export const groups = {
  harmless: ['', 'apps', 'batch'],
  hostile: words(`
    * rbac.authorization.k8s.io networking.k8s.io tenantry.dev argoproj.io cert-manager.io
    projectcalico.org crd.projectcalico.org cilium.io policy admissionregistration.k8s.io
    certificates.k8s.io authentication.k8s.io discovery.k8s.io storage.k8s.io metrics.k8s.io
    coordination.k8s.io extensions policy.networking.k8s.io crd.antrea.io resource.k8s.io
    events.k8s.io example.com example.org
  `),
};
export const resources = {
  harmless: [
    'pods',
    'configmaps',
    'deployments',
    'jobs',
    'services',
    'pods/log',
    'deployments/scale',
  ],
  hostile: words(`
    * */* pods/* */scale secrets serviceaccounts serviceaccounts/token roles rolebindings
    clusterroles namespaces namespaces/finalize nodes nodes/proxy resourcequotas
    resourcequotas/status limitranges networkpolicies globalnetworkpolicies
    ciliumnetworkpolicies pods/exec pods/ephemeralcontainers pods/binding bindings endpoints
    endpointslices applications tenants users groups podsecuritypolicies signers pods/status
    services/status persistentvolumes leases podtemplates controllerrevisions pods/resize events
    csistoragecapacities customresourcedefinitions deployments/status widgets widgets/scale
    services/proxy pods/attach replicasets/scale things/status certificates
  `),
};

/** Kinds as `apiVersion kind`. */
export const manifestKinds = {
  harmless: ['v1 ConfigMap', 'v1 Service', 'apps/v1 Deployment', 'batch/v1 Job', 'v1 Secret'],
  hostile: [
    'v1 List',
    'v1 ConfigMapList',
    'v1 Namespace',
    'v1 Node',
    'v1 PersistentVolume',
    'v1 Pod',
    'v1 ResourceQuota',
    'v1 LimitRange',
    'v1 ServiceAccount',
    'v1 Endpoints',
    'v1 Binding',
    'v1 Event',
    'v1 PodTemplate',
    'discovery.k8s.io/v1 EndpointSlice',
    'policy/v1 Eviction',
    'rbac.authorization.k8s.io/v1 Role',
    'rbac.authorization.k8s.io/v1 RoleBinding',

    'rbac.authorization.k8s.io/v1 ClusterRoleBinding',
    'rbac.authorization.k8s.io/v1beta1 RoleBinding',

    'networking.k8s.io/v1 NetworkPolicy',
    'networking.k8s.io/v1 Ingress',
    'extensions/v1beta1 NetworkPolicy',

    'networking.k8s.io/v1 IngressClass',
    'policy/v1 PodDisruptionBudget',
    'policy/v1beta1 PodDisruptionBudget',
    'storage.k8s.io/v1 CSIStorageCapacity',
    'storage.k8s.io/v1 StorageClass',
    'apps/v1 ControllerRevision',
    'authorization.k8s.io/v1 LocalSubjectAccessReview',
    'authentication.k8s.io/v1 TokenRequest',
    'coordination.k8s.io/v1 LeaseCandidate',
    'certificates.k8s.io/v1beta1 PodCertificateRequest',
    'scheduling.k8s.io/v1alpha1 Workload',

    'tenantry.dev/v1alpha1 Tenant',
    'tenantry.dev/v1alpha1 TenantClass',
    'tenantry.dev/v1alpha1 Platform',
    'argoproj.io/v1alpha1 Application',
    'argoproj.io/v1alpha1 AppProject',

    'cert-manager.io/v1 ClusterIssuer',
    'cert-manager.io/v1 Certificate',
    'example.com/v1 Widget',
    'projectcalico.org/v3 NetworkPolicy',
    'apiextensions.k8s.io/v1 CustomResourceDefinition',

    '/v1 ConfigMap',
    'v1/ ConfigMap',
    'V1 ConfigMap',
    'v1 configmap',
    'core/v1 ConfigMap',
    'example.com/v1 WidgetList',

    'resource.k8s.io/v1 ResourceClaim',
    'autoscaling/v2 HorizontalPodAutoscaler',
    'v1 ComponentStatus',
  ],
};

export const quotaKeys = {
  harmless: [
    'pods',
    'requests.cpu',
    'requests.memory',
    'limits.memory',
    'secrets',
    'count/jobs.batch',
    'configmaps',
  ],
  hostile: [
    'cpu',
    'Pods',
    'pods ',
    'count/pods',
    'requests.nvidia.com/gpu',
    'gold.storageclass.storage.k8s.io/pods',

    'hugepages-2Mi',
    'requests.hugepages-2Mi',
    'limits.storage',
    'requests.cpu.x',
    '__proto__',
    'x',

    'services.nodeports',
    'services.loadbalancers',
    'storage',
    'count/',
    '/x',
    'example.com/foo',
    'requests.example.com/foo',
    'limits.example.com/foo',
    'requests.',
    'constructor',
    'resourcequotas',
    'count/serviceaccounts',
    'count/roles.rbac.authorization.k8s.io',
    'count/networkpolicies.networking.k8s.io',
    'count/limitranges',
    'count/namespaces',
  ],
};
export const amounts = {
  harmless: [0, 1, 10, '500m', '2Gi', '4', '16Gi'],
  hostile: [
    'unlimited',
    '1e9',
    '9999999999Ti',
    '-1',
    '1E3',
    '0.5',
    '1n',
    1e21,
    '١',
    '1k',
    '',
    '1 ',
    '+5',
    '5e',
    '.5',
    '00050',
  ],
};
