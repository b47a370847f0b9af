/**
 * The folder of this file, `synth/`, wherever it is run from: a CommonJS file knows it in the
 * sources, which are ES modules, and in what is built of them, which is CommonJS.
 * @type {string}
 */
exports.here = __dirname;

/**
 * Returns the folder of one of Tenantry's packages, wherever npm installed it.
 * @param {string} name such as 'kube'
 * @returns {string}
 */
exports.packageFolder = (name) =>
  require('node:path').dirname(require.resolve(`@tenantry/${name}/package.json`));
