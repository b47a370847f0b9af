import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** A commit of a repository that a test makes. */
export interface MadeCommit {
  readonly branch: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly author: string;
  readonly subject: string;
  /** The files that change: a text, or undefined for a removed one. */
  readonly files: Readonly<Record<string, string | undefined>>;
  /** The branch that is merged. */
  readonly merges?: string;
  /** The branch that this one begins at. */
  readonly from?: string;
}

/** Makes a repository with a work tree of the branch `main`, fast enough for thousands of commits. */
export function makeRepository(folder: string, commits: readonly MadeCommit[]): void {
  mkdirSync(folder, { recursive: true });
  const git = (args: readonly string[], input?: string) =>
    execFileSync('git', [...args], { cwd: folder, input, stdio: ['pipe', 'ignore', 'pipe'] });
  git(['init', '-q', '-b', 'main']);
  git(['fast-import', '--quiet'], commits.map(formatCommit).join(''));
  git(['reset', '-q', '--hard', 'main']);
}

function formatCommit({ branch, time, author, subject, files, merges, from }: MadeCommit): string {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const person = `${author} <${author.toLowerCase().replaceAll(/\W/g, '')}@example.com> ${time} +0000`;
  const changes = Object.entries(files).map(([path, text]) =>
    text === undefined ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
  );
  return [
    `commit refs/heads/${branch}\nauthor ${person}\ncommitter ${person}\n${data(subject)}`,
    from === undefined ? '' : `from refs/heads/${from}\n`,
    merges === undefined ? '' : `merge refs/heads/${merges}\n`,
    ...changes,
    '\n',
  ].join('');
}

const RBAC = 'rbac.authorization.k8s.io';

/** A subject of a binding in a text. */
export const subject = (kind: string, name: string): object => ({ apiGroup: RBAC, kind, name });

/** Returns a rendered file of a namespace: each role with its subjects. JSON is YAML on one line. */
export function namespaceFile(
  name: string,
  bindings: Readonly<Record<string, readonly object[]>>,
  rules?: readonly object[],
): string {
  const objects = [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { 'tenantry.dev/tenant': name.split('-')[0] } },
    },
    ...(rules === undefined
      ? []
      : [
          {
            apiVersion: `${RBAC}/v1`,
            kind: 'Role',
            metadata: { name: 'own', namespace: name },
            rules,
          },
        ]),
    ...Object.entries(bindings).map(([role, subjects]) => ({
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name: `bind-${role}`, namespace: name },
      roleRef: { apiGroup: RBAC, kind: role === 'own' ? 'Role' : 'ClusterRole', name: role },
      subjects,
    })),
  ];
  return objects.map((object) => `---\n${JSON.stringify(object, undefined, 1)}\n`).join('');
}
