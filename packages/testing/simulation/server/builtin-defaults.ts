import { isMapping, valueAt } from '@tenantry/kube/mapping';
import type { Fields } from './object-store.ts';

/**
 * Merges defaults into the spec of an object of a built-in kind: those of defaulting, and of admission
 * plugins.
 */
const defaultSpec = (object: Fields, defaults: Fields): Fields =>
  withDefaults(object['spec'], defaults);

/**
 * Tolerations that let a pod stay on a tainted node for five minutes (the admission plugin
 * DefaultTolerationSeconds).
 */
const tolerations = ['not-ready', 'unreachable'].map((state) => ({
  key: `node.kubernetes.io/${state}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}));

export function podDefaults(object: Fields): Fields {
  const spec = podSpecDefaults(object['spec']);
  const given: unknown = spec['tolerations'];
  const account = spec['serviceAccountName'] ?? 'default';
  const admitted = {
    serviceAccountName: account,
    serviceAccount: account,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
    ...spec,
    tolerations: [...(Array.isArray(given) ? given : []), ...tolerations],
  };
  return { ...object, spec: admitted };
}

const withTemplate = (spec: Fields): Fields => {
  const template = isMapping(spec['template']) ? spec['template'] : {};
  const metadata = withDefaults(template['metadata'], {});
  return { ...spec, template: { ...template, metadata, spec: podSpecDefaults(template['spec']) } };
};

export function deploymentDefaults(object: Fields): Fields {
  const spec = defaultSpec(object, {
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  });
  const strategy = withDefaults(spec['strategy'], { type: 'RollingUpdate' });
  const steps = withDefaults(strategy['rollingUpdate'], { maxUnavailable: '25%', maxSurge: '25%' });
  const whole =
    strategy['type'] === 'RollingUpdate' ? { ...strategy, rollingUpdate: steps } : strategy;
  return { ...object, spec: withTemplate({ ...spec, strategy: whole }) };
}

export function statefulSetDefaults(object: Fields): Fields {
  const spec = defaultSpec(object, {
    replicas: 1,
    serviceName: '',
    podManagementPolicy: 'OrderedReady',
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  });
  const strategy = withDefaults(spec['updateStrategy'], { type: 'RollingUpdate' });
  const steps = withDefaults(strategy['rollingUpdate'], { partition: 0 });
  const updateStrategy =
    strategy['type'] === 'RollingUpdate' ? { ...strategy, rollingUpdate: steps } : strategy;
  return { ...object, spec: withTemplate({ ...spec, updateStrategy }) };
}

export function replicaSetDefaults(object: Fields): Fields {
  return { ...object, spec: withTemplate(defaultSpec(object, { replicas: 1 })) };
}

/** Stores `stringData` as bytes in `data`. */
export function secretDefaults({ stringData, ...object }: Fields): Fields {
  const bytes = (text: unknown): string => Buffer.from(String(text)).toString('base64');
  const texts = isMapping(stringData) ? Object.entries(stringData) : [];
  const encoded = Object.fromEntries(texts.map(([name, text]) => [name, bytes(text)]));
  const data =
    texts.length > 0 ? { data: withDefaults(encoded, withDefaults(object['data'], {})) } : {};
  return { type: 'Opaque', ...object, ...data };
}

/** Adds the immutable label with the name of a namespace, and the finalizer that empties the namespace. */
export function namespaceDefaults(object: Fields): Fields {
  const metadata = withDefaults(object['metadata'], {});
  const name = String(metadata['name']);
  const labels = { ...withDefaults(metadata['labels'], {}), 'kubernetes.io/metadata.name': name };
  const finalizers = valueAt(object, ['spec', 'finalizers']) ?? ['kubernetes'];
  return { ...object, metadata: { ...metadata, labels }, spec: { finalizers } };
}

export function roleBindingDefaults(object: Fields): Fields {
  const group = 'rbac.authorization.k8s.io';
  const subjects: unknown = object['subjects'];
  const named = (subject: unknown): unknown => {
    if (!isMapping(subject) || subject['kind'] === 'ServiceAccount') return subject;
    return { apiGroup: group, ...subject };
  };
  return {
    ...object,
    roleRef: { apiGroup: group, ...withDefaults(object['roleRef'], {}) },
    ...(Array.isArray(subjects) && { subjects: subjects.map(named) }),
  };
}

/**
 * Fills in TCP for ports, and adds Egress to the policy types where a rule has egress
 * (pkg/apis/networking/v1/defaults.go).
 */
export function networkPolicyDefaults(object: Fields): Fields {
  const spec = defaultSpec(object, { podSelector: {} });
  const egress: unknown = spec['egress'];
  const hasEgress = Array.isArray(egress) && egress.length > 0;
  const policyTypes = hasEgress ? ['Ingress', 'Egress'] : ['Ingress'];
  const withPorts = ['ingress', 'egress'].flatMap((direction) => {
    const rules: unknown = spec[direction];
    return Array.isArray(rules) ? [[direction, rules.map(withProtocols)] as const] : [];
  });
  return { ...object, spec: { policyTypes, ...spec, ...Object.fromEntries(withPorts) } };
}

function withProtocols(rule: unknown): unknown {
  const ports: unknown = isMapping(rule) ? rule['ports'] : undefined;
  if (!isMapping(rule) || !Array.isArray(ports)) return rule;
  return { ...rule, ports: ports.map((port: unknown) => withDefaults(port, { protocol: 'TCP' })) };
}

/** Fills in the fields of the older events API that the newer one does not have. */
export function eventDefaults(object: Fields): Fields {
  const deprecatedFirstTimestamp = null;
  const deprecatedLastTimestamp = null;
  return { deprecatedSource: {}, deprecatedFirstTimestamp, deprecatedLastTimestamp, ...object };
}

/** Fills in defaults for absent fields. */
const withDefaults = (object: unknown, defaults: Fields): Fields => ({
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
function podSpecDefaults(spec: unknown): Fields {
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
