/** The files of an output: paths, relative to its folder, and texts. */
export type OutputTexts = Iterable<readonly [path: string, text: string]>;
