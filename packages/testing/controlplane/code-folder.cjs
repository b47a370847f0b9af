/**
 * The folder of this file, in the sources, which are ES modules, and in the build, which is CommonJS. Only a CommonJS
 * file knows its place in both.
 * @type {string}
 */
exports.codeFolder = __dirname;
