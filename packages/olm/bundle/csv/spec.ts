/** The schema of the spec of a ClusterServiceVersion, except for its installation. */
import {
  boolean,
  enumOf,
  object,
  required,
  string,
  anything,
  integer,
  list,
  labelSelector,
  map,
} from '@tenantry/crd/schema/language';
import { named, install, webhook } from './installation.ts';

const maintainer = named(
  'Maintainer',
  object('A person or a group to contact.', {
    name: string('The name.'),
    email: string('The email address.'),
  }),
);

const namedLink = named(
  'NamedLink',
  object('A named link.', {
    name: string('The name.'),
    url: string('The URL.', { example: 'https://redis.example.com' }),
  }),
  'A named link.',
);

const icon = named(
  'Icon',
  object('The icon of the operator.', {
    base64data: required(string('The image in base64.')),
    mediatype: required(
      enumOf('The media type of the image.', [
        'image/svg+xml',
        'image/png',
        'image/jpeg',
        'image/gif',
      ]),
    ),
  }),
);

const installMode = named(
  'InstallMode',
  object('Whether an operator supports a type of OperatorGroup.', {
    type: required(
      named(
        'InstallModeType',
        enumOf('The namespaces that an OperatorGroup selects.', [
          'OwnNamespace',
          'SingleNamespace',
          'MultiNamespace',
          'AllNamespaces',
        ]),
      ),
    ),
    supported: required(boolean('Whether the operator supports it.')),
  }),
);

const groupVersionKind = named(
  'GroupVersionKind',
  object('A kind in a version.', {
    group: required(string('Its group; empty for the core group.')),
    version: required(string('The version.')),
    kind: required(string('The kind.')),
  }),
);

const relatedImage = named(
  'RelatedImage',
  object('An image that the operator needs.', {
    name: required(string('The name, unique among the images.')),
    image: required(string('The image with its digest, so that it can be mirrored.')),
  }),
);

const cleanup = named(
  'Cleanup',
  object('The cleanup when the operator is deleted.', {
    enabled: required(boolean('Whether the objects of its kinds are deleted with the operator.')),
  }),
);

const descriptor = named(
  'Descriptor',
  object('The presentation of a field in a form.', {
    path: required(
      string('The field, from the spec or the status.', { example: 'ports[0].number' }),
    ),
    displayName: string('The name for people.'),
    description: string('The description of the field.'),
    'x-descriptors': list(
      'The widgets, such as `urn:alm:descriptor:com.tectonic.ui:podCount`.',
      string('A widget.'),
    ),
    value: anything('Any JSON; an API server accepts only a string in base64.'),
  }),
);

const resourceReference = named(
  'ResourceReference',
  object('A kind of objects.', {
    name: required(string('The name of the CustomResourceDefinition; empty for other kinds.')),
    kind: required(string('The kind.')),
    version: required(string('Its version, such as `v1`.')),
  }),
);

const shown = {
  displayName: string('The name for people.'),
  description: string('The description for people.'),
  resources: list(
    'Kinds of the objects that the operator creates for an object of this kind.',
    resourceReference,
  ),
  specDescriptors: list('The presentation of the fields of the spec.', descriptor),
  statusDescriptors: list('The presentation of the fields of the status.', descriptor),
  actionDescriptors: list('The actions for an object of this kind.', descriptor),
};

const customResource = named(
  'CustomResourceDescription',
  object('A version of a kind of a CustomResourceDefinition, with its presentation.', {
    name: required(
      string('The name of the CustomResourceDefinition.', { example: 'redises.example.com' }),
    ),
    version: required(string('The version.')),
    kind: required(string('The kind.')),
    ...shown,
  }),
);

const apiService = named(
  'ApiServiceDescription',
  object('A version of a kind of an aggregated API server, with its presentation.', {
    group: required(string('Its group.')),
    version: required(string('The version.')),
    kind: required(string('The kind.')),
    name: required(string('The kind in the plural.')),
    deploymentName: string('The deployment of the operator that serves it.'),
    containerPort: integer('The port at which it is served.', { absent: '443' }),
    ...shown,
  }),
);

const customResources = named(
  'CustomResources',
  object('Kinds of CustomResourceDefinitions.', {
    owned: list('The kinds that the operator provides.', customResource),
    required: list('The kinds that the operator requires from others.', customResource),
  }),
);

const apiServices = named(
  'ApiServices',
  object('Kinds of aggregated API servers.', {
    owned: list('The kinds that the operator serves.', apiService),
    required: list('The kinds that others must serve.', apiService),
  }),
);

const version = string('Its version, semver.', { example: '1.2.3' });

const release = string('The release of the version: identifiers between dots.', {
  pattern:
    '^(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*$',
  maxLength: 20,
  must: "letters, digits and '-' between dots, numbers without a zero before them, at most 20 characters",
});

const words = (description: string) => list(description, string('An entry.'));
const pairs = (description: string) => map(description, string('A value.'));

export const spec = named(
  'ClusterServiceVersionSpec',
  object('The description, kinds, requirements and installation of an operator.', {
    displayName: required(string('The name for people.')),
    version,
    release,
    maturity: string('Its maturity, for people.', { example: 'stable' }),
    description: string('The description in Markdown.'),
    keywords: words('The keywords for a search.'),
    maintainers: list('The maintainers.', maintainer),
    provider: { ...namedLink, description: 'The provider.' },
    links: list('Further links.', namedLink),
    icon: list('The icon: exactly one.', icon),
    minKubeVersion: string('The oldest Kubernetes that it runs on, semver.', {
      example: '1.28.0',
      absent: 'any',
    }),
    installModes: list('The types of OperatorGroups that it supports.', installMode),
    install: required(install),
    customresourcedefinitions: customResources,
    apiservicedefinitions: apiServices,
    webhookdefinitions: list('The webhooks that it serves.', webhook),
    nativeAPIs: list('Kinds that the cluster itself must provide.', groupVersionKind),
    replaces: string('The ClusterServiceVersion that it replaces.', {
      example: 'redis-operator.v1.2.2',
    }),
    skips: words('Further ClusterServiceVersions that an upgrade to this one may skip.'),
    labels: pairs('Labels for tools; they are not applied to objects.'),
    annotations: pairs('Annotations for tools; they are not applied to objects.'),
    selector: labelSelector('The labels of the resources that belong to it.'),
    cleanup,
    relatedImages: list('All images that it needs, including those of its operands.', relatedImage),
  }),
);
