/** `npm run build`: JavaScript and type declarations to build/, from nothing. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.ts';

rmSync(join(root, 'build'), { recursive: true, force: true });
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
const command = join(root, 'build', 'cli', 'main.js');
if (existsSync(command)) chmodSync(command, 0o755);
process.exitCode = status ?? 1;
