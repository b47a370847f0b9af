/**
 * Must be loaded before all other modules of `tenantry`. It checks the version of Node and turns on
 * its compile cache.
 */
import * as modules from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`error Node must be 22.18 or later, got ${process.versions.node}`);
  process.exit(1);
}
modules.enableCompileCache();
