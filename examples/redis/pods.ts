import { kindOf, type core, type Live, type ObjectName, type Written } from '../../runtime.ts';
import { redis } from './definition.ts';

export const Redis = kindOf(redis, 'v1');

const image = 'redis:5-alpine';

/** On a pod: what it was made to run. Others may change the pod itself: a webhook, say, its image. */
const RUNS = 'myapp.demo.kubebuilder.io/runs';

const runsOf = ({ spec: { port } }: Live<typeof Redis>): string => `${image} --port ${port}`;

/** Of the operator, its namespace and its Lease. */
export const NAME = 'redis-operator';

const manager = { 'app.kubernetes.io/managed-by': NAME };

/** Selects the pods of all Redis: the operator reads no others. */
export const PODS = selectorText(manager);

/** The labels of all pods of a Redis, as a selector. */
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

/** The Redis that the labels of a pod name, whoever its owner is. */
export function redisNamedBy({ metadata }: Live<typeof core.Pod>): ObjectName[] {
  const name = metadata.labels?.['app.kubernetes.io/instance'];
  return name === undefined ? [] : [{ namespace: metadata.namespace, name }];
}

/** The pod of this index, as it should be. */
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
      // The user that the image has for it; with the rest, the Pod Security Standard "restricted".
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

/** The index in the name of a pod; undefined where it is no name of ours. */
export function indexOf(redis: Live<typeof Redis>, pod: Live<typeof core.Pod>): number | undefined {
  const begin = `${redis.metadata.name}-`;
  if (!pod.metadata.name.startsWith(begin)) return undefined;
  const end = pod.metadata.name.slice(begin.length);
  return /^(0|[1-9][0-9]?)$/.test(end) ? Number(end) : undefined;
}

/** Whether it runs something else than it should now. */
export function isOutdated(
  redis: Live<typeof Redis>,
  { metadata }: Live<typeof core.Pod>,
): boolean {
  return metadata.annotations?.[RUNS] !== runsOf(redis);
}
