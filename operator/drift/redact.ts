import { isMapping } from '../../kube/mapping.ts';
import type { FieldDiff, PathStep } from './difference.ts';

/** What stands where a value is not told. */
export const HIDDEN = '(hidden)';

/** Names of fields, keys and variables that hold credentials. */
const secretName =
  /pass(?!through)|pwd|secret(?!name|ref|key|class|store)|token(?!reviews?|expir)|credential|private.?key|api.?key|access.?key|signing.?key|encryption.?key|connection.?string|\bdsn\b|webhook.?url|cookie/i;

/** `--db-password=x`, `token: x`, `"apiKey":"x"`: names to which something is set in a text. */
const assignment = /(?<![\w.-])([\w.-]{1,128})["']?\s{0,8}[=:](?!=)\s{0,8}["']?[^\s"',;]/g;

/** What fields say that name a credential, or its sort, and hold none. */
const references = new Set(
  'name namespace kind type apiGroup optional secretName algorithm encoding size rotationPolicy'.split(
    ' ',
  ),
);

/**
 * Values that are credentials wherever they stand: keys in PEM, tokens by their beginnings, passwords in addresses.
 * Tenants write the texts that are searched, so no part of one is gone through twice.
 */
const secretValue =
  /-----BEGIN |(?<![\w-])eyJ[\w-]{8,}\.[\w-]+|:\/\/[^/\s@:]*:[^/\s@]+@|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hvs\.|sk-|AKIA|ASIA|AIza|npm_)[\w-]{8,}|\bBearer\s+\S{8,}/;

/** Texts without words, as keys and tokens are: so long, and of all these sorts of characters. */
const longWords = /[\w+/=-]{32,}/g;
const sorts = [/[a-z]/, /[A-Z]/, /\d/];

/** What ConfigMaps hold; Secrets are never compared, and would be told no better. */
const held: ReadonlySet<unknown> = new Set(['data', 'binaryData', 'stringData']);

/**
 * The difference as a status may tell it, which more people read than may read the object: without what a
 * ConfigMap holds and what variables are set to, and without what is called as credentials are, or looks like
 * one. That it differs, where, and whose hand it was is told all the same.
 */
export function redact(kind: string, difference: FieldDiff): FieldDiff {
  const { path, desired, live } = difference;
  const isHidden = isPrivate(kind, path);
  const shown = (value: unknown): unknown =>
    isHidden && typeof value !== 'boolean' ? HIDDEN : redactAt(path, value);
  return {
    path,
    ...('desired' in difference && { desired: shown(desired) }),
    ...('live' in difference && { live: shown(live) }),
  };
}

function isPrivate(kind: string, path: readonly PathStep[]): boolean {
  const [first] = path;
  if ((kind === 'ConfigMap' || kind === 'Secret') && held.has(first)) return true;
  const last = path.at(-1);
  const entry = path.at(-2);
  // spec.template.spec.containers[name=web].env[name=MODE].value
  if (path.at(-3) === 'env' && last === 'value') return true;
  // spec.env.MODE
  if (entry === 'env' && typeof last === 'string') return true;
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

/** What is at a path, without the parts that are not told. */
function redactAt(path: readonly PathStep[], value: unknown): unknown {
  if (path.at(-1) === 'env') return variables(value);
  return path.at(-2) === 'env' ? withoutValue(value) : redactValue(value);
}

/** A value without the parts that are not told. */
function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return isSecretText(value) ? HIDDEN : value;
  if (Array.isArray(value)) {
    return value.map((one, at) => (isSecretFlag(value[at - 1]) ? HIDDEN : redactValue(one)));
  }
  if (!isMapping(value)) return value;
  const ofSecret = isOfSecret(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, inField(name, inside, ofSecret)]),
  );
}

/** @param ofSecret whether what has the field is called as credentials are */
function inField(name: string, inside: unknown, ofSecret: boolean): unknown {
  if (name === 'env') return variables(inside);
  const isSecret = isSecretName(name) || (ofSecret && name === 'value');
  const isPlain = typeof inside === 'boolean' || references.has(name);
  if (!isSecret || isPlain) return redactValue(inside);
  return HIDDEN;
}

function isSecretText(text: string): boolean {
  if (secretValue.test(text)) return true;
  const words = text.match(longWords) ?? [];
  if (words.some((word) => sorts.every((sort) => sort.test(word)))) return true;
  return [...text.matchAll(assignment)].some(([, name = '']) => isSecretName(name));
}

/** `--password`, of a command line: what comes next is one. */
function isSecretFlag(word: unknown): boolean {
  return typeof word === 'string' && /^--?[\w.-]+$/.test(word) && isSecretName(word);
}

/** Variables, as a list or by their names, without what they are set to. */
function variables(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutValue);
  if (!isMapping(value)) return redactValue(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isMapping(one) ? redactValue(one) : HIDDEN]),
  );
}

function withoutValue(variable: unknown): unknown {
  if (!isMapping(variable) || !Object.hasOwn(variable, 'value')) return redactValue(variable);
  return { ...variable, value: HIDDEN };
}
