/**
 * Checks the part of docs/contributing/style.md that a program can check. style-words.json has the number of lines
 * with each word that the glossary replaces, and the number of long sentences. No number may rise;
 * `--write` lowers them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './steps.ts';

const LIST = join(root, 'scripts', 'style-words.json');
const LONG = 'sentences of more than 25 words';
const KEBAB = /^[a-z0-9]+(?:[-.][a-z0-9]+)*\.ts$/;
/** Generated or recorded files, and files about the words themselves. */
const LEFT_OUT =
  /^(?:dist|test\/surface\/api|docs\/reference|examples\/.*\/dist)\/|^(?:docs\/contributing\/style\.md|scripts\/style)/;

const files = execFileSync('git', ['ls-files', '-z', '*.ts', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => !LEFT_OUT.test(path) && existsSync(join(root, path)) && path !== '');
const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

/** Builds a pattern for a word in prose or in a camelCase name. */
function pattern(word: string): RegExp {
  const capital = `${word[0]!.toUpperCase()}${word.slice(1)}`;
  return new RegExp(`(?<![A-Za-z])(?:${word}|${capital})(?![a-z])|(?<=[a-z])${capital}(?![a-z])`);
}

function countLines(word: string): number {
  const found = pattern(word);
  return [...texts.values()].flatMap((text) => text.split('\n').filter((line) => found.test(line)))
    .length;
}

/** Counts long sentences in paragraphs and lists of the documentation. */
function countLongSentences(): number {
  const pages = [...texts].filter(([path]) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  const prose = pages.map(([, text]) => text.replaceAll(/```[^]*?```|^\|.*$|^#.*$/gm, '\n\n'));
  const sentences = prose.flatMap((text) =>
    text.split(/\n\s*\n|\n(?=[-*] |\d+\. )|(?<=[.:;?!])\s/),
  );
  return sentences.filter((one) => one.trim().split(/\s+/).length > 25).length;
}

const known = JSON.parse(readFileSync(LIST, 'utf8')) as Readonly<Record<string, number>>;
const now = Object.fromEntries(
  Object.keys(known).map((key) => [key, key === LONG ? countLongSentences() : countLines(key)]),
);
const more = Object.entries(now).filter(([key, count]) => count > known[key]!);
const misnamed = files.filter((path) => path.endsWith('.ts') && !KEBAB.test(basename(path)));
for (const path of misnamed) console.error(`${path} must be named in kebab-case`);
for (const [key, count] of more) {
  console.error(
    `'${key}' must be in at most ${known[key]} places, got ${count}: see docs/contributing/style.md`,
  );
}
if (more.length + misnamed.length > 0) process.exitCode = 1;
else if (process.argv.includes('--write')) writeFileSync(LIST, `${JSON.stringify(now, null, 2)}\n`);
