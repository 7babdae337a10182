/** A method with one request and one answer. An answer that rejects becomes an error of gRPC. */
export interface UnaryMethod {
  decode(bytes: Buffer): unknown
  encode(response: unknown): Buffer
  answer(request: unknown): Promise<unknown>
}
