import type { ApiObject } from 'cdk8s';
import { isMapping } from '../../kube/mapping.ts';
import { errorAt, type Finding } from '../../kube/finding.ts';
import { show } from '../../kube/problem.ts';
import { operatorGroup } from '../../olm/api/operator-group.ts';
import { findSameClusterObjects } from '../same-cluster.ts';

/** An OperatorGroup of an app, as it is rendered. */
export interface AppOperatorGroup {
  readonly construct: ApiObject;
  readonly namespace: string;
  /** The namespaces that it names. */
  readonly targets: readonly string[];
  /** Whether it selects namespaces by labels, so that the namespaces are not known. */
  readonly selects: boolean;
}

/** Returns the namespace of an object in a namespaced kind; `default` if the object names none. */
export function namespaceOf(object: ApiObject): string {
  const { metadata } = object.toJson() as { readonly metadata?: { readonly namespace?: string } };
  return metadata?.namespace ?? 'default';
}

/** Finds the OperatorGroups in the cluster and the namespace of an object. */
export function findOperatorGroups(object: ApiObject): AppOperatorGroup[] {
  const namespace = namespaceOf(object);
  return findSameClusterObjects(object, operatorGroup)
    .filter((one) => namespaceOf(one) === namespace)
    .map((construct) => {
      const { spec } = construct.toJson() as { readonly spec?: unknown };
      const { targetNamespaces, selector } = isMapping(spec) ? spec : {};
      const targets = Array.isArray(targetNamespaces) ? targetNamespaces.map(String) : [];
      return {
        construct,
        namespace,
        targets,
        selects: isMapping(selector) && targets.length === 0,
      };
    });
}

/**
 * Refuses a second OperatorGroup in a namespace: OLM then installs nothing there. The first one is
 * not reported.
 */
export function validateOnlyGroup(group: ApiObject): Finding[] {
  const [first] = findOperatorGroups(group);
  if (!first || first.construct === group) return [];
  const message = `must be the only OperatorGroup of the namespace ${show(first.namespace)}, got one beside [${first.construct.node.path}]: OLM then installs nothing there`;
  return [errorAt(['metadata', 'namespace'], message, 'operator-group')];
}
