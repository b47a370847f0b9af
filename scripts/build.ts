/** `npm run build`: JavaScript and type declarations to build/, from nothing. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compile, declare } from './compile.ts';
import { root } from './steps.ts';

const build = join(root, 'build');
rmSync(build, { recursive: true, force: true });
if (!declare(build) || !compile(build)) process.exitCode = 1;
