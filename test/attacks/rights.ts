/** Rights that reach beyond a namespace or act for the platform, and that are in no user-facing role. */
export interface Right {
  /** What a user with the right can do. */
  readonly what: string;
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
}

const right = (what: string, group: string, resource: string, verb: string): Right => ({
  what,
  group,
  resource,
  verb,
});

/** Rights on built-in kinds. */
export const kubernetesRights: readonly Right[] = [
  right(
    'send a Service’s requests to any address (CVE-2021-25740)',
    'discovery.k8s.io',
    'endpointslices',
    'create',
  ),
  right('do it by Endpoints, which are mirrored (CVE-2021-25740)', '', 'endpoints', 'patch'),
  right('move a pod’s address, and let a Service follow', '', 'pods/status', 'patch'),
  right(
    'take an address for a Service by its status (CVE-2020-8554)',
    '',
    'services/status',
    'patch',
  ),
  right('put a pod on a node past the scheduler', '', 'pods/binding', 'create'),
  right('do it by a Binding', '', 'bindings', 'create'),
  right('run something in another’s pod', '', 'pods/ephemeralcontainers', 'patch'),
  right('make a pod larger than what admitted it', '', 'pods/resize', 'patch'),
  right('say a volume has another size', '', 'persistentvolumeclaims/status', 'patch'),
  right('say that an Ingress has an address', 'networking.k8s.io', 'ingresses/status', 'update'),
  right('say that a Deployment is there', 'apps', 'deployments/status', 'patch'),
  right('say that a Job is done', 'batch', 'jobs/status', 'patch'),
  right('change what a StatefulSet rolls back to', 'apps', 'controllerrevisions', 'update'),
  right('say where there is storage', 'storage.k8s.io', 'csistoragecapacities', 'create'),
  right(
    'ask for a certificate of a pod',
    'certificates.k8s.io',
    'podcertificaterequests',
    'create',
  ),
  right('say what device a claim got', 'resource.k8s.io', 'resourceclaims/status', 'patch'),
  right('bind a device', 'resource.k8s.io', 'resourceclaims/binding', 'update'),
  right('lead instead of a controller', 'coordination.k8s.io', 'leasecandidates', 'create'),
  right(
    'say what a user may do to others',
    'authorization.k8s.io',
    'subjectaccessreviews',
    'create',
  ),
];

/** Rights on kinds of other projects, and special verbs. */
export const foreignRights: readonly Right[] = [
  right(
    'run privileged pods on OpenShift',
    'security.openshift.io',
    'securitycontextconstraints',
    'use',
  ),
  right('run pods under any policy', 'policy', 'podsecuritypolicies', 'use'),
  right('approve certificates', 'certificates.k8s.io', 'signers', 'approve'),
  right(
    'join a network of the node',
    'k8s.cni.cncf.io',
    'network-attachment-definitions',
    'create',
  ),
  right('read secrets of the platform’s vault', 'external-secrets.io', 'secretstores', 'create'),
  right('apply with the rights of Crossplane', 'kubernetes.crossplane.io', 'objects', 'create'),
  right('run workflows with rights of others', 'argoproj.io', 'workflows', 'create'),
  right('outrank network policies with Calico', 'projectcalico.org', 'networkpolicies', 'create'),
  right('outrank them with Cilium', 'cilium.io', 'ciliumnetworkpolicies', 'create'),
  right(
    'connect to a virtual machine',
    'subresources.kubevirt.io',
    'virtualmachineinstances/console',
    'get',
  ),
  right('read what nobody named', 'example.com', 'things', 'get'),
  right('do what nobody knows', '', 'pods', 'handle'),
];
