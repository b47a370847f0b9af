import { expect, test } from '@jest/globals';
import {
  listPodSecurityViolations,
  podSecurityChecks,
  type PodSecurityLevel,
} from '@tenantry/kube/pod-security';

type Example = readonly [
  level: PodSecurityLevel,
  admitted: object,
  refused: object,
  violation: string,
];

const ofContainer = (container: object): object => ({ containers: [{ name: 'c', ...container }] });
const withContext = (securityContext: object): object => ofContainer({ securityContext });
const withVolume = (source: object): object => ({ volumes: [{ name: 'v', ...source }] });
const withSysctl = (name: string): object => ({
  securityContext: { sysctls: [{ name, value: '1' }] },
});
const debug = (securityContext: object): object => ({
  ephemeralContainers: [{ name: 'debug', securityContext }],
});
const at = 'spec.containers.0.securityContext';

/** One pod of each check that it admits, one that it refuses, and the path and message of the violation. */
const examples: Readonly<Record<string, Example>> = {
  allowPrivilegeEscalation: [
    'restricted',
    withContext({ allowPrivilegeEscalation: false }),
    withContext({}),
    `${at}.allowPrivilegeEscalation must be false, got nothing`,
  ],
  appArmorProfile: [
    'baseline',
    withContext({ appArmorProfile: { type: 'Localhost' } }),
    withContext({ appArmorProfile: { type: 'Unconfined' } }),
    `${at}.appArmorProfile.type must be 'RuntimeDefault' or 'Localhost', got 'Unconfined'`,
  ],
  capabilities_baseline: [
    'baseline',
    withContext({ capabilities: { add: ['CHOWN'] } }),
    debug({ capabilities: { add: ['CHOWN', 'NET_RAW'] } }),
    `spec.ephemeralContainers.0.securityContext.capabilities.add.1 must be one of AUDIT_WRITE, CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, MKNOD, NET_BIND_SERVICE, SETFCAP, SETGID, SETPCAP, SETUID, SYS_CHROOT, got 'NET_RAW'`,
  ],
  capabilities_restricted: [
    'restricted',
    withContext({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }),
    withContext({ capabilities: { drop: ['KILL'] } }),
    `${at}.capabilities.drop must contain 'ALL', got 'KILL'`,
  ],
  hostNamespaces: [
    'baseline',
    { hostNetwork: false },
    { hostPID: true },
    'spec.hostPID must be false or left out, got true',
  ],
  hostPathVolumes: [
    'baseline',
    withVolume({ nfs: { server: 's', path: '/' } }),
    withVolume({ hostPath: { path: '/' } }),
    'spec.volumes.0.hostPath must be another type of volume, got hostPath',
  ],
  hostPorts: [
    'baseline',
    ofContainer({ ports: [{ containerPort: 80, hostPort: 0 }] }),
    ofContainer({ ports: [{ containerPort: 80, hostPort: 80 }] }),
    'spec.containers.0.ports.0.hostPort must be left out, got 80',
  ],
  hostProbesAndHostLifecycle: [
    'baseline',
    ofContainer({ livenessProbe: { httpGet: { port: 80, host: '' } } }),
    ofContainer({ livenessProbe: { httpGet: { port: 80, host: '127.0.0.1' } } }),
    "spec.containers.0.livenessProbe.httpGet.host must be left out, so that the node connects to the pod only, got '127.0.0.1'",
  ],
  privileged: [
    'baseline',
    withContext({ privileged: false }),
    { initContainers: [{ name: 'init', securityContext: { privileged: true } }] },
    'spec.initContainers.0.securityContext.privileged must be false or left out, got true',
  ],
  procMount: [
    'baseline',
    { hostUsers: false, ...withContext({ procMount: 'Unmasked' }) },
    withContext({ procMount: 'Unmasked' }),
    `${at}.procMount must be 'Default' or left out, got 'Unmasked'`,
  ],
  procMount_restricted: [
    'restricted',
    withContext({ procMount: 'Default' }),
    { hostUsers: false, ...withContext({ procMount: 'Unmasked' }) },
    `${at}.procMount must be 'Default' or left out, got 'Unmasked'`,
  ],
  restrictedVolumes: [
    'restricted',
    withVolume({ csi: { driver: 'd' } }),
    withVolume({ nfs: { server: 's', path: '/' } }),
    'spec.volumes.0.nfs must be one of configMap, csi, downwardAPI, emptyDir, ephemeral, image, persistentVolumeClaim, projected, secret, got nfs',
  ],
  runAsNonRoot: [
    'restricted',
    { securityContext: { runAsNonRoot: true }, ...withContext({}) },
    withContext({}),
    'spec.securityContext.runAsNonRoot must be true, got nothing',
  ],
  runAsUser: [
    'restricted',
    withContext({ runAsUser: 1 }),
    withContext({ runAsUser: 0 }),
    `${at}.runAsUser must be above 0, got 0`,
  ],
  seLinuxOptions: [
    'baseline',
    withContext({ seLinuxOptions: { type: 'container_engine_t', level: 's0' } }),
    { securityContext: { seLinuxOptions: { user: 'root' } } },
    "spec.securityContext.seLinuxOptions.user must be left out, got 'root'",
  ],
  seccompProfile_baseline: [
    'baseline',
    withContext({}),
    withContext({ seccompProfile: { type: 'Unconfined' } }),
    `${at}.seccompProfile.type must be 'RuntimeDefault' or 'Localhost', got 'Unconfined'`,
  ],
  seccompProfile_restricted: [
    'restricted',
    withContext({ seccompProfile: { type: 'RuntimeDefault' } }),
    withContext({}),
    "spec.securityContext.seccompProfile.type must be 'RuntimeDefault' or 'Localhost', got nothing",
  ],
  sysctls: [
    'baseline',
    withSysctl('net.ipv4.tcp_wmem'),
    withSysctl('kernel.msgmax'),
    "spec.securityContext.sysctls.0.name must be a kernel parameter that every pod may set, got 'kernel.msgmax'",
  ],
  windowsHostProcess: [
    'baseline',
    withContext({ windowsOptions: { hostProcess: false } }),
    { securityContext: { windowsOptions: { hostProcess: true } } },
    'spec.securityContext.windowsOptions.hostProcess must be false or left out, got true',
  ],
};

