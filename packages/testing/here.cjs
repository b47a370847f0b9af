/**
 * The folder of this file, `testing/`, wherever it is run from: a CommonJS file knows it in the
 * sources, which are ES modules, and in what is built of them, which is CommonJS.
 * @type {string}
 */
exports.here = __dirname;
