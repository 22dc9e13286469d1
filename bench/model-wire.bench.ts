import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createModels, type Models, type ModelsOptions } from '../apps/server/src/platform/models/models.ts'
import { createProviderPools } from '../apps/server/src/platform/models/provider-reply.ts'
import { FAKE_WIRES } from '../apps/server/src/testing/fake-providers/start-models-on-fake.ts'
import { baselineProgram } from './lib/baseline.ts'
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
// reads the same bytes. The models of an earlier commit take turns with today's in this process.
const program = new URL('../apps/server/src/testing/fake-providers/main.ts', import.meta.url)
const fakes = spawn(process.execPath, [program.pathname], { stdio: ['ignore', 'pipe', 'inherit'] })
const pools = createProviderPools()
const urls = new Map<string, string>()
for await (const line of createInterface({ input: fakes.stdout })) {
  const { vendor, url } = JSON.parse(line) as { vendor: string; url: string }
  urls.set(vendor, url)
  if (urls.size === 3) break
}

const baseline = baselineProgram()
const createEarlier =
  baseline === undefined
    ? undefined
    : ((await import(join(dirname(baseline), 'platform/models/models.ts')))
        .createModels as typeof createModels)

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
  const options: ModelsOptions = {
    settings: { claude: none, openai: none, gemini: none, sandbox: 'off', [alias]: own },
    log: { warn: () => undefined },
  }
  const models = createModels(options)
  const earlier = createEarlier?.(options)
  const call = { alias, prompt: 'Say something.' }
  const floor = { stream: true, messages: [{ role: 'user', content: call.prompt }] }
  const contendersOf = ({ stream, generate }: Models) => ({
    streamed: () => processorTime(() => Array.fromAsync(stream(call))),
    whole: () => processorTime(() => generate(call)),
  })
  const before = earlier && contendersOf(earlier)
  const times = await interleave<string>({
    warmup: WARMUP,
    rounds: ROUNDS,
    contenders: {
      ...contendersOf(models),
      ...(before && { streamedBefore: before.streamed, wholeBefore: before.whole }),
      bare: () => processorTime(() => post(PATHS[name], floor)),
    },
  })
  await models.close()
  await earlier?.close()
  const timeOf = (contender: string) => median(times[contender] ?? [])
  const row = (kind: string, contender: string) => {
    const figure = `processor time of a model call, ${kind}, ${name}`
    const [value, bare] = [timeOf(contender), timeOf('bare')]
    print({ figure, value: milliseconds(value), floor: milliseconds(bare), ratio: (value / bare).toFixed(2) })
    if (earlier === undefined) return
    const before = times[`${contender}Before`] ?? []
    print({
      figure: `the same, over commit ${process.env.BENCH_BASELINE}`,
      value: milliseconds(value),
      floor: milliseconds(median(before)),
      // Of both sides of each round: what else the machine does changes from round to round.
      ratio: median(before.map((then, round) => (times[contender]?.[round] ?? Number.NaN) / then)).toFixed(2),
      target: '≤ 1',
    })
  }
  row(`streamed in ${ANSWER.length} pieces`, 'streamed')
  row('in one piece', 'whole')
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
