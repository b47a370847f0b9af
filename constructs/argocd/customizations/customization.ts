/** The settings of a kind beyond Argo CD's defaults: a part of its ConfigMap `argocd-cm`. */
export interface ResourceCustomization {
  readonly group: string;
  readonly kind: string;
  /** Lua that returns the health of an object. Argo CD provides the libraries base, table and a part of os only. */
  readonly health?: string;
  /** The actions that people can run on an object by a button. */
  readonly actions?: ResourceActions;
  /** Fields whose changes trigger no refresh of an Application. */
  readonly ignoreResourceUpdates?: { readonly jsonPointers: readonly string[] };
}

/** The actions of a kind. */
export interface ResourceActions {
  /** Lua that returns the actions of an object, and which of them are disabled now. */
  readonly discovery: string;
  readonly definitions: readonly ResourceAction[];
}

/** One action. */
export interface ResourceAction {
  readonly name: string;
  /** Lua that returns the changed object; Argo CD sends the difference as a merge patch. */
  readonly lua: string;
}
