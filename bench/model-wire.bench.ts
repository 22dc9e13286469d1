import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createModels } from '../apps/server/src/platform/models/models.ts'
import { createProviderPools } from '../apps/server/src/platform/models/provider-reply.ts'
import { FAKE_WIRES } from '../apps/server/src/testing/fake-providers/start-models-on-fake.ts'
import { interleave, median, milliseconds, print } from './lib/measure.ts'

const WARMUP = 10
const ROUNDS = 15
const CALLS_A_ROUND = 200
const ANSWER = Array.from({ length: 20 }, (_, index) => `piece ${index} `)
const PATHS = {
  anthropic: '/v1/messages',
  'openai responses': '/v1/responses',
  'openai chat': '/v1/chat/completions',
  gemini: '/v1beta/models/bench:streamGenerateContent',
}

// The processor time that a call of a model takes here; the fake providers have a process of their own. The floor sends the same request and
// reads the same bytes.
const program = new URL('../apps/server/src/testing/fake-providers/main.ts', import.meta.url)
const fakes = spawn(process.execPath, [program.pathname], { stdio: ['ignore', 'pipe', 'inherit'] })
const pools = createProviderPools()
const urls = new Map<string, string>()
for await (const line of createInterface({ input: fakes.stdout })) {
  const { vendor, url } = JSON.parse(line) as { vendor: string; url: string }
  urls.set(vendor, url)
  if (urls.size === 3) break
}

for (const { name, vendor, alias, wire } of FAKE_WIRES) {
  const url = new URL(urls.get(vendor) ?? '')
  const pool = pools.of(url.origin)
  const post = async (path: string, body: unknown) => {
    const reply = await pool.request({ method: 'POST', path, body: JSON.stringify(body) })
    for await (const _ of reply.body) {
      // Only read.
    }
  }
  await post('/__reset', {})
  await post('/__default', { text: ANSWER })
  const none = { baseUrl: 'http://127.0.0.1:9', modelId: 'none' }
  const own = { apiKey: 'bench', baseUrl: url.href, modelId: 'bench', ...(wire && { wire }) }
  const models = createModels({
    settings: { claude: none, openai: none, gemini: none, sandbox: 'off', [alias]: own },
    log: { warn: () => undefined },
  })
  const call = { alias, prompt: 'Say something.' }
  const floor = { stream: true, messages: [{ role: 'user', content: call.prompt }] }
  const { streamed, whole, bare } = await interleave({
    warmup: WARMUP,
    rounds: ROUNDS,
    contenders: {
      streamed: () =>
        processorTime(async () => {
          for await (const _ of models.stream(call)) {
            // Only read.
          }
        }),
      whole: () => processorTime(() => models.generate(call)),
      bare: () => processorTime(() => post(PATHS[name], floor)),
    },
  })
  await models.close()
  const row = (kind: string, times: number[]) =>
    print({
      figure: `processor time of a model call, ${kind}, ${name}`,
      value: milliseconds(median(times)),
      floor: milliseconds(median(bare)),
      ratio: (median(times) / median(bare)).toFixed(2),
    })
  row(`streamed in ${ANSWER.length} pieces`, streamed)
  row('in one piece', whole)
}
await pools.close()
fakes.kill()
await once(fakes, 'close')

/** Milliseconds a call, many one after the other: the clock of the processor is too coarse for one. */
async function processorTime(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let index = 0; index < CALLS_A_ROUND; index += 1) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / CALLS_A_ROUND
}
