import { expect, test } from '@jest/globals';
import { nginxController } from '../../examples/nginx/controller.ts';
import { storedAsV1alpha2 } from '../../examples/nginx/definition.ts';
import { deploymentOf, FORCED, NAME } from '../../examples/nginx/deployment.ts';
import { NginxV1alpha2 as Nginx, wantedOf } from '../../examples/nginx/kinds.ts';
import { LISTEN_CONF, readOperand } from '../../examples/nginx/operand.ts';
import type { Definition } from '@tenantry/crd/definition';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { simulate } from '@tenantry/testing/simulation/simulate';
import type { SimulateProps } from '@tenantry/testing/simulation/simulate-props';
import { someSchedules } from './schedules.ts';

const sample = { name: 'sample', namespace: 'default' };
const operand = readOperand();

/**
 * The definition as it was before `ports` had bounds, so that objects exist which it no longer allows. It also lacks
 * the default, because objects are read like this while no webhook converts them.
 */
function withoutBounds(): Definition {
  const definition = structuredClone(storedAsV1alpha2) as unknown as Definition;
  const { schema } = definition.versions['v1alpha2']!;
  const spec = schema.properties!['spec']!;
  const ports = spec.properties!['ports'] as { minItems?: number; default?: unknown };
  delete ports.minItems;
  delete ports.default;
  delete (schema as { 'x-kubernetes-validations'?: unknown })['x-kubernetes-validations'];
  return definition;
}

/** The last value of the OLM condition Upgradeable. */
let upgradeable: string | undefined;

const port = (containerPort: number) => ({ containerPort, protocol: 'TCP' as const });

const foreign = {
  selector: { matchLabels: { app: 'other' } },
  template: {
    metadata: { labels: { app: 'other' } },
    spec: { containers: [{ name: 'other', image: 'other:1' }] },
  },
};

const given = {
  controllers: () => [
    nginxController({
      definition: storedAsV1alpha2,
      kind: Nginx,
      operand,
      report: ({ status }) => (upgradeable = status),
    }),
  ],
  definitions: [withoutBounds()],
  actions: {
    'it is made': ({ api, whole }) => {
      const ports = [port(8080)];
      api.create(Nginx, { metadata: sample, spec: { ports, replicas: whole(0, 3) } });
    },
    'its ports change': ({ api, whole }) => {
      const ports = [port(whole(8080, 8083)), port(9000)].slice(0, whole(0, 2));
      api.patch(Nginx, sample, { spec: { ports } });
    },
    'nothing converts it': ({ api }) => {
      api.patch(Nginx, sample, { spec: { ports: null } });
    },
    'it is scaled': ({ api, whole, happens }) => {
      api.patch(Nginx, sample, { spec: { replicas: happens(0.3) ? null : whole(0, 3) } });
    },
    'its pods are to be replaced': ({ api, pick }) => {
      api.patch(Nginx, sample, { spec: { forceRedploy: pick(['a', 'b']) } });
    },
    'it is deleted': ({ api }) => void api.delete(Nginx, sample),
    'somebody changes the Deployment': ({ api, whole }) => {
      api.patch(Deployment, sample, { spec: { replicas: whole(0, 5) } });
    },
    'somebody takes its label away': ({ api }) => {
      api.patch(Deployment, sample, { metadata: { labels: null } });
    },
    'somebody deletes the Deployment': ({ api }) => void api.delete(Deployment, sample),
    'somebody makes a Deployment of the name': ({ api }) => {
      api.create(Deployment, { metadata: sample, spec: foreign });
    },
  },
  always: {
    'a foreign Deployment is left alone': (_, { who, of }) => {
      const before = of(Deployment)?.before;
      return (
        !who.startsWith('operator') || !before || before.metadata.ownerReferences !== undefined
      );
    },
    'pods are replaced only when the object declares another template': ({ get }, { who, of }) => {
      const { before, after } = of(Deployment) ?? {};
      const object = get(Nginx, sample);
      if (!who.startsWith('operator') || !before || !after || !object) return;
      const [nginx] = after.spec?.template.spec?.containers ?? [];
      expect(nginx?.ports?.map(({ containerPort }) => typeof containerPort)).toContain('number');
      const files = (one: typeof after) => one.spec?.template.metadata?.annotations;
      const [old, now] = [files(before), files(after)];
      expect(now?.[LISTEN_CONF]).toBeDefined();
      const isSame = old?.[FORCED] === now?.[FORCED] && old?.[LISTEN_CONF] === now?.[LISTEN_CONF];
      if (isSame) expect(after.spec?.template).toEqual(before.spec?.template);
    },
  },
  eventually: {
    'the Deployment is as declared, or a condition reports why not': ({ get }) => {
      const object = get(Nginx, sample);
      const found = get(Deployment, sample);
      if (!object) return found?.metadata.ownerReferences === undefined;
      const degraded = findCondition(object.status?.conditions, 'OperatorDegraded');
      const wanted = wantedOf(object);
      if (!wanted) {
        // The next release may be the one that converts it.
        expect(upgradeable).toBe('True');
        return;
      }
      if (object.spec.ports.length === 0) {
        expect(degraded?.reason).toBe('OperatorResourceNotAvailable');
        return;
      }
      if (found && !found.metadata.ownerReferences) {
        expect(degraded?.reason).toBe('OperandDeploymentFailed');
        return;
      }
      const { spec } = deploymentOf(operand, 'sample', wanted);
      expect(found?.spec).toMatchObject(spec as object);
      expect(found?.metadata.labels?.['app.kubernetes.io/managed-by']).toBe(NAME);
      expect(degraded).toMatchObject({ status: 'False', reason: 'OperatorSucceeded' });
      expect(object.status?.replicas).toBe(spec?.replicas);
    },
  },
  // The operator retries every ten seconds while the name is taken.
  rests: false,
} satisfies SimulateProps;

test('in the end the Deployment is as declared, and foreign objects are untouched', async () => {
  const { writes } = await simulate({ ...given, ...someSchedules(40) });
  expect(writes).toBeGreaterThan(100);
}, 1_800_000);

test('the same holds with two replicas', async () => {
  await simulate({ ...given, replicas: 2, ...someSchedules(8) });
}, 1_800_000);

test('objects that no webhook converts do not block the next release, which may convert them', async () => {
  const { actions } = given;
  const few = {
    'it is made': actions['it is made'],
    'it is scaled': actions['it is scaled'],
    'nothing converts it': actions['nothing converts it'],
  };
  await simulate({ ...given, actions: few, ...someSchedules(40) });
}, 1_800_000);
