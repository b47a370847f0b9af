import { isSubdomain } from '@tenantry/kube/names';
import { parseDuration } from '@tenantry/kube/time';

/** The type of a setting. Flags and variables give text; a file gives YAML values. */
export interface SettingType<T> {
  /** The placeholder for a value in the help text. */
  readonly value: string;
  /** The text after `must be`: `one of debug, info, warn, error`. */
  readonly must: string;
  /** Parses a given value; undefined if it is invalid. */
  take(given: unknown): T | undefined;
}

/** A setting of the operator. */
export interface Setting<T> {
  readonly taker: SettingType<T>;
  readonly description: string;
  /** The default, written as it would be given; undefined if there is none. */
  readonly absent?: string | undefined;
  /** The text that the help shows instead of a default. */
  readonly absence?: string | undefined;
}

/** Accepts one of some words. */
export function word<const W extends string>(...words: readonly W[]): SettingType<W> {
  return {
    value: words.join('|'),
    must: `one of ${words.join(', ')}`,
    take: (given) => words.find((one) => one === given),
  };
}

/** Accepts `true` or `false`. */
export const trueOrFalse: SettingType<boolean> = {
  value: 'true|false',
  must: 'true or false',
  take(given) {
    const text = String(given);
    return text === 'true' || text === 'false' ? text === 'true' : undefined;
  },
};

export const file: SettingType<string> = {
  value: 'file',
  must: 'the path of a file',
  take: (given) => (typeof given === 'string' && given !== '' ? given : undefined),
};

export const folder: SettingType<string> = {
  value: 'folder',
  must: 'the path of a folder',
  take: file.take,
};

/** Accepts any text but the empty one. */
export const nonEmptyText: SettingType<string> = {
  value: 'name',
  must: 'a name',
  take: file.take,
};

/** Accepts the name of an object or a namespace. */
export const objectName: SettingType<string> = {
  value: 'name',
  must: 'the name of an object, such as tenantry-operator',
  take: (given) => (typeof given === 'string' && isSubdomain(given) ? given : undefined),
};

/** Accepts a whole number. */
export function count(least: number, most: number): SettingType<number> {
  return {
    value: 'number',
    must: `a whole number from ${least} to ${most}`,
    take(given) {
      if (!/^\d{1,9}$/.test(String(given))) return undefined;
      const number = Number(given);
      return number >= least && number <= most ? number : undefined;
    },
  };
}

/** Accepts a duration and returns milliseconds. Both limits are durations too. */
export function duration(least: string, most: string): SettingType<number> {
  const milliseconds = (text: string): number => Number(parseDuration(text) ?? -1n) / 1e6;
  return {
    value: 'duration',
    must: `a duration from ${least} to ${most}, such as 30s or 1h30m`,
    take(given) {
      if (typeof given !== 'string') return undefined;
      const taken = milliseconds(given);
      return taken >= milliseconds(least) && taken <= milliseconds(most) ? taken : undefined;
    },
  };
}

/** An address on which a server listens. */
export interface Address {
  /** Undefined for all addresses. */
  readonly host: string | undefined;
  readonly port: number;
}

/** Accepts `:8080`, `127.0.0.1:8080`, `[::1]:8080`, or `off` for no server. */
export const address: SettingType<Address | 'off'> = {
  value: 'host:port',
  must: "an address such as ':8080' or '127.0.0.1:8080', or off",
  take(given) {
    // YAML 1.1 parses the word `off` as false.
    if (given === 'off' || given === false) return 'off';
    const parts = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(String(given));
    if (!parts) return undefined;
    const [, ipv6, host, port] = parts;
    if (Number(port) > 65_535) return undefined;
    return { host: (ipv6 ?? host) || undefined, port: Number(port) };
  },
};
