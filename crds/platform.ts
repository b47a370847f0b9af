import { list, listMap, map, set, environmentName } from './schema-builders.ts';
import { named } from './named.ts';
import { imagePullSecrets as pullSecrets } from './workload.ts';
import {
  enumOf,
  integer,
  object,
  string,
  boolean,
  required,
  dnsLabel,
  objectName,
} from '@tenantry/crd/schema/language';
import { argocdSettings, targetRevision } from './argocd-settings.ts';
import { delegation } from './delegation.ts';
import { peer } from './network.ts';
import { defineKind } from './declared-kind.ts';
import { hooks } from './hooks.ts';
import { driftPolicy } from './settings.ts';

/** The scheduling and the pull secrets of the operator's pods. */
const operatorPods = {
  imagePullSecrets: pullSecrets,
  tolerations: list(
    'Taints of nodes that its pods tolerate.',
    named(
      'OperatorToleration',
      object(
        'A taint, as a pod tolerates it.',
        {
          key: string('The key of the taint.', { maxLength: 317, absent: 'every key' }),
          operator: enumOf('How the value is compared.', ['Equal', 'Exists'], {
            absent: '`Equal`',
          }),
          value: string('The value of the taint.', {
            pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$',
            maxLength: 63,
            must: 'a label value',
            absent: 'the empty value',
          }),
          effect: enumOf(
            'The effect of the taint.',
            ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
            {
              absent: 'every effect',
            },
          ),
          tolerationSeconds: integer(
            'How many seconds the pods stay on a node that gets the taint.',
            { minimum: 0, absent: 'for ever' },
          ),
        },
        {
          rules: [
            {
              rule: "has(self.key) || (has(self.operator) && self.operator == 'Exists')",
              message: "must have a key, or the operator 'Exists'",
            },
            {
              rule: "!has(self.value) || !has(self.operator) || self.operator != 'Exists'",
              message: "must have no value where the operator is 'Exists'",
            },
            {
              rule: "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')",
              message: "must have the effect 'NoExecute' where it has tolerationSeconds",
            },
          ],
        },
      ),
    ),
    { maxItems: 20, absent: 'none' },
  ),
};

const trusted = (who: string) =>
  list(`Where ${who} run: peers of a NetworkPolicy.`, peer, { maxItems: 16 });

const namespacePattern = (example: string) =>
  string("A name; a '*' at one end stands for any rest.", {
    pattern: '^[a-z0-9][-a-z0-9]*\\*?$|^\\*[-a-z0-9]*[a-z0-9]$',
    maxLength: 63,
    must: "the name of a namespace, with a '*' at one end for any rest",
    example,
  });

const clusterFields = {
  ingressControllers: trusted('the ingress controllers'),
  monitoring: trusted('the monitoring agents'),
  dns: trusted('the DNS servers'),
  dnsPorts: set(
    'The ports on which DNS pods listen, UDP and TCP.',
    integer('A port.', { minimum: 1, maximum: 65535 }),
    { minItems: 1, absent: '53' },
  ),
};

