import { MAX_JSON_DEPTH } from '../../kube/json.ts';

/**
 * An object has more collections inside each other than are read. The API server stores such an object where the schema
 * of its kind allows any fields; no reader that recurses over its values survives it. Only somebody who changes the
 * object ends this.
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
