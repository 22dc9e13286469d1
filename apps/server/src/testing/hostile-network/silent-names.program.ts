import { createSocket } from 'node:dgram'
import { setTimeout as pause } from 'node:timers/promises'
import type { Category, ExecutePromptReply, Prompt, Variable } from '@catenary/contracts'
import { createNameResolver } from '../../platform/outbound/name-resolver.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { startFakeProvider } from '../fake-providers/fake-provider.ts'
import { startProduct } from './product.ts'

/** What came of a run while another person's variables wait for a name server that stays silent. */
export interface SilentNames {
  /** What the other person's model said. */
  result: string
  /** How many of the forty lookups had ended by then. */
  ended: number
  /** Names that the name server had been asked for by then. */
  asked: number
}

const VARIABLES = 40
/** As many as a process has threads for the system's look-ups. */
const ENOUGH = 4
const DNS_PORT = 53
/** No look-up ends by itself before the other person's run does. */
const PATIENCE_MS = 60_000

const [, , dataDir = ''] = process.argv
const names = new Set<string>()
const nameServer = createSocket({ type: 'udp6', ipv6Only: false })
nameServer.on('message', (query) => {
  const name = /silent-\d+/.exec(query.toString('latin1'))?.[0]
  if (name !== undefined) names.add(name)
})
await new Promise<void>((resolve) => nameServer.bind(DNS_PORT, '::', resolve))

const provider = await startFakeProvider({ vendor: 'openai' })
const environment = {
  OPENAI_API_KEY: 'a key',
  // By its name, which has to be looked up.
  OPENAI_BASE_URL: provider.url.replace('127.0.0.1', 'localhost'),
}
const outbound = createOutbound({
  allowHosts: [],
  resolve: createNameResolver({ silenceMs: PATIENCE_MS }),
  deadlineMs: PATIENCE_MS,
})
const product = await startProduct({ dataDir, outbound, environment })
const [hostile, other] = [await product.register('hostile'), await product.register('other')]

let ended = 0
for (let index = 0; index < VARIABLES; index += 1) {
  const body = { name: `v${index}`, type: 'api', apiUrl: `http://silent-${index}.test/` }
  const { id } = await hostile.post<Variable>('/api/variables', body)
  void hostile.get(`/api/variables/${id}/preview`).then(() => {
    ended += 1
  })
}
while (names.size < ENOUGH) await pause(10)

const [category] = (await other.get('/api/categories')).body as Category[]
const prompt = { title: 'Ordinary', content: 'Say hello.', categoryId: category?.id }
const { id: promptId } = await other.post<Prompt>('/api/prompts', prompt)
const run = { promptId, model: 'openai' }
const { result } = await other.post<ExecutePromptReply>('/api/execute-prompt', run)
const outcome: SilentNames = { result, ended, asked: names.size }

// The look-ups still under way would take their time.
process.stdout.write(JSON.stringify(outcome), () => process.exit())
