import fc from 'fast-check';

/** A change of one field of a pod. The value undefined removes the field. */
interface Mutation {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

export interface GeneratedPod {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

const image = 'example.com/c:1';
const seccompProfile = { type: 'RuntimeDefault' };
const confined = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const everywhere = { ...confined, runAsNonRoot: true, seccompProfile };

/** A pod with a container, an init container and a sidecar, all with the same fields. */
const podWith = (container: object, spec: object): GeneratedPod => ({
  metadata: {},
  spec: {
    containers: [{ name: 'c', image, ...container }],
    initContainers: [
      { name: 'init', image, ...container },
      { name: 'sidecar', image, restartPolicy: 'Always', ...container },
    ],
    ...spec,
  },
});

/** Ordinary pods: those from which a pod starts, before a few fields are changed. */
export const ordinaryPods: Readonly<Record<string, GeneratedPod>> = {
  plain: podWith({}, {}),
  confined: podWith(
    { securityContext: confined },
    { securityContext: { runAsNonRoot: true, seccompProfile } },
  ),
  confinedContainers: podWith({ securityContext: everywhere }, {}),
  ownUsers: podWith(
    { securityContext: confined },
    { hostUsers: false, securityContext: { seccompProfile } },
  ),
  windows: podWith({}, { os: { name: 'windows' }, securityContext: { runAsNonRoot: true } }),
};

const hostProcess = { windowsOptions: { hostProcess: true, runAsUserName: 'user' } };

/** Pods of the node itself, which both levels refuse. */
const nodePods: readonly GeneratedPod[] = [
  podWith({ ports: [{ containerPort: 80 }] }, { hostNetwork: true }),
  podWith({}, { hostNetwork: true, securityContext: hostProcess }),
  podWith({ securityContext: hostProcess }, { hostNetwork: true, os: { name: 'windows' } }),
];

const spread = (path: readonly (string | number)[], values: readonly unknown[]): Mutation[] =>
  values.map((value) => ({ path, value }));

const profiles = [
  undefined,
  null,
  { type: 'RuntimeDefault' },
  { type: 'Localhost', localhostProfile: 'own' },
  { type: 'Unconfined' },
];
const selinux = [
  undefined,
  {},
  { level: 's0:c1,c2' },
  { type: '' },
  { type: 'spc_t' },
  { user: 'system_u' },
  { role: 'system_r', type: 'container_t' },
  ...['container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'].map((type) => ({
    type,
  })),
];

/** Fields that the security contexts of pods and containers both have. */
const common = (path: readonly (string | number)[]): Mutation[] => [
  ...spread([...path, 'appArmorProfile'], profiles),
  ...spread([...path, 'seccompProfile'], profiles),
  ...spread([...path, 'seLinuxOptions'], selinux),
  ...spread([...path, 'runAsNonRoot'], [undefined, null, true, false]),
  ...spread([...path, 'runAsUser'], [undefined, null, 0, 1, 1000]),
  ...spread([...path, 'runAsGroup'], [0, 1]),
  ...spread(
    [...path, 'windowsOptions'],
    [undefined, {}, { hostProcess: false }, { hostProcess: true }, { runAsUserName: 'user' }],
  ),
];

const kernelCapabilities = `
  AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD SETFCAP SETGID SETPCAP SETUID
  SYS_CHROOT NET_BIND_SERVICE NET_RAW NET_ADMIN SYS_ADMIN SYS_PTRACE BPF ALL CAP_CHOWN chown
`
  .trim()
  .split(/\s+/);

const containerContext = (path: readonly (string | number)[]): Mutation[] => [
  ...common(path),
  ...spread(path, [undefined, {}, null]),
  ...spread([...path, 'privileged'], [undefined, null, false, true]),
  ...spread([...path, 'allowPrivilegeEscalation'], [undefined, null, false, true]),
  ...spread([...path, 'readOnlyRootFilesystem'], [true]),
  ...spread([...path, 'procMount'], [undefined, null, 'Default', 'Unmasked']),
  ...spread([...path, 'capabilities'], [undefined, null, {}]),
  ...spread(
    [...path, 'capabilities', 'add'],
    [null, [], ...kernelCapabilities.map((one) => [one]), ['CHOWN', 'NET_RAW']],
  ),
  ...spread(
    [...path, 'capabilities', 'drop'],
    [undefined, null, [], ['ALL'], ['all'], ['NET_RAW'], ['KILL', 'ALL']],
  ),
];

const handler = (action: object): Mutation['value'][] => [
  { httpGet: { port: 80, ...action } },
  { tcpSocket: { port: 80, ...action } },
];
const handlers = [{}, { host: '' }, { host: '127.0.0.1' }, { host: 'example.com' }].flatMap(
  handler,
);

const container = (path: readonly (string | number)[]): Mutation[] => [
  ...containerContext([...path, 'securityContext']),
  ...spread(
    [...path, 'ports'],
    [
      null,
      [{ containerPort: 80 }],
      [{ containerPort: 80, hostPort: 0 }],
      [{ containerPort: 80, hostPort: 80 }],
      [{ containerPort: 81 }, { containerPort: 8080, hostPort: 8081 }],
    ],
  ),
];

const probed = (path: readonly (string | number)[]): Mutation[] => [
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((probe) =>
    spread([...path, probe], [...handlers, { exec: { command: ['true'] } }, { grpc: { port: 1 } }]),
  ),
  ...['postStart', 'preStop'].flatMap((when) => spread([...path, 'lifecycle', when], handlers)),
];

const volumeSources: readonly object[] = [
  {},
  { configMap: { name: 'x' } },
  { csi: { driver: 'csi.example.com' } },
  { downwardAPI: {} },
  { emptyDir: {} },
  { emptyDir: null },
  {
    ephemeral: {
      volumeClaimTemplate: {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    },
  },
  { image: { reference: 'example.com/model:1' } },
  { persistentVolumeClaim: { claimName: 'x' } },
  { projected: { sources: [] } },
  { secret: { secretName: 'x' } },
  { hostPath: null, emptyDir: {} },
  { hostPath: { path: '/etc' } },
  { awsElasticBlockStore: { volumeID: 'x' } },
  { azureDisk: { diskName: 'x', diskURI: '/subscriptions/x' } },
  { azureFile: { secretName: 'x', shareName: 'x' } },
  { cephfs: { monitors: ['x'] } },
  { cinder: { volumeID: 'x' } },
  { fc: { targetWWNs: ['x'], lun: 1 } },
  { flexVolume: { driver: 'example.com/x' } },
  { flocker: { datasetName: 'x' } },
  { gcePersistentDisk: { pdName: 'x' } },
  { gitRepo: { repository: 'https://example.com' } },
  { glusterfs: { endpoints: 'x', path: 'x' } },
  { iscsi: { targetPortal: '10.0.0.1:3260', iqn: 'iqn.2001-04.com.example:x', lun: 0 } },
  { nfs: { server: 'nfs.example.com', path: '/' } },
  { photonPersistentDisk: { pdID: 'x' } },
  { portworxVolume: { volumeID: 'x' } },
  { quobyte: { registry: '10.0.0.1:1', volume: 'x' } },
  { rbd: { monitors: ['x'], image: 'x' } },
  { scaleIO: { gateway: 'https://x', system: 'x', secretRef: { name: 'x' }, volumeName: 'x' } },
  { storageos: { volumeName: 'x' } },
  { vsphereVolume: { volumePath: 'x' } },
];

const sysctls = `
  kernel.shm_rmid_forced kernel.msgmax net.core.somaxconn fs.mqueue.msg_max
  net.ipv4.ip_local_port_range net.ipv4.ip_local_reserved_ports net.ipv4.tcp_rmem
  net.ipv4.ip_unprivileged_port_start net.ipv4.ping_group_range net.ipv4.tcp_wmem
  net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_syncookies
  net.ipv4.tcp_keepalive_probes net.ipv4.tcp_keepalive_time net.ipv4.tcp_mem
`
  .trim()
  .split(/\s+/);

const podContext = ['spec', 'securityContext'];
const annotations = ['metadata', 'annotations'];
const apparmor = 'container.apparmor.security.beta.kubernetes.io/';

const podMutations: readonly Mutation[] = [
  ...common(podContext),
  ...spread(podContext, [undefined, {}, null]),
  ...spread(
    [...podContext, 'sysctls'],
    [null, [], ...sysctls.map((name) => [{ name, value: '1' }])],
  ),
  ...['hostNetwork', 'hostPID', 'hostIPC', 'hostUsers'].flatMap((field) =>
    spread(['spec', field], [null, false, true]),
  ),
  ...spread(['spec', 'os'], [undefined, null, { name: 'linux' }, { name: 'windows' }]),
  ...spread(['spec', 'initContainers'], [undefined, null, []]),
  ...volumeSources.map((source) => ({
    path: ['spec', 'volumes'],
    value: [
      { name: 'first', emptyDir: {} },
      { name: 'v', ...source },
    ],
  })),
  ...['c', 'init'].flatMap((name) =>
    spread(
      [...annotations, apparmor + name],
      ['runtime/default', 'localhost/own', 'unconfined', ''],
    ),
  ),
  ...spread(
    [...annotations, 'seccomp.security.alpha.kubernetes.io/pod'],
    ['unconfined', 'runtime/default'],
  ),
];

/** Each change that concerns a check, at each place of a pod that can have it. */
const mutations: readonly Mutation[] = [
  ...podMutations,
  ...container(['spec', 'containers', 0]),
  ...container(['spec', 'initContainers', 0]),
  ...probed(['spec', 'containers', 0]),
  ...probed(['spec', 'initContainers', 1]),
  ...containerContext(['spec', 'initContainers', 1, 'securityContext']),
];

const debugMutations = containerContext(['securityContext']);

/** Returns a copy of a value with a field changed. Mappings on the way are created. */
function change<T>(value: T, { path, value: to }: Mutation): T {
  const copy = structuredClone(value);
  let at = copy as Record<string | number, unknown>;
  for (const part of path.slice(0, -1)) {
    if (typeof at[part] !== 'object' || at[part] === null) at[part] = {};
    at = at[part] as Record<string | number, unknown>;
  }
  const last = path.at(-1)!;
  if (to === undefined) delete at[last];
  else at[last] = to;
  return copy;
}

/** A list that a mutation removed becomes a mapping if another mutation changes an item of it. */
const hasLists = ({ spec }: GeneratedPod): boolean =>
  [spec['containers'], spec['initContainers'] ?? []].every(
    (list) => Array.isArray(list) && list.every((one) => (one as { name?: string }).name),
  );

interface Sample {
  readonly seed: number;
  readonly numRuns: number;
}

/** Builds each ordinary pod with each single change, and pods with two or three. */
export function generatePods(sample: Sample): GeneratedPod[] {
  const ordinary = Object.values(ordinaryPods);
  const bases = [...ordinary, ...nodePods];
  // Containers for Windows can set few of the fields: most changes make them invalid.
  const single = ordinary.flatMap((base) =>
    (base === ordinaryPods['windows'] ? podMutations : mutations).map((one) => change(base, one)),
  );
  const several = fc.sample(
    fc.tuple(
      fc.constantFrom(...bases),
      fc.array(fc.constantFrom(...mutations), { minLength: 2, maxLength: 3 }),
    ),
    sample,
  );
  const mixed = several.map(([base, changes]) => changes.reduce(change, base));
  return withoutDuplicates([...bases, ...single, ...mixed].filter(hasLists));
}

/** Builds ephemeral containers with up to two changes. */
export function generateDebugContainers({ seed, numRuns }: Sample): Record<string, unknown>[] {
  const bases = [{}, confined, everywhere].map((securityContext) => ({
    name: 'debug',
    image,
    securityContext,
  }));
  const single = bases.flatMap((base) => debugMutations.map((one) => change(base, one)));
  const twice = fc.sample(
    fc.tuple(
      fc.constantFrom(...bases),
      fc.array(fc.constantFrom(...debugMutations), { minLength: 2, maxLength: 2 }),
    ),
    { seed, numRuns },
  );
  return withoutDuplicates([
    ...single,
    ...twice.map(([base, changes]) => changes.reduce(change, base)),
  ]);
}

function withoutDuplicates<T>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
