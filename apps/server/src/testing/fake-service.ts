import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { serveHttp } from './local-server.ts'
import { makeStepTool } from './step-tools.ts'

export interface ServiceCall {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

type Answer =
  | { status?: number; body?: string; headers?: Record<string, string> }
  /** Whatever the test does with the connection. */
  | ((reply: ServerResponse, call: ServiceCall) => void)

export type FakeService = Awaited<ReturnType<typeof startFakeService>>

/** A service as steps call it: notes each call, and answers as it is told, or else with JSON. */
export async function startFakeService() {
  const calls: ServiceCall[] = []
  const answers: Answer[] = []
  let byDefault: (call: ServiceCall) => Answer = () => ({})
  const server = await serveHttp(async (request, reply) => {
    const call = await read(request)
    calls.push(call)
    const answer = answers.shift() ?? byDefault(call)
    if (typeof answer === 'function') return answer(reply, call)
    const { status = 200, body = '{"ok": true}', headers = {} } = answer
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  return {
    host: `127.0.0.1:${server.port}`,
    url: `http://127.0.0.1:${server.port}`,
    calls,
    /** The keys of the calls, in order. */
    keys: () => calls.map(({ headers }) => headers['idempotency-key']),
    /** One answer, behind those that wait. */
    answer: (...next: Answer[]) => void answers.push(...next),
    answerByDefault: (next: (call: ServiceCall) => Answer) => {
      byDefault = next
    },
    reset: () => {
      calls.length = 0
      answers.length = 0
      byDefault = () => ({})
    },
    close: () => server.close(),
  }
}

async function read(request: IncomingMessage): Promise<ServiceCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = '', url = '', headers } = request
  return { method, url, headers, body: Buffer.concat(chunks).toString() }
}

/** A step of kind tool with only what a test says of it. */
export const toolStep = (tool: object, fields: object = {}) => ({
  kind: 'tool',
  title: 'Call',
  content: '',
  tool: makeStepTool({ body: { type: 'none', content: '' }, answer: { as: 'text' }, ...tool }),
  ...fields,
})
