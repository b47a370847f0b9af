import { isDeepStrictEqual } from 'node:util';
import {
  allow,
  ApiError,
  apps,
  controller,
  done,
  ifGone,
  kindOf,
  requeueAfter,
  setCondition,
} from '@tenantry/runtime';
import { application } from './definition.ts';

export const Application = kindOf(application, 'v1');

export const applicationController = controller({
  name: 'application',
  for: Application,
  owns: [apps.Deployment],
  access: [
    allow(apps.Deployment, 'create', 'patch'),
    allow(Application, 'patch').subresource('status'),
  ],
  async reconcile({ object, client, cache, children, owned, clock }) {
    const { name, namespace, resourceVersion, generation } = object.metadata;
    const observedGeneration = generation ?? 0;
    const say = async (reason: string, message: string): Promise<void> => {
      const status = reason === 'Applied' ? 'True' : 'False';
      const applied = { type: 'Applied', status, observedGeneration, reason, message } as const;
      const [deployment] = children(apps.Deployment);
      const now = {
        count: deployment?.status?.readyReplicas ?? 0,
        conditions: setCondition(object.status?.conditions, applied, clock.date()),
      };
      if (isDeepStrictEqual(object.status, now)) return;
      // With the resource version, a patch that arrives late is refused.
      const patch = { metadata: { resourceVersion }, status: now };
      const part = { subresource: 'status' } as const;
      await client.patch(Application, { name, namespace }, patch, part).catch(ifGone);
    };
    const [known] = children(apps.Deployment);
    if (cache.get(apps.Deployment, { name, namespace }) && !known) {
      await say('NameTaken', 'a Deployment of this name is not of this Application');
      return requeueAfter(10_000);
    }
    try {
      // The known object may be outdated. One that another writer created meanwhile has another UID.
      // Where none is known, no field of others is taken by force.
      const metadata = { name, ...(known && { uid: known.metadata.uid }) };
      const deployment = owned({ metadata, spec: object.spec.deployment });
      await client.apply(apps.Deployment, deployment, { force: known !== undefined });
    } catch (error) {
      if (error instanceof ApiError) await say(error.reason, error.message);
      throw error;
    }
    await say('Applied', '');
    return done;
  },
});
