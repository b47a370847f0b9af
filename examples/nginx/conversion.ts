import { conversions } from '../../crd.ts';
import { storedAsV1alpha2 } from './definition.ts';
import { isPortName } from './ports.ts';

/** On objects of v1alpha1: the name of the port, for which that version has no field. */
const PORT_NAME = 'operator.example.com/port-name';

/**
 * How the versions become each other. The one port of v1alpha1 is the first of v1alpha2. Its name goes along in an
 * annotation, so that it stays when the number is changed: Services may ask for it. The other ports are kept as they
 * are, and put back.
 */
export const nginxConversions = conversions(storedAsV1alpha2, 'v1alpha2', {
  v1alpha1: {
    toHub({ metadata, spec: { port, ...spec }, status }) {
      const name = metadata.annotations?.[PORT_NAME] ?? '';
      const first = { containerPort: port, ...(isPortName(name) && { name }) };
      return {
        metadata: named(metadata),
        spec: { ports: [first], ...spec },
        ...(status && { status }),
      };
    },
    fromHub({ metadata, spec: { ports, ...spec }, status }) {
      // A conversion has an answer to everything that may be stored: without one no list could be read.
      const { containerPort: port, name } = ports[0] ?? { containerPort: 8080 };
      return {
        metadata: named(metadata, name),
        spec: { port, ...spec },
        ...(status && { status }),
      };
    },
    keep: ['spec.ports'],
  },
});

interface Annotated {
  readonly annotations?: Readonly<Record<string, string>>;
}

/** With the name of the port, or without any. */
function named({ annotations }: Annotated, name?: string): Annotated {
  if (name === undefined && annotations?.[PORT_NAME] === undefined) return {};
  const { [PORT_NAME]: _, ...others } = annotations ?? {};
  return { annotations: { ...others, ...(name !== undefined && { [PORT_NAME]: name }) } };
}
