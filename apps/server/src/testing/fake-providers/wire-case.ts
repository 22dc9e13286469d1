import type { FakeReply } from './fake-reply.ts'

/** A vendor's reply, whole and as a stream, and the expected result. */
export interface WireCase {
  says: string
  whole: FakeReply
  stream: FakeReply
  result: object
}

/** A whole reply as it stands. */
export const json = (body: unknown): FakeReply => ({ raw: JSON.stringify(body) })

/** A stream as it stands. */
export const events = (...bodies: unknown[]): FakeReply => ({
  raw: bodies.map((body) => `data: ${typeof body === 'string' ? body : JSON.stringify(body)}\n\n`).join(''),
})
