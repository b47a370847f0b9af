import type { LabelSelector } from '../../../schema/language.ts';
import type { OperatorKind } from './kind-spec.ts';

/** What makes certificates in cert-manager. */
export interface IssuerName {
  readonly name: string;
  /** @default 'Issuer', in the namespace of the operator */
  readonly kind?: 'Issuer' | 'ClusterIssuer';
}

/** A kind that the operator converts between its versions. */
export interface OperatorConversion {
  /** One of `owned`. */
  readonly kind: OperatorKind;
  /** @default - /convert/<plural>.<group>, as the runtime's */
  readonly path?: string;
}

/** Requests of which a webhook is asked. */
export interface AdmissionRule {
  /** '' is the core group. */
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  /** Plurals, and such as `pods/status`. */
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[];
  /** @default '*' */
  readonly scope?: 'Cluster' | 'Namespaced' | '*';
}

/** A webhook that the API server asks before it stores something. */
export interface OperatorAdmission {
  /** A name with two dots or more, such as `owners.shops.example.com`. */
  readonly name: string;
  /** @default - /validate/<plural>.<group> of its first rule, or /mutate/..., as the runtime's */
  readonly path?: string;
  readonly rules: readonly AdmissionRule[];
  /** What becomes of requests when nobody answers. @default 'Fail' */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** @default 'None' */
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  /** Seconds, from 1 to 30. @default 10 */
  readonly timeout?: number;
  /** @default 'Equivalent' */
  readonly matchPolicy?: 'Equivalent' | 'Exact';
  /**
   * In which namespaces.
   * @default - those that are watched; of kinds that are not owned, all but the operator's own, so that its pods
   * never wait for themselves
   */
  readonly namespaceSelector?: LabelSelector;
  /** @default - all objects */
  readonly objectSelector?: LabelSelector;
  /** In CEL; all must hold. @default - none */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
}

/** One that may change objects. */
export interface OperatorMutation extends OperatorAdmission {
  /** Whether it is asked again when another one has changed the object after it. @default 'Never' */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** What API servers ask the operator. */
export interface OperatorWebhooks {
  /** @default 9443 */
  readonly port?: number;
  /**
   * Who makes the certificate, and writes `caBundle`. `operator`: it does so itself (`SharedCertificates`), and has
   * the rights for the Secret `<name>-webhooks`, which is there and empty. `cert-manager`: by an Issuer of its own,
   * or by one that there is; the pods find `tls.crt` and `tls.key` in /tmp/k8s-webhook-server/serving-certs, where
   * OLM lays them too.
   */
  readonly certificates: 'operator' | 'cert-manager' | { readonly issuer: IssuerName };
  readonly conversion?: readonly OperatorConversion[];
  readonly validating?: readonly OperatorAdmission[];
  readonly mutating?: readonly OperatorMutation[];
}
