import { isMapping } from '../../../kube/mapping.ts';
import type { Fields } from './stored.ts';

/** Fills in defaults for absent fields. */
export const withDefaults = (object: unknown, defaults: Fields): Fields => ({
  ...defaults,
  ...(isMapping(object) ? object : {}),
});

const mapItems = (list: unknown, change: (item: Fields) => Fields): unknown =>
  Array.isArray(list) ? list.map((item: unknown) => (isMapping(item) ? change(item) : item)) : list;

/** Changes the fields that are present. */
function mapPresentFields(
  object: Fields,
  changes: Record<string, (value: unknown) => unknown>,
): Fields {
  const changed = Object.entries(changes).flatMap(([name, change]) =>
    name in object ? [[name, change(object[name])]] : [],
  );
  return { ...object, ...Object.fromEntries(changed) };
}

/** Fills in the defaults of the spec of a pod or of a pod template (pkg/apis/core/v1/defaults.go). */
export function podSpecDefaults(spec: unknown): Fields {
  return mapPresentFields(
    withDefaults(spec, {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
    }),
    {
      containers: (list) => mapItems(list, containerDefaults),
      initContainers: (list) => mapItems(list, containerDefaults),
      volumes: (list) => mapItems(list, volumeDefaults),
    },
  );
}

function containerDefaults(container: Fields): Fields {
  const image = typeof container['image'] === 'string' ? container['image'] : '';
  const tag = /:([^:/]*)$/.exec(image.replace(/@.*$/, ''))?.[1];
  const isLatest = !image.includes('@') && (tag === undefined || tag === 'latest');
  const all = withDefaults(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isLatest ? 'Always' : 'IfNotPresent',
    resources: {},
  });
  return mapPresentFields(all, {
    ports: (list) => mapItems(list, (port) => withDefaults(port, { protocol: 'TCP' })),
    livenessProbe: probeDefaults,
    readinessProbe: probeDefaults,
    startupProbe: probeDefaults,
    resources: resourceDefaults,
    env: (list) => mapItems(list, environmentDefaults),
  });
}

/** Copies limits to requests that are absent. */
function resourceDefaults(resources: unknown): unknown {
  if (!isMapping(resources) || !isMapping(resources['limits'])) return resources;
  const requests = withDefaults(resources['requests'], resources['limits']);
  return { ...resources, requests };
}

function environmentDefaults(variable: Fields): Fields {
  return mapPresentFields(variable, {
    valueFrom: (from) =>
      isMapping(from)
        ? mapPresentFields(from, { fieldRef: (field) => withDefaults(field, { apiVersion: 'v1' }) })
        : from,
  });
}

function probeDefaults(probe: unknown): Fields {
  const all = withDefaults(probe, {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  return mapPresentFields(all, {
    httpGet: (get) => withDefaults(get, { path: '/', scheme: 'HTTP' }),
  });
}

function volumeDefaults(volume: Fields): Fields {
  const mode = (source: unknown): Fields => withDefaults(source, { defaultMode: 420 });
  return mapPresentFields(volume, {
    configMap: mode,
    secret: mode,
    downwardAPI: mode,
    projected: mode,
  });
}
