import type { Path } from '@tenantry/kube/problem';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Call } from '@tenantry/runtime/connection/call';
import { Unreachable } from '@tenantry/runtime/errors/client-errors';

/** The API server's verdict on a definition. */
export interface ServerVerdict {
  readonly accepted: boolean;
  /** The paths that it reports, as they are in the manifest. */
  readonly paths: readonly string[];
  readonly message: string;
}

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Sends a new definition to the API server as a dry run, under strict field validation. */
export function askServer(client: Client, manifest: unknown): Promise<ServerVerdict> {
  return ask(client, { method: 'POST', path }, manifest);
}

/** Sends a changed definition of an existing name to the API server as a dry run. */
export function askServerOfUpdate(
  client: Client,
  name: string,
  manifest: unknown,
): Promise<ServerVerdict> {
  return ask(client, { method: 'PUT', path: `${path}/${name}` }, manifest);
}

async function ask(
  client: Client,
  call: Pick<Call, 'method' | 'path'>,
  manifest: unknown,
): Promise<ServerVerdict> {
  const query = { dryRun: 'All', fieldValidation: 'Strict' };
  const once = () => client.request({ ...call, query, body: manifest }).catch(unanswered);
  // An idle connection may end too; a definition that makes the server close it does so again.
  const answer = (await once()) ?? (await once());
  if (!answer) return { accepted: false, paths: [], message: 'the connection ended' };
  const { status, body } = answer;
  const message = String(body.message ?? '');
  if (status < 300) return { accepted: true, paths: [], message };
  const isOfAnother = status === 409 && message.includes('Precondition failed: UID');
  if (!isOfAnother && ![400, 413, 422, 500].includes(status)) {
    throw new Error(`neither yes nor no: ${status} ${message}`);
  }
  // The server lists the most expensive rules beside the total cost.
  const causes = (body.details?.causes ?? []).filter(
    (cause) => !cause.message?.includes('contributed to estimated rule cost total'),
  );
  const unknown = [...message.matchAll(/unknown field "([^"]+)"/g)].map(([, field]) => field!);
  const named = causes.flatMap(({ field }) => (field ? [inManifest(field, manifest)] : []));
  return { accepted: false, paths: [...new Set([...named, ...unknown])].toSorted(), message };
}

/**
 * Returns undefined for definitions that make the server's handler crash: the connection ends, and nothing is created.
 */
function unanswered(error: unknown): undefined {
  const { cause } = error as { cause?: { code?: unknown } };
  if (!(error instanceof Unreachable) || cause?.code !== 'ECONNRESET') throw error;
}

/**
 * Converts a path of the server to the path in the manifest. The server reports what all versions share at the spec. It
 * reports names that it derives from the kind without their parent, and owners without their index. It swaps a
 * service's name and namespace, and writes items of defaults with a dot.
 */
function inManifest(path: string, manifest: unknown): string {
  const { names = {} } = (manifest as { spec?: { names?: Record<string, unknown> } }).spec ?? {};
  const derived = /^spec\.names\.(singular|listKind)$/.exec(path)?.[1];
  if (derived && !names?.[derived]) return 'spec.names.kind';
  return path
    .replace(/^spec\.validation\b/, 'spec.versions[0].schema')
    .replace(
      /^spec\.(subresources|additionalPrinterColumns|selectableFields)\b/,
      'spec.versions[0].$1',
    )
    .replace(/^spec\.schema\b/, 'spec.versions[0].schema')
    .replace(/^spec\.version$/, 'spec.versions[0].name')
    .replace(/^status\.storedVersions\b.*/, 'spec.versions')
    .replace('.conversion.webhookClientConfig', '.conversion.webhook.clientConfig')
    .replace('.conversion.conversionReview', '.conversion.webhook.conversionReview')
    .replace(/\.service\.name(space)?$/, (_, space) => `.service.name${space ? '' : 'space'}`)
    .replace(/^metadata\.ownerReferences\b.*/, 'metadata.ownerReferences')
    .replace('.JSONPath', '.jsonPath')
    .replaceAll('.[', '[');
}

/** Fields whose child names the server writes in brackets. */
const bracketed = new Set(['properties', 'definitions', 'dependencies', 'annotations']);

/** Formats a path as the server writes it. */
export function serverPath(path: Path): string {
  let text = '';
  let isName = false;
  for (const part of path) {
    if (isName || typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
    isName = !isName && bracketed.has(String(part));
  }
  return text;
}

/** Formats a path as the server writes it for unknown fields: names unchanged, whatever characters they have. */
function plainPath(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .slice(1);
}

/** Whether one of our paths is the server's path, or lies below it; within defaults any part matches. */
export function isNamed(wanted: string, paths: readonly Path[]): boolean {
  const place = wanted.replace(/\.default\b.*/, '.default');
  return paths.some((path) =>
    [serverPath(path), plainPath(path)].some(
      (text) => text === place || text.startsWith(`${place}.`) || text.startsWith(`${place}[`),
    ),
  );
}
