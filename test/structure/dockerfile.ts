/** An instruction of a Dockerfile, with its continued lines joined. */
export interface Instruction {
  readonly name: string;
  readonly words: string;
}

export function instructionsOf(dockerfile: string): readonly Instruction[] {
  return dockerfile
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', words = ''] = /^(\S+)\s+(.*)$/.exec(line.trim())!;
      return { name: name.toUpperCase(), words };
    });
}

/** Returns the words of an instruction in exec form; undefined for the shell form. */
export function execForm(words: string): readonly string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(words);
    return Array.isArray(parsed) ? (parsed as string[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Parses `name=value` of ENV and ARG. */
export function assignmentsOf(words: string): Readonly<Record<string, string>> {
  return Object.fromEntries(words.split(/\s+/).map((one) => one.split('=') as [string, string]));
}
