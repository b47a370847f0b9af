import type { OperatorSpec } from '../../index.ts';
import { redisController } from './controller.ts';
import { redis } from './definition.ts';
import { NAME } from './pods.ts';

export const VERSION = '0.1.0';

/**
 * What runs and what it may do, its rights by what its controller declares: of it are the manifests and the bundle
 * made.
 */
export const redisOperator: OperatorSpec = {
  name: NAME,
  version: VERSION,
  image: `registry.example.com/${NAME}:${VERSION}`,
  args: ['in-cluster'],
  // Whoever installs a bundle says where.
  environment: { OPERATOR_NAMESPACE: { field: 'metadata.namespace' } },
  owned: [redis],
  access: redisController.access,
};
