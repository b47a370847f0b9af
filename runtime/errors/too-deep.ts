import { MAX_JSON_DEPTH } from '../../kube/json.ts';

/**
 * An object contains more nested collections than are read. The API server stores such an object if the schema of its
 * kind allows arbitrary fields, but recursion over its values would overflow the stack. The error persists until
 * somebody changes the object.
 */
export class TooDeep extends Error {
  /** `GET /apis/example.com/v1/namespaces/shop/shops/a`. */
  readonly request: string | undefined;

  constructor(request?: string) {
    super(`the answer must be nested at most ${MAX_JSON_DEPTH} deep, got more`);
    this.name = 'TooDeep';
    this.request = request;
  }
}
