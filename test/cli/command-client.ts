import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { runnable } from '../packages/built.ts';
import { commandVariable } from './command-server.ts';
import type { Ended } from './warm-command.ts';
import type { Order } from './warm-program.ts';

/** The program behind the command `tenantry`. */
export const commandLine = runnable('cli/main.ts');

/** Whether warm processes run the command in this test run. */
export const isServed = (): boolean => process.env[commandVariable] !== undefined;

/** Runs the command in a warm process. */
export async function runServed({ args, cwd, env }: Order): Promise<Ended> {
  const [port = '', secret = ''] = process.env[commandVariable]!.split(':');
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const socket = createConnection(Number(port), '127.0.0.1');
  try {
    const texts = [secret, cwd, String(args.length), ...args, ...pairs, ''];
    socket.write(texts.map((text) => `${text}\0`).join(''));
    let received = '';
    const line = await new Promise<string>((resolve, reject) => {
      socket.on('error', reject).on('close', () => reject(new Error('no run of the command')));
      socket.setEncoding('utf8').on('data', (text: string) => {
        received += text;
        if (received.endsWith('\n')) resolve(received.trim());
      });
    });
    const [code, folder = ''] = line.split(' ');
    const [out = '', err = ''] = ['out', 'err'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    );
    return { code: Number(code), out, err };
  } finally {
    socket.destroy();
  }
}

/**
 * Returns a bash script that acts like the command. It uses a warm process unless the command reads
 * stdin.
 * @param before commands that run first
 */
export function commandScript(before = ''): string {
  const execLine = `exec '${process.execPath}' '${commandLine}' "$@"\n`;
  if (!isServed()) return `#!/usr/bin/env bash\n${before}${execLine}`;
  const [port, secret] = process.env[commandVariable]!.split(':');
  return `#!/usr/bin/env bash
${before}for word; do
  if [ "$word" = - ]; then ${execLine.trim()}; fi
done
exec 3<>/dev/tcp/127.0.0.1/${port}
{ printf '%s\\0' ${secret} "$PWD" $# "$@"; env -0; printf '\\0'; } >&3
read -r code folder <&3
cat "$folder/out"
cat "$folder/err" >&2
exit "$code"
`;
}
