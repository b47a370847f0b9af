import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assignmentsOf, execForm, instructionsOf } from './dockerfile.ts';
import { projectFiles, root } from './tracked.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const instructions = instructionsOf(read('Dockerfile'));
const all = (name: string): readonly string[] =>
  instructions.filter((one) => one.name === name).map(({ words }) => words);
const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const lastOnes = (name: string): readonly string[] =>
  last.filter((one) => one.name === name).map(({ words }) => words);

const args = Object.assign({}, ...all('ARG').map(assignmentsOf)) as Record<string, string>;
const manifest = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };

test('an instruction is parsed with its continued lines, and comments are ignored', () => {
  expect(instructionsOf('# a\nfrom x\n\nRUN ["a", \\\n  "b"]\n')).toEqual([
    { name: 'FROM', words: 'x' },
    { name: 'RUN', words: '["a",    "b"]' },
  ]);
  expect(execForm('["a"]')).toEqual(['a']);
  expect(execForm('npm ci && true')).toBeUndefined();
});

test('every image has a registry and a tag other than latest, and can be replaced by a digest', () => {
  const images = all('FROM').map((words) => words.replace(/^--\S+ /, '').split(' ')[0]!);
  expect(images).toEqual(['${NODE_IMAGE}', '${BASE_IMAGE}']);
  for (const image of images) {
    const value = args[image.slice(2, -1)];
    expect(value).toMatch(/^[a-z0-9.]+\.[a-z]+\/[a-z0-9/-]+:[\w.-]+(@sha256:[0-9a-f]{64})?$/);
    expect(value).not.toContain(':latest');
  }
});

test('the image is built with the Node of this repository, on the build machine', () => {
  expect(args['NODE_IMAGE']).toContain(`/node:${manifest.devDependencies['node']}-`);
  const [major] = manifest.devDependencies['node']!.split('.');
  expect(args['BASE_IMAGE']).toContain(`/nodejs${major}-`);
  expect(all('FROM')[0]).toContain('--platform=$BUILDPLATFORM');
  expect(all('FROM')[1]).not.toContain('--platform');
});

test('no shell runs anything, and the program does not run as root', () => {
  for (const words of [...all('RUN'), ...all('ENTRYPOINT'), ...all('CMD')]) {
    expect([words, execForm(words)]).not.toEqual([words, undefined]);
  }
  expect(lastOnes('RUN')).toEqual([]);
  const [user, ...others] = lastOnes('USER');
  expect(others).toEqual([]);
  expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(all('ADD')).toEqual([]);
});

test('every copied file is in the repository and in the build context', () => {
  const files = projectFiles();
  const lines = read('.dockerignore').split('\n');
  const letIn = new Set(lines.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : [])));
  expect(lines.filter((line) => line !== '' && !/^[#!]/.test(line))).toEqual(['*']);
  const copied = all('COPY')
    .filter((words) => !words.startsWith('--from'))
    .flatMap((words) => words.split(/\s+/).slice(0, -1));
  expect(copied.length).toBeGreaterThan(10);
  for (const path of copied) {
    const isThere = files.some((file) => file === path || file.startsWith(`${path}/`));
    const isLetIn = letIn.has(path) || (path.endsWith('.ts') && letIn.has('*.ts'));
    expect([path, isThere, isLetIn]).toEqual([path, true, true]);
  }
});

test("every file in the compiler's configuration is copied", () => {
  const { include } = JSON.parse(read('tsconfig.build.json')) as { include: readonly string[] };
  const copied = new Set(all('COPY').flatMap((words) => words.split(/\s+/)));
  const tops = include.map((path) => path.split('/')[0]!);
  expect(tops.filter((path) => !copied.has(path))).toEqual([]);
});

test('only the image folder is copied into the final stage, and the running user cannot write it', () => {
  expect(lastOnes('COPY')).toEqual(['--from=build --chown=0:0 /image /app']);
  expect(lastOnes('WORKDIR')).toEqual(['/app']);
});
