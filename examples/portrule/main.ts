import { Manager } from '@tenantry/runtime';
import { ruleSets, statuses } from './controllers.ts';

/** Runs in a pod, or with the kubeconfig of your machine, until SIGTERM or Ctrl-C. */
await new Manager({ controllers: [ruleSets, statuses] }).run();
