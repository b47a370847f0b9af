import { join } from 'node:path';
import { installPackages, type InstallOptions } from '../packages/install.ts';

/**
 * Installs the stock cdk8s-cli outside the tree, once, and returns the path of its `cdk8s`. Returns undefined and logs
 * the reason if it cannot be fetched.
 */
export async function installCdk8sCli(options: InstallOptions = {}): Promise<string | undefined> {
  const entry = join('node_modules', '.bin', process.platform === 'win32' ? 'cdk8s.cmd' : 'cdk8s');
  const packages = { name: 'cdk8s-cli', version: '2.207.60', manifests: import.meta.dirname };
  const folder = await installPackages({ ...packages, entry }, options);
  return folder && join(folder, entry);
}
