/** The program of the fake node: its argument is the kubeconfig that it uses. */
import { openClient } from '@tenantry/runtime/client/open-client';
import { connectionFrom } from '@tenantry/runtime/connection/connection-from';
import { FakeKubelet } from './fake-kubelet.ts';

async function main([kubeconfig]: readonly string[]): Promise<void> {
  const connection = await connectionFrom({ kubeconfig });
  const client = openClient(connection, { qps: Infinity, userAgent: 'pretend-kubelet' });
  await new FakeKubelet(client).run(new AbortController().signal);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
