/**
 * `npm run build`: JavaScript and type declarations to build/, from nothing. The sources are ES
 * modules, what is built is CommonJS, which `import` and `require` both load.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.ts';

const build = join(root, 'build');
rmSync(build, { recursive: true, force: true });
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
// What is said of an export stands in its declaration; comments in the code would be read at each start.
const parts = [['--emitDeclarationOnly'], ['--declaration', 'false', '--removeComments']];
const failed = parts.find((flags) => {
  const args = [tsc, '-p', 'tsconfig.build.json', ...flags];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0;
});
const command = join(build, 'cli', 'main.js');
if (existsSync(command)) {
  chmodSync(command, 0o755);
  // package.json above it speaks of the sources.
  writeFileSync(join(build, 'package.json'), '{ "type": "commonjs" }\n');
}
process.exitCode = failed ? 1 : 0;