const spec = named(
  'PlatformSpec',
  object('The clusters and what all tenants on them have in common.', {
    clusters: listMap(
      'The clusters. The first is where tenants go that name none.',
      'name',
      named(
        'ClusterEntry',
        object('A cluster.', {
          name: required(dnsLabel('Its name: the folder in the output.', 'eu1')),
          server: string('The address of its API server, as Argo CD knows it.', {
            pattern: '^https://[^\\s{}]+$',
            maxLength: 512,
            must: 'an https address',
          }),
          kubernetesVersion: string('Its Kubernetes minor.', {
            pattern: '^1\\.[0-9]{1,3}$',
            maxLength: 6,
            must: "a minor such as '1.36'",
            absent: 'the minor whose kinds and fields Tenantry knows, 1.36',
          }),
          targetRevision: targetRevision(
            'What Argo CD syncs to this cluster, where that is not what `argocd.source` says: so a branch can reach one cluster before the others.',
            'that of `argocd.source`',
          ),
          ...clusterFields,
        }),
      ),
      { minItems: 1, absent: 'one cluster, `in-cluster`' },
    ),
    defaultClusters: set('The clusters of tenants that name none.', dnsLabel('A cluster.'), {
      minItems: 1,
      absent: 'the first cluster',
    }),
    defaultClass: dnsLabel('The TenantClass of tenants that name none.', 'standard'),
    environments: set(
      'The environments that namespaces may have.',
      environmentName('An environment.'),
      {
        absent: 'any',
      },
    ),
    ...clusterFields,
    protectedNamespaces: set(
      "Namespaces that no tenant may have, besides default, kube-*, the operator's, Argo CD's, and those of well-known controllers.",
      namespacePattern('*-infra'),
    ),
    releasedNamespaces: set(
      "Namespaces that tenants may have although their names are well known, such as `*-system`, or although they exist and are no tenant's.",
      dnsLabel('A namespace.', 'billing-system'),
    ),
    externalNamespaces: set(
      "Namespaces on the clusters that are not the platform's and not declared here, such as legacy ones. Rules of tenants may name them; no tenant may have them.",
      namespacePattern('legacy-*'),
    ),
    trustedLabels: set(
      'Label keys of namespaces that something on the platform trusts; no tenant may set them.',
      string('A label key.', { minLength: 1, maxLength: 317 }),
    ),
    delegation,
    metadataKeys: map(
      "The annotation that each key of a tenant's `contact` becomes.",
      string('An annotation key.', { minLength: 1, maxLength: 317 }),
      { absent: '`team`, `channel`, `source` and `owner` become `tenantry.dev/team` and so on' },
    ),
    identities: named(
      'Identities',
      object(
        "Who may change what the platform put into tenants' namespaces, besides Kubernetes itself, " +
          'Argo CD and the operator.',
        {
          users: set('Users.', string('A user.', { minLength: 1, maxLength: 256 })),
          groups: set('Groups.', string('A group.', { minLength: 1, maxLength: 256 })),
        },
      ),
    ),
    argocd: argocdSettings,
    operator: named(
      'OperatorSettings',
      object('The Tenantry operator.', {
        namespace: dnsLabel('Where it runs.', 'tenantry-system'),
        driftPolicy: driftPolicy(
          'The most that the operator does about differences, whatever tenants say: it gets no more rights than this needs.',
          '`Observe`',
        ),
        image: string(
          'Its image, best by digest, as it was built and pushed (docs/operator-install.md). It runs where this is said: nobody else can say whose image gets its rights.',
          {
            pattern:
              '^[a-z0-9]([-._a-z0-9]*[a-z0-9])?(:[0-9]{1,5})?(/[a-z0-9]+([-._]+[a-z0-9]+)*)+(:[A-Za-z0-9_][-.A-Za-z0-9_]{0,127})?(@sha256:[a-f0-9]{64})?$',
            maxLength: 512,
            must: "an image with its registry, such as 'registry.example.com/tenantry:0.1.0'",
            example: 'registry.example.com/platform/tenantry:0.1.0',
            absent:
              'the operator does not run: only its namespace, account, roles and configuration are there',
          },
        ),
        memory: string('The memory that each replica of it may take.', {
          pattern: '^[1-9][0-9]{0,5}(Mi|Gi)$',
          maxLength: 8,
          must: "an amount of memory such as '512Mi'",
          example: '1Gi',
          absent: '`512Mi`, which does for 10,000 tenants',
        }),
        priorityClass: objectName(
          'The PriorityClass of its pods.',
          'that of the cluster for pods that name none',
        ),
        ...operatorPods,
        comparedKinds: list(
          'Kinds of objects in `resources` that the operator compares too: it gets the right to read all objects of each, in all namespaces.',
          named(
            'ComparedKind',
            object(
              "A kind that lies in namespaces: Kubernetes' own, or one of which `kinds` has plural and version, or `crdFiles` the definition. Never `Secret`.",
              {
                group: string('Its API group.', { maxLength: 253, absent: 'the core group' }),
                kind: required(string('Its kind.', { minLength: 1, maxLength: 63 })),
              },
            ),
          ),
          { maxItems: 100, absent: 'none: they are counted as not compared' },
        ),
        monitoring: named(
          'OperatorMonitoring',
          object('What Prometheus and Grafana get of the operator.', {
            labels: map(
              'Labels of the PrometheusRule and the ServiceMonitor, by which a Prometheus chooses them: `release: kube-prometheus-stack`.',
              string('A value.', { maxLength: 63 }),
              { absent: 'none' },
            ),
            dashboard: boolean(
              'Whether there is a dashboard: a ConfigMap with the label `grafana_dashboard: "1"`, by which the sidecar of Grafana finds it.',
              { absent: 'false' },
            ),
            runbook: string('Where its alerts link to: where docs/operator.md is read.', {
              pattern: '^https?://[^\\s#]+$',
              maxLength: 512,
              must: "an http or https address without '#'",
              example: 'https://handbook.example.com/tenantry/operator',
              absent: 'they link to nothing',
            }),
            tenantSeries: boolean(
              'Whether metrics name tenants: each that is not ready, and what it uses of its quotas. That is two series for each resource of each quota, of the quotas that every namespace has where little is left; without, alerts say how many tenants, and not which.',
              { absent: 'true' },
            ),
          }),
        ),
        hooks,
      }),
    ),
    kinds: list(
      'Custom resources that `resources` may hold, so that their scope is known.',
      named(
        'CustomKind',
        object('A kind.', {
          group: required(string('Its API group.', { minLength: 1, maxLength: 253 })),
          kind: required(string('Its kind.', { minLength: 1, maxLength: 63 })),
          scope: required(enumOf('Its scope.', ['Namespaced', 'Cluster'])),
          plural: string('Its name in paths: `certificates`. `operator.comparedKinds` needs it.', {
            minLength: 1,
            maxLength: 63,
            absent: 'nobody knows it',
          }),
          version: string(
            'A version that clusters serve: `v1`. `operator.comparedKinds` needs it.',
            {
              minLength: 1,
              maxLength: 63,
              absent: 'nobody knows it',
            },
          ),
        }),
      ),
      { maxItems: 5000 },
    ),
    crdFiles: set(
      'Files or folders of CustomResourceDefinitions from which kinds, scopes and schemas are read, relative to this file. Objects in `resources` are held to them.',
      string('A path.', { minLength: 1, maxLength: 512 }),
    ),
    resourceSchemas: enumOf(
      'What becomes of an object in `resources` that does not fit the schema of its kind: that of Kubernetes, as Tenantry knows it, or of `crdFiles`. `Warn` is for clusters whose schemas are other ones.',
      ['Refuse', 'Warn'],
      { absent: '`Refuse`' },
    ),
  }),
);

/** It is always a file, and never an object in a cluster. */
export const platform = defineKind({
  kind: 'Platform',
  plural: 'platforms',
  description: 'The clusters and the rules that hold for all of them (a file, tenantry.yaml).',
  spec,
});

export type { PlatformSpec } from './types.ts';
