import type { AnyMessage, Decoded, Encodable, Rpc } from '../../protobuf/index.ts'
import { Failure } from '../failure.ts'

/** A method with one request and one answer, both as bytes. An answer that rejects, with a Failure, is an error of gRPC. */
export type UnaryMethod = (request: Buffer) => Promise<Buffer>

/** Receives what went wrong in the provider itself. */
export type Complain = (doing: string, error: unknown) => void

/** `doing` is for the sentence "The provider failed while it …". */
export const unaryMethod =
  <Request extends AnyMessage, Response extends AnyMessage>(
    { request: requests, response: responses }: Rpc<Request, Response>,
    doing: string,
    complain: Complain,
    answer: (request: Decoded<Request>) => Promise<Encodable<Response>>,
  ): UnaryMethod =>
  async (bytes) => {
    try {
      return responses.encode(await answer(requests.decode(bytes)))
    } catch (error) {
      if (error instanceof Failure) throw error
      complain(doing, error)
      const reason = error instanceof Error ? error.message : String(error)
      throw new Failure(
        `The provider failed while it ${doing}: ${reason}\nThis is a mistake in the provider; pulumi --logtostderr -v=9 shows where.`,
      )
    }
  }
