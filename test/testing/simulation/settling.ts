import { ApiError } from '../../../runtime/errors/api-error.ts';
import type { DeleteOptions } from '../../../runtime/client/client.ts';
import { ifGone } from '../../../runtime/errors/expected.ts';
import { ConfigMap, Namespace, Pod } from '../../../runtime/kinds/core.ts';
import { kindOf } from '../../../runtime/kinds/kind-of.ts';
import { isConditionTrue } from '../../../runtime/conditions/conditions.ts';
import { stall, type Ground } from './conformance.ts';

/** What Kubernetes' controllers make of something, in the end: what is done, and what is then seen. */
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

/** A stall of that name, and what it is owned by. */
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

/** What there is of a stall and of what it owns: finalizers, owners, and whether it is on its way out. */
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
  { sentence: 'what is owned goes after its owner', act: deleted('Background'), see: seen },
  {
    sentence: 'what is owned goes before its owner, where that is asked for',
    act: deleted('Foreground'),
    see: seen,
  },
  {
    sentence: 'an owner waits for what it owns, and that for its finalizers',
    act: deleted('Foreground', held),
    see: seen,
  },
  {
    sentence: 'what is owned goes on its way, though its owner is gone already',
    act: deleted('Background', held),
    see: seen,
  },
  {
    sentence: 'what is owned stays, and is of nobody, where that is asked for',
    act: deleted('Orphan'),
    see: seen,
  },
  {
    sentence: 'what has two owners stays with the other one',
    act: async (ground) => {
      await owned(ground, [await owner(ground, 'one'), await owner(ground, 'two')]);
      await ground.client.delete(Stall, { name: 'one', namespace: ground.namespace });
    },
    see: seen,
  },
  {
    sentence: 'what is owned by what never was goes, and what is owned by another one of that name',
    act: async (ground) => {
      const { uid } = await owner(ground, 'two');
      await owned(ground, [referenceTo('one', `${uid.slice(0, -1)}0`)]);
    },
    see: seen,
  },
  {
    sentence: 'a namespace takes along what is in it',
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
    sentence: 'a namespace waits for the finalizers of what is in it',
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
    sentence: 'a pod that is deleted goes',
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
