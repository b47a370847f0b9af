import { leaseElection, Manager, type ManagerProps } from '@tenantry/runtime';
import { redisController } from './controller.ts';
import { NAME } from './pods.ts';

/** In a pod, the Lease is in the namespace of the pod. */
const lease = { name: NAME, namespace: process.env['OPERATOR_NAMESPACE'] ?? NAME };

/** In pods, the operator serves probes and elects a leader. */
const inCluster = {
  leaderElection: (deps) => leaseElection({ ...deps, lease }),
  health: {},
  metrics: {},
} satisfies ManagerProps;

/** Runs in a pod, or with the kubeconfig of your machine, until SIGTERM or Ctrl-C. */
await new Manager({
  controllers: [redisController],
  ...(process.argv[2] === 'in-cluster' && inCluster),
}).run();
