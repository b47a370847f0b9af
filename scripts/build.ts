/** `npm run build` writes JavaScript, and the type declarations for users, to a new build/. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compile, declare } from './compile.ts';
import { keepReachable } from './declarations.ts';
import { entryPoints } from './packages.ts';
import { root } from './steps.ts';

const build = join(root, 'build');
rmSync(build, { recursive: true, force: true });
// The declarations come from the same sources, so one type check is enough.
if (declare(build) && compile(build, '--noCheck')) {
  keepReachable(
    build,
    entryPoints.map(({ source }) => source.replace(/\.ts$/, '.d.ts')),
  );
} else process.exitCode = 1;
