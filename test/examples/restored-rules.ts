/** A rule as iptables-restore reads it. */
export interface RestoredRule {
  readonly chain: string;
  readonly port: number;
  readonly comment: string;
}

/** A table that would be loaded, with the flushed chains and their new rules. */
export interface RestoredTable {
  readonly table: string;
  readonly chains: readonly string[];
  readonly rules: readonly RestoredRule[];
}

/** A comment has 256 bytes including a terminating zero (linux/netfilter/xt_comment.h); longer ones are cut. */
const longestComment = 255;

/** A line has 10,240 bytes including its end and a zero (iptables/iptables-restore.c). */
const longestLine = 10_238;

/**
 * Reads a text as iptables-restore does, line by line: # starts a comment, `*` a table and `:` a chain; COMMIT loads.
 *
 * Throws for any other line, for a rule that does not open a port, and for what would be cut.
 */
export function restoredTables(text: string): RestoredTable[] {
  const tables: RestoredTable[] = [];
  let open: { table: string; chains: string[]; rules: RestoredRule[] } | undefined;
  if (!text.endsWith('\n')) throw new Error('the last line must end with a line break');
  for (const line of text.slice(0, -1).split('\n')) {
    if (Buffer.byteLength(line) > longestLine) throw new Error('a line is too long');
    if (line === '' || line.startsWith('#')) continue;
    const [, table] = /^\*(\w+)$/.exec(line) ?? [];
    const [, chain] = /^:([\w-]{1,28}) - \[0:0\]$/.exec(line) ?? [];
    if (table !== undefined && !open) open = { table, chains: [], rules: [] };
    else if (chain !== undefined && open) open.chains.push(chain);
    else if (line === 'COMMIT' && open) {
      tables.push(open);
      open = undefined;
    } else if (open) open.rules.push(ruleOf(wordsOf(line), open.chains));
    else throw new Error(`a line must be in a table: ${line}`);
  }
  if (open) throw new Error('COMMIT expected');
  return tables;
}

function ruleOf(words: readonly string[], chains: readonly string[]): RestoredRule {
  const [append, chain = '', ...rest] = words;
  const [p, tcp, m, match, dport, port, c, comment, option, text = '', j, target, ...more] = rest;
  const fixed = [append, p, tcp, m, match, dport, c, comment, option, j, target, more.length];
  const expected = '-A,-p,tcp,-m,tcp,--dport,-m,comment,--comment,-j,ACCEPT,0';
  if (fixed.join() !== expected) throw new Error(`a rule must open a port: ${words.join(' ')}`);
  if (!chains.includes(chain)) throw new Error(`the chain must exist: ${chain}`);
  if (!/^\d{1,5}$/.test(port ?? '')) throw new Error(`the port must be a number: ${port}`);
  if (Buffer.byteLength(text) > longestComment)
    throw new Error(`the comment would be cut: ${text}`);
  return { chain, port: Number(port), comment: text };
}

/** Splits a line as `add_param_to_argv` does (iptables/xshared.c). */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word = '';
  let isQuoted = false;
  for (let i = 0; i < line.length; i += 1) {
    const character = line.charAt(i);
    const isEnd = isQuoted ? character === '"' : /[ \t]/.test(character);
    if (isQuoted && character === '\\') word += line.charAt((i += 1));
    else if (!isQuoted && character === '"') isQuoted = true;
    else if (!isEnd) word += character;
    else if (isQuoted || word !== '') {
      words.push(word);
      [word, isQuoted] = ['', false];
    }
  }
  return word === '' ? words : [...words, word];
}
