/** Keys that a controller obeys beyond the namespace of their object, and their effect as the end of a sentence. */
const wide: readonly (readonly [key: RegExp, effect: string])[] = [
  [
    /snippet|^haproxy-ingress\.github\.io\/config-/i,
    'configures a program that serves every tenant',
  ],
  [
    /^alb\.ingress\.kubernetes\.io\/(group\.|actions\.|conditions\.)/,
    'changes a load balancer that others share',
  ],
  [
    /^alb\.ingress\.kubernetes\.io\/(scheme|security-groups|manage-backend-security-group-rules|subnets|waf|web-acl|shield|certificate-arn)/,
    'changes who may reach the load balancer',
  ],
  [
    /^service\.beta\.kubernetes\.io\/(aws-load-balancer-(scheme|security-groups|extra-security-groups|manage-backend|subnets|eip|ssl-cert)|azure-(load-balancer-resource-group|pip-|additional-public-ips|dns-label|pls-|allowed|disable-load-balancer|load-balancer-ipv4|load-balancer-ipv6))/,
    'changes who may reach the load balancer, or its address',
  ],
  [
    /^(metallb\.(io|universe\.tf)|kube-vip\.io|lbipam\.cilium\.io)\//,
    'selects an address of the network',
  ],
  [/^(service\.cilium\.io|io\.cilium)\//, 'joins Services of other clusters'],
  [
    /^(cni\.projectcalico\.org|k8s\.v1\.cni\.cncf\.io|v1\.multus-cni\.io|ovn\.kubernetes\.io)\//,
    'selects a network or an address of pods',
  ],
  [/^getambassador\.io\/config$/, 'configures a gateway that serves every tenant'],
  [
    /^(networking\.istio\.io\/exportTo|gateway\.istio\.io\/.*|sidecar\.istio\.io\/(proxyImage|userVolume.*|bootstrapOverride))$/,
    'changes the mesh for others',
  ],
  [/^mirror\.linkerd\.io\/exported$/, 'exports a Service to other clusters'],
  [
    /^(reflector\.v1\.k8s\.emberstack\.com|replicator\.v1\.mittwald\.de)\//,
    'copies data between namespaces',
  ],
  [/^kubed\.appscode\.com\/sync/, 'copies data between namespaces'],
  [
    /^sealedsecrets\.bitnami\.com\/(cluster-wide|namespace-wide)$/,
    'lets others decrypt the Secret',
  ],
  [
    /^(hnc\.x-k8s\.io|propagate\.hnc\.x-k8s\.io|accurate\.cybozu\.com|capsule\.clastix\.io|projectcapsule\.dev)\//,
    'changes the tenancy of another system',
  ],
  [/^iam\.amazonaws\.com\//, 'gives pods an identity of the cloud'],
];

/** Keys that keep a load balancer inside the network of the cloud. */
const internal =
  /^(service\.beta\.kubernetes\.io\/(aws|azure)-load-balancer-internal|(networking\.gke\.io|cloud\.google\.com)\/load-balancer-type)$/;

/**
 * Finds a key that a change adds, or gives another value, and that a controller obeys beyond the namespace.
 * @param before `key=value`
 * @param after `key=value`
 */
export function findWideKey(
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): string | undefined {
  for (const one of after) {
    if (before.has(one)) continue;
    const key = keyOf(one);
    const found = wide.find(([pattern]) => pattern.test(key));
    if (found) return `${key} ${found[1]}`;
  }
  const opened = [...before].find((one) => !after.has(one) && internal.test(keyOf(one)));
  return opened === undefined ? undefined : `${keyOf(opened)} kept the load balancer internal`;
}

const keyOf = (entry: string): string => entry.slice(0, entry.indexOf('='));

/**
 * Whether programs obey a label or annotation of a Namespace: those of Kubernetes, of meshes, of policies, of other
 * systems of tenancy, and of distributions.
 */
export const isObeyedOnNamespace = (key: string): boolean =>
  /(^|[./-])(kubernetes\.io|k8s\.io|istio\.io|linkerd\.io|argoproj\.io|tenantry\.dev|fluxcd\.io|kuma\.io|hashicorp\.com|cilium\.io|projectcalico\.org|gatekeeper\.sh|kyverno\.io|sigstore\.dev|openshift\.io|cattle\.io|clastix\.io|projectcapsule\.dev|cybozu\.com|amazonaws\.com|k8s\.aws|azure\.com|gke\.io|cert-manager\.io)\//.test(
    key,
  ) || ['istio-injection', 'control-plane'].includes(key);
