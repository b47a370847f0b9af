import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Output, type OutputOptions, type OutputChanges } from '../../../synth/output/output.ts';
import {
  hasComments,
  isGeneratedAt,
  withGeneratedLine,
} from '../../../synth/output/generated-line.ts';

export type Texts = Readonly<Record<string, string>>;

/** Runs a test in a folder of its own, which is removed after it. */
export function inFolder(test: (folder: string) => void): () => void {
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'output-'));
    try {
      test(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** Lets what was written become so old that its stat is believed. */
export function settle(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
}

export function place(folder: string, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export function write(
  directory: string,
  texts: Texts,
  options?: Partial<OutputOptions>,
): OutputChanges {
  const output = Output.open(directory, { mode: 'write', ...options });
  for (const [path, text] of Object.entries(generated(texts))) output.put(path, text);
  return output.finish();
}

/** Returns texts as an output has them, with the generated line. */
export function generated(texts: Texts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [
      path,
      hasComments(path) ? withGeneratedLine(path, text) : text,
    ]),
  );
}

/** Everything below a folder: text of files, `-> target` of links, `/` of folders, `|` of all else. */
export function treeOf(folder: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const walk = (below: string) => {
    for (const name of readdirSync(join(folder, below))) {
      const path = below === '' ? name : `${below}/${name}`;
      const stat = lstatSync(join(folder, path));
      if (stat.isSymbolicLink()) tree[path] = `-> ${readlinkSync(join(folder, path))}`;
      else if (stat.isDirectory()) tree[`${path}/`] = '/';
      else if (stat.isFile()) tree[path] = readFileSync(join(folder, path), 'utf8');
      else tree[path] = '|';
      if (stat.isDirectory()) walk(path);
    }
  };
  walk('');
  return tree;
}

/** The files of an output without their folders, and generated ones without the generated line. */
export function filesOf(folder: string): Record<string, string> {
  const files = Object.entries(treeOf(folder)).filter(([, text]) => text !== '/');
  return Object.fromEntries(
    files.map(([path, text]) => [
      path,
      isGeneratedAt(path, text) ? text.slice(text.indexOf('\n') + 1) : text,
    ]),
  );
}
