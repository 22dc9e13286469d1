import { Agent, request as call, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The floor of a gateway: hands requests and replies through, checks and records nothing. The provider is in OPENAI_BASE_URL.
const target = process.env.OPENAI_BASE_URL ?? ''
const agent = new Agent({ keepAlive: true })
const server = createServer((request, reply) => {
  const { host: _, ...headers } = request.headers
  const url = `${target}${request.url?.replace(/^\/v1/, '')}`
  request.pipe(
    call(url, { method: 'POST', agent, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    }),
  )
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
})
process.once('SIGTERM', () => process.exit(0))
