/**
 * What is let through on an update because the definition before had it too. On creation nothing is,
 * but for certificates: nobody is served by them yet.
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
  /** Schemas are not looked at, whatever they say. */
  readonly anySchemas?: boolean;
  /** Versions whose selectable fields are too many already, and the same. */
  readonly selectableFields?: ReadonlySet<string>;
  /** Versions whose schemas stay as they are: their rules may cost what they did. */
  readonly unchangedSchemas?: ReadonlySet<string>;
}

export const CREATION: Leniency = { caBundle: true };
