import { all, attempt, podIn, type Check } from './check.ts';

interface Asked {
  readonly spec?: object;
  readonly container?: object;
  readonly security?: object;
}

/** Checks a forbidden field of a pod; each way to set it is tried separately. */
const pod = (name: string, message: string, ...ways: readonly Asked[]): Check => ({
  name,
  ask: (world) => all(ways.map((way) => attempt(world, podIn(world, { ...way }), message))),
});

/** Checks that Pod Security enforces. */
export const podChecks: readonly Check[] = [
  pod('MTB-PL1-BC-CPI-3 Block add capabilities', 'capabilities (container', {
    security: { capabilities: { drop: ['ALL'], add: ['SETPCAP'] } },
  }),
  pod('MTB-PL1-BC-CPI-4 Require run as non-root user', 'runAsNonRoot != true', {
    security: { runAsNonRoot: false },
  }),
  pod('MTB-PL1-BC-CPI-5 Block privileged containers', 'privileged (container', {
    security: { privileged: true, allowPrivilegeEscalation: true },
  }),
  pod('MTB-PL1-BC-CPI-6 Block privilege escalation', 'allowPrivilegeEscalation != false', {
    security: { allowPrivilegeEscalation: true },
  }),
  pod('MTB-PL1-BC-HI-1 Block use of host path volumes', 'hostPath', {
    spec: { volumes: [{ name: 'etc', hostPath: { path: '/etc' } }] },
  }),
  pod(
    'MTB-PL1-BC-HI-3 Block use of host networking and ports',
    'host',
    { spec: { hostNetwork: true } },
    { container: { ports: [{ containerPort: 8086, hostPort: 8086 }] } },
  ),
  pod('MTB-PL1-BC-HI-4 Block use of host PID', 'hostPID=true', { spec: { hostPID: true } }),
  pod('MTB-PL1-BC-HI-5 Block use of host IPC', 'hostIPC=true', { spec: { hostIPC: true } }),
  {
    name: 'MTB-PL1-CC-DI-1 Require always imagePullPolicy',
    // Where the API server can set a default, it sets Always over the value of the pod.
    async ask(world) {
      const never = podIn(world, { container: { imagePullPolicy: 'Never' } });
      const { status, body } = await world.alice.create(never, { dryRun: true });
      if (status === 403 && body.message?.includes('must have imagePullPolicy Always')) {
        return 'passes';
      }
      if (status !== 201) throw new Error(`${status} ${body.message}`);
      const [{ imagePullPolicy } = {}] = body.spec!['containers'] as { imagePullPolicy: string }[];
      return imagePullPolicy === 'Always' ? 'passes' : 'open';
    },
  },
];
