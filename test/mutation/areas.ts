/** Files that are mutated one place at a time, and the tests that must detect it. */
export interface Part {
  /** Paths from the root, or patterns of them. */
  readonly mutate: readonly string[];
  /** Tests that need no cluster. Each mutant runs those of them that reach it. */
  readonly tests: readonly string[];
  /**
   * Milliseconds that a mutant may take in addition to the normal time of its tests. In loops over virtual time half of
   * the mutants never end. @default 30,000
   */
  readonly patience?: number;
}

/** Tests with recorded answers of the API server. */
const recorded = (...topics: string[]) =>
  topics.map((topic) => `test/verdicts/schema/${topic}.test.ts`);
const inValidator = (...names: string[]) =>
  names.map((name) => `packages/crd/schema/validator/${name}.ts`);
const validator = (...names: string[]) =>
  names.map((name) => `packages/crd/test/schema/validator/${name}.test.ts`);
/** Tests of the validation of values, including those with recorded answers of the API server. */
const values = ['packages/crd/test/schema/validator.test.ts', ...recorded('admission')];
const rules = (...names: string[]) => names.map((name) => `model/rules/${name}.ts`);
const layers = (...names: string[]) => names.map((name) => `model/layers/${name}.ts`);
const constructs = (...names: string[]) => names.map((name) => `test/constructs/${name}.test.ts`);
const runtime = (...names: string[]) => names.map((name) => `packages/runtime/${name}.ts`);
const runtimes = (...names: string[]) =>
  names.map((name) => `packages/runtime/test/${name}.test.ts`);
const output = (...names: string[]) => names.map((name) => `synth/output/${name}.ts`);
const outputs = (...names: string[]) => names.map((name) => `test/synth/output/${name}.test.ts`);

/**
 * The parts of each area, which run one after another. Each part is tested by the tests of its subject alone: the time
 * of a mutant is that of the test files that reach it, and every file about tenants reaches every rule.
 */
