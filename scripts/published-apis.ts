/** The tables of scripts/apis/: kinds that others define, and what their definitions do not say of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { root } from './steps.ts';

/** A kind, and where its definition is published. */
export interface PublishedKind {
  /** The Go module with the definition, and its version. */
  readonly source: string;
  /** The file in the module. */
  readonly file: string;
  readonly version: string;
  readonly about: string;
  /** The address of its documentation. */
  readonly documentation: string;
  /** The types of the fields of an object. */
  readonly types: Readonly<Record<string, string>>;
}

/** The kinds of one API, by the names of their definitions in TypeScript. */
export interface PublishedApi {
  readonly folder: string;
  readonly kinds: Readonly<Record<string, PublishedKind>>;
  readonly types: Readonly<Record<string, PublishedType>>;
}

/** A type: what the published definition does not say of it. */
interface PublishedType {
  readonly about: string;
  /** The documentation of fields, as `(Type) text @default - text`; each part may be missing. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The values that the code of the API accepts, where its definition accepts any. */
  readonly enums?: Readonly<Record<string, readonly string[]>>;
  /** The expectations in messages about wrong values. */
  readonly must?: Readonly<Record<string, string>>;
  /** Values that an editor proposes; others are accepted too. */
  readonly values?: readonly string[];
  /** The text of a type that the definition leaves open. */
  readonly text?: string;
}

const tables = join(root, 'scripts', 'apis');

/** The APIs whose kinds are generated, by their names. */
export const publishedApis: ReadonlyMap<string, PublishedApi> = new Map(
  readdirSync(tables).map((file) => [
    file.replace(/\.yaml$/, ''),
    load(readFileSync(join(tables, file), 'utf8')) as PublishedApi,
  ]),
);
