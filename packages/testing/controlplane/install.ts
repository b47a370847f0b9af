/**
 * `npm run cluster:install` fills the cache with the programs of a control plane, for example in an
 * image of a pipeline, and prints their paths.
 */
import { findBinaries } from './binaries.ts';

const found = await findBinaries();
console.log(JSON.stringify(found, undefined, 2));
if (!found.binaries) process.exitCode = 1;
