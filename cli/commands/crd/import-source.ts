import { statSync } from 'node:fs';
import type { FoundDefinition } from '@tenantry/crd/import';
import { readDefinitions, type SkippedObject, MAX_JSON } from '@tenantry/crd/manifests';
import type { Problem } from '@tenantry/kube/problem';
import { mayContainWord } from '@tenantry/kube/yaml/read';
import {
  Unreadable,
  buildUnreadableProblem,
  isBeside,
  manifestFiles,
  noDefinition,
  readFile,
  readStandardInput,
  decode,
} from '../../manifest-files.ts';
import { spawn } from 'node:child_process';

const KIND = 'CustomResourceDefinition';
/** The rules that apply to a text before it can be parsed. */
const unread = new Set(['yaml', 'template', 'size']);
const nothing: ReadSources = { found: [], problems: [], warnings: [], skipped: [] };

/** The definitions of all sources, and their problems. */
export interface ReadSources {
  readonly found: readonly FoundDefinition[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly skipped: readonly SkippedObject[];
}

interface SourceOptions {
  readonly context?: string;
  /** Called before a slow step. */
  readonly report: (what: string) => void;
}

/**
 * Reads files, folders recursively, URLs, `cluster` and `-`. A problem in one source does not stop
 * the others.
 */
export async function readSources(
  sources: readonly string[],
  options: SourceOptions,
): Promise<ReadSources> {
  const all = { found: [], problems: [], warnings: [], skipped: [] } as {
    found: FoundDefinition[];
    problems: Problem[];
    warnings: Problem[];
    skipped: SkippedObject[];
  };
  for (const source of sources) {
    try {
      const one = await readSource(source, options);
      all.found.push(...one.found);
      all.problems.push(...one.problems);
      all.warnings.push(...one.warnings);
      all.skipped.push(...one.skipped);
    } catch (error) {
      all.problems.push(buildUnreadableProblem(nameOf(source), error));
    }
  }
  return all;
}

async function readSource(source: string, options: SourceOptions): Promise<ReadSources> {
  const name = nameOf(source);
  if (source === 'cluster') {
    options.report('asking kubectl for the definitions of the cluster');
    return parseDefinitions(name, 'cluster', await readCluster(options.context));
  }
  if (source === '-') return parseDefinitions(name, '-', await readStandardInput());
  if (isUrl(source)) {
    options.report(`downloading ${name}`);
    return parseDefinitions(name, quoted(name), await fetchText(source));
  }
  const stat = statSync(source, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return readFolder(source, options);
  if (stat?.isFile()) return parseDefinitions(source, quoted(source), readFile(source));
  throw new Unreadable('must be a file, a folder, a URL, cluster, or - for standard input');
}

function readFolder(folder: string, { report }: SourceOptions): ReadSources {
  const files = manifestFiles(folder);
  const read: ReadSources[] = [];
  for (const [i, file] of files.entries()) {
    if (i % 100 === 0) report(`reading ${folder}: ${i} of ${files.length} files`);
    read.push(readFolderFile(file, quoted(folder)));
  }
  const problems = read.flatMap((one) => one.problems).filter((problem) => !isBeside(problem));
  const found = read.flatMap((one) => one.found);
  if (found.length === 0 && problems.length === 0) {
    problems.push(noDefinition(folder, files.length));
  }
  return {
    found,
    problems,
    warnings: read.flatMap((one) => one.warnings),
    skipped: read.flatMap((one) => one.skipped),
  };
}

/** Reads a file of a folder. Most are something else, and need not even be YAML. */
function readFolderFile(file: string, source: string): ReadSources {
  let text: string;
  try {
    text = readFile(file);
  } catch (error) {
    return { ...nothing, problems: [buildUnreadableProblem(file, error)] };
  }
  if (text.includes(KIND)) return parseDefinitions(file, source, text);
  if (!mayContainWord(text, KIND)) return nothing;
  // An unreadable text that does not contain the kind is not a definition.
  const read = parseDefinitions(file, source, text);
  const isAbout = read.found.length > 0;
  return { ...read, problems: read.problems.filter(({ rule }) => isAbout || !unread.has(rule)) };
}

function parseDefinitions(name: string, source: string, text: string): ReadSources {
  const { definitions, ...others } = readDefinitions(name, text);
  return { found: definitions.map((located) => ({ located, source })), ...others };
}

function isUrl(source: string): boolean {
  return /^[a-z][a-z+.-]+:\/\//i.test(source);
}

/** The name of a source in messages. */
function nameOf(source: string): string {
  if (source === '-') return 'standard input';
  return isUrl(source) ? shownUrl(source) : source;
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Milliseconds for a whole download, including redirects. */
const PATIENCE = 60_000;
/** Milliseconds for a whole run of kubectl. */
const CLUSTER_PATIENCE = 120_000;
const REDIRECTS = 5;
const MEBI = 2 ** 20;

/** Removes user, password, query and fragment from a URL for display, since they may hold secrets. */
function shownUrl(text: string): string {
  const url = URL.parse(text);
  return url ? `${url.origin}${url.pathname}` : 'the URL';
}

/**
 * Downloads the text at a URL. It follows only https, and http on this machine.
 * @throws {Unreadable} when there is none
 */
async function fetchText(address: string): Promise<string> {
  const signal = AbortSignal.timeout(PATIENCE);
  let url = safeUrl(address);
  try {
    for (let i = 0; i <= REDIRECTS; i += 1) {
      const response = await fetch(url, {
        redirect: 'manual',
        signal,
        headers: { accept: 'application/yaml, text/plain, application/json, */*' },
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) {
        return await readText(response);
      }
      await response.body?.cancel();
      url = safeUrl(new URL(location, url).href);
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    if (signal.aborted) throw new Unreadable(`must answer within ${PATIENCE / 1000} seconds`);
    throw new Unreadable(`must be reachable, got ${formatReason(error)}`);
  }
  throw new Unreadable(`must answer after at most ${REDIRECTS} redirects, got more`);
}

function safeUrl(address: string): URL {
  const url = URL.parse(address);
  if (!url) throw new Unreadable('must be a URL such as https://example.com/crd.yaml');
  if (url.username !== '' || url.password !== '') {
    throw new Unreadable('must have no user and password in it; download it yourself');
  }
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) return url;
  throw new Unreadable(`must be https, got ${url.protocol}//${url.host}`);
}

async function readText(response: Response): Promise<string> {
  if (!response.ok) {
    throw new Unreadable(`must answer with status 200, got ${response.status}`);
  }
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    throw new Unreadable('must be YAML or JSON, got a web page; take the address of the raw file');
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_JSON) throw new Unreadable(`must be at most ${MAX_JSON / MEBI} MiB, got more`);
    parts.push(part);
  }
  return decode(Buffer.concat(parts));
}

/** Returns the error below fetch. The error of fetch itself has no details. */
function formatReason(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) {
    const { code } = cause as NodeJS.ErrnoException;
    return code ?? cause.message;
  }
  return error instanceof Error ? error.message : String(error);
}

/**
 * Reads the CustomResourceDefinitions of a cluster with kubectl and its credentials.
 * @throws {Unreadable} when kubectl is missing, fails, or takes too long
 */
function readCluster(context: string | undefined): Promise<string> {
  const args = ['get', 'customresourcedefinitions.apiextensions.k8s.io', '--output=json'];
  args.push(`--request-timeout=${CLUSTER_PATIENCE / 2000}s`);
  if (context !== undefined) args.push(`--context=${context}`);
  const child = spawn('kubectl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: Buffer[] = [];
  let size = 0;
  let errorOutput = '';
  return new Promise((resolve, reject) => {
    const stop = (why: string): void => {
      child.kill('SIGKILL');
      reject(new Unreadable(why));
    };
    const timer = setTimeout(
      () => stop(`must answer within ${CLUSTER_PATIENCE / 1000} seconds`),
      CLUSTER_PATIENCE,
    );
    child.stdout.on('data', (part: Buffer) => {
      size += part.length;
      if (size > MAX_JSON) stop(`must be at most ${MAX_JSON / MEBI} MiB, got more`);
      else parts.push(part);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (errorOutput.length < 10_000) errorOutput += text;
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const missing = 'is read by kubectl, which must be on the PATH';
      reject(new Unreadable(error.code === 'ENOENT' ? missing : `kubectl: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve(decode(Buffer.concat(parts)));
      const lines = errorOutput.trim().split('\n');
      const why = (lines.findLast((line) => !/^[EIW]\d{4} /.test(line)) ?? '').slice(0, 300);
      reject(new Unreadable(`must answer kubectl, got ${signal ?? `exit code ${code}`}: ${why}`));
    });
  });
}
