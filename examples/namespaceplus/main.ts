import { Manager } from '@tenantry/runtime';
import { namespacePlusController } from './controller.ts';

/** Runs in a pod, or with the kubeconfig of your machine, until SIGTERM or Ctrl-C. */
await new Manager({ controllers: [namespacePlusController] }).run();
