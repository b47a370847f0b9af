/**
 * `npm run cluster`: a whole control plane to try things out on, until Ctrl-C. Prints the path of an
 * administrator's kubeconfig, alone on stdout. `--bare` leaves out the controllers and ready pods.
 */
import { findBinaries } from './binaries.ts';
import { startCluster } from './cluster.ts';
import type { Binaries } from './programs.ts';

const { binaries, reason } = await findBinaries();
if (binaries) await run(binaries);
else {
  console.error(`tenantry: ${reason}`);
  process.exitCode = 1;
}

async function run(binaries: Binaries): Promise<void> {
  const whole = !process.argv.includes('--bare');
  const parts = { controllerManager: whole, scheduler: whole, readyPods: whole };
  const cluster = await startCluster({ binaries, ...parts });
  // The supervisor does not keep this process alive; a timer does.
  const alive = setInterval(() => {}, 2 ** 30);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      clearInterval(alive);
      await cluster.stop();
    });
  }
  const kubeconfig = cluster.kubeconfigFile('admin');
  console.error(`tenantry: a cluster at ${cluster.server}, until Ctrl-C`);
  console.error(`  export KUBECONFIG=${kubeconfig}`);
  console.log(kubeconfig);
}
