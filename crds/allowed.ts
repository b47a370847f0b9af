import { dnsLabel, object, rbacName, required, string } from '@tenantry/crd/schema/language';
import { allowOrDeny, list, set } from './schema-builders.ts';
import { named } from './named.ts';
import { groupKind, repositoryPattern } from './tenant-argocd.ts';

const openKeys = (description: string) =>
  list(
    description,
    named(
      'OpenKey',
      object('A key, and the values that it may have.', {
        key: required(
          string("The key; with a '*' at the end every key that begins so.", {
            pattern:
              '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$|^[a-z0-9]([-a-z0-9.]*[a-z0-9])?/([A-Za-z0-9][-A-Za-z0-9_.]*)?\\*$',
            maxLength: 317,
            must: "a key such as 'example.com/team', or 'example.com/*' for all that begin so",
            example: 'example.com/*',
          }),
        ),
        values: set('Its values.', string('A value.', { maxLength: 1024 }), { absent: 'any' }),
      }),
    ),
    {
      absent:
        '`app.kubernetes.io/name`, `version`, `component` and `part-of`; `team`, `owner`, `project`, `component`, `purpose`, `description`',
    },
  );

/** A list of names that bounds a field of pods or other objects; `what` is the plural. */
const names = (what: string, rest: string, example: string) =>
  set(
    `${[what, rest].filter(Boolean).join(' ')} A '*' at the end of a name matches any rest.`,
    string('A name.', {
      pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$|^([a-z0-9][-a-z0-9.]*)?\\*$',
      maxLength: 253,
      must: "a name in lower case, with a '*' at the end for any rest",
      example,
    }),
    { absent: 'all of them' },
  );

const images = set(
  "Repositories of images in pods: containers of all three kinds and image volumes. `ghcr.io/acme/web` matches one repository, `ghcr.io/acme/*` all below it, and '*' every image. An image without a registry is from `docker.io`, and without a folder from `docker.io/library`.",
  string('A repository.', {
    pattern:
      '^\\*$|^(localhost|[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+|[A-Za-z0-9.-]+:[0-9]+|\\[[0-9a-fA-F:]+\\](:[0-9]+)?)(/[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*)*(/\\*|/[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*)$',
    maxLength: 255,
    must: "a repository with its registry such as 'docker.io/library/nginx', or 'ghcr.io/acme/*' for all below",
    example: 'ghcr.io/acme/*',
  }),
  { absent: 'every image' },
);

