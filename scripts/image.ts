/**
 * `node scripts/image.ts FOLDER` writes the content of /app in the container image, from the result of
 * `npm run build`.
 */
import { resolve } from 'node:path';
import { writeImage } from './image-files.ts';
import { root } from './steps.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('error the folder to write to must be named');
  process.exitCode = 1;
} else writeImage({ root, target: resolve(folder) });
