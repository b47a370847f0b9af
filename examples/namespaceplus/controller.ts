import { allow } from '../../runtime/access/grant.ts';
import { setCondition, type SaidCondition } from '../../runtime/conditions/conditions.ts';
import { controller } from '../../runtime/controller/controller.ts';
import { generationChanged } from '../../runtime/controller/predicate.ts';
import { done } from '../../runtime/controller/result.ts';
import { ApiError } from '../../runtime/errors/apierror.ts';
import { ifExists, ifGone } from '../../runtime/errors/expected.ts';
import { Namespace, ResourceQuota } from '../../runtime/kinds/core.ts';
import { kindOf } from '../../runtime/kinds/kindof.ts';
import { namespacePlus } from './definition.ts';

export const NamespacePlus = kindOf(namespacePlus, 'v1');

/** Nothing can run. */
const hard = { cpu: '0', memory: '0Gi', pods: '0' };

export const namespacePlusController = controller({
  name: 'namespaceplus',
  for: NamespacePlus,
  predicate: generationChanged,
  owns: [Namespace, ResourceQuota],
  access: [
    allow(Namespace, 'create'),
    allow(ResourceQuota, 'create'),
    allow(NamespacePlus, 'patch').subresource('status'),
  ],
  async reconcile({ object, client, cache, owned, clock }) {
    const { name, generation: observedGeneration = 0 } = object.metadata;
    const quota = { name: 'default-quota', namespace: name };
    const say = async (said: SaidCondition): Promise<void> => {
      const now = { ...said, observedGeneration };
      const conditions = setCondition(object.status?.conditions, now, clock.date());
      if (conditions === object.status?.conditions) return;
      const patch = { status: { conditions } };
      await client.patch(NamespacePlus, { name }, patch, { subresource: 'status' }).catch(ifGone);
    };
    try {
      if (!cache.get(Namespace, { name })) {
        await client.create(Namespace, owned({ metadata: { name } })).catch(ifExists);
      }
      if (!cache.get(ResourceQuota, quota)) {
        const written = owned({ metadata: quota, spec: { hard } });
        await client.create(ResourceQuota, written).catch(ifExists);
      }
    } catch (error) {
      await say(notReady(error));
      throw error;
    }
    await say({ type: 'Ready', status: 'True', reason: 'Made', message: '' });
    return done;
  },
});

function notReady(error: unknown): SaidCondition {
  const reason = error instanceof ApiError ? error.reason : 'Failed';
  const message = error instanceof Error ? error.message : String(error);
  return { type: 'Ready', status: 'False', reason, message };
}
