import { isMapping } from '@tenantry/kube/mapping';
import { didYouMean, findNearest, show, formatList, type Problem } from '@tenantry/kube/problem';
import { readDocuments } from '@tenantry/kube/yaml/read';
import {
  CONFIG,
  formatFlag,
  settingNames,
  settings,
  formatVariable,
  type SettingName,
  type Settings,
} from './settings.ts';
import { computePlatformDigest } from '../../model/operator/platform-config-map.ts';
import type { Platform } from '../../model/declaration.ts';

/** The sources of settings, in order of precedence: flags, environment variables, the file of `--config`. */
interface SettingSources {
  /** By the names that settings have in a file. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** An empty variable counts as absent. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a file. Throws if that is not possible. */
  readonly readFile: (path: string) => string;
}

/** The place at which a setting was given. */
type Place = Pick<Problem, 'file' | 'line' | 'column' | 'path'>;

interface ReadSettings {
  /** The settings. One with a problem is treated as if it were absent. */
  readonly settings: Settings;
  /** All problems of all sources. */
  readonly problems: readonly Problem[];
  /** Builds a problem of a setting at the place where it was given. */
  readonly problem: (name: SettingName, message: string) => Problem;
}

interface Given {
  readonly value: unknown;
  readonly place: Place;
}

type Layer = ReadonlyMap<string, Given>;

/**
 * Reads settings from flags, environment variables and a file. Values that a stronger source overrides are validated
 * too.
 */
export function readSettings(sources: SettingSources): ReadSettings {
  const problems: Problem[] = [];
  const layers = [flagLayer(sources.flags), variableLayer(sources.environment)];
  layers.push(fileLayer(sources, layers, problems));
  const places = new Map<string, Place>();
  const read = settingNames.map((name) => {
    const { taker, absent } = settings[name];
    let taken: unknown;
    for (const layer of layers) {
      const given = layer.get(name);
      if (!given) continue;
      const value = taker.take(given.value);
      if (value === undefined) {
        problems.push(wrong(given.place, `must be ${taker.must}, got ${show(given.value)}`));
      }
      taken ??= value;
      if (!places.has(name)) places.set(name, given.place);
    }
    return [name, taken ?? (absent === undefined ? undefined : taker.take(absent))];
  });
  return {
    settings: Object.fromEntries(read) as Settings,
    problems,
    problem: (name, message) => wrong(places.get(name) ?? flagPlace(name), message),
  };
}

const wrong = (place: Place, message: string): Problem => ({ ...place, message, rule: 'setting' });
const flagPlace = (name: string): Place => ({ file: `--${formatFlag(name)}`, path: '' });

function flagLayer(flags: SettingSources['flags']): Layer {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return new Map(given.map(([name, value]) => [name, { value, place: flagPlace(name) }]));
}

function variableLayer(environment: SettingSources['environment']): Layer {
  const given = [CONFIG, ...settingNames].flatMap((name): [string, Given][] => {
    const variable = formatVariable(name);
    const value = environment[variable];
    return value ? [[name, { value, place: { file: variable, path: '' } }]] : [];
  });
  return new Map(given);
}

/** Reads the file, a single mapping of settings by name. */
function fileLayer(
  { readFile }: SettingSources,
  layers: readonly Layer[],
  problems: Problem[],
): Layer {
  const named = layers.map((layer) => layer.get(CONFIG)).find((one) => one !== undefined);
  if (!named) return new Map();
  const file = String(named.value);
  let text: string;
  try {
    text = readFile(file);
  } catch (cause) {
    const got = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    const message = `must be a file that can be read, got ${show(file)} (${got})`;
    problems.push(wrong(named.place, message));
    return new Map();
  }
  const { documents, problems: broken } = readDocuments(text);
  problems.push(...broken.map((one) => wrong({ ...one, file, path: '' }, one.message)));
  const [document, ...others] = documents;
  if (others.length > 0) {
    problems.push(wrong({ file, path: '' }, `must be one document, got ${documents.length}`));
  }
  if (!document) return new Map();
  if (!isMapping(document.value)) {
    const message = `must be a mapping of settings, got ${show(document.value)}`;
    problems.push(wrong({ file, ...document.positionAt([]), path: '' }, message));
    return new Map();
  }
  const known = Object.entries(document.value).flatMap(([name, value]): [string, Given][] => {
    const place = { file, ...document.positionAt([name]), path: name };
    if (settingNames.some((one) => one === name)) return [[name, { value, place }]];
    const message = `must be a setting${didYouMean(findNearest(name, settingNames))}`;
    problems.push(wrong({ ...place, ...document.keyPositionAt([name]) }, message));
    return [];
  });
  return new Map(known);
}

/** A Platform that was read from a file. */
interface GivenPlatform {
  readonly platform: Platform;
  /** The content of the file. */
  readonly text: string;
}

/** Returns the cluster that the settings select, or the problem if they do not fit the platform. */
export function resolveCluster(
  { settings, problem }: ReadSettings,
  { platform, text }: GivenPlatform,
): { readonly cluster?: string; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const digest = computePlatformDigest(text);
  const wanted = settings.platformDigest;
  if (wanted !== undefined && wanted !== digest) {
    const message = `must be the digest of ${settings.platform}, which is ${show(digest)}, got ${show(wanted)}: the ConfigMap and the Deployment are not of one rendering, or somebody edited one of them`;
    problems.push(problem('platformDigest', message));
  }
  const names = platform.clusters.map(({ name }) => name);
  const { cluster = names.length === 1 ? names[0] : undefined } = settings;
  if (cluster !== undefined && names.includes(cluster)) return { cluster, problems };
  const hint = cluster === undefined ? '' : didYouMean(findNearest(cluster, names));
  const message = `must be one of the Platform's clusters (${formatList(names)}), got ${show(cluster)}${hint}`;
  return { problems: [...problems, problem('cluster', message)] };
}
