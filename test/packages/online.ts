import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../structure/tracked.ts';

const execute = promisify(execFile);

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The reason why npm cannot fetch packages; undefined if it can. */
export async function whyOffline(): Promise<string | undefined> {
  const text = await readFile(join(root, 'package.json'), 'utf8');
  const { constructs } = (JSON.parse(text) as Manifest).devDependencies;
  const view = ['view', `constructs@${constructs}`, 'version'];
  try {
    await execute('npm', [...view, '--fetch-retries=0', '--fetch-timeout=10000']);
    return undefined;
  } catch {
    return 'npm reaches no registry';
  }
}
