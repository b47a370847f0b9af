import { stripTypeScriptTypes } from 'node:module';

/** Replaces types by spaces, as Node does when it runs a .ts file, so that lines and columns stay. */
// oxlint-disable-next-line import/no-default-export
export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
