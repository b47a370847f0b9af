import type { KubeObject } from '../object.ts';
import { builtinPolicy } from './builtin-policy.ts';

/**
 * The roles and bindings that the API server creates itself, of Kubernetes' current minor version. The roles `admin`,
 * `edit` and `view` are aggregated from others of them.
 */
export const builtinObjects: readonly KubeObject[] = builtinPolicy
  .trim()
  .split('\n')
  .map((line) => {
    const object = JSON.parse(line) as Omit<KubeObject, 'apiVersion'>;
    return { apiVersion: 'rbac.authorization.k8s.io/v1', ...object } as KubeObject;
  });
