/** Parses placeholders of Go templates, as far as possible without running them. */

/** A field that a template names, such as `.path.basename`. */
export type FieldPath = readonly [string, ...string[]];

const ACTION = /\{\{-?(.*?)-?\}\}/gs;

/** Returns the content of each `{{ }}` in a text, without comments. */
export function parseActions(text: string): readonly string[] {
  return [...text.matchAll(ACTION)]
    .map(([, action]) => action!.trim())
    .filter((action) => !action.startsWith('/*'));
}

/** Returns the fields of parameters that a text names, or undefined if the meaning of a dot cannot be determined. */
export function parseFields(text: string): readonly FieldPath[] | undefined {
  const actions = parseActions(text);
  if (actions.some((action) => /^(?:range|with|define|template|block)\b|\$\w/.test(action))) {
    return undefined;
  }
  return actions.flatMap((action) => {
    const bare = action.replaceAll(/"(?:\\.|[^"\\])*"|`[^`]*`/gs, '""');
    const named = bare.matchAll(/(?<![\w)\]"])\$?\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)/g);
    return [...named].map(([, path]) => path!.split('.') as [string, ...string[]]);
  });
}

/** Finds a placeholder of the older language, such as `path.basename`, which Go templates read as a function. */
export function findLegacyPlaceholder(text: string): string | undefined {
  const older =
    /^(?:path|name|nameNormalized|server|metadata|values|branch|number|url|cluster)\b(?![(\s])/;
  return parseActions(text).find((action) => older.test(action));
}

/** Yields every text in a value with its path, keys included. */
export function* walkTexts(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<{ readonly path: readonly (string | number)[]; readonly text: string }> {
  if (typeof value === 'string') yield { path, text: value };
  else if (Array.isArray(value)) {
    for (const [i, one] of value.entries()) yield* walkTexts(one, [...path, i]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      if (key.includes('{{')) yield { path: [...path, key], text: key };
      yield* walkTexts(one, [...path, key]);
    }
  }
}
