/** `npm run cluster` runs a complete control plane for experiments, until Ctrl-C. */
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { omitUndefined } from '@tenantry/kube/mapping';
import { findBinaries } from './binaries.ts';
import { cacheRoot } from './cache.ts';
import { startCluster } from './cluster.ts';
import { resolveVersion, type Binaries } from './programs.ts';

const help = `npm run cluster -- [options]

Starts a Kubernetes API server with etcd, controller manager, scheduler and pods that become ready
without running anything, on 127.0.0.1, prints the line that points kubectl to it, and stays until
Ctrl-C.

  --keep   keep its data; the next start with --keep goes on from there
  --bare   only the API server and etcd
  --help   this text

TENANTRY_KUBERNETES=1.35 chooses another minor.`;

const { values } = parseArgs({
  options: {
    keep: { type: 'boolean', default: false },
    bare: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(help);
else {
  const { binaries, reason } = await findBinaries();
  if (binaries) await run(binaries).catch(fail);
  else fail(new Error(reason));
}

function fail(error: Error): void {
  console.error(`tenantry: ${error.message}`);
  process.exitCode = 1;
}

async function run(binaries: Binaries): Promise<void> {
  const whole = !values.bare;
  const { version } = resolveVersion(process.env);
  const cluster = await startCluster(
    omitUndefined({
      binaries,
      controllerManager: whole,
      scheduler: whole,
      readyPods: whole,
      folder: values.keep ? join(cacheRoot(process.env), 'clusters', version) : undefined,
    }),
  );
  // The supervisor does not keep this process alive; a timer does.
  const alive = setInterval(() => {}, 2 ** 30);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      clearInterval(alive);
      await cluster.stop();
    });
  }
  console.error(`tenantry: Kubernetes ${version} at ${cluster.server}, until Ctrl-C`);
  console.log(`export KUBECONFIG=${cluster.kubeconfigFile('admin')}`);
}
