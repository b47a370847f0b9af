/**
 * `npm run cluster:install`: fills the cache with the programs of a control plane, say in an image of
 * a pipeline, and prints where they are.
 */
import { findBinaries } from './binaries.ts';

const found = await findBinaries();
console.log(JSON.stringify(found, undefined, 2));
if (!found.binaries) process.exitCode = 1;
