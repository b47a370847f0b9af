import { formatList } from '../../kube/problem.ts';

/** In one message; `paths` has all of them. */
const MOST_NAMED = 20;

/** Files that Tenantry did not generate are in the place of rendered ones. Nothing was written. */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile';
  readonly paths: readonly string[];

  constructor(output: string, paths: readonly string[]) {
    const what = paths.length === 1 ? 'a file' : `${paths.length} files`;
    const named = paths.slice(0, MOST_NAMED);
    const more = paths.length > named.length ? ` and ${paths.length - named.length} more` : '';
    super(
      `${output}: a file to be written must be new or begin with the line by which Tenantry marks what it generated at that path, got ${what} of someone else: ${named.join(', ')}${more}; move or delete them`,
    );
    this.paths = paths;
  }
}

/** The output was written, and files that are no part of it are in folders that are for the output alone. */
export class StrangersInOutput extends Error {
  override readonly name = 'StrangersInOutput';
  readonly paths: readonly string[];

  constructor(output: string, paths: readonly string[]) {
    super(
      `${output} was written, and must hold nothing else where it is rendered, got ${formatList(paths)}; remove what nobody rendered, or move it to a folder beside the output`,
    );
    this.paths = paths;
  }
}
