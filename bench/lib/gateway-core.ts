import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { User } from '@catenary/contracts'
import { buildApp } from '../../apps/server/src/app.ts'
import { createLog } from '../../apps/server/src/platform/log/log.ts'
import { createModels } from '../../apps/server/src/platform/models/models.ts'
import { readSettings } from '../../apps/server/src/settings.ts'
import { openBenchDatabase } from './library.ts'

// A process that answers chat completions with a chain of one step: what the compatible API will stand on, with a token
// looked up in memory and nothing else of its own. `gateway-core.ts embedded|server`, the provider in OPENAI_BASE_URL.
const kind = process.argv[2] === 'server' ? 'server' : 'embedded'
const bench = await openBenchDatabase(kind)
const { database } = bench
const settings = { ...readSettings(), secretKey: 'a-key-for-benches-of-more-than-32-characters' }
const log = createLog({ level: 'silent' })
const models = createModels({ settings: settings.models, log })
const app = await buildApp({ settings, database, models, log })
await app.start()

const {
  rows: [user],
} = await database.pool.query<User>(`
  insert into users (name, email, username, display_username) values ('b', 'b@example.org', 'b', 'b')
  returning id, username, email, role`)
const {
  rows: [chain],
} = await database.pool.query<{ id: number }>(
  `with chain as (insert into chains (owner_id, name) values ($1, 'Bench') returning id)
   insert into chain_steps (chain_id, position, content, model, output_variable_name)
   select id, 0, '{{input}}', 'openai', 'answer' from chain returning chain_id as id`,
  [user?.id],
)
if (user === undefined || chain === undefined) throw new Error('no chain to run')

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64')
const tokens = new Map([[hashOf('bench'), { user, chainId: chain.id }]])

interface Request {
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[]
  stream?: boolean
}

const server = createServer((request, reply) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    answer(JSON.parse(Buffer.concat(chunks).toString())).catch((error: unknown) => {
      reply.writeHead(500).end(String(error))
    })
  })

  async function answer({ messages, stream }: Request): Promise<void> {
    const token = tokens.get(hashOf(String(request.headers.authorization).slice('Bearer '.length)))
    if (token === undefined) throw new Error('an unknown token')
    const caller = new AbortController()
    reply.once('close', () => reply.writableFinished || caller.abort())
    const run = await app.executions.chainRuns.start({
      ...token,
      input: messages,
      trigger: 'token',
      attached: caller.signal,
    })
    const shape = { id: `chatcmpl-${run.id}`, created: 0, model: `chain-${token.chainId}` }
    if (stream === true) {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      const chunk = (delta: object, finish: string | null) =>
        reply.write(
          `data: ${JSON.stringify({ ...shape, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
        )
      for await (const content of run.text.read()) chunk({ content }, null)
      const outcome = await run.outcome
      if (outcome.status !== 'completed') throw new Error(outcome.message)
      chunk({}, outcome.answer.finishReason)
      reply.end('data: [DONE]\n\n')
      return
    }
    const outcome = await run.outcome
    if (outcome.status !== 'completed') throw new Error(outcome.message)
    const { text: content, finishReason, inputTokens, outputTokens } = outcome.answer
    const json = JSON.stringify({
      ...shape,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finishReason }],
      usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens },
    })
    reply.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
    reply.end(json)
  }
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
})
process.once('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await app.close()
  await models.close()
  await bench.close()
  process.exit(0)
})
