import { kindOf, type core, type Live, type ObjectName, type Written } from '@tenantry/runtime';
import { redis } from './definition.ts';

export const Redis = kindOf(redis, 'v1');

const image = 'redis:5-alpine';

/**
 * The annotation of a pod with what it was created to run. The pod itself may differ: a webhook may
 * have changed its image, for example.
 */
const RUNS = 'myapp.demo.kubebuilder.io/runs';

const runsOf = ({ spec: { port } }: Live<typeof Redis>): string => `${image} --port ${port}`;

/** The name of the operator, its namespace and its Lease. */
export const NAME = 'redis-operator';

const manager = { 'app.kubernetes.io/managed-by': NAME };

/** Selects the pods of all Redis objects: the operator watches no others. */
export const PODS = selectorText(manager);

/** Returns the labels of all pods of a Redis, as a selector. */
export function selectorOf(name: string): string {
  return selectorText(labelsOf(name));
}

function selectorText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

const labelsOf = (name: string): Record<string, string> => ({
  'app.kubernetes.io/name': 'redis',
  'app.kubernetes.io/instance': name,
  ...manager,
});

/** Returns the Redis that the labels of a pod name, regardless of its owner. */
export function redisNamedBy({ metadata }: Live<typeof core.Pod>): ObjectName[] {
  const name = metadata.labels?.['app.kubernetes.io/instance'];
  return name === undefined ? [] : [{ namespace: metadata.namespace, name }];
}

/** Builds the declared pod of this index. */
export function podOf(redis: Live<typeof Redis>, index: number) {
  const { name } = redis.metadata;
  const { port } = redis.spec;
  return {
    metadata: {
      name: `${name}-${index}`,
      labels: labelsOf(name),
      annotations: { [RUNS]: runsOf(redis) },
    },
    spec: {
      automountServiceAccountToken: false,
      // The user of the image; the other fields satisfy the Pod Security Standard "restricted".
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 999,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'redis',
          image,
          imagePullPolicy: 'IfNotPresent',
          args: ['--port', String(port)],
          ports: [{ name: 'redis', containerPort: port }],
          readinessProbe: { tcpSocket: { port } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
      ],
    },
  } satisfies Written<typeof core.Pod>;
}

/** Returns the index in the name of a pod; undefined where the name has none. */
export function indexOf(redis: Live<typeof Redis>, pod: Live<typeof core.Pod>): number | undefined {
  const begin = `${redis.metadata.name}-`;
  if (!pod.metadata.name.startsWith(begin)) return undefined;
  const end = pod.metadata.name.slice(begin.length);
  return /^(0|[1-9][0-9]?)$/.test(end) ? Number(end) : undefined;
}

/** Whether the pod runs something other than the Redis declares now. */
export function isOutdated(
  redis: Live<typeof Redis>,
  { metadata }: Live<typeof core.Pod>,
): boolean {
  return metadata.annotations?.[RUNS] !== runsOf(redis);
}
