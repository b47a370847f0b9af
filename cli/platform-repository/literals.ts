import { emitYaml } from '@tenantry/kube/yaml/write';

/** Formats a string as a YAML value on one line, which every reader reads as this string. */
export function formatYamlString(text: string): string {
  const written = emitYaml([{ value: text }]);
  const [, value] = /^value: (.*)\n$/.exec(written) ?? [];
  return value ?? JSON.stringify(text);
}

/** Formats a string as a value in single quotes, in a YAML list on one line or in TypeScript. */
export function quote(text: string): string {
  return /^[^'\\\p{C}\p{Zl}\p{Zp}]+$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}
