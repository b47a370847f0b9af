import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const compiledOnce = pathToFileURL(join(import.meta.dirname, '..', 'compiled-once.ts')).href;

/** Returns the exports of modules that are compiled in one process, one after another. */
const program = `
  const { setFlagsFromString } = await import('node:v8');
  const { SourceTextModule } = await import('node:vm');
  const given = async (code) => {
    const module = new SourceTextModule(code, { identifier: '/a.js' });
    await module.link(() => {});
    await module.evaluate();
    return module.namespace.a;
  };
  const all = [await given('export const a = 1;'), await given('export const a = 1;')];
  all.push(await given('export const a = 2;'));
  setFlagsFromString('--expose-gc');
  all.push(await given('export const a = 2;'), await given('export const a = 2;'));
  console.log(JSON.stringify(all));
`;

test('a module is compiled again if its code or a flag of V8 has changed', () => {
  const flags = ['--experimental-vm-modules', '--no-warnings', `--import=${compiledOnce}`];
  const args = [...flags, '--input-type=module', '--eval', program];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([1, 1, 2, 2, 2]);
});
