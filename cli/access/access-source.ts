import { Authorizer, isPolicyObject } from '@tenantry/kube/authorization';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';

/** A place in a file. */
export interface AccessPlace {
  /** As users see it: below the output folder, even if it was rendered to a temporary one. */
  readonly file: string;
  readonly line: number;
}

/** The roles and bindings of one cluster. */
export interface AccessSource {
  /** The name of the cluster in the rendered output, or the address of an API server; empty for a folder of manifests. */
  readonly cluster: string;
  /** Whether the objects come from an API server, so that no role is missing. */
  readonly isLive: boolean;
  readonly authorizer: Authorizer;
  /** The tenants of the namespaces, by their labels; empty for a namespace without one. */
  readonly tenants: ReadonlyMap<string, string>;
  /** Returns the place of a value of an object; undefined for an object that is in no file. */
  locate(object: KubeObject, path: Path): AccessPlace | undefined;
}

/** An object, and the function that finds its places. */
interface SourceObject {
  readonly object: KubeObject;
  locate?(path: Path): AccessPlace;
}

/** Builds the source of a cluster from its roles, bindings and Namespaces. */
export function buildSource(
  cluster: string,
  objects: readonly SourceObject[],
  isLive: boolean,
): AccessSource {
  const places = new Map(objects.map(({ object, locate }) => [object, locate]));
  const all = objects.map(({ object }) => object);
  const namespaces = all.filter(({ kind }) => kind === 'Namespace');
  return {
    cluster,
    isLive,
    authorizer: new Authorizer(all.filter(isPolicyObject), { isComplete: isLive }),
    tenants: new Map(
      namespaces.map(({ metadata }) => [metadata.name, metadata.labels?.[TENANT_LABEL] ?? '']),
    ),
    locate: (object, path) => places.get(object)?.(path),
  };
}
