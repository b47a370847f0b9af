import { expect } from '@jest/globals';
import {
  listPodSecurityViolations,
  podSecurityChecks,
  type PodSecurityLevel,
} from '@tenantry/kube/pod-security';
import type { Body, Reply } from '@tenantry/testing/controlplane/objects';
import { toReference } from '@tenantry/testing/controlplane/objects';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { testsOfOurMinor } from './minor.ts';
import { apply } from './tenant.ts';
import { generateDebugContainers, generatePods, ordinaryPods } from './pod-security-pods.ts';

const given = await sharedCluster();
const test = testsOfOurMinor(given.test);

const isLong = process.env['TENANTRY_LONG'] === '1';
const seed = Number(process.env['FC_SEED'] ?? 20_260_101);

const levels = ['baseline', 'restricted'] as const;
type Level = (typeof levels)[number];

/** The checks by the reason in the API server's message. A reason may belong to a check of each level. */
const checksOfReason: Readonly<Record<string, readonly string[]>> = {
  'allowPrivilegeEscalation != false': ['allowPrivilegeEscalation'],
  'forbidden AppArmor profile': ['appArmorProfile'],
  'forbidden AppArmor profiles': ['appArmorProfile'],
  'forbidden sysctls': ['sysctls'],
  'host namespaces': ['hostNamespaces'],
  'hostPath volumes': ['hostPathVolumes'],
  'non-default capabilities': ['capabilities_baseline'],
  'probe or lifecycle host': ['hostProbesAndHostLifecycle'],
  'restricted volume types': ['restrictedVolumes'],
  'runAsNonRoot != true': ['runAsNonRoot'],
  'runAsUser=0': ['runAsUser'],
  'unrestricted capabilities': ['capabilities_restricted'],
  hostPort: ['hostPorts'],
  hostProcess: ['windowsHostProcess'],
  privileged: ['privileged'],
  procMount: ['procMount', 'procMount_restricted'],
  seLinuxOptions: ['seLinuxOptions'],
  seccompProfile: ['seccompProfile_baseline', 'seccompProfile_restricted'],
};

/** Reads the reasons of the API server; undefined if it refuses the pod for something besides its level. */
function readReasons({ status, body }: Reply): readonly string[] | undefined {
  if (status < 300) return [];
  const [, reasons] = String(body.message).split(/violates PodSecurity "[^"]*": /);
  return reasons?.replaceAll(/ \([^()]*\)/g, '').split(', ');
}

/** Reads the checks that the API server names; undefined if it refuses the pod for something besides its level. */
function readChecks(reply: Reply, level: Level): readonly string[] | undefined {
  return readReasons(reply)
    ?.map((reason) => checksOfReason[reason]?.at(level === 'baseline' ? 0 : -1) ?? reason)
    .toSorted();
}

const listOwnChecks = (pod: { metadata: unknown; spec: unknown }, level: PodSecurityLevel) =>
  [...new Set(listPodSecurityViolations(pod, level).map(({ check }) => check))].toSorted();

async function createNamespace(level: Level, version = 'latest'): Promise<string> {
  const name = uniqueName(`level-${level}`);
  const label = 'pod-security.kubernetes.io/enforce';
  const labels = { [label]: level, [`${label}-version`]: version };
  await apply(given.cluster, [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } },
  ]);
  return name;
}

const toBody = (namespace: string, { metadata, spec }: { metadata: object; spec: object }): Body =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name: 'x', namespace },
    spec,
  }) as Body;

/** Counts the verdicts, and keeps the disagreements. */
class Comparison {
  readonly disagreements: object[] = [];
  readonly refusedBy = new Map<string, number>();
  readonly seen = { admitted: 0, refused: 0, invalid: 0 };

