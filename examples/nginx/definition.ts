import { define } from '../../crd.ts';
import {
  conditions,
  integer,
  object,
  string,
  type JSONSchemaProps,
  type ValidationRule,
} from '../../schema.ts';
import { ports } from './ports.ts';

/** Fields that all versions have. */
const common = {
  replicas: integer('How many pods; 0 is none.', {
    minimum: 0,
    maximum: 1000,
    absent: 'what the manifest of the operand says',
    example: 2,
  }),
  // As it was published: a name that is out is put right in a new version alone, if at all.
  forceRedploy: string('Any text: when it becomes another one, all pods are replaced once.', {
    maxLength: 256,
    absent: 'nothing is forced',
    example: 'after the holidays',
  }),
};

const onePort = object(
  'What it should be.',
  {
    port: integer('Where nginx listens.', { minimum: 1, maximum: 65_535, default: 8080 }),
    ...common,
  },
  { default: {} },
);

const manyPorts = object('What it should be.', { ports: ports(), ...common }, { default: {} });

/**
 * Where a definition converts nothing, as for a while at an upgrade by OLM, an object of v1alpha1 is read without
 * ports, and who writes its status loses its port, which the API server takes for a field that is not known. There
 * is no other object without ports, as the default is written where none are said: so what is refused is that, and
 * the same of `scale`.
 */
const converted: ValidationRule = {
  rule: 'has(self.spec.ports)',
  message: 'must have ports: it is of another version, and is not converted at present',
};

interface Shown {
  /** The path of what is shown as its port. */
  readonly port: string;
  readonly rules?: readonly ValidationRule[];
}

function versionOf<Spec extends JSONSchemaProps>(spec: Spec, { port, rules = [] }: Shown) {
  const fields = {
    metadata: {
      type: 'object',
      properties: {
        // It is the value of a label, too.
        name: string('The name.', { maxLength: 63 }),
      },
    },
    spec,
    status: object('What is the case.', {
      replicas: integer('How many pods there are.', { minimum: 0 }),
      selector: string('A label selector that selects them.', { maxLength: 512 }),
      conditions: conditions(),
    }),
  } as const;
  const schema = object('An nginx.', fields, { rules });
  const degraded = ".status.conditions[?(@.type=='OperatorDegraded')]";
  return {
    schema,
    subresources: {
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    additionalPrinterColumns: [
      { name: 'Port', type: 'integer', jsonPath: port },
      { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
      { name: 'Degraded', type: 'string', jsonPath: `${degraded}.status` },
      { name: 'Reason', type: 'string', jsonPath: `${degraded}.reason` },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
  } as const;
}

const v1alpha1 = versionOf(onePort, { port: '.spec.port' });

// Of several ports the first: more than one value the API server does not print.
const v1alpha2 = versionOf(manyPorts, {
  port: '.spec.ports[0].containerPort',
  rules: [converted],
});

const names = {
  group: 'operator.example.com',
  kind: 'NginxOperator',
  plural: 'nginxoperators',
  scope: 'Namespaced',
} as const;

/** Of 0.0.1. */
export const withV1alpha1 = define({ ...names, versions: { v1alpha1 } });

/**
 * Of 0.1.0: there is a second version, and objects are stored as before, so that one can go back to 0.0.1, which
 * does not know it.
 */
export const withBoth = define({
  ...names,
  versions: { v1alpha2, v1alpha1: { ...v1alpha1, storage: true } },
});

/** Of 0.2.0: objects are stored in the new version, which 0.1.0 knows, too. */
export const storedAsV1alpha2 = define({
  ...names,
  versions: { v1alpha2: { ...v1alpha2, storage: true }, v1alpha1 },
});
