import { expect, test } from '@jest/globals';
import { buildOperatorInstallation } from '../../../model/operator/operator-objects.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import { diagnose } from '../../../operator/diagnosis/diagnose.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import type { Kind } from '@tenantry/runtime/kinds/kind';
import { liveTenant } from '../given.ts';

const image = `registry.example.com/t@sha256:${'0'.repeat(64)}`;
const platform = resolvePlatform({ operator: { image, driftPolicy: 'Heal' } });
const objects = Object.values(buildOperatorInstallation(platform, 'in-cluster', []));
const version = { name: 'v1alpha1', served: true, storage: true };
const secret = { name: 'TOKEN', value: 'hunter2' };
const pod = {
  kind: 'Pod',
  metadata: { name: 'tenantry-operator-1' },
  spec: { containers: [{ env: [secret] }] },
  status: {
    phase: 'Running',
    containerStatuses: [
      {
        image,
        restartCount: 3,
        lastState: { terminated: { exitCode: 1, message: 'error the lease was lost' } },
      },
    ],
  },
};
const ready = (reason: string) => [{ type: 'Ready', status: 'False', reason }];
const tenants = [
  liveTenant({}, { status: { observedGeneration: 1, conditions: ready('Drifted') } as never }),
  liveTenant({}, { generation: 2, status: { observedGeneration: 1 } as never }),
];

/** Returns a client for a cluster with the operator, in which some requests fail. */
function clusterThat({ lacks = '', refuses = '' } = {}): Client & { readonly asked: string[] } {
  const asked: string[] = [];
  const allow = ({ kind }: Kind): void => {
    asked.push(kind);
    if (kind === refuses) throw new ApiError({ code: 403, reason: 'Forbidden', message: 'no' });
  };
  const client = {
    asked,
    get: async (kind: Kind, { name }: { readonly name: string }) => {
      allow(kind);
      const found = objects.find((one) => one.kind === kind.kind && one.metadata.name === name);
      if (found) return found;
      if (kind.kind === 'CustomResourceDefinition') return { spec: { versions: [version] } };
      throw new ApiError({ code: 404, reason: 'NotFound', message: `${name} not found` });
    },
    list: async (kind: Kind) => {
      allow(kind);
      return { items: kind.kind === 'Pod' ? [pod] : tenants, resourceVersion: '1' };
    },
    create: async (kind: Kind, { spec }: { readonly spec: object }) => {
      allow(kind);
      const { resourceAttributes: at } = spec as {
        readonly resourceAttributes: { readonly verb: string; readonly resource: string };
      };
      return { status: { allowed: `${at.verb} ${at.resource}` !== lacks } };
    },
  };
  return client as unknown as Client & { readonly asked: string[] };
}

test('a diagnosis has the image, the pods, the Platform, the rights and the state of tenants', async () => {
  const found = await diagnose(clusterThat({ lacks: 'list networkpolicies' }), 'tenantry-system');
  const { digest } = found.platform as { readonly digest: string };
  expect(found.deployment).toMatchObject({
    images: [image],
    platformDigest: digest,
    readyReplicas: 0,
  });
  expect(found.pods).toMatchObject([
    { containers: [{ restarts: 3, lastExitCode: 1, lastMessage: 'error the lease was lost' }] },
  ]);
  expect(found.platform).toMatchObject({ driftPolicy: 'Heal', problems: 0 });
  expect(found.rights?.missing).toEqual(['list networkpolicies.networking.k8s.io']);
  expect(found.rights?.checked).toBeGreaterThan(40);
  expect(found.tenants).toEqual({
    all: 2,
    stale: 1,
    deleting: 0,
    failedHooks: 0,
    byReason: { Drifted: 1, NoStatus: 1 },
  });
  // Without a leader there is no Lease.
  expect(found.notRead).toEqual([{ part: 'lease', why: '404 tenantry-operator not found' }]);
});

test('a diagnosis contains no variable and no tenant name, and reads no Secret', async () => {
  const cluster = clusterThat();
  const text = JSON.stringify(await diagnose(cluster, 'tenantry-system'));
  expect(text).not.toContain('hunter2');
  expect(text).not.toContain('acme');
  expect(cluster.asked).not.toContain('Secret');
});

test.each(['Deployment', 'Pod', 'ConfigMap', 'SubjectAccessReview', 'Tenant'])(
  'unreadable parts are listed and do not prevent reading the others: %s',
  async (refuses) => {
    const found = await diagnose(clusterThat({ refuses }), 'tenantry-system');
    expect(found.notRead).toContainEqual(expect.objectContaining({ why: '403 no' }));
    expect(Object.keys(found).length).toBeGreaterThan(5);
  },
);