  add(pod: { metadata: unknown; spec: unknown }, level: Level, reply: Reply): void {
    const server = readChecks(reply, level);
    if (!server) {
      // Other rules of the API server refuse the pod before its level is checked.
      expect([reply.body.message, reply.status]).toEqual([reply.body.message, 422]);
      this.seen.invalid += 1;
      return;
    }
    const own = listOwnChecks(pod, level);
    this.seen[server.length === 0 ? 'admitted' : 'refused'] += 1;
    for (const check of server) {
      this.refusedBy.set(check, (this.refusedBy.get(check) ?? 0) + 1);
    }
    if (JSON.stringify(own) !== JSON.stringify(server)) {
      this.disagreements.push({ level, pod, own, server });
    }
  }
}

/** Runs a task for each item, a few at the same time. */
async function forEach<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const work = async (): Promise<void> => {
    for (const item of rest) await run(item);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

test('the API server refuses exactly the pods with violations, for the same checks', async () => {
  const { admin } = given.cluster;
  const comparison = new Comparison();
  const pods = generatePods({ seed, numRuns: isLong ? 20_000 : 800 });
  for (const level of levels) {
    const namespace = await createNamespace(level);
    await forEach(pods, async (pod) => {
      comparison.add(pod, level, await admin.create(toBody(namespace, pod), { dryRun: true }));
    });
  }
  expect(comparison.disagreements.slice(0, 5)).toEqual([]);
  const { admitted, refused } = comparison.seen;
  expect({ judged: admitted + refused, isEnough: admitted + refused > 3000 }).toMatchObject({
    isEnough: true,
  });
  // A pod without a user namespace of its own cannot unmask /proc, so baseline never refuses that.
  const judged = podSecurityChecks.map(({ id }) => id).filter((id) => id !== 'procMount');
  expect([...comparison.refusedBy.keys()].toSorted()).toEqual(judged.toSorted());
}, 600_000);

test('containers for debugging are checked like the others', async () => {
  const { admin } = given.cluster;
  const comparison = new Comparison();
  const containers = generateDebugContainers({ seed, numRuns: isLong ? 5000 : 100 });
  for (const level of levels) {
    const namespace = await createNamespace(level);
    for (const base of ['confined', 'ownUsers', 'windows'] as const) {
      const running = toBody(namespace, ordinaryPods[base]!);
      running.metadata!.name = base.toLowerCase();
      expect(await admin.create(running)).toMatchObject({ status: 201 });
      // Most of these are invalid on Windows.
      const tried = containers.filter((_, i) => base !== 'windows' || i % 4 === 0);
      await forEach(tried, async (container) => {
        const spec = { ephemeralContainers: [container] };
        const reply = await admin.patch(
          toReference(running),
          { spec },
          { type: 'strategic', subresource: 'ephemeralcontainers', dryRun: true },
        );
        const pod = { metadata: {}, spec: { ...ordinaryPods[base]!.spec, ...spec } };
        comparison.add(pod, level, reply);
      });
    }
  }
  expect(comparison.disagreements.slice(0, 5)).toEqual([]);
  expect(Math.min(comparison.seen.admitted, comparison.seen.refused)).toBeGreaterThan(100);
}, 600_000);

test('an older version of a level refuses what it has a check for', async () => {
  const { admin } = given.cluster;
  const pods = generatePods({ seed, numRuns: isLong ? 5000 : 0 }).filter(
    (_, i) => isLong || i % 10 === 0,
  );
  const admitted: object[] = [];
  for (const minor of [0, 18, 22, 33]) {
    for (const level of levels) {
      const namespace = await createNamespace(level, `v1.${minor}`);
      await forEach(pods, async (pod) => {
        const reply = await admin.create(toBody(namespace, pod), { dryRun: true });
        const reasons = readReasons(reply);
        if (!reasons) return;
        const refused = new Set(reasons.flatMap((one) => checksOfReason[one] ?? []));
        const missed = listPodSecurityViolations(pod, level).filter(
          ({ check, sinceMinor = 0 }) => sinceMinor <= minor && !refused.has(check),
        );
        if (missed.length > 0) admitted.push({ level, minor, pod, missed, reasons });
      });
    }
  }
  expect(admitted.slice(0, 5)).toEqual([]);
}, 600_000);
