import { ApiError } from '@tenantry/runtime/errors/api-error';
import type { DeleteOptions } from '@tenantry/runtime/client/client';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { ConfigMap, Namespace, Pod } from '@tenantry/runtime/kinds/core';
import { kindOf } from '@tenantry/runtime/kinds/kind';
import { isConditionTrue } from '@tenantry/runtime/conditions/conditions';
import { stall, type Ground } from './conformance.ts';

/** A case for the controllers of Kubernetes: an action, and what is observed after they have settled. */
export interface SettlingCase {
  readonly sentence: string;
  readonly act: (ground: Ground) => Promise<unknown>;
  readonly see: (ground: Ground) => Promise<unknown>;
}

const Stall = kindOf(stall, 'v1');
const held = ['example.com/held'];

const referenceTo = (name: string, uid: string) => ({
  apiVersion: 'conformance.example.com/v1',
  kind: 'Stall',
  name,
  uid,
  blockOwnerDeletion: true,
});

/** Creates a stall with that name and returns an owner reference to it. */
async function owner({ client, namespace }: Ground, name: string) {
  const { metadata } = await client.create(Stall, { metadata: { name, namespace } });
  return referenceTo(name, metadata.uid);
}

async function owned(
  { client, namespace }: Ground,
  ownerReferences: readonly ReturnType<typeof referenceTo>[],
  finalizers: readonly string[] = [],
) {
  await client.create(ConfigMap, {
    metadata: { name: 'owned', namespace, ownerReferences, finalizers },
  });
}

/** Observes a stall and the object that it owns: finalizers, owners, and whether a deletion is in progress. */
async function seen({ client, namespace }: Ground, name = 'one'): Promise<unknown> {
  const stalled = await client.get(Stall, { name, namespace }).catch(ifGone);
  const own = await client.get(ConfigMap, { name: 'owned', namespace }).catch(ifGone);
  return [stalled, own].map(
    (object) =>
      object && {
        finalizers: object.metadata.finalizers ?? [],
        owners: object.metadata.ownerReferences?.map(({ name }) => name) ?? [],
        isGoing: object.metadata.deletionTimestamp !== undefined,
      },
  );
}

const deleted =
  (policy: DeleteOptions['propagationPolicy'], finalizers: readonly string[] = []) =>
  async (ground: Ground): Promise<void> => {
    await owned(ground, [await owner(ground, 'one')], finalizers);
    const { client, namespace } = ground;
    await client.delete(Stall, { name: 'one', namespace }, { propagationPolicy: policy });
  };

export const settlingCases: readonly SettlingCase[] = [
  {
    sentence: 'owned objects are deleted after their owner',
    act: deleted('Background'),
    see: seen,
  },
  {
    sentence: 'with foreground deletion, owned objects are deleted before their owner',
    act: deleted('Foreground'),
    see: seen,
  },
  {
    sentence: 'an owner waits for the objects that it owns, and they wait for their finalizers',
    act: deleted('Foreground', held),
    see: seen,
  },
  {
    sentence: 'the deletion of owned objects proceeds although their owner is gone already',
    act: deleted('Background', held),
    see: seen,
  },
  {
    sentence: 'with orphan deletion, owned objects stay without an owner',
    act: deleted('Orphan'),
    see: seen,
  },
  {
    sentence: 'an object with two owners stays when one of them is deleted',
    act: async (ground) => {
      await owned(ground, [await owner(ground, 'one'), await owner(ground, 'two')]);
      await ground.client.delete(Stall, { name: 'one', namespace: ground.namespace });
    },
    see: seen,
  },
  {
    sentence:
      'an object is deleted if its owner never existed, or if only the name of the owner matches',
    act: async (ground) => {
      const { uid } = await owner(ground, 'two');
      await owned(ground, [referenceTo('one', `${uid.slice(0, -1)}0`)]);
    },
    see: seen,
  },
  {
    sentence: 'a namespace is deleted with its objects',
    act: async ({ client, namespace }) => {
      const name = `${namespace}-goes`;
      await client.create(Namespace, { metadata: { name } });
      await client.create(Stall, { metadata: { name: 'one', namespace: name } });
      await client.delete(Namespace, { name });
    },
    see: async ({ client, namespace }) =>
      (await client.get(Namespace, { name: `${namespace}-goes` }).catch(ifGone)) === undefined,
  },
  {
    sentence: 'a namespace waits for the finalizers of its objects',
    act: async ({ client, namespace }) => {
      const name = `${namespace}-waits`;
      await client.create(Namespace, { metadata: { name } });
      await client.create(Stall, { metadata: { name: 'one', namespace: name, finalizers: held } });
      await client.delete(Namespace, { name });
    },
    see: async ({ client, namespace }) => {
      const name = `${namespace}-waits`;
      const found = await client.get(Stall, { name: 'one', namespace: name }).catch(ifGone);
      const { status } = await client.get(Namespace, { name });
      return [status?.phase, found?.metadata.deletionTimestamp !== undefined];
    },
  },
  {
    sentence: 'a pod becomes ready',
    act: ({ client, namespace }) => client.create(Pod, podIn(namespace)),
    see: async ({ client, namespace }) => {
      const { status } = await client.get(Pod, { name: 'one', namespace });
      return [status?.phase, isConditionTrue(status?.conditions, 'Ready')];
    },
  },
  {
    sentence: 'a deleted pod ends',
    act: async ({ client, namespace }) => {
      await client.create(Pod, podIn(namespace));
      await client.delete(Pod, { name: 'one', namespace });
    },
    see: ({ client, namespace }) =>
      client.get(Pod, { name: 'one', namespace }).then(
        () => 'there',
        (error: unknown) => error instanceof ApiError && error.status,
      ),
  },
];

const podIn = (namespace: string) => ({
  metadata: { name: 'one', namespace },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'one', image: 'one:1' }] },
});
