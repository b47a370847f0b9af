const { dirname } = require('node:path');

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
