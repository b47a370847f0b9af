import { show, type Path } from './problem.ts';

/** The text in messages in place of a value that may be a secret. */
export const NOT_SHOWN = 'a value that is not shown';

/**
 * Keys whose values are usually secrets. A key too many makes a message less precise; a missing one prints a password
 * to the log of a pipeline.
 */
const SECRET =
  /passw|passphrase|pwd|secret|token|credential|bearer|authorization|cookie|dsn$|connection[-_]?string|(?:api|access|private|signing|encryption|account|ssh|license)[-_.]?key|^stringData$/i;
/** Suffixes and prefixes of keys that only refer to a secret, or describe one. */
const REFERENCE =
  /(?:names?|refs?|reference|namespace|class|kind|type|seconds|expiration|paths?)$|^imagePullSecrets$|^automountServiceAccountToken$/i;

/** Whether a value may be a secret, by the keys of its path. */
export function isSecret(path: Path): boolean {
  for (const key of path) if (typeof key === 'string' && isSecretKey(key)) return true;
  return false;
}

/** The maximum number of cached keys. Schemas have few keys, which are looked up often; maps may have many. */
const MAX_KEYS = 1000;
const answers = new Map<string, boolean>();

function isSecretKey(key: string): boolean {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = SECRET.test(key) && !REFERENCE.test(key);
  if (answers.size === MAX_KEYS) answers.clear();
  answers.set(key, answer);
  return answer;
}

/** The parts of a Secret that contain no secret data. */
const OPEN = new Set(['apiVersion', 'kind', 'type', 'immutable', 'metadata']);

/** Whether a path leads into the content of an object of kind Secret. */
export function isInSecret(root: unknown, path: Path): boolean {
  let value = root;
  return path.some((key, i) => {
    const here = value as Readonly<Record<string | number, unknown>> | null | undefined;
    if (typeof here !== 'object' || here === null) return false;
    value = Object.hasOwn(here, key) ? here[key] : undefined;
    if (here['kind'] !== 'Secret' || typeof key !== 'string') return false;
    return !OPEN.has(key) || (key === 'metadata' && path[i + 1] === 'annotations');
  });
}

/** Formats the value at a path for a message, unless it may be a secret. */
export function showUnlessSecret(path: Path, value: unknown): string {
  const isScalar = value !== undefined && (typeof value !== 'object' || value === null);
  return isScalar && isSecret(path) ? NOT_SHOWN : show(value);
}

/** Removes the value from a message that was built before the path was known to be secret. */
export function redactMessage(message: string): string {
  const got = message.indexOf(', got ');
  return got === -1 ? message : `${message.slice(0, got)}, got ${NOT_SHOWN}`;
}
