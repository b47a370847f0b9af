/** A TCP port that is open. */
export interface OpenPort {
  readonly name: string;
  readonly port: number;
  readonly isPermanent: boolean;
}

/**
 * The open ports of a host, as `iptables-restore --noflush` loads them. It guarantees:
 *
 * - It is loaded whole or not at all, and leaves other chains alone.
 * - The same ports give the same text, in whatever order they come; no two may have one number.
 * - Whatever names hold, a port is one line, and its name no more than the comment in it.
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

/** The line of a port. */
export function lineOf({ name, port, isPermanent }: OpenPort): string {
  const chain = isPermanent ? 'PORTS-PERMANENT' : 'PORTS-RUNTIME';
  return `-A ${chain} -p tcp -m tcp --dport ${port} -m comment --comment ${quoted(name)} -j ACCEPT`;
}

/** Letters, digits, punctuation and symbols as they are; the rest, and what ends a quotation, as %0A. */
function quoted(text: string): string {
  const plain = text.toWellFormed();
  return `"${plain.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|["%\\]/gu, encodeURIComponent)}"`;
}
