import { attempts, type Attempt } from './attempt.ts';

const onNamespace = (key: string, value = 'x'): Attempt => ({
  tenant: { annotations: { [key]: value } },
  refused: 'metadata-key',
});
const labelled = (key: string, value = 'x'): Attempt => ({
  tenant: { labels: { [key]: value } },
  refused: 'metadata-key',
});
const onObject = (key: string, value = 'x'): Attempt => ({
  tenant: {
    resources: [
      {
        manifest: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'x', annotations: { [key]: value } },
        },
      },
    ],
  },
  refused: 'metadata-key',
});
const harmless = ({ refused: _refused, ...attempt }: Attempt): Attempt => attempt;

// Keys by which platform controllers act on a namespace: identity, routes, checks.
attempts({
  'a role of the cloud (kiam, kube2iam)': onNamespace('iam.amazonaws.com/permitted', '.*'),
  'roles of the cloud': onNamespace('iam.amazonaws.com/allowed-roles', '["*"]'),
  'an egress address': onNamespace('egress.projectcalico.org/selector', 'all()'),
  "somebody else's project in Rancher": onNamespace('field.cattle.io/projectId', 'c:p-other'),
  "somebody else's project in Google's cloud": onNamespace('cnrm.cloud.google.com/project-id'),
  'nodes of her choice': onNamespace('scheduler.alpha.kubernetes.io/node-selector', 'pool=gpu'),
  'out of the mesh': labelled('istio-injection', 'disabled'),
  'out of the other mesh': onNamespace('linkerd.io/inject', 'disabled'),
  'out of the check of signatures': labelled('policy.sigstore.dev/include', 'false'),
  'out of an admission webhook': labelled('admission.gatekeeper.sh/ignore', 'yes'),
  'for one of the control plane': labelled('control-plane', 'controller-manager'),
  'a key of an unknown controller': labelled('example.com/trusted', 'true'),
  'the owner, in plain words': harmless(labelled('owner', 'mallory')),
});

// Keys by which tools act that apply files from Git.
attempts({
  'not to be applied (kustomize, kpt)': onObject('config.kubernetes.io/local-config', 'true'),
  'a function to be run (kpt)': onObject('config.kubernetes.io/function'),
  'not to be reconciled (Flux)': onObject('kustomize.toolkit.fluxcd.io/reconcile', 'disabled'),
  'never to be pruned (Flux)': onObject('kustomize.toolkit.fluxcd.io/prune', 'disabled'),
  "a member of somebody's set (kubectl)": onObject('applyset.kubernetes.io/part-of'),
  'a future command (Argo)': onObject('argoproj.io/anything'),
  // Removed, with a warning.
  'applied once already (kubectl)': harmless(
    onObject('kubectl.kubernetes.io/last-applied-configuration'),
  ),
  "a release's (Helm)": harmless(onObject('meta.helm.sh/release-name')),
  'a key that an ingress controller reads': harmless(
    onObject('nginx.ingress.kubernetes.io/rewrite-target'),
  ),
  'a key that any other controller reads': harmless(onObject('reloader.stakater.com/auto', 'true')),
});

const named = (name: string): Attempt => ({
  tenant: { namespaces: [{ name: 'mallory' }, { name }] },
  refused: 'protected-namespace',
});

attempts({
  'the namespace openshift': named('openshift'),
  'the namespace of Calico': named('calico-system'),
  'the namespace of Istio': named('istio-system'),
  'the namespace of Flux': named('flux-system'),
  'the namespace of cert-manager': named('cert-manager'),
  'the namespace of Kyverno': named('kyverno'),
  "a future controller's key prefix": named('tomorrow-system'),
  'a namespace with a plain name': harmless(named('system-of-records')),
});
