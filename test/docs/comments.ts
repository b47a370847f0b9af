import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A comment on a merge request, as a forge stores it. */
export interface Comment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
}

/** The part of the forges' APIs that reads and writes comments, with its permissions. */
export class CommentServer {
  readonly comments: Comment[] = [];
  /** The owners of tokens. */
  readonly #tokens: ReadonlyMap<string, string>;
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: Error) => response.destroy(error));
  });
  #port = 0;

  constructor(tokens: Readonly<Record<string, string>>) {
    this.#tokens = new Map(Object.entries(tokens));
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Adds a comment of another author. */
  add(author: string, body: string): Comment {
    const comment = { id: 100 + this.comments.length, author, body };
    this.comments.push(comment);
    return comment;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization = '', 'private-token': token = authorization.replace('Bearer ', '') } =
      request.headers;
    const who = this.#tokens.get(String(token));
    const [path = ''] = (request.url ?? '').split('?');
    let text = '';
    for await (const part of request) text += String(part);
    const { body = '' } = (text === '' ? {} : JSON.parse(text)) as { body?: string };
    const end = (code: number, value: unknown): void => {
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (who === undefined) return end(401, { message: 'no such token' });
    if (path.endsWith('/user')) return end(200, { id: who });
    const [, id] = /(?:issues\/comments|notes)\/(\d+)$/.exec(path) ?? [];
    if (id !== undefined) {
      const at = this.comments.findIndex((one) => one.id === Number(id) && one.author === who);
      if (at < 0) return end(403, { message: 'not yours' });
      this.comments[at] = { ...this.comments[at]!, body };
      return end(200, this.comments[at]);
    }
    if (!/\/(?:issues\/7\/comments|merge_requests\/7\/notes)$/.test(path)) return end(404, {});
    if (request.method === 'POST') return end(201, this.add(who, body));
    const answer = this.comments.map(({ author, ...one }) => ({
      ...one,
      user: { login: author },
      author: { id: author },
    }));
    return end(200, answer);
  }
}

/** A stand-in for `gh api` with the features that the example uses. */
export const ghProgram = (node: string): string => `#!${node}
const { readFileSync } = require('node:fs');
const [, , command, ...words] = process.argv;
if (command !== 'api') throw new Error('gh api alone, got ' + command);
const options = {}; let path;
while (words.length > 0) {
  const word = words.shift();
  if (['--paginate', '--silent'].includes(word)) options[word] = true;
  else if (['--jq', '--method', '--field'].includes(word)) options[word] = words.shift();
  else path = word;
}
const [, file] = /^body=@(.+)$/.exec(options['--field'] ?? '') ?? [];
const body = file && JSON.stringify({ body: readFileSync(file, 'utf8') });
const headers = { authorization: 'Bearer ' + process.env.GH_TOKEN };
fetch(process.env.GITHUB_API_URL + '/' + path, { method: options['--method'] ?? 'GET', headers, body })
  .then(async (answer) => {
    if (!answer.ok) throw new Error('HTTP ' + answer.status);
    const comments = await answer.json();
    if (!options['--jq']) return;
    const shape = /^\\.\\[\\] \\| select\\(\\.user\\.login == "([^"]+)" and \\(\\.body \\| startswith\\("([^"]+)"\\)\\)\\) \\| \\.id$/;
    const [, login, begin] = shape.exec(options['--jq']);
    for (const one of comments) if (one.user.login === login && one.body.startsWith(begin)) console.log(one.id);
  })
  .catch((error) => { console.error(String(error)); process.exitCode = 1; });
`;
