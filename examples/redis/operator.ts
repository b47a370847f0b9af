import type { OperatorSpec } from '@tenantry/operator-kit';
import { redisController } from './controller.ts';
import { redis } from './definition.ts';
import { NAME } from './pods.ts';

export const VERSION = '0.1.0';

/**
 * The operator and its rights, which follow from the access rules of its controller. The manifests and
 * the bundle are built from it.
 */
export const redisOperator: OperatorSpec = {
  name: NAME,
  version: VERSION,
  image: `registry.example.com/${NAME}:${VERSION}`,
  args: ['in-cluster'],
  // The installation of a bundle chooses the namespace.
  environment: { OPERATOR_NAMESPACE: { field: 'metadata.namespace' } },
  owned: [redis],
  access: redisController.access,
};
