/** TLS settings of one connection, in PEM. */
export interface TlsMaterial {
  /** The authorities that sign the server's certificate. @default - the authorities of Node */
  readonly ca?: string;
  /** The client's certificate, with its key. */
  readonly cert?: string;
  readonly key?: string;
  /** The name that the server's certificate must have. @default - the host of the address */
  readonly servername?: string;
  /** `false`: the server's certificate is not checked at all. @default true */
  readonly rejectUnauthorized?: boolean;
}

/** HTTP headers; each entry of a list becomes a header. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The credentials of the next request. */
export interface Authorization {
  readonly headers: RequestHeaders;
  readonly tls: TlsMaterial;
}

/** The address of an API server, and how to authenticate. */
export interface Connection {
  /** 'https://10.0.0.1:6443'; a path in it precedes every path of the API. */
  readonly server: string;
  /** The namespace of the context, or of the pod in which the program runs. */
  readonly namespace?: string | undefined;
  /** 'http://proxy:3128': every connection is a tunnel through it (CONNECT). @default - none */
  readonly proxy?: string | undefined;
  /** The server's certificate is not checked; the client logs a warning. @default false */
  readonly isInsecure?: boolean | undefined;
  /**
   * Called before each request, so that updated files and tokens of plugins take effect. After a 401 it is called once
   * more with `isRefused`, which invalidates cached credentials.
   */
  authorize(options?: { readonly isRefused?: boolean }): Promise<Authorization>;
}
