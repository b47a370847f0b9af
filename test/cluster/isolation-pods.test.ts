import { expect } from '@jest/globals';
import type { Client } from '../control-plane/client.ts';
import type { Body } from '../control-plane/objects.ts';
import { sharedCluster, uniqueName } from '../control-plane/shared.ts';
import { deliver, person, powerful, reads, refusalOf } from './tenant.ts';

const given = await sharedCluster();
const { test } = given;

type Level = 'baseline' | 'restricted';
const levels = ['baseline', 'restricted'] as const;

interface Levels {
  readonly name: string;
  readonly alice: Client;
  readonly namespaces: Readonly<Record<Level, string>>;
}

let standing: Promise<Levels> | undefined;

/** A tenant with a namespace of each level, and its administrator. */
function world(): Promise<Levels> {
  standing ??= build();
  return standing;
}

async function build(): Promise<Levels> {
  const user = person('alice');
  const name = uniqueName('pods');
  await deliver(given.cluster, name, {
    access: { admins: { users: [user] } },
    namespaces: levels.map((enforce) => ({ name: enforce, podSecurity: { enforce } })),
  });
  const alice = given.cluster.user(user);
  const namespaces = { baseline: `${name}-baseline`, restricted: `${name}-restricted` };
  await Promise.all(Object.values(namespaces).map((namespace) => reads(alice, namespace)));
  return { name, alice, namespaces };
}

const good = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

function pod(securityContext: object, spec: object = {}, container: object = {}): Body {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'shop' },
    spec: {
      ...spec,
      containers: [{ name: 'shop', image: 'example.com/shop:1', securityContext, ...container }],
    },
  };
}

interface Attempt {
  /** What Pod Security says of it. */
  readonly says: string;
  /** The level that refuses it, and every stricter one. */
  readonly from: Level;
  readonly pod: Body;
}

const attempts: Readonly<Record<string, Attempt>> = {
  'MTB-PL1-BC-CPI-3: no added capabilities, of the dangerous ones': {
    says: 'capabilities (container',
    from: 'baseline',
    pod: pod({ ...good, capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } }),
  },
  'MTB-PL1-BC-CPI-3: no added capabilities at all': {
    says: 'unrestricted capabilities (container',
    from: 'restricted',
    pod: pod({ ...good, capabilities: { drop: ['ALL'], add: ['CHOWN'] } }),
  },
  'MTB-PL1-BC-CPI-4: no user root': {
    says: 'runAsNonRoot != true',
    from: 'restricted',
    pod: pod({ ...good, runAsNonRoot: false }),
  },
  'MTB-PL1-BC-CPI-5: no privileged container': {
    says: 'privileged',
    from: 'baseline',
    pod: pod({ privileged: true }),
  },
  'MTB-PL1-BC-CPI-6: no privilege escalation': {
    says: 'allowPrivilegeEscalation != false',
    from: 'restricted',
    pod: pod({ ...good, allowPrivilegeEscalation: true }),
  },
  'MTB-PL1-BC-HI-1: no path of the host': {
    says: 'hostPath',
    from: 'baseline',
    pod: pod(good, { volumes: [{ name: 'etc', hostPath: { path: '/etc' } }] }),
  },
  'MTB-PL1-BC-HI-3: no network of the host': {
    says: 'host namespaces (hostNetwork=true)',
    from: 'baseline',
    pod: pod(good, { hostNetwork: true }),
  },
  'MTB-PL1-BC-HI-3: no ports of the host': {
    says: 'hostPort',
    from: 'baseline',
    pod: pod(good, {}, { ports: [{ containerPort: 80, hostPort: 80 }] }),
  },
  'MTB-PL1-BC-HI-4: no processes of the host': {
    says: 'host namespaces (hostPID=true)',
    from: 'baseline',
    pod: pod(good, { hostPID: true }),
  },
  'MTB-PL1-BC-HI-5: no shared memory of the host': {
    says: 'host namespaces (hostIPC=true)',
    from: 'baseline',
    pod: pod(good, { hostIPC: true }),
  },
};

for (const [what, attempt] of Object.entries(attempts)) {
  test(`${what} (${attempt.from})`, async () => {
    const { alice, namespaces } = await world();
    for (const level of levels) {
      const metadata = { name: 'shop', namespace: namespaces[level] };
      const reply = await alice.create({ ...attempt.pod, metadata });
      if (level === 'baseline' && attempt.from === 'restricted') {
        expect(reply).toMatchObject({ status: 201 });
        const shop = { apiVersion: 'v1', kind: 'Pod', ...metadata };
        await alice.delete(shop, { gracePeriodSeconds: 0 });
        continue;
      }
      expect(reply).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
      expect(reply.body.message).toContain(`violates PodSecurity "${level}:latest"`);
      expect(reply.body.message).toContain(attempt.says);
    }
  });
}

test('a pod that asks for nothing special is let in at both levels', async () => {
  const { alice, namespaces } = await world();
  for (const level of levels) {
    const metadata = { name: 'modest', namespace: namespaces[level] };
    expect(await alice.create({ ...pod(good), metadata })).toMatchObject({ status: 201 });
  }
});

test('the level of a namespace is not lowered, by its administrator or by whom RBAC lets', async () => {
  const { alice, name, namespaces } = await world();
  const mallory = await powerful(given.cluster, person('mallory'));
  const namespace = { apiVersion: 'v1', kind: 'Namespace', name: namespaces.restricted };
  const labels = { 'pod-security.kubernetes.io/enforce': 'privileged' };
  expect((await alice.patch(namespace, { metadata: { labels } })).status).toBe(403);
  expect(await mallory.patch(namespace, { metadata: { labels } })).toMatchObject(refusalOf(name));
});
