import type { IncomingHttpHeaders } from 'node:http'
import * as z from 'zod'
import { serveHttp } from './local-server.ts'

const nanos = z.string().regex(/^\d{1,20}$/)
/** OTLP in JSON as its protobuf maps to it: ids in hexadecimal, times as texts, enums as numbers; whole numbers as Langfuse reads them. */
const anyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.int() }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(z.object({ stringValue: z.string() })) }) }),
])
const attributes = z.array(z.strictObject({ key: z.string().min(1), value: anyValue }))
const span = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
})
const traceRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span),
        }),
      ),
    }),
  ),
})

interface ReceivedSpan extends Omit<z.infer<typeof span>, 'attributes'> {
  attributes: Record<string, unknown>
}

type Answer = 'takes' | 'hangs up' | number

/** A collector that takes OTLP/HTTP in JSON, refuses what is not of that form as collectors do, and can be away. */
export async function startFakeCollector({ path = '/v1/traces' }: { path?: string } = {}) {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const calls: { headers: IncomingHttpHeaders; answered: number }[] = []
  let answer: Answer = 'takes'
  const server = await serveHttp(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    const respond = (status: number, reply: object) => {
      calls.push({ headers: request.headers, answered: status })
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
    }
    if (answer === 'hangs up') return void request.socket.destroy()
    if (answer !== 'takes') return respond(answer, { code: 14, message: 'away' })
    const isOurs = request.method === 'POST' && request.url === path
    if (!isOurs || request.headers['content-type'] !== 'application/json') return respond(404, {})
    const parsed = traceRequest.safeParse(JSON.parse(body))
    if (!parsed.success) return respond(400, { code: 3, message: z.prettifyError(parsed.error) })
    bodies.push(body)
    const received = parsed.data.resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((each) => each.spans),
    )
    spans.push(...received.map(readable))
    respond(200, { partialSuccess: {} })
  })
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    /** What was taken, oldest first. */
    spans,
    /** As it was sent. */
    bodies,
    calls,
    answerWith: (next: Answer) => {
      answer = next
    },
    close: server.close,
  }
}

function readable({ attributes: listed, ...rest }: z.infer<typeof span>): ReceivedSpan {
  const plain = (value: z.infer<typeof anyValue>): unknown => {
    if ('arrayValue' in value) return value.arrayValue.values.map(({ stringValue }) => stringValue)
    return Object.values(value)[0]
  }
  return { ...rest, attributes: Object.fromEntries(listed.map(({ key, value }) => [key, plain(value)])) }
}
