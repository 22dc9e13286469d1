import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'

describe('the metrics for Prometheus', () => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary('embedded', {}, { metrics: true })
    await library.app.start()
  })
  afterAll(() => library.close())

  const read = async () => (await library.request({ url: '/metrics' })).text

  it('count requests by route, models by provider, chains by outcome', async () => {
    const chain = await library.buildChain(['one', 'two {{a}}'])
    library.fake.reply({ text: 'A' }, { text: 'B' })
    await library.ended(await library.execute(chain.id))
    library.fake.reply({ text: 'A' }, { status: 401 })
    await library.ended(await library.execute(chain.id))
    await library.request({ url: '/nowhere/at/all' })
    const text = await read()
    for (const line of [
      'http_request_duration_seconds_count{method="POST",route="/api/chains/:id/execute",status="201"} 2',
      'http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
      'model_call_duration_seconds_count{provider="openai",outcome="completed"} 3',
      'model_call_duration_seconds_count{provider="openai",outcome="model_key"} 1',
      'model_first_text_seconds_count{provider="openai"} 3',
      'chain_step_duration_seconds_count{outcome="completed"} 3',
      'chain_step_duration_seconds_count{outcome="failed"} 1',
      'chain_run_duration_seconds_count{outcome="completed"} 1',
      'chain_run_duration_seconds_count{outcome="failed"} 1',
    ]) {
      expect(text).toContain(`${line}\n`)
    }
  })

  it('count the tries of jobs by queue', async () => {
    await vi.waitFor(async () => {
      expect(await read()).toMatch(/^job_duration_seconds_count\{queue="[a-z-]+",outcome="completed"\} \d+$/m)
    })
  })

  it('tell of the process and its event loop', async () => {
    const text = await read()
    for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds']) {
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'))
    }
  })

  it('No label holds an id or what a person wrote.', async () => {
    const chain = await library.buildChain(['one'])
    await library.request({ url: `/api/chains/${chain.id}`, as: library.owner })
    await library.request({ url: '/api/chains/written?by=a-person', as: library.owner })
    const own = (await read()).split('\n').filter((line) => /^(http|model|chain|job|database)_/.test(line))
    const values = own.flatMap((line) => [...line.matchAll(/(?<!\ble)="([^"]*)"/g)].map(([, value]) => value))
    const known = /^([A-Z]+|none|[1-5]\d\d|[a-z_-]+|\/[\w/:.*-]*)$/
    expect(values.filter((value) => !known.test(value ?? ''))).toEqual([])
    expect(values.filter((value) => value?.includes('person') || value?.includes('written'))).toEqual([])
    expect(values.some((value) => value === '/api/chains/:id')).toBe(true)
  })
})
