/** The kinds of an operator, as people are shown them. */
import { anything, integer, list, object, required, string } from '../../../schema/language.ts';
import { named } from './named.ts';

const descriptor = named(
  'Descriptor',
  object('How a field is shown and edited.', {
    path: required(
      string('The field, from the spec or the status.', { example: 'ports[0].number' }),
    ),
    displayName: string('What it is called.'),
    description: string('What it is for.'),
    'x-descriptors': list(
      'What it is shown as, such as `urn:alm:descriptor:com.tectonic.ui:podCount`.',
      string('A widget.'),
    ),
    value: anything('Any JSON; an API server takes a string in base64 alone.'),
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
  displayName: string('What it is called.'),
  description: string('What it is.'),
  resources: list('Kinds of objects that are made for one of these.', resourceReference),
  specDescriptors: list('How fields of the spec are shown.', descriptor),
  statusDescriptors: list('How fields of the status are shown.', descriptor),
  actionDescriptors: list('What can be done with one of these.', descriptor),
};

const customResource = named(
  'CustomResourceDescription',
  object('A version of a kind of a CustomResourceDefinition, as people are shown it.', {
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
  object('A version of a kind of an aggregated API server, as people are shown it.', {
    group: required(string('Its group.')),
    version: required(string('The version.')),
    kind: required(string('The kind.')),
    name: required(string('The kind in the plural.')),
    deploymentName: string('The deployment of the operator that serves it.'),
    containerPort: integer('The port at which it does.', { absent: '443' }),
    ...shown,
  }),
);

export const customResources = named(
  'CustomResources',
  object('Kinds of CustomResourceDefinitions.', {
    owned: list('What the operator brings.', customResource),
    required: list('What others must have brought.', customResource),
  }),
);

export const apiServices = named(
  'ApiServices',
  object('Kinds of aggregated API servers.', {
    owned: list('What the operator serves.', apiService),
    required: list('What others must serve.', apiService),
  }),
);
