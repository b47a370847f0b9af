/** An open TCP port. */
export interface OpenPort {
  readonly name: string;
  readonly port: number;
  readonly isPermanent: boolean;
}

/**
 * Renders the open ports of a host for `iptables-restore --noflush`. It guarantees:
 *
 * - The rules are loaded as a whole or not at all, and other chains are not changed.
 * - The same ports give the same text, in whatever order; the numbers must be unique.
 * - Whatever a name contains, a port is one line, and the name only its comment.
 */
export function rulesOf(host: string, ports: readonly OpenPort[]): string {
  const lines = [
    `# The open ports of ${quoted(host)}`,
    '*filter',
    ':PORTS-PERMANENT - [0:0]',
    ':PORTS-RUNTIME - [0:0]',
    ...ports.toSorted((one, other) => one.port - other.port).map(lineOf),
    'COMMIT',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Renders the line of a port. */
export function lineOf({ name, port, isPermanent }: OpenPort): string {
  const chain = isPermanent ? 'PORTS-PERMANENT' : 'PORTS-RUNTIME';
  return `-A ${chain} -p tcp -m tcp --dport ${port} -m comment --comment ${quoted(name)} -j ACCEPT`;
}

/** Keeps letters, digits, punctuation and symbols; encodes the rest and quotation marks, as %0A. */
function quoted(text: string): string {
  const plain = text.toWellFormed();
  return `"${plain.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|["%\\]/gu, encodeURIComponent)}"`;
}
