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
