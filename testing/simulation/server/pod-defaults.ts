import { isMapping } from '../../../kube/mapping.ts';
import type { Fields } from './stored.ts';

/** Fields that are absent get these values. */
export const filled = (object: unknown, defaults: Fields): Fields => ({
  ...defaults,
  ...(isMapping(object) ? object : {}),
});

const each = (list: unknown, change: (item: Fields) => Fields): unknown =>
  Array.isArray(list) ? list.map((item: unknown) => (isMapping(item) ? change(item) : item)) : list;

/** With the changes where the field is there. */
function where(object: Fields, changes: Record<string, (value: unknown) => unknown>): Fields {
  const changed = Object.entries(changes).flatMap(([name, change]) =>
    name in object ? [[name, change(object[name])]] : [],
  );
  return { ...object, ...Object.fromEntries(changed) };
}

/** What Kubernetes fills into the spec of a pod, and of a template of pods (pkg/apis/core/v1/defaults.go). */
export function podSpecDefaults(spec: unknown): Fields {
  return where(
    filled(spec, {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
    }),
    {
      containers: (list) => each(list, containerDefaults),
      initContainers: (list) => each(list, containerDefaults),
      volumes: (list) => each(list, volumeDefaults),
    },
  );
}

function containerDefaults(container: Fields): Fields {
  const image = typeof container['image'] === 'string' ? container['image'] : '';
  const tag = /:([^:/]*)$/.exec(image.replace(/@.*$/, ''))?.[1];
  const isLatest = !image.includes('@') && (tag === undefined || tag === 'latest');
  const all = filled(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isLatest ? 'Always' : 'IfNotPresent',
    resources: {},
  });
  return where(all, {
    ports: (list) => each(list, (port) => filled(port, { protocol: 'TCP' })),
    livenessProbe: probeDefaults,
    readinessProbe: probeDefaults,
    startupProbe: probeDefaults,
    resources: resourceDefaults,
    env: (list) => each(list, environmentDefaults),
  });
}

/** What is limited and not asked for, is asked for as much. */
function resourceDefaults(resources: unknown): unknown {
  if (!isMapping(resources) || !isMapping(resources['limits'])) return resources;
  const requests = filled(resources['requests'], resources['limits']);
  return { ...resources, requests };
}

function environmentDefaults(variable: Fields): Fields {
  return where(variable, {
    valueFrom: (from) =>
      isMapping(from)
        ? where(from, { fieldRef: (field) => filled(field, { apiVersion: 'v1' }) })
        : from,
  });
}

function probeDefaults(probe: unknown): Fields {
  const all = filled(probe, {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  return where(all, { httpGet: (get) => filled(get, { path: '/', scheme: 'HTTP' }) });
}

function volumeDefaults(volume: Fields): Fields {
  const mode = (source: unknown): Fields => filled(source, { defaultMode: 420 });
  return where(volume, { configMap: mode, secret: mode, downwardAPI: mode, projected: mode });
}
