import { isMapping, listAt } from '../mapping.ts';
import { show } from '../problem.ts';
import {
  listContainerContexts,
  listContexts,
  readMapping,
  type CheckedPod,
  type PodFault,
  type PodSecurityCheck,
} from './check.ts';

/** The checks about the protections of the node's kernel: profiles, masks and parameters. */
export const kernelSettingChecks: readonly PodSecurityCheck[] = [
  { id: 'appArmorProfile', level: 'baseline', find: findAppArmorProfiles },
  { id: 'seLinuxOptions', level: 'baseline', find: findSeLinuxOptions },
  { id: 'seccompProfile_baseline', level: 'baseline', sinceMinor: 19, find: findSeccompProfiles },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    replaces: 'seccompProfile_baseline',
    sinceMinor: 19,
    find: (pod) =>
      pod.isWindows ? [] : [...findSeccompProfiles(pod), ...findMissingSeccompProfiles(pod)],
  },
  {
    id: 'procMount',
    level: 'baseline',
    find: (pod) => (pod.hasOwnUsers ? [] : findProcMounts(pod)),
  },
  { id: 'procMount_restricted', level: 'restricted', replaces: 'procMount', find: findProcMounts },
  { id: 'sysctls', level: 'baseline', find: findSysctls },
];

/** The types of a profile that keep a container confined. AppArmor and seccomp have the same. */
const profileTypes: ReadonlySet<unknown> = new Set(['RuntimeDefault', 'Localhost']);

const MUST_CONFINE = "must be 'RuntimeDefault' or 'Localhost'";
const APPARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

function* findAppArmorProfiles(pod: CheckedPod): Generator<PodFault> {
  yield* findProfiles(pod, 'appArmorProfile');
  for (const [key, value] of Object.entries(pod.annotations)) {
    if (!key.startsWith(APPARMOR_ANNOTATION) || typeof value !== 'string') continue;
    if (value === '' || value === 'runtime/default' || value.startsWith('localhost/')) continue;
    const message = `must be 'runtime/default' or begin with 'localhost/', got ${show(value)}`;
    yield { path: ['metadata', 'annotations', key], message };
  }
}

function findSeccompProfiles(pod: CheckedPod): Iterable<PodFault> {
  return findProfiles(pod, 'seccompProfile');
}

/** Finds profiles that are set to a type that does not confine. */
function* findProfiles(pod: CheckedPod, field: string): Generator<PodFault> {
  for (const { path, fields } of listContexts(pod)) {
    const profile = fields[field];
    if (!isMapping(profile) || profileTypes.has(profile['type'])) continue;
    const message = `${MUST_CONFINE}, got ${show(profile['type'])}`;
    yield { path: [...path, field, 'type'], message };
  }
}

/** Finds that a container has no seccomp profile, neither its own nor that of the pod. */
function* findMissingSeccompProfiles(pod: CheckedPod): Generator<PodFault> {
  const { securityContext, containers } = pod;
  // A wrong type is reported where it is set.
  if (isMapping(securityContext['seccompProfile'])) return;
  const lacking = containers.filter((one) => !isMapping(one.securityContext['seccompProfile']));
  if (lacking.length === 0) return;
  const path = ['spec', 'securityContext', 'seccompProfile', 'type'];
  yield { path, message: `${MUST_CONFINE}, got nothing`, isUnset: true };
}

/** The SELinux types of containers that are confined. */
const seLinuxTypes: readonly unknown[] = [
  'container_t',
  'container_init_t',
  'container_kvm_t',
  'container_engine_t',
];

function* findSeLinuxOptions(pod: CheckedPod): Generator<PodFault> {
  for (const context of listContexts(pod)) {
    const path = [...context.path, 'seLinuxOptions'];
    const { type, user, role } = readMapping(context.fields['seLinuxOptions']);
    if (isSet(type) && !seLinuxTypes.includes(type)) {
      const message = `must be one of ${seLinuxTypes.join(', ')}, got ${show(type)}`;
      yield { path: [...path, 'type'], message };
    }
    for (const [field, value] of Object.entries({ user, role })) {
      if (!isSet(value)) continue;
      yield { path: [...path, field], message: `must be left out, got ${show(value)}` };
    }
  }
}

const isSet = (value: unknown): boolean => typeof value === 'string' && value !== '';

function* findProcMounts(pod: CheckedPod): Generator<PodFault> {
  for (const { path, fields } of listContainerContexts(pod)) {
    const mount = fields['procMount'];
    if (typeof mount !== 'string' || mount === 'Default') continue;
    const message = `must be 'Default' or left out, got ${show(mount)}`;
    yield { path: [...path, 'procMount'], message };
  }
}

/** The kernel parameters that a pod may set: they apply to the pod alone. */
const safeSysctls: ReadonlySet<unknown> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
]);

function* findSysctls({ securityContext }: CheckedPod): Generator<PodFault> {
  for (const [i, sysctl] of listAt(securityContext, ['sysctls']).entries()) {
    if (!isMapping(sysctl) || safeSysctls.has(sysctl['name'])) continue;
    const message = `must be a kernel parameter that every pod may set, got ${show(sysctl['name'])}`;
    yield { path: ['spec', 'securityContext', 'sysctls', i, 'name'], message };
  }
}
