import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { until } from '@tenantry/testing/waiting/until';
import { commandLine, inProject, type Project } from './project.ts';

/** Returns a program that stops at Ctrl-C or ignores it. It prints a word of another file, and its pid. */
const program = (stops: boolean): string => `
import { word } from './word.mts';
const running = setInterval(() => {}, 1000);
process.on('SIGINT', () => ${stops ? "{ clearInterval(running); console.log('stopped'); }" : "console.log('goes on')"});
console.log(word, process.pid);
`;

/** Starts `operator dev --watch` and collects its output. */
function watching(project: Project) {
  const words = [commandLine, 'operator', 'dev', 'main.mts', '--watch'];
  const child = project.start(process.execPath, words);
  const output = { out: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text));
  child.stderr.resume();
  return { output, child, ended: once(child, 'close') };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test(
  'a watched program restarts when an imported file changes, and ends with Ctrl-C',
  inProject(
    { 'main.mts': program(true), 'word.mts': "export const word = 'one';\n" },
    async (project) => {
      const { output, child, ended } = watching(project);
      await until('it runs', () => output.out.includes('one '));
      let next = 0;
      let pause = 1000;
      await until('it runs again', () => {
        // Node starts to watch a file shortly after its import, and each change restarts the
        // program.
        if (performance.now() > next) {
          project.write({ 'word.mts': "export const word = 'two';\n" });
          next = performance.now() + pause;
          pause *= 2;
        }
        return output.out.includes('two ');
      });
      child.kill('SIGINT');
      expect(await ended).toEqual([0, null]);
      expect(output.out).toMatch(/two \d+\nstopped\n$/);
    },
  ),
);

test(
  'the second Ctrl-C ends an unresponsive program, and not only its watcher',
  inProject(
    { 'main.mts': program(false), 'word.mts': "export const word = 'one';\n" },
    async (project) => {
      const { output, child, ended } = watching(project);
      await until('it runs', () => /one \d+\n/.test(output.out));
      const pid = Number(/one (\d+)/.exec(output.out)?.[1]);
      child.kill('SIGINT');
      await until('it does not stop', () => output.out.includes('goes on'));
      expect(isRunning(pid)).toBe(true);
      child.kill('SIGINT');
      expect(await ended).toEqual([1, null]);
      await until('it is gone', () => !isRunning(pid));
    },
  ),
);
