import {
  allow,
  ApiError,
  controller,
  core,
  done,
  ifExists,
  ifGone,
  kindOf,
  predicates,
  setCondition,
  type ConditionInput,
} from '@tenantry/runtime';
import { namespacePlus } from './definition.ts';

export const NamespacePlus = kindOf(namespacePlus, 'v1');

/** A quota that lets no pod run. */
const hard = { cpu: '0', memory: '0Gi', pods: '0' };

export const namespacePlusController = controller({
  name: 'namespaceplus',
  for: NamespacePlus,
  predicate: predicates.generationChanged,
  owns: [core.Namespace, core.ResourceQuota],
  access: [
    allow(core.Namespace, 'create'),
    allow(core.ResourceQuota, 'create'),
    allow(NamespacePlus, 'patch').subresource('status'),
  ],
  async reconcile({ object, client, cache, owned, clock }) {
    const { name, resourceVersion, generation: observedGeneration = 0 } = object.metadata;
    const quota = { name: 'default-quota', namespace: name };
    const say = async (condition: ConditionInput): Promise<void> => {
      const now = { ...condition, observedGeneration };
      const conditions = setCondition(object.status?.conditions, now, clock.date());
      if (conditions === object.status?.conditions) return;
      // With the resource version, a patch that arrives late is refused.
      const patch = { metadata: { resourceVersion }, status: { conditions } };
      await client.patch(NamespacePlus, { name }, patch, { subresource: 'status' }).catch(ifGone);
    };
    try {
      if (!cache.get(core.Namespace, { name })) {
        await client.create(core.Namespace, owned({ metadata: { name } })).catch(ifExists);
      }
      if (!cache.get(core.ResourceQuota, quota)) {
        const written = owned({ metadata: quota, spec: { hard } });
        await client.create(core.ResourceQuota, written).catch(ifExists);
      }
    } catch (error) {
      await say(notReady(error));
      throw error;
    }
    await say({ type: 'Ready', status: 'True', reason: 'Made', message: '' });
    return done;
  },
});

function notReady(error: unknown): ConditionInput {
  const reason = error instanceof ApiError ? error.reason : 'Failed';
  const message = error instanceof Error ? error.message : String(error);
  return { type: 'Ready', status: 'False', reason, message };
}