const allowedFields = {
  images,
  storageClasses: names(
    'StorageClasses of volume claims.',
    'A claim that names none gets the default of the cluster, which must be listed too.',
    'standard',
  ),
  volumeSnapshotClasses: names('VolumeSnapshotClasses of snapshots.', '', 'standard'),
  volumeAttributesClasses: names('VolumeAttributesClasses of volume claims.', '', 'silver'),
  ingressClasses: names(
    'IngressClasses of Ingresses.',
    'Each Ingress must then have one, because some controllers serve those without.',
    'internal',
  ),
  gatewayClasses: names('GatewayClasses of Gateways.', '', 'internal'),
  runtimeClasses: names(
    'RuntimeClasses of pods.',
    'A pod without one is always allowed.',
    'gvisor',
  ),
  deviceClasses: names('DeviceClasses of claims for devices.', '', 'gpu.example.com'),
  schedulers: names(
    'Schedulers of pods.',
    '`default-scheduler` is always allowed.',
    'batch-scheduler',
  ),
  labels: openKeys(
    'Labels that tenants may set on their namespaces. In the domains of those who read Git (kubernetes.io, argoproj.io, ...) also on their objects, where all other keys are free.',
  ),
  annotations: openKeys(
    'Annotations that tenants may set on their namespaces; on objects as for labels.',
  ),
  clusterRoles: set(
    'ClusterRoles that access.clusterRoles may bind; never cluster-admin.',
    rbacName('A ClusterRole.'),
    { absent: 'none but those of admins, editors and viewers' },
  ),
  clusters: set('Clusters.', dnsLabel('A cluster.'), { absent: 'every cluster' }),
  serviceAccounts: list(
    "Service accounts outside the tenant's namespaces that may be given access.",
    named(
      'AllowedServiceAccount',
      object('A service account.', {
        namespace: required(dnsLabel('Its namespace.')),
        name: string("Its name, or '*' for all of the namespace.", {
          minLength: 1,
          maxLength: 253,
          absent: "'*'",
        }),
      }),
    ),
    { absent: 'none' },
  ),
  resources: list(
    "Kinds that `resources` may hold. '*' stands for what is ordinary: of Kubernetes' own kinds those that its role `admin` may create, of other groups all but network policies and Argo CD's own, which have to be named.",
    named(
      'AllowedKind',
      object('A kind.', {
        group: required(
          string("Its API group, '' for the core group, '*' for every group.", {
            maxLength: 253,
          }),
        ),
        kind: required(string("The kind, or '*' for all of the group.", { maxLength: 63 })),
      }),
    ),
    { absent: 'every ordinary kind' },
  ),
  priorityClasses: set(
    "PriorityClasses of pods. '*' stands for every one but Kubernetes' own `system-cluster-critical` and `system-node-critical`, which have to be named. Pods without one are always allowed; name the default PriorityClass of the cluster too.",
    string("A name, or '*'.", {
      pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$|^\\*$',
      maxLength: 253,
      must: "the name of a PriorityClass, or '*'",
      example: 'batch',
    }),
    { absent: "`['*']`" },
  ),
  crossNamespaceAffinity: allowOrDeny(
    'Whether pods may have affinity or anti-affinity to pods of other namespaces: a required one keeps the pods of others off nodes.',
    '`Deny`',
  ),
  tolerations: list(
    'Taints that pods may tolerate besides those of nodes that are not ready, unreachable or short of memory. What the DaemonSet controller adds itself is always allowed.',
    named(
      'AllowedToleration',
      object('Taints by key, and the values that they may have.', {
        key: required(
          string(
            "The key; with a '*' at the end every key that begins so, '*' alone for every taint.",
            {
              pattern:
                '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$|^[a-z0-9]([-a-z0-9.]*[a-z0-9])?/([A-Za-z0-9][-A-Za-z0-9_.]*)?\\*$|^\\*$',
              maxLength: 317,
              must: "a key such as 'example.com/dedicated', 'example.com/*' for all that begin so, or '*'",
              example: 'example.com/dedicated',
            },
          ),
        ),
        values: set(
          'Its values. A toleration with the operator Exists passes every value, and is then refused.',
          string('A value.', {
            pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$',
            maxLength: 63,
            must: 'the value of a taint',
          }),
          { absent: 'any' },
        ),
      }),
    ),
    { absent: 'none' },
  ),
  uncountedObjects: allowOrDeny(
    'Whether namespaces may hold as many objects as people like of kinds that no quota names. `Deny` renders the quota `tenant-objects`.',
    '`Deny`',
  ),
  sourceRepos: set(
    'Repositories from which Argo CD may deploy for tenants that name them.',
    repositoryPattern,
    { absent: 'none' },
  ),
  namespaceResourceWhitelist: list(
    'Kinds that the Applications of tenants may hold besides the ordinary ones, where a tenant names them.',
    groupKind,
    { absent: 'none' },
  ),
  sourceNamespaces: allowOrDeny(
    'Whether tenants may have namespaces in which their people write Applications themselves.',
    '`Deny`',
  ),
  applicationSets: allowOrDeny(
    'Whether tenants may have ApplicationSets: as many Applications as a repository has folders.',
    '`Deny`',
  ),
};

/** What tenants may refer to, for a class and for its exceptions. */
export const allowed = (description: string) =>
  named('Allowed', object(description, allowedFields), 'What tenants may refer to.');
