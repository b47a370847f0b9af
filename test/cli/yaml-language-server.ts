import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { repository } from './project.ts';

/** A message of the Language Server Protocol. */
interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** A place that the server marks; lines count from 0. */
export interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

interface PublishedDiagnostics {
  readonly uri: string;
  readonly diagnostics: readonly Diagnostic[];
}

interface Completion {
  readonly items: readonly { readonly label: string; readonly documentation?: unknown }[];
}

/** The server of Red Hat's YAML extension, in a folder, over stdio. */
export class YamlLanguageServer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #folder: string;
  readonly #answers = new Map<number, (result: unknown) => void>();
  readonly #published = new Map<string, (all: readonly Diagnostic[]) => void>();
  readonly #yaml: object;
  /** Settled when the server has read its settings. */
  readonly #isConfigured = Promise.withResolvers<void>();
  #next = 0;
  #buffer = Buffer.alloc(0);

  private constructor(folder: string, yaml: object) {
    this.#yaml = yaml;
    const program = join(repository, 'node_modules/yaml-language-server/bin/yaml-language-server');
    this.#folder = folder;
    this.#child = spawn(process.execPath, [program, '--stdio'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#child.stdout.on('data', (data: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, data]);
      this.#read();
    });
  }

  /** Starts the server with the settings that a user has in VS Code. */
  static async start(folder: string, settings: object): Promise<YamlLanguageServer> {
    const yaml = { validate: true, completion: true, hover: true, schemaStore: { enable: false } };
    const schemas = (settings as Readonly<Record<string, unknown>>)['yaml.schemas'];
    const server = new YamlLanguageServer(folder, { ...yaml, schemas });
    const rootUri = pathToFileURL(folder).href;
    await server.request('initialize', {
      processId: process.pid,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: 'fleet' }],
      capabilities: {
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: { completion: { completionItem: {} } },
      },
    });
    server.#send({ method: 'initialized', params: {} });
    await server.#isConfigured.promise;
    return server;
  }

  /** Opens a file, and returns what the server marks in it. */
  open(file: string): Promise<readonly Diagnostic[]> {
    const path = join(this.#folder, file);
    const uri = pathToFileURL(path).href;
    const text = readFileSync(path, 'utf8');
    const published = new Promise<readonly Diagnostic[]>((resolve) => {
      this.#published.set(uri, resolve);
    });
    const textDocument = { uri, languageId: 'yaml', version: 1, text };
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } });
    return published;
  }

  /** Returns the fields that the server offers at a place of an open file. */
  async complete(file: string, line: number, character: number): Promise<Completion['items']> {
    const uri = pathToFileURL(join(this.#folder, file)).href;
    const result = await this.request('textDocument/completion', {
      textDocument: { uri },
      position: { line, character },
    });
    return (result as Completion).items;
  }

  request(method: string, params: object): Promise<unknown> {
    const id = (this.#next += 1);
    const answered = new Promise<unknown>((resolve) => this.#answers.set(id, resolve));
    this.#send({ id, method, params });
    return answered;
  }

  stop(): void {
    this.#child.kill();
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #read(): void {
    for (;;) {
      const head = this.#buffer.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/.exec(this.#buffer.toString('utf8', 0, head))?.[1],
      );
      const begin = head + 4;
      if (head < 0 || this.#buffer.length < begin + length) return;
      const text = this.#buffer.toString('utf8', begin, begin + length);
      this.#buffer = this.#buffer.subarray(begin + length);
      this.#receive(JSON.parse(text) as Message);
    }
  }

  #receive({ id, method, params, result }: Message): void {
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as PublishedDiagnostics;
      this.#published.get(uri)?.(diagnostics);
    } else if (method === 'workspace/configuration') {
      const { items } = params as { items: readonly { section?: string }[] };
      const answer = items.map(({ section }) => (section === 'yaml' ? this.#yaml : {}));
      this.#send({ id, result: answer });
      this.#isConfigured.resolve();
    } else if (method !== undefined && id !== undefined) {
      // The server registers capabilities, for which it awaits an answer.
      this.#send({ id, result: null });
    } else if (typeof id === 'number') this.#answers.get(id)?.(result);
  }
}
