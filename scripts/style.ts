/**
 * Checks the part of docs/contributing/style.md that a program can check: words that the glossary replaces, names of
 * files, and long sentences. style-limits.json has the number of long sentences, which may not rise; `--write` lowers it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './steps.ts';

const LIST = join(root, 'scripts', 'style-limits.json');
const LONG = 'sentences of more than 25 words';
/** Code, headings and rows of tables. */
const NO_PROSE = /```[^]*?```|^\s*\|.*$|^#.*$|(?<=\n\n)(?: {4}.*\n)+/gm;
/** The ends of paragraphs, items and sentences, which may be emphasized. */
const BOUNDARY = /\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|(?<=[.:;?!][*_)]*)\s/;
const KEBAB = /^[a-z0-9]+(?:[-.][a-z0-9]+)*\.ts$/;
/** The words that the glossary replaces. */
const WORDS = [
  'breath',
  'leave-taking',
  'leaveTaking',
  'stranger',
  'strangers',
  'departure',
  'departures',
  'doing',
  'anew',
  'whoever',
  'told',
  'tells',
  'says',
  'said',
  'asks',
  'stands',
  'of ours',
  'is asked',
  'heard',
  'fate',
  'picture',
  'sight',
];
/** Generated or recorded files, and files about the words themselves. */
const LEFT_OUT =
  /^(?:dist|test\/surface\/api|docs\/reference|examples\/.*\/dist)\/|^(?:docs\/contributing\/style\.md|scripts\/style)/;
/** Files with texts that must keep their words. */
const FIXED = [
  // Texts in `dist/`, whose bytes are contract. crds/types.ts is generated from those of crds/.
  'apps/fleet-sources.ts',
  'constructs/operator/tenant-operator-bundle.ts',
  'crds/',
  'model/argocd/customizations/customizations.ts',
  'model/argocd/platform/projects.ts',
  'model/operator/monitoring/',
  'model/policies/access.ts',
  // Texts of Kubernetes, titles of recorded answers, and history.
  'packages/kube/api/',
  'test/verdicts/',
  'CHANGELOG.md',
];

const files = execFileSync('git', ['ls-files', '-z', '*.ts', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => !LEFT_OUT.test(path) && existsSync(join(root, path)) && path !== '');
const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

/** Builds a pattern for a word in prose or in a camelCase name. */
function buildPattern(word: string): RegExp {
  const capital = `${word[0]!.toUpperCase()}${word.slice(1)}`;
  return new RegExp(`(?<![A-Za-z])(?:${word}|${capital})(?![a-z])|(?<=[a-z])${capital}(?![a-z])`);
}

/** Reports each line with a word that the glossary replaces. */
function listWordErrors(): string[] {
  const patterns = WORDS.map((word) => [word, buildPattern(word)] as const);
  const changeable = [...texts].filter(([path]) => !FIXED.some((fixed) => path.startsWith(fixed)));
  return changeable.flatMap(([path, text]) =>
    text.split('\n').flatMap((line, i) => {
      const word = patterns.find(([, pattern]) => pattern.test(line))?.[0];
      const place = `${path}:${i + 1}`;
      return word === undefined
        ? []
        : [`${place} must not use '${word}': see docs/contributing/style.md#glossary`];
    }),
  );
}

/** Counts long sentences in paragraphs and lists of the documentation. */
function countLongSentences(): number {
  const pages = [...texts].filter(([path]) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  const prose = pages.map(([, text]) => text.replaceAll(NO_PROSE, '\n\n'));
  const sentences = prose.flatMap((text) => text.split(BOUNDARY));
  return sentences.filter((one) => one.trim().split(/\s+/).length > 25).length;
}

const known = (JSON.parse(readFileSync(LIST, 'utf8')) as Readonly<Record<string, number>>)[LONG]!;
const now = countLongSentences();
const errors = [
  ...files
    .filter((path) => path.endsWith('.ts') && !KEBAB.test(basename(path)))
    .map((path) => `${path} must be named in kebab-case`),
  ...listWordErrors(),
  ...(now > known
    ? [
        `the documentation must have at most ${known} ${LONG}, got ${now}: see docs/contributing/style.md`,
      ]
    : []),
];
for (const error of errors) console.error(error);
if (errors.length > 0) process.exitCode = 1;
else if (process.argv.includes('--write')) {
  writeFileSync(LIST, `${JSON.stringify({ [LONG]: now }, null, 2)}\n`);
}
