import { Agent, type IncomingMessage, request } from 'node:http'
import type { Prompt } from '@catenary/contracts'
import { startFakeProvider } from '../apps/server/src/testing/fake-providers/fake-provider.ts'
import { createApi } from '../e2e/harness/api.ts'
import { startServer } from '../e2e/harness/server.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'

const WARMUP = 100
const ROUNDS = 400
const ANSWER = Array.from({ length: 20 }, (_, index) => `piece ${index} `)

// One recorded, streamed run of a prompt against the same call made directly; the fake provider is in this process for both.
const provider = await startFakeProvider({ vendor: 'anthropic' })
provider.replyByDefault({ text: ANSWER })
const server = await startServer({
  env: {
    ANTHROPIC_API_KEY: 'bench',
    ANTHROPIC_BASE_URL: provider.url,
    LOG_LEVEL: 'warn',
    RUNS_PER_MINUTE: '1000000',
  },
})
const api = createApi(server.url)
await api.post('/api/register', {
  username: 'bench',
  email: 'bench@example.org',
  password: 'bench bench bench',
})
const prompt = await api.post<Prompt>('/api/prompts', {
  title: 'Bench',
  content: 'Say something about $<topic>.',
  categoryId: 1,
})
const cookie = api
  .cookies()
  .map(({ name, value }) => `${name}=${value}`)
  .join('; ')

const agent = new Agent({ keepAlive: true })
const firstText = { direct: [] as number[], recorded: [] as number[] }

function post({ url, headers, body }: { url: string; headers: Record<string, string>; body: string }) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const json = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    request(url, { method: 'POST', agent, headers: { ...json, ...headers } }, resolve)
      .on('error', reject)
      .end(body)
  })
}

async function time({
  name,
  url,
  headers,
  body,
  mark,
}: {
  name: keyof typeof firstText
  url: string
  headers: Record<string, string>
  body: unknown
  mark: string
}): Promise<number> {
  const start = performance.now()
  const reply = await post({ url, headers, body: JSON.stringify(body) })
  if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.statusCode}`)
  let first: number | undefined
  let text = ''
  for await (const chunk of reply) {
    text += String(chunk)
    if (first === undefined && text.includes(mark)) first = performance.now() - start
  }
  firstText[name].push(first ?? Number.NaN)
  return performance.now() - start
}

const times = await interleave({
  warmup: WARMUP,
  rounds: ROUNDS,
  contenders: {
    direct: () =>
      time({
        name: 'direct',
        url: `${provider.url}/v1/messages`,
        headers: { 'x-api-key': 'bench', 'anthropic-version': '2023-06-01' },
        body: {
          model: 'fake',
          max_tokens: 1000,
          stream: true,
          messages: [{ role: 'user', content: 'Say something about bridges.' }],
        },
        mark: 'piece 0',
      }),
    recorded: () =>
      time({
        name: 'recorded',
        url: `${server.url}/api/execute-prompt`,
        headers: { accept: 'text/event-stream', cookie, origin: server.url },
        body: { promptId: prompt.id, variables: { topic: 'bridges' } },
        mark: 'piece 0',
      }),
  },
})
agent.destroy()
await server.dispose()
await provider.close()

function compare(figure: string, { direct, recorded }: { direct: number[]; recorded: number[] }): void {
  const [floor, value] = [median(direct), median(recorded)]
  print({
    figure,
    value: `+${milliseconds(value - floor)} (${milliseconds(value)})`,
    floor: milliseconds(floor),
    ratio: (value / floor).toFixed(2),
  })
}
compare('one recorded prompt run, streamed, over a direct call: whole answer p50', times)
compare('the same: first text p50', {
  direct: firstText.direct.slice(WARMUP),
  recorded: firstText.recorded.slice(WARMUP),
})
