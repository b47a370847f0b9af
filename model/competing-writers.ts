import { isMapping } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';

/** A field that both Git and a controller write: each reverts what the other has written. */
interface CompetingWriter {
  /** The declared object with the field. */
  readonly object: KubeObject;
  readonly path: Path;
  /** A message about the other writer, and what to do. */
  readonly message: string;
}

/** Kinds that change `replicas` of another object, and their field with the reference. */
const scalers: Readonly<Record<string, string>> = {
  'autoscaling/HorizontalPodAutoscaler': 'scaleTargetRef',
  'keda.sh/ScaledObject': 'scaleTargetRef',
  'flagger.app/Canary': 'targetRef',
  'argoproj.io/Rollout': 'workloadRef',
};

/** Keys by which a program changes the image of a workload, and the program. */
const imageKeys: Readonly<Record<string, string>> = {
  'keel.sh/policy': 'Keel',
  'image.openshift.io/triggers': 'OpenShift',
};

/** Keys of an Ingress by which cert-manager creates a Certificate for each of its TLS Secrets. */
const ISSUER = /^cert-manager[.]io[/](cluster-)?issuer$/;

const formatKind = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): string =>
  `${groupOf(apiVersion)}/${kind}`;
const formatObject = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name}`;
const readSpec = (object: KubeObject): Readonly<Record<string, unknown>> =>
  isMapping(object['spec']) ? object['spec'] : {};

/**
 * Finds the declared objects of one namespace whose `replicas` another declared object changes, with that object.
 * KEDA's default is a Deployment.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/best_practices/#leaving-room-for-imperativeness
 */
export function findScaledObjects(
  objects: readonly KubeObject[],
): ReadonlyMap<KubeObject, KubeObject> {
  const scaled = new Map<KubeObject, KubeObject>();
  for (const scaler of objects) {
    const reference = readSpec(scaler)[scalers[formatKind(scaler)] ?? ''];
    if (!isMapping(reference)) continue;
    const { apiVersion = 'apps/v1', kind = 'Deployment', name } = reference;
    const target = objects.find(
      (one) =>
        one.kind === kind &&
        one.metadata.name === name &&
        groupOf(one.apiVersion) === groupOf(String(apiVersion)),
    );
    if (target) scaled.set(target, scaler);
  }
  return scaled;
}

/** Returns the object without the `replicas` that an autoscaler changes: Argo CD ignores fields that are not in Git. */
export function withoutReplicas(object: KubeObject): KubeObject {
  const { replicas: _, ...spec } = readSpec(object);
  return { ...object, spec };
}

/**
 * Finds fields of the objects of one namespace that something else writes, too.
 * @param objects all declared objects in it besides those with fields of their own
 */
export function findCompetingWriters(objects: readonly KubeObject[]): readonly CompetingWriter[] {
  return [
    ...findReplicaWriters(objects),
    ...objects.flatMap(findImageWriters),
    ...findSecretWriters(objects),
  ];
}

function findReplicaWriters(objects: readonly KubeObject[]): CompetingWriter[] {
  return [...findScaledObjects(objects)].flatMap(([object, scaler]) => {
    if (!('replicas' in readSpec(object))) return [];
    const message = `should be left out, as ${formatObject(scaler)} changes it: it is not rendered`;
    return [{ object, path: ['spec', 'replicas'], message }];
  });
}

function findImageWriters(object: KubeObject): CompetingWriter[] {
  return (['labels', 'annotations'] as const).flatMap((part) =>
    Object.keys(object.metadata[part] ?? {}).flatMap((key) => {
      const program = imageKeys[key];
      if (program === undefined) return [];
      const message = `should be left out: ${program} changes the image of a container, and Argo CD changes it back to what Git declares`;
      return [{ object, path: ['metadata', part, key], message }];
    }),
  );
}

/** Reports all but the first of several objects that write one Secret. */
function findSecretWriters(objects: readonly KubeObject[]): CompetingWriter[] {
  const firstOf = new Map<string, KubeObject>();
  return objects.flatMap((object) =>
    listWrittenSecrets(object).flatMap(({ name, path }) => {
      const first = firstOf.get(name);
      if (!first) firstOf.set(name, object);
      // Another rule reports the second of two objects with one name.
      if (
        !first ||
        (formatKind(first) === formatKind(object) && first.metadata.name === object.metadata.name)
      )
        return [];
      const message = `should name a Secret that nothing else writes, got ${name}, which ${formatObject(first)} writes`;
      return [{ object, path, message }];
    }),
  );
}

function listWrittenSecrets(object: KubeObject): { readonly name: string; readonly path: Path }[] {
  const spec = readSpec(object);
  const own = [{ name: object.metadata.name, path: ['metadata', 'name'] }];
  const at = (name: unknown, path: Path) => (typeof name === 'string' ? [{ name, path }] : []);
  switch (formatKind(object)) {
    case '/Secret':
    case 'bitnami.com/SealedSecret':
      return own;
    case 'cert-manager.io/Certificate':
      return at(spec['secretName'], ['spec', 'secretName']);
    case 'external-secrets.io/ExternalSecret': {
      const { name } = isMapping(spec['target']) ? spec['target'] : {};
      return name === undefined ? own : at(name, ['spec', 'target', 'name']);
    }
    case 'networking.k8s.io/Ingress': {
      const isIssued = Object.keys(object.metadata.annotations ?? {}).some((key) =>
        ISSUER.test(key),
      );
      const tls = isIssued && Array.isArray(spec['tls']) ? spec['tls'] : [];
      return tls.flatMap((entry: unknown, i) =>
        isMapping(entry) ? at(entry['secretName'], ['spec', 'tls', i, 'secretName']) : [],
      );
    }
    default:
      return [];
  }
}
