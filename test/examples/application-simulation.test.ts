import { test } from '@jest/globals';
import { Application, applicationController } from '../../examples/application/controller.ts';
import { application } from '../../examples/application/definition.ts';
import { isConditionTrue } from '@tenantry/runtime/conditions/conditions';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { scaleOf } from '@tenantry/runtime/kinds/kind';
import { simulate } from '@tenantry/testing/simulation/simulate';
import type { SimulateProps } from '@tenantry/testing/simulation/simulate-props';
import { someSchedules } from './schedules.ts';

const web = { name: 'web', namespace: 'default' };
const images = ['web:1', 'web:2', 'web:3'];

const deployment = (image: string, replicas: number | undefined) => ({
  ...(replicas !== undefined && { replicas }),
  selector: { matchLabels: { app: 'web' } },
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image }] },
  },
});

const given = {
  controllers: () => [applicationController],
  definitions: [application],
  actions: {
    'it is made': ({ api, pick, whole }) => {
      const spec = { deployment: deployment(pick(images), whole(0, 3)) };
      api.create(Application, { metadata: web, spec });
    },
    'its template changes': ({ api, pick, whole, happens }) => {
      const { resourceVersion } = api.get(Application, web).metadata;
      const replicas = happens(0.3) ? undefined : whole(0, 3);
      const spec = { deployment: deployment(pick(images), replicas) };
      api.update(Application, { metadata: { ...web, resourceVersion }, spec });
    },
    'it is deleted': ({ api }) => void api.delete(Application, web),
    'somebody changes the image': ({ api }) => {
      const { spec } = api.get(Deployment, web);
      const template = deployment('other', 0).template;
      api.patch(Deployment, web, { spec: { ...spec, template } });
    },
    'somebody scales the Deployment': ({ api, whole }) => {
      api.patch(scaleOf(Deployment), web, { spec: { replicas: whole(0, 5) } });
    },
    'somebody deletes the Deployment': ({ api }) => void api.delete(Deployment, web),
    'somebody makes a Deployment of the name': ({ api }) => {
      api.create(Deployment, { metadata: web, spec: deployment('foreign', 1) });
    },
  },
  always: {
    'a foreign Deployment is left alone': (_, { who, of }) => {
      const before = of(Deployment)?.before;
      return (
        !who.startsWith('operator') || !before || before.metadata.ownerReferences !== undefined
      );
    },
    'a Deployment has one controller': ({ list }) =>
      list(Deployment).every(({ metadata }) => (metadata.ownerReferences ?? []).length <= 1),
  },
  eventually: {
    'the Deployment follows the template, and the status has its count': ({ get }) => {
      const object = get(Application, web);
      const found = get(Deployment, web);
      if (!object) return found?.metadata.ownerReferences === undefined;
      if (!found) return false;
      const { status, spec } = object;
      if (!found.metadata.ownerReferences) return !isConditionTrue(status?.conditions, 'Applied');
      const wanted = spec.deployment;
      return (
        found.spec?.template.spec?.containers[0]?.image ===
          wanted.template.spec?.containers[0]?.image &&
        (wanted.replicas === undefined || found.spec?.replicas === wanted.replicas) &&
        status?.count === (found.status?.readyReplicas ?? 0) &&
        isConditionTrue(status?.conditions, 'Applied')
      );
    },
  },
} satisfies SimulateProps;

test('in the end the Deployment follows the template, and foreign objects are untouched', async () => {
  await simulate({ ...given, ...someSchedules(40) });
}, 1_800_000);

test('the same holds with two replicas', async () => {
  await simulate({ ...given, replicas: 2, ...someSchedules(8) });
}, 1_800_000);
