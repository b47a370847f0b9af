import { attempts, type Attempt } from './attempt.ts';

const manifest = (kind: string, more: object, klass?: object): Attempt => ({
  tenant: {
    resources: [{ manifest: { apiVersion: 'v1', kind, metadata: { name: 'x' }, ...more } }],
  },
  ...(klass && { klass }),
  refused: 'self-service',
});
const harmless = ({ refused: _refused, ...attempt }: Attempt): Attempt => attempt;
const service = (externalIPs: unknown, klass?: object) =>
  manifest('Service', { spec: { ports: [{ port: 443 }], externalIPs } }, klass);
const opened = { selfService: { services: { externalIPs: ['192.0.2.0/28'] } } };
const named = (externalName: string, services: object): Attempt =>
  manifest(
    'Service',
    { spec: { type: 'ExternalName', externalName } },
    { selfService: { services } },
  );
const names = { externalNames: ['*', '*.example.com', 'web.shared.svc.cluster.local'] };
const typed = (spec: object): Attempt =>
  manifest(
    'Service',
    { spec: { ports: [{ port: 443 }], ...spec } },
    {
      selfService: {
        services: {
          types: ['ClusterIP', 'LoadBalancer'],
          loadBalancerClasses: ['example.com/internal'],
        },
      },
    },
  );

// Admission policies exempt Argo CD, and Argo CD applies what a tenant declares.
attempts({
  'an external IP address that belongs to others (CVE-2020-8554)': service(['10.0.0.1']),
  'an address outside those of the class': service(['192.0.2.1', '192.0.2.16'], opened),
  'an address of the class as a mapped IPv6 address': service(['::ffff:192.0.2.1'], opened),
  'a text that is no address': service(['localhost'], opened),
  'an address of the class': harmless(service(['192.0.2.15'], opened)),
  'an address in a class without the policy': harmless(
    service(['10.0.0.1'], { selfService: { services: { policy: 'Disabled' } } }),
  ),
  'a Service of another namespace by its name': named('web.victim.svc.cluster.local', names),
  'the same without the domain of the cluster': named('web.victim.svc', names),
  'the same with a dot at the end': named('web.victim.svc.', names),
  'the same in a cluster with a domain of its own': named('web.victim.svc.example.com', names),
  'the same where a resolver adds the search domain': named('web.victim', names),
  'a pod of a headless Service, where it adds the search domain': named('web-0.web.victim', names),
  'a port of a Service, where it adds the search domain': named('http.tcp.web.victim', names),
  'the address of a pod as a name': named('10-0-0-1.victim.pod.example.com', names),
  'the node itself': named('localhost.', names),
  'an address as a name': named('10.96.0.1.', names),
  'an address as one number': named('2130706433', names),
  'the metadata server of a cloud': named('metadata.google.internal.', names),
  'a name under the class that allows none': named('api.example.com', {}),
  'a name of a domain that the class allows': harmless(named('api.example.com', names)),
  'a name outside of the cluster, with a dot at the end': harmless(named('example.org.', names)),
  'a Service of another namespace that the class names': harmless(
    named('web.shared.svc.cluster.local', names),
  ),
  'a type that the class leaves out': typed({ type: 'NodePort' }),
  'a load balancer of a class that is not allowed': typed({
    type: 'LoadBalancer',
    loadBalancerClass: 'example.com/public',
  }),
  'a load balancer for the default of the cluster': typed({ type: 'LoadBalancer' }),
  'a load balancer of the class': harmless(
    typed({ type: 'LoadBalancer', loadBalancerClass: 'example.com/internal' }),
  ),
  'a Secret that becomes a token': manifest('Secret', {
    type: 'kubernetes.io/service-account-token',
  }),
  'a Secret that a controller fills': harmless(manifest('Secret', { type: 'Opaque' })),
  "a Pod on a node of the author's choice": manifest('Pod', {
    spec: { nodeName: 'control-plane-1', containers: [] },
  }),
  'a Pod that the scheduler places': harmless(manifest('Pod', { spec: { containers: [] } })),
});

const kind = (apiVersion: string, name: string, resources?: object[]): Attempt => ({
  tenant: {
    resources: [{ manifest: { apiVersion, kind: name, metadata: { name: 'x' } } }],
  },
  platform: {
    kinds: [{ group: 'argoproj.io', kind: 'Application', scope: 'Namespaced' }],
  },
  ...(resources && { klass: { allow: { resources } } }),
  refused: 'resource-kind',
});
const all = [{ group: '*', kind: '*' }];

// Kinds that Kubernetes' `admin` may not create.
attempts({
  'hand-written endpoints (CVE-2021-25740)': kind('v1', 'Endpoints'),
  'slices of them': kind('discovery.k8s.io/v1', 'EndpointSlice'),
  'a certificate for a pod': kind('certificates.k8s.io/v1beta1', 'PodCertificateRequest'),
  'the remaining storage resources': kind('storage.k8s.io/v1', 'CSIStorageCapacity'),
  'a template without limits': kind('v1', 'PodTemplate'),
  'a revision of another Deployment': kind('apps/v1', 'ControllerRevision'),
  'endpoints, where the class allows everything': kind('v1', 'Endpoints', all),
  'endpoints, where it allows all of the core group': kind('v1', 'Endpoints', [
    { group: '', kind: '*' },
  ]),
  'an Application in a class that allows everything': kind(
    'argoproj.io/v1alpha1',
    'Application',
    all,
  ),
  'endpoints that the class names': harmless(
    kind('v1', 'Endpoints', [{ group: '', kind: 'Endpoints' }]),
  ),
  'a ConfigMap in a class that allows everything': harmless(kind('v1', 'ConfigMap', all)),
});
