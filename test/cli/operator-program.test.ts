import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { until } from '../../testing/waiting/until.ts';
import { commandLine, inProject, type Project } from './project.ts';

/** At Ctrl-C it stops, or does not; then prints a word of another file, and who it is. */
const program = (stops: boolean): string => `
import { word } from './word.mts';
const running = setInterval(() => {}, 1000);
process.on('SIGINT', () => ${stops ? "{ clearInterval(running); console.log('stopped'); }" : "console.log('goes on')"});
console.log(word, process.pid);
`;

/** `operator run --watch`, and what it has printed so far. */
function watching(project: Project) {
  const words = [commandLine, 'operator', 'run', 'main.mts', '--watch'];
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
  'a program that is watched runs anew when a file that it imports changes, and ends with Ctrl-C',
  inProject(
    { 'main.mts': program(true), 'word.mts': "export const word = 'one';\n" },
    async (project) => {
      const { output, child, ended } = watching(project);
      await until('it runs', () => output.out.includes('one '));
      let next = 0;
      let pause = 1000;
      await until('it runs anew', () => {
        // Node begins to watch a file a moment after it is imported, and each change starts the program over.
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
  'the second Ctrl-C ends the program that does not stop, too, and not its watcher alone',
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
