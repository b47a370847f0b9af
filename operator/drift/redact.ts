import { omitUndefined, isMapping } from '@tenantry/kube/mapping';
import type { FieldDiff, PathStep } from './difference.ts';

/** The placeholder for a hidden value. */
export const HIDDEN = '(hidden)';

/** Names of fields, keys and variables that hold credentials. */
const secretName =
  /pass(?!through)|pwd|secret(?!name|ref|key|class|store)|token(?!reviews?|expir)|credential|private.?key|api.?key|access.?key|signing.?key|encryption.?key|connection.?string|\bdsn\b|webhook.?url|cookie/i;

/** Assignments in a text: `--db-password=x`, `token: x`, `"apiKey":"x"`. */
const assignment = /(?<![\w.-])([\w.-]{1,128})["']?\s{0,8}[=:](?!=)\s{0,8}["']?[^\s"',;]/g;

/** Fields that name a credential or its type and contain none. */
const references = new Set(
  'name namespace kind type apiGroup optional secretName algorithm encoding size rotationPolicy'.split(
    ' ',
  ),
);

/**
 * Values that are credentials in any field: PEM keys, tokens with a known prefix, passwords in URLs. Tenants write the
 * searched texts, so the pattern never scans a part of one twice.
 */
const secretValue =
  /-----BEGIN |(?<![\w-])eyJ[\w-]{8,}\.[\w-]+|:\/\/[^/\s@:]*:[^/\s@]+@|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hvs\.|sk-|AKIA|ASIA|AIza|npm_)[\w-]{8,}|\bBearer\s+\S{8,}/;

/** Long texts without words, such as keys and tokens, which contain characters of all these sorts. */
const longWords = /[\w+/=-]{32,}/g;
const sorts = [/[a-z]/, /[A-Z]/, /\d/];

/** The data fields of ConfigMaps and Secrets. Secrets are never compared; this hides their data in any case. */
const held: ReadonlySet<unknown> = new Set(['data', 'binaryData', 'stringData']);

/**
 * Redacts a difference for the status, which more people can read than the object. Hides the data of ConfigMaps, the
 * values of variables, and everything that is named or looks like a credential. The path and the field manager remain.
 */
export function redact(kind: string, difference: FieldDiff): FieldDiff {
  const { path, desired, live } = difference;
  const isHidden = isPrivate(kind, path);
  const shown = (value: unknown): unknown =>
    isHidden && typeof value !== 'boolean' ? HIDDEN : redactAt(path, value);
  return omitUndefined({
    path,
    desired: 'desired' in difference ? shown(desired) : undefined,
    live: 'live' in difference ? shown(live) : undefined,
  });
}

function isPrivate(kind: string, path: readonly PathStep[]): boolean {
  const [first] = path;
  if ((kind === 'ConfigMap' || kind === 'Secret') && held.has(first)) return true;
  const last = path.at(-1);
  const entry = path.at(-2);
  // `spec.template.spec.containers[name=web].env[name=MODE].value`
  if (path.at(-3) === 'env' && last === 'value') return true;
  // `spec.env.MODE`
  if (entry === 'env' && typeof last === 'string') return true;
  if (last === 'value' && typeof entry === 'object' && isOfSecret(entry.by)) return true;
  if (typeof last === 'string' && references.has(last)) return false;
  return path.some((step) => typeof step === 'string' && isSecretName(step));
}

/** Whether the name of a variable, parameter or header is that of a credential. */
function isOfSecret({ name }: Readonly<Record<string, unknown>>): boolean {
  return typeof name === 'string' && isSecretName(name);
}

function isSecretName(name: string): boolean {
  return name !== 'imagePullSecrets' && secretName.test(name);
}

/** Returns the value at a path with its secret parts hidden. */
function redactAt(path: readonly PathStep[], value: unknown): unknown {
  if (path.at(-1) === 'env') return variables(value);
  return path.at(-2) === 'env' ? withoutValue(value) : redactValue(value);
}

/** Returns a value with its secret parts hidden. */
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

/** @param ofSecret whether the entry that has the field is named like a credential */
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

/** Whether a command-line argument such as `--password` announces a secret in the next argument. */
function isSecretFlag(word: unknown): boolean {
  return typeof word === 'string' && /^--?[\w.-]+$/.test(word) && isSecretName(word);
}

/** Hides the values of variables, given as a list or as a map. */
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
