import { isMapping } from '../../kube/mapping.ts';
import type { Difference, Step } from './difference.ts';

/** What stands where a value is not told. */
export const HIDDEN = '(hidden)';

/** Names of fields, keys and variables that hold credentials. */
const secretName =
  /pass(?!through)|pwd|secret(?!name|ref|key|class|store)|token(?!reviews?|expir)|credential|private.?key|api.?key|access.?key|signing.?key|encryption.?key|connection.?string|\bdsn\b|webhook.?url|cookie/i;

/** What fields say that name a credential, or its sort, and hold none. */
const references = new Set(
  'name namespace kind type apiGroup optional algorithm encoding size rotationPolicy'.split(' '),
);

/** Values that are credentials wherever they stand: keys in PEM, tokens by their beginnings, passwords in addresses. */
const secretValue =
  /-----BEGIN |\beyJ[\w-]{8,}\.[\w-]+|:\/\/[^/\s@]*:[^/\s@]+@|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hvs\.|sk-|AKIA|ASIA|AIza|npm_)[\w-]{8,}|\bBearer\s+\S{8,}/;

/** Texts without words, as keys and tokens are: so long, and of so many sorts of characters. */
const secretShape = /(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])(?=[\w+/=-]*\d)[\w+/=-]{32,}/;

/**
 * The difference as a status may tell it, which more people read than may read the object: without what a
 * ConfigMap holds and what variables are set to, and without what is called as credentials are, or looks like
 * one. That it differs, where, and whose hand it was is told all the same.
 */
export function disclosed(kind: string, difference: Difference): Difference {
  const { path, desired, live } = difference;
  const isHidden = isPrivate(kind, path);
  const shown = (value: unknown): unknown =>
    isHidden && typeof value !== 'boolean' ? HIDDEN : open(value);
  return {
    path,
    ...('desired' in difference && { desired: shown(desired) }),
    ...('live' in difference && { live: shown(live) }),
  };
}

function isPrivate(kind: string, path: readonly Step[]): boolean {
  const [first] = path;
  if (kind === 'ConfigMap' && (first === 'data' || first === 'binaryData')) return true;
  const [list, entry, last] = path.slice(-3);
  // spec.template.spec.containers[name=web].env[name=MODE].value
  if (list === 'env' && last === 'value') return true;
  if (last === 'value' && typeof entry === 'object' && isOfSecret(entry.by)) return true;
  if (typeof last === 'string' && references.has(last)) return false;
  return path.some((step) => typeof step === 'string' && isSecretName(step));
}

/** A variable, a parameter or a header that is called as credentials are. */
function isOfSecret({ name }: Readonly<Record<string, unknown>>): boolean {
  return typeof name === 'string' && isSecretName(name);
}

function isSecretName(name: string): boolean {
  return name !== 'imagePullSecrets' && secretName.test(name);
}

/** A value without the parts that are not told. */
function open(value: unknown): unknown {
  if (typeof value === 'string') {
    return secretValue.test(value) || secretShape.test(value) ? HIDDEN : value;
  }
  if (Array.isArray(value)) return value.map(open);
  if (!isMapping(value)) return value;
  const ofSecret = isOfSecret(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, inField(name, inside, ofSecret)]),
  );
}

/** @param ofSecret whether what has the field is called as credentials are */
function inField(name: string, inside: unknown, ofSecret: boolean): unknown {
  if (name === 'env' && Array.isArray(inside)) return inside.map(withoutValue);
  const isSecret = isSecretName(name) || (ofSecret && name === 'value');
  const isPlain = typeof inside === 'boolean' || references.has(name);
  if (!isSecret || isPlain) return open(inside);
  return HIDDEN;
}

function withoutValue(variable: unknown): unknown {
  if (!isMapping(variable) || !Object.hasOwn(variable, 'value')) return open(variable);
  return { ...variable, value: HIDDEN };
}
