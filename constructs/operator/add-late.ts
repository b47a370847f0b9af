import { ApiObject, Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubeObject } from '../../kube/object.ts';

/** The objects that depend on classes, which may be declared until the app is rendered. */
const lazyObjects = new Set(['cluster-role', 'write-policy']);

/** Makes a child of each object. The objects that depend on classes are computed when they are rendered. */
export function addLazyObjects(
  scope: Construct,
  objects: () => Readonly<Record<string, KubeObject>>,
): void {
  for (const [id, object] of Object.entries(objects())) {
    const { apiVersion, kind, metadata, ...fields } = object;
    const lazily = Object.keys(fields).map((field) => [
      field,
      Lazy.any({ produce: () => objects()[id]![field] }) as unknown,
    ]);
    const isLate = lazyObjects.has(id);
    const content = isLate ? (Object.fromEntries(lazily) as object) : fields;
    new ApiObject(scope, id, { apiVersion, kind, metadata, ...content });
  }
}
