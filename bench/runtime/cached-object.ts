import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Returns the KiB of a cached custom resource of 1.4 KB among 100,000, as `npm run bench:cache`
 * measures it.
 */
export function cachedObject(): number {
  const program = join(import.meta.dirname, '..', 'runtime-cache.ts');
  const output = execFileSync(process.execPath, ['--expose-gc', program, 'stream'], {
    encoding: 'utf8',
  });
  const [, kibibytes] = /: ([\d.]+) KiB each/.exec(output) ?? [];
  if (kibibytes === undefined) throw new Error(`bench:cache must say KiB each, got: ${output}`);
  return Number(kibibytes);
}
