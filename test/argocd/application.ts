import type { Body } from '@tenantry/testing/controlplane/objects';

/** The status of one object of an Application. */
export interface ApplicationResource {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** 'Synced', 'OutOfSync' */
  readonly status?: string;
  /** The object is no longer in Git. */
  readonly requiresPruning?: boolean;
  readonly health?: { readonly status?: string; readonly message?: string };
}

/** An Application of Argo CD, with the fields that tests read. */
export interface Application extends Body {
  readonly status?: {
    readonly sync?: { readonly status: string; readonly revision?: string };
    readonly health?: { readonly status?: string };
    readonly resources?: readonly ApplicationResource[];
    readonly conditions?: readonly { readonly type: string; readonly message: string }[];
    readonly operationState?: {
      /** 'Running', 'Succeeded', 'Failed', 'Error', 'Terminating' */
      readonly phase: string;
      readonly message?: string;
      readonly retryCount?: number;
    };
    readonly reconciledAt?: string;
  };
}

/**
 * Returns whether the Application is Synced and Healthy without a running or failed operation, at the given revision if
 * any.
 */
export function isSettled({ operation, status }: Application, revision?: string): boolean {
  const { sync, health, operationState } = status ?? {};
  return (
    operation === undefined &&
    sync?.status === 'Synced' &&
    health?.status === 'Healthy' &&
    (operationState === undefined || operationState.phase === 'Succeeded') &&
    (revision === undefined || sync.revision === revision)
  );
}
