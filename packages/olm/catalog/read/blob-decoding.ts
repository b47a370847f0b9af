import type { Finding } from '@tenantry/kube/finding';
import { isMapping } from '@tenantry/kube/mapping';
import { didYouMean, show, type Path } from '@tenantry/kube/problem';
import {
  applyDefaults,
  dropNulls,
  pruneValue,
  buildUnknownFieldErrors,
} from '@tenantry/crd/schema/admission';
import {
  anything,
  list,
  map,
  object,
  string,
  type JSONSchemaProps,
} from '@tenantry/crd/schema/language';
import { compileSchema } from '@tenantry/crd/schema/validator';

/** A value as OLM decodes it, with the findings about it. */
interface DecodedValue {
  /** The value without unknown fields; missing fields are filled in. */
  readonly value: unknown;
  /** Errors for values of wrong types; warnings for ignored fields. */
  readonly findings: readonly Finding[];
}

const FIELD = 'catalog-field';

/**
 * Decodes a value by the schema of its object. As in OLM, field names match in any case, and unknown fields are
 * ignored.
 */
export function decodeCatalogValue(schema: JSONSchemaProps, given: unknown): DecodedValue {
  const findings: Finding[] = [];
  const warn = (finding: Finding): void => {
    findings.push({ ...finding, severity: 'warning', rule: FIELD });
  };
  const { value, pruned } = pruneValue(schema, normalizeSpelling(schema, given, [], warn));
  for (const unknown of buildUnknownFieldErrors(schema, pruned)) warn(unknown);
  const known = dropNulls(schema, value);
  const { errors } = compileSchema(schema).check(applyDefaults(schema, known));
  findings.push(...errors.map((error) => ({ ...error, rule: 'catalog-type' })));
  return { value: applyDefaults(schema, known), findings };
}

/** Renames the fields of a value to the spelling of the schema. */
function normalizeSpelling(
  schema: JSONSchemaProps,
  value: unknown,
  path: Path,
  warn: (finding: Finding) => void,
): unknown {
  const { items, properties } = schema;
  if (Array.isArray(value)) {
    if (!items) return value;
    return value.map((item, i) =>
      normalizeSpelling(items, item ?? emptyOf(items), [...path, i], warn),
    );
  }
  if (!isMapping(value) || !properties) return value;
  const names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = Object.hasOwn(properties, key) ? key : names.get(key.toLowerCase());
    if (name === undefined || (name !== key && Object.hasOwn(value, name))) return [key, inner];
    if (name !== key) {
      const message = `must be spelled as it is known, got ${show(key)}${didYouMean(name)}`;
      warn({ path: [...path, key], atKey: true, message, rule: FIELD, severity: 'warning' });
    }
    return [name, normalizeSpelling(properties[name]!, inner, [...path, name], warn)];
  });
  return Object.fromEntries(entries);
}

/** Returns the value that OLM reads for a null in a list. */
function emptyOf({ type }: JSONSchemaProps): unknown {
  return type === 'object' ? {} : '';
}

/*
 * OLM reads what is missing as the empty text, and refuses nothing for it before its own checks: so
 * do these.
 */
const text = (description: string) => string(description, { default: '' });

const properties = list(
  'Properties.',
  object('A property.', {
    type: text('What it is.'),
    value: anything('The value, in the form that the type requires.'),
  }),
);

const icon = object('An icon.', {
  base64data: string('Its bytes.', { default: '', format: 'byte' }),
  mediatype: text('What it is.'),
});

const olmPackage = object('A package.', {
  schema: text('olm.package'),
  name: text('Its name.'),
  defaultChannel: text('The channel of a Subscription without a channel.'),
  description: string('What it is.'),
  icon,
  properties,
});

const olmChannel = object('A channel.', {
  schema: text('olm.channel'),
  name: text('Its name.'),
  package: text('The package that it belongs to.'),
  entries: list(
    'Its bundles.',
    object('A bundle.', {
      name: text('Its name.'),
      replaces: string('The bundle that it replaces.'),
      skips: list('The bundles that an upgrade skips.', string('A bundle.')),
      skipRange: string('The versions that an upgrade skips.'),
    }),
    { default: [] },
  ),
  properties,
});

const olmBundle = object('A bundle.', {
  schema: text('olm.bundle'),
  name: text('Its name.'),
  package: text('The package that it belongs to.'),
  image: text('The image with its manifests.'),
  properties: list(
    'Properties.',
    object('A property.', {
      type: text('What it is.'),
      value: anything('The value, in the form that the type requires.'),
    }),
    { default: [] },
  ),
  relatedImages: list(
    'The images that it needs.',
    object('An image.', { name: text('What it is for.'), image: text('The image.') }),
  ),
});

const olmDeprecations = object('The deprecations of a package.', {
  schema: text('olm.deprecations'),
  package: text('The package.'),
  entries: list(
    'What it is.',
    object('A package, a channel or a bundle.', {
      reference: object(
        'Which one.',
        { schema: text('What it is.'), name: string('Its name.') },
        { default: {} },
      ),
      message: text('Why.'),
    }),
    { default: [] },
  ),
});

/** The objects that OLM knows, by their schema. */
export const blobSchemas: Readonly<Record<string, JSONSchemaProps>> = {
  'olm.package': olmPackage,
  'olm.channel': olmChannel,
  'olm.bundle': olmBundle,
  'olm.deprecations': olmDeprecations,
};

const kind = object('A kind in a version.', {
  group: text('Its group.'),
  version: text('Its version.'),
  kind: text('Its name.'),
});

const texts = map('Texts.', string('A text.'));

/** The values of properties that OLM knows, by their type. */
export const propertySchemas: Readonly<Record<string, JSONSchemaProps>> = {
  'olm.package': object('A version of a package.', {
    packageName: text('The package.'),
    version: text('The version.'),
    release: string('The release of the version.'),
  }),
  'olm.package.required': object('A required package.', {
    packageName: text('The package.'),
    versionRange: text('The accepted versions.'),
  }),
  'olm.gvk': kind,
  'olm.gvk.required': kind,
  'olm.bundle.object': object('A manifest.', {
    data: string('Its JSON or YAML in base64.', { default: '', format: 'byte' }),
  }),
  'olm.csv.metadata': object(
    'The parts of a ClusterServiceVersion for people.',
    {
      annotations: texts,
      labels: texts,
      description: string('What it is.'),
      displayName: string('Its name.'),
      keywords: list('The keywords for a search.', string('A word.')),
      maturity: string('How mature it is.'),
      minKubeVersion: string('The oldest Kubernetes that it runs on.'),
    },
    { preserveUnknownFields: true },
  ),
  'olm.channel': object('A channel.', { channelName: text('Its name.') }),
};
