/**
 * The errors that an update may have because the old definition has them too. A creation may have
 * none of them, except invalid certificates, because nobody is served by them yet.
 */
export interface Leniency {
  readonly caBundle?: boolean;
  readonly reviewVersions?: boolean;
  readonly missingSchemas?: boolean;
  readonly types?: boolean;
  readonly unprunedDefaults?: boolean;
  readonly setsOfParts?: boolean;
  readonly listKeys?: boolean;
  readonly preserveUnknownFields?: boolean;
  /** Whether schemas are not validated at all. */
  readonly anySchemas?: boolean;
  /** Versions whose selectable fields are too many already, and the same. */
  readonly selectableFields?: ReadonlySet<string>;
  /** Versions whose schemas stay as they are: their rules may cost what they did. */
  readonly unchangedSchemas?: ReadonlySet<string>;
}

export const CREATION: Leniency = { caBundle: true };
