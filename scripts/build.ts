/** `npm run build`: JavaScript, and the type declarations that users can import, to build/, from nothing. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compile, declare } from './compile.ts';
import { keepReachable } from './declarations.ts';
import { doors } from './doors.ts';
import { root } from './steps.ts';

const build = join(root, 'build');
rmSync(build, { recursive: true, force: true });
// The declarations are of the same sources: once is enough to check them.
if (declare(build) && compile(build, '--noCheck')) {
  keepReachable(
    build,
    doors.map(({ source }) => source.replace(/\.ts$/, '.d.ts')),
  );
} else process.exitCode = 1;
