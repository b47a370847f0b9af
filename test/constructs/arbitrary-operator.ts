import fc from 'fast-check';
import type { EnvironmentValue } from '@tenantry/operator-kit/parts/pod-spec';
import type { OperatorSpec, WatchScope, OperatorWebhooks } from '@tenantry/operator-kit/parts/spec';
import type { AccessRule } from '@tenantry/kube/access';
import { image, most, region, rule, shop } from './operator-specs.ts';

const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);
const quantity = fc.constantFrom('100m', '1', '128Mi', '1G', '0.5Gi', '1500k');

const watch: fc.Arbitrary<WatchScope> = fc.oneof(
  fc.constant({ mode: 'AllNamespaces' as const }),
  fc.constant({ mode: 'OwnNamespace' as const }),
  label.map((namespace) => ({ mode: 'SingleNamespace' as const, namespace })),
  fc
    .uniqueArray(label, { minLength: 1, maxLength: 3 })
    .map((namespaces) => ({ mode: 'MultiNamespace' as const, namespaces })),
);

const access: fc.Arbitrary<AccessRule> = fc.record(
  {
    group: fc.constant('example.com'),
    resource: fc.constantFrom('shops', 'shops/status', 'regions', 'regions/status'),
    verbs: fc.uniqueArray(fc.constantFrom('get' as const, 'list' as const, 'patch' as const), {
      minLength: 1,
    }),
    resourceNames: fc.uniqueArray(label, { minLength: 1, maxLength: 3 }),
    namespaces: fc.uniqueArray(label, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['group', 'resource', 'verbs'] },
);

const admission = fc.record(
  {
    name: label.map((one) => `${one}.shops.example.com`),
    rules: fc.constantFrom(
      [rule],
      [rule, { ...rule, groups: ['apps'], resources: ['deployments'] }],
    ),
    failurePolicy: fc.constantFrom('Fail' as const, 'Ignore' as const),
    timeout: fc.integer({ min: 1, max: 30 }),
  },
  { requiredKeys: ['name', 'rules'] },
);
const admissions = fc.uniqueArray(admission, { maxLength: 3, selector: ({ name }) => name });

const webhooks: fc.Arbitrary<OperatorWebhooks> = fc
  .record({
    certificates: fc.oneof(
      fc.constantFrom('operator' as const, 'cert-manager' as const),
      label.map((name) => ({ issuer: { name } })),
    ),
    conversion: fc.constantFrom([], [{ kind: shop }]),
    validating: admissions,
    mutating: admissions,
  })
  .filter((all) => all.conversion.length + all.validating.length + all.mutating.length > 0);

const key = fc.record({ name: label, key: label });
const environment = fc.dictionary(
  fc.stringMatching(/^[A-Z][A-Z0-9_]{0,8}$/),
  fc.oneof(
    fc.string({ maxLength: 20 }),
    key.map((secret) => ({ secret })),
    key.map((one) => ({ configMap: { ...one, isOptional: true } })),
    fc.constantFrom({ field: 'metadata.name' }, { field: 'spec.nodeName' }),
    fc.constantFrom<EnvironmentValue>(
      { resource: 'limits.memory', divisor: '1Mi' },
      { resource: 'requests.ephemeral-storage' },
    ),
  ),
  { maxKeys: 4 },
);

const files = fc.uniqueArray(label, { maxLength: 3 }).chain((names) =>
  fc.tuple(
    ...names.map((name) =>
      fc
        .oneof(
          label.map((secret) => ({ secret })),
          label.map((configMap) => ({ configMap, isOptional: true })),
          fc.constantFrom({ emptyDir: {} }, { emptyDir: { sizeLimit: '1G' } }),
          label.map((audience) => ({ token: { audience } })),
        )
        // A volume with the name of a sidecar's volume has the same source.
        .map((from) => (name === 'shared' ? { emptyDir: { sizeLimit: '1Mi' } } : from))
        .map((from) => ({ name, path: `/etc/${name}`, from })),
    ),
  ),
);

const environmentFrom = fc.array(
  fc.record(
    {
      configMap: label,
      prefix: fc.constantFrom('', 'A_'),
      isOptional: fc.boolean(),
    },
    { requiredKeys: ['configMap'] },
  ),
  { maxLength: 2 },
);

/** Optional sidecars; one shares a volume with the operator. */
const sidecars = fc
  .uniqueArray(label, { maxLength: 2 })
  .map((names) => names.filter((name) => name !== 'operator'))
  .chain((names) =>
    fc.tuple(
      ...names.map((name, i) =>
        fc.record(
          {
            name: fc.constant(name),
            image: fc.constant(image),
            environment,
            environmentFrom,
            files: fc.constantFrom(
              [],
              [{ name: 'shared', path: '/shared', from: { emptyDir: { sizeLimit: '1Mi' } } }],
              [{ name: 'shared', path: '/other', from: { emptyDir: { sizeLimit: '1Mi' } } }],
            ),
            ports: fc.constantFrom([], [{ name: `side-${i}`, port: 6000 + i }]),
          },
          { requiredKeys: ['name', 'image'] },
        ),
      ),
    ),
  );

const scheduling = {
  nodeSelector: fc.constantFrom({}, { cpu: 'fast' }, { 'kubernetes.io/os': 'linux' }),
  tolerations: fc.constantFrom([], most.tolerations!),
  affinity: fc.constantFrom({}, most.affinity!),
  topologySpreadConstraints: fc.constantFrom([], most.topologySpreadConstraints!),
};

const elected = fc.oneof(
  fc.record({
    leaderElection: fc.constant('None' as const),
    replicas: fc.integer({ min: 0, max: 1 }),
  }),
  fc.record(
    {
      leaderElection: fc.constantFrom('Lease' as const, 'ForLife' as const),
      replicas: fc.integer({ min: 0, max: 5 }),
    },
    { requiredKeys: [] },
  ),
);

/** Any valid operator. */
export const operatorSpec: fc.Arbitrary<OperatorSpec> = fc
  .tuple(
    fc.record(
      {
        name: label,
        image: fc.constantFrom(image, `shops@sha256:${'a'.repeat(64)}`),
        version: fc.constantFrom('0.1.0', '1.2.3-rc.1'),
        namespace: label,
        makesNamespace: fc.boolean(),
        owned: fc.constant([shop, region]),
        access: fc.array(access, { maxLength: 6 }),
        watch,
        args: fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }),
        environment,
        environmentFrom,
        sidecars,
        files,
        resources: fc.record(
          { requests: fc.record({ cpu: quantity }), limits: fc.record({ memory: quantity }) },
          { requiredKeys: [] },
        ),
        priorityClass: label,
        imagePullSecrets: fc.uniqueArray(label, { maxLength: 2 }),
        gracePeriod: fc.integer({ min: 1, max: 600 }),
        ports: fc.constantFrom([], [{ name: 'grpc', port: 5000 }]),
        probes: fc.constantFrom(false as const, {}, { port: 7000 }, { live: '/live', startup: 60 }),
        metrics: fc.constantFrom(false as const, {}, { port: 9090, monitor: {} }),
        webhooks,
        network: fc.constantFrom(false as const, {}, { monitoring: [], dns: [] }),
        labels: fc.constantFrom({}, { 'example.com/team': 'shops' }),
        podLabels: fc.constantFrom({}, { tier: 'control' }),
        podAnnotations: fc.constantFrom({}, { tier: 'control' }),
        ...scheduling,
      },
      { requiredKeys: ['name', 'image', 'owned', 'access'] },
    ),
    elected,
  )
  .map(([spec, election]) => ({ ...spec, ...election }))
  .filter(
    ({ environment: variables = {}, watch: scope }) => !(scope && 'WATCH_NAMESPACE' in variables),
  );