const violationsOf = (check: string, level: PodSecurityLevel, spec: unknown, metadata = {}) =>
  listPodSecurityViolations({ metadata, spec }, level)
    .filter((one) => one.check === check)
    .map(({ path, message }) => `${path.join('.')} ${message}`);

test('every check has an example', () => {
  const ids = podSecurityChecks.map(({ id }) => id);
  expect(Object.keys(examples).toSorted()).toEqual(ids.toSorted());
});

test.each(Object.entries(examples))(
  '%s admits one pod and refuses another',
  (check, [level, admitted, refused, violation]) => {
    expect(violationsOf(check, level, admitted)).toEqual([]);
    expect(violationsOf(check, level, refused)).toEqual([violation]);
    expect(listPodSecurityViolations({ metadata: {}, spec: refused }, 'privileged')).toEqual([]);
  },
);

test('a check of restricted replaces that of baseline', () => {
  const spec = { ...withVolume({ hostPath: { path: '/' } }), ...withContext({}) };
  const checks = listPodSecurityViolations({ metadata: {}, spec }, 'restricted').map(
    ({ check }) => check,
  );
  expect(checks.toSorted()).toEqual([
    'allowPrivilegeEscalation',
    'capabilities_restricted',
    'restrictedVolumes',
    'runAsNonRoot',
    'seccompProfile_restricted',
  ]);
});

test('in the network of the node, each port is one of the node', () => {
  const spec = { hostNetwork: true, ...ofContainer({ ports: [{ containerPort: 80 }] }) };
  expect(violationsOf('hostPorts', 'baseline', spec)).toEqual([
    'spec.containers.0.ports.0.containerPort must be left out with hostNetwork, which makes it a port of the node, got 80',
  ]);
});

test('annotations set AppArmor profiles too', () => {
  const key = 'container.apparmor.security.beta.kubernetes.io/c';
  const of = (value: string) =>
    violationsOf('appArmorProfile', 'baseline', {}, { annotations: { [key]: value } });
  expect(of('localhost/own')).toEqual([]);
  expect(of('unconfined')).toEqual([
    `metadata.annotations.${key} must be 'runtime/default' or begin with 'localhost/', got 'unconfined'`,
  ]);
});

test('Windows pods need only what exists there', () => {
  const spec = { os: { name: 'windows' }, ...withContext({ runAsNonRoot: true }) };
  expect(listPodSecurityViolations({ metadata: {}, spec }, 'restricted')).toEqual([]);
});

test('root of a user namespace of the pod is allowed', () => {
  const context = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsUser: 0,
  };
  const spec = {
    hostUsers: false,
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    ...withContext(context),
  };
  expect(listPodSecurityViolations({ metadata: {}, spec }, 'restricted')).toEqual([]);
});

test.each([
  undefined,
  null,
  'x',
  [],
  { containers: 'x', volumes: {}, securityContext: [] },
  { containers: [null, 1, 'x', []], volumes: [null, 'x'] },
  { securityContext: { sysctls: [null], seLinuxOptions: 'x', windowsOptions: [] } },
  withContext({ capabilities: { add: 'NET_RAW', drop: ['ALL'] }, privileged: 'yes' }),
  ofContainer({ ports: 'x', livenessProbe: [], lifecycle: null }),
])('values with a wrong type are no violation of baseline: %j', (spec) => {
  const metadata = { annotations: spec };
  expect(listPodSecurityViolations({ metadata, spec }, 'baseline')).toEqual([]);
  expect(() => listPodSecurityViolations({ metadata: spec, spec }, 'restricted')).not.toThrow();
});
