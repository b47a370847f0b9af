import { decodeUtf8 } from '@tenantry/kube/utf8';
import type { BundleFile, ImageLabels } from './bundle.ts';

/** An instruction, with its continuation lines. */
interface Instruction {
  readonly text: string;
  /** The line number, from 1. */
  readonly line: number;
}

const LABEL = /^label\s+/i;

/** A key and a value of a LABEL, each plain or in quotes. */
const PAIR =
  /("(?:[^"\\]|\\.)*"|'[^']*'|[^\s="']+)=("(?:[^"\\]|\\.)*"|'[^']*'|(?:[^\s"'\\]|\\.)*)/y;

/** Whether a file at the root of a bundle is the one from which its image is built. */
export function isDockerfile(path: string): boolean {
  return /^(?:[^/]*\.)?Dockerfile$/i.test(path);
}

/**
 * Parses the labels that a Dockerfile sets on its image. Variables are not expanded.
 *
 * Source: https://docs.docker.com/reference/dockerfile/#label
 */
export function parseDockerfileLabels({ path, bytes }: BundleFile): ImageLabels | undefined {
  const { text } = decodeUtf8(bytes);
  if (text === undefined) return undefined;
  const values = new Map<string, string>();
  const lines = new Map<string, number>();
  for (const { text: instruction, line } of parseInstructions(text)) {
    if (!LABEL.test(instruction)) continue;
    for (const [key, value] of parsePairs(instruction.replace(LABEL, ''))) {
      values.set(key, value);
      lines.set(key, line);
    }
  }
  return { file: path, values: Object.fromEntries(values), lines: Object.fromEntries(lines) };
}

function parseInstructions(text: string): Instruction[] {
  const instructions: Instruction[] = [];
  let open: { text: string; line: number } | undefined;
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const goesOn = /\\\s*$/.test(line);
    const part = goesOn ? line.replace(/\\\s*$/, ' ') : line;
    open = open ? { ...open, text: open.text + part } : { text: part.trimStart(), line: i + 1 };
    if (goesOn) continue;
    instructions.push(open);
    open = undefined;
  }
  if (open) instructions.push(open);
  return instructions;
}

/** Parses `a=b "c"="d e"` or the old form `a b c`, in which everything after the first word is the value. */
function parsePairs(text: string): (readonly [key: string, value: string])[] {
  const pairs: (readonly [string, string])[] = [];
  let at = text.search(/\S|$/);
  while (at < text.length) {
    PAIR.lastIndex = at;
    const match = PAIR.exec(text);
    if (!match) break;
    pairs.push([unquoted(match[1]!), unquoted(match[2]!)]);
    const next = text.slice(PAIR.lastIndex).search(/\S/);
    at = next < 0 ? text.length : PAIR.lastIndex + next;
  }
  if (pairs.length > 0) return pairs;
  const [, key, value] = /^(\S+)\s+(.*)$/.exec(text.trim()) ?? [];
  return key === undefined || value === undefined ? [] : [[unquoted(key), unquoted(value)]];
}

function unquoted(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  const inner = text.startsWith('"') ? text.slice(1, -1) : text;
  return inner.replaceAll(/\\(.)/g, '$1');
}

/**
 * Renders the file from which the image of a bundle is built, for the folder that contains it.
 * @param labels the labels of the image: the annotations of the bundle
 * @param folders the folders that are copied into it, each to the same place
 */
export function bundleImageFile(
  labels: Readonly<Record<string, string>>,
  folders: readonly string[],
): string {
  const labelLines = Object.entries(labels).map(
    ([key, value]) => `LABEL ${word(key)}=${word(value)}`,
  );
  const copies = folders.map((folder) => `COPY ${folder} /${folder}/`);
  return ['FROM scratch', '', ...labelLines, '', ...copies, ''].join('\n');
}

/** Quotes a word for Docker if it is not plain. */
function word(text: string): string {
  if (/^[\w./,+:@-]+$/.test(text)) return text;
  return `"${text.replaceAll(/["\\$]/g, String.raw`\$&`).replaceAll(/[\r\n]+/g, ' ')}"`;
}
