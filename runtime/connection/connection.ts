/** PEM of what TLS needs, for one connection. */
export interface TlsMaterial {
  /** Who signed the server's certificate. @default - the authorities of Node */
  readonly ca?: string;
  /** The client's certificate, with its key. */
  readonly cert?: string;
  readonly key?: string;
  /** The name that the server's certificate must have. @default - the host of the address */
  readonly servername?: string;
  /** `false`: the server's certificate is not checked at all. @default true */
  readonly rejectUnauthorized?: boolean;
}

/** Headers of HTTP; of a list, one header each. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** By what the next request proves who asks. */
export interface Authorization {
  readonly headers: RequestHeaders;
  readonly tls: TlsMaterial;
}

/** Where an API server is, and how to prove who asks. */
export interface Connection {
  /** 'https://10.0.0.1:6443'; a path after it stands before every path of the API. */
  readonly server: string;
  /** The namespace of the context, or of the pod that it runs in. */
  readonly namespace?: string | undefined;
  /** 'http://proxy:3128': every connection is a tunnel through it (CONNECT). @default - none */
  readonly proxy?: string | undefined;
  /** The server's certificate is not checked: who runs the client should be told. @default false */
  readonly isInsecure?: boolean | undefined;
  /**
   * Asked before each request, so that files that are written anew and tokens of plugins hold. After
   * a 401 it is asked once more with `isRefused`: what is remembered is then not good any more.
   */
  authorize(options?: { readonly isRefused?: boolean }): Promise<Authorization>;
}