export const areas: Readonly<Record<string, readonly Part[]>> = {
  quantity: [
    { mutate: ['packages/kube/quantity.ts'], tests: ['packages/kube/test/quantity.test.ts'] },
  ],
  lists: [
    {
      mutate: [
        ...rules('allow-lists'),
        ...['images', 'name-path', 'labels'].map((name) => `model/allow-lists/${name}.ts`),
      ],
      tests: constructs('allow-lists', 'allowed-images'),
    },
  ],
  partition: [{ mutate: layers('partition'), tests: constructs('partition') }],
  merge: [
    {
      mutate: layers('layer', 'merge', 'resolve'),
      tests: constructs('layers', 'placement', 'resources'),
    },
  ],
  cidr: [
    {
      mutate: [...rules('network', 'network-reach'), 'packages/kube/network-policy-faults.ts'],
      tests: constructs('cidr', 'except', 'reach'),
    },
    {
      mutate: ['packages/kube/address.ts', 'packages/crd/schema/cel/functions/network.ts'],
      tests: [
        'packages/kube/test/address.test.ts',
        'packages/crd/test/schema/cel/network.test.ts',
        ...constructs('cidr', 'except', 'reach'),
      ],
    },
  ],
  rules: [
    {
      mutate: rules('quota', 'resource-keys'),
      tests: constructs('amounts', 'limits', 'quota'),
    },
    {
      mutate: [...rules('limits'), 'packages/kube/label-selector.ts'],
      tests: [
        'packages/kube/test/label-selector.property.test.ts',
        ...constructs('limits', 'workload'),
      ],
    },
    {
      mutate: [
        ...rules('end-dates'),
        ...layers('current-layer', 'ending-faults', 'raised-quota', 'totals'),
        'model/{end-dates,endings,ended-exceptions}.ts',
        'model/classes/current-class.ts',
      ],
      tests: constructs('end-dates', 'quota'),
    },
    { mutate: rules('pod-bounds'), tests: constructs('pod-bounds') },
    {
      mutate: rules('workload-bounds', 'declared-resources'),
      tests: constructs('workload-bounds', 'pod-security'),
    },
    { mutate: rules('pod-security'), tests: constructs('pod-security') },
    { mutate: rules('admission-bounds'), tests: constructs('neighbors', 'self-service') },
    { mutate: rules('service-bounds'), tests: constructs('service-bounds', 'self-service') },
    { mutate: rules('class'), tests: constructs('class-check', 'size') },
    { mutate: rules('size'), tests: constructs('size') },
    { mutate: rules('roles'), tests: constructs('role-ceiling.property', 'roles') },
    { mutate: rules('grants'), tests: constructs('access') },
    { mutate: rules('placement'), tests: constructs('placement') },
    { mutate: rules('workload'), tests: constructs('resources', 'workload') },
    { mutate: rules('keys'), tests: constructs('embedded-keys', 'metadata') },
    { mutate: rules('namespace'), tests: constructs('metadata', 'placement') },
    { mutate: rules('check', 'rules'), tests: constructs('findings') },
    { mutate: rules('object-names'), tests: constructs('duplicates', 'namespace-placeholders') },
    {
      mutate: rules('object-rules', 'presets', 'resource-schema'),
      tests: constructs('resource-presets', 'resources', 'resource-schema'),
    },
    {
      mutate: rules('platform'),
      tests: constructs('argocd/source', 'argocd/tenant-rules', 'platform'),
    },
  ],
  argocd: [
    {
      mutate: rules('argocd', 'argocd-kinds'),
      tests: constructs('argocd/project-roles', 'argocd/tenant-rules'),
    },
    {
      mutate: ['model/argocd-names.ts', 'model/objects/argocd-objects.ts'],
      tests: constructs('argocd/project-roles'),
    },
    { mutate: ['model/objects/retention.ts'], tests: constructs('retention') },
    { mutate: ['model/declared-objects.ts'], tests: constructs('empty-maps.property') },
  ],
  // Mutants do not reach a process that a test starts, and tests of the clock fail under load.
  swap: [
    {
      mutate: output('swap'),
      tests: outputs('meanwhile', 'model.property', 'replaced', 'written'),
    },
    {
      mutate: output('session'),
      tests: outputs('area', 'meanwhile', 'model.property', 'replaced', 'written'),
    },
    { mutate: output('survey'), tests: outputs('refused', 'unexpected-files', 'written') },
  ],
  output: [
    {
      mutate: output('output'),
      tests: outputs('meanwhile', 'refused', 'stat-index', 'unexpected-files', 'written'),
    },
    { mutate: output('staging'), tests: outputs('staging') },
  ],
  semver: [
    {
      mutate: ['packages/kube/semver.ts', 'packages/crd/schema/cel/functions/semver.ts'],
      tests: [
        'packages/kube/test/semver.property.test.ts',
        'packages/crd/test/schema/cel/rule.test.ts',
        ...recorded('cel'),
      ],
    },
  ],
  // Versions and networks are separate areas above.
  cel: [
    {
      mutate: [
        'packages/crd/schema/cel/functions/*.ts',
        '!packages/crd/schema/cel/functions/network.ts',
        '!packages/crd/schema/cel/functions/semver.ts',
      ],
      tests: ['packages/crd/test/schema/cel/rule.test.ts', ...recorded('cel')],
    },
  ],
  validator: [
    {
      mutate: [
        ...inValidator('combinators-and-rules', 'equality', 'numbers'),
        ...inValidator('schema-node', 'strings'),
      ],
      tests: [...validator('code', 'equality', 'keyword'), ...values],
    },
    {
      mutate: inValidator('explain', 'messages', 'node'),
      tests: [
        'test/schema/validate.test.ts',
        'test/crds/misspelled-fields.test.ts',
        ...validator('code', 'explain', 'keyword'),
        ...values,
      ],
    },
    {
      mutate: ['packages/crd/schema/validator.ts', ...inValidator('code')],
      tests: ['packages/crd/test/schema/validator.test.ts', ...validator('code')],
    },
    {
      mutate: inValidator('contradiction'),
      tests: validator('contradiction', 'contradiction.property'),
    },
  ],
  queue: [{ mutate: runtime('queue/*'), tests: runtimes('queue/*'), patience: 5000 }],
  watch: [{ mutate: runtime('watch/*'), tests: runtimes('watch/*'), patience: 5000 }],
  cache: [{ mutate: runtime('cache/*'), tests: runtimes('cache/*'), patience: 5000 }],
  controller: [
    { mutate: runtime('controller/*'), tests: runtimes('controller/*'), patience: 5000 },
  ],
  // The requests that a client rejects, and the roles from the same rules.
  access: [
    {
      mutate: runtime('access/grant', 'access/restricted-client'),
      tests: runtimes('access/grant', 'access/restricted-client'),
    },
    {
      mutate: ['packages/kube/access/*.ts'],
      tests: [
        'packages/kube/test/access/*.test.ts',
        ...runtimes('access/grant', 'access/restricted-client'),
      ],
    },
  ],
  leader: [{ mutate: runtime('leader/*'), tests: runtimes('leader/*'), patience: 5000 }],
  connection: [
    {
      mutate: runtime('connection/call', 'connection/exchange', 'connection/transport'),
      tests: runtimes('connection/exchange', 'connection/transport'),
    },
    {
      mutate: runtime('connection/flow-control'),
      tests: runtimes('connection/flow-control.property', 'connection/transport'),
    },
    {
      mutate: runtime('connection/address', 'connection/agents'),
      tests: runtimes(
        'connection/resolve-proxy*',
        'connection/transport',
        'connection/tunnel',
        'connection/secrets.property',
        'connection/connection-from',
      ),
    },
    { mutate: runtime('connection/json'), tests: runtimes('connection/json.property') },
    {
      mutate: runtime(
        'connection/connection',
        'connection/connection-from',
        'connection/kubeconfig',
        'connection/user-credentials',
      ),
      tests: runtimes('connection/user-credentials', 'connection/connection-from'),
    },
  ],
};
