import { parseJson } from '../../kube/json.ts';
import { isMapping } from '../../kube/mapping.ts';
import { clusterServiceVersion } from '../bundle/cluster-service-version.ts';
import { fillRequiredFields } from './filled-in.ts';
import { isEmpty, stripClusterFields, omitEmpty, omitNulls, type Mapping } from './bookkeeping.ts';

/** Normalizes a ClusterServiceVersion. */
export function normalizeServiceVersion(csv: Mapping): Mapping {
  const whole = fillRequiredFields(clusterServiceVersion, omitNulls(csv)) as Mapping;
  const { status: _, ...object } = stripClusterFields(whole);
  const { metadata, spec } = object;
  return omitEmpty({
    ...object,
    metadata: isMapping(metadata) ? metadataMeaning(metadata) : metadata,
    spec: isMapping(spec) ? specMeaning(spec) : spec,
  });
}

/** Normalizes its metadata. OLM creates it in the operator's namespace, whatever its own namespace. */
function metadataMeaning(original: Mapping): Mapping {
  const { namespace: _, annotations, ...metadata } = original;
  return omitEmpty({
    ...metadata,
    annotations: isMapping(annotations) ? annotationsMeaning(annotations) : annotations,
  });
}

function annotationsMeaning(annotations: Mapping): Mapping {
  const { 'alm-examples': examples, categories, ...others } = annotations;
  return omitEmpty({
    ...others,
    categories:
      typeof categories === 'string'
        ? categories
            .split(',')
            .map((one) => one.trim())
            .join(',')
        : categories,
    'alm-examples': parseExamples(examples),
  });
}

/** Parses the example objects; returns the text if it is not JSON. */
export function parseExamples(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function specMeaning({ installModes, install, ...spec }: Mapping): Mapping {
  const { customresourcedefinitions: custom, apiservicedefinitions: served } = spec;
  return omitEmpty({
    ...spec,
    ...(isMapping(custom) && { customresourcedefinitions: omitEmpty(custom) }),
    ...(isMapping(served) && { apiservicedefinitions: omitEmpty(served) }),
    icon: iconsOf(spec['icon']),
    installModes: supported(installModes),
    install: installMeaning(install),
  });
}

/** Returns the icons with an image: scaffolds contain one without an image. */
function iconsOf(icons: unknown): unknown {
  if (!Array.isArray(icons)) return icons;
  return icons.filter((icon) => !isMapping(icon) || !isEmpty(icon['base64data']));
}

/** Returns the supported modes. Of a repeated mode the last counts; an absent mode is unsupported. */
function supported(modes: unknown): unknown {
  if (!Array.isArray(modes) || !modes.every(isMapping)) return modes;
  const supportByType = new Map(modes.map(({ type, supported }) => [String(type), supported]));
  return [...supportByType].flatMap(([type, is]) => (is === true ? [type] : [])).toSorted();
}

function installMeaning(install: unknown): unknown {
  if (!isMapping(install) || !isMapping(install['spec'])) return install;
  return { ...install, spec: omitEmpty(install['spec']) };
}
