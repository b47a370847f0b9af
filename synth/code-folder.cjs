const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

/**
 * The folder of Tenantry's code: the root of the sources, which are ES modules, or of the build, which is CommonJS. Only
 * a CommonJS file knows its place in both.
 * @type {string}
 */
exports.codeFolder = dirname(__dirname);

/**
 * Returns the folder of one of Tenantry's packages, wherever npm installed it.
 * @param {string} name such as 'kube'
 * @returns {string}
 */
exports.packageFolder = (name) => dirname(require.resolve(`@tenantry/${name}/package.json`));

/**
 * Returns the file that a thread runs: the built module, or its source without a build.
 * @param {string} module the path from the root, without extension: `synth/output/writer`
 * @returns {string}
 */
exports.threadProgram = (module) => {
  const built = join(exports.codeFolder, `${module}.js`);
  return existsSync(built) ? built : join(exports.codeFolder, `${module}.ts`);
};
