import type { JsonPatchOperation } from '../../webhooks/json-patch.ts';

type Container = Record<string, unknown> | unknown[];

/**
 * Applies a JSON patch to a value, strictly by RFC 6902, section 4.
 * @throws {Error} if an operation cannot be applied
 */
export function applied(value: unknown, patch: readonly JsonPatchOperation[]): unknown {
  const root: Record<string, unknown> = { '': structuredClone(value) };
  for (const step of patch) {
    const parts = step.path.split('/').map(unescaped);
    const last = parts.at(-1)!;
    let target: Container = root;
    for (const part of parts.slice(0, -1)) target = child(target, part) as Container;
    if (step.op === 'remove') remove(target, last);
    else if (step.op === 'add') add(target, last, step.value);
    else {
      remove(target, last);
      add(target, last, step.value);
    }
  }
  return root[''];
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function child(target: Container, part: string): unknown {
  if (!Object.hasOwn(target, part)) throw new Error(`nothing is at ${part}`);
  return (target as Record<string, unknown>)[part];
}

function remove(target: Container, part: string): void {
  child(target, part);
  if (Array.isArray(target)) target.splice(Number(part), 1);
  else delete target[part];
}

function add(target: Container, part: string, value: unknown): void {
  const copy = structuredClone(value);
  if (!Array.isArray(target)) {
    Object.defineProperty(target, part, {
      value: copy,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  } else if (/^(0|[1-9]\d*)$/.test(part) && Number(part) <= target.length) {
    target.splice(Number(part), 0, copy);
  } else throw new Error(`no item can be added at ${part}`);
}
