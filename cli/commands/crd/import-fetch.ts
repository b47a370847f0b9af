import { spawn } from 'node:child_process';
import { MAX_JSON } from '@tenantry/crd/manifests';
import { Unreadable, decode } from '../../manifest-files.ts';

/** Milliseconds for a whole download, including redirects. */
const PATIENCE = 60_000;
/** Milliseconds for a whole run of kubectl. */
const CLUSTER_PATIENCE = 120_000;
const REDIRECTS = 5;
const MEBI = 2 ** 20;

/** Removes user, password, query and fragment from a URL for display, since they may hold secrets. */
export function shownUrl(text: string): string {
  const url = URL.parse(text);
  return url ? `${url.origin}${url.pathname}` : 'the URL';
}

/**
 * Downloads the text at a URL. It follows only https, and http on this machine.
 * @throws {Unreadable} when there is none
 */
export async function fetchText(address: string): Promise<string> {
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
        return await textOf(response);
      }
      await response.body?.cancel();
      url = safeUrl(new URL(location, url).href);
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    if (signal.aborted) throw new Unreadable(`must answer within ${PATIENCE / 1000} seconds`);
    throw new Unreadable(`must be reachable, got ${reasonOf(error)}`);
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

async function textOf(response: Response): Promise<string> {
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
function reasonOf(error: unknown): string {
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
export function readCluster(context: string | undefined): Promise<string> {
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
