import type { RunDetails } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runs } from '../../../database/schema/index.ts'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import type { TestApp } from '../../../testing/harness.ts'
import { OWN_TEXTS_ONLY } from '../../records/consent.ts'
import { startChainRun } from './start-run.ts'

const stays = () => new AbortController().signal

async function readAll(text: { read(): AsyncIterable<string> }): Promise<string> {
  let all = ''
  for await (const piece of text.read()) all += piece
  return all
}

describe.each(routeDatabaseKinds)('the handle of a chain’s run, on %s', (kind) => {
  let library: ChainLibrary
  const processes: TestApp[] = []
  const startProcess = async (settings?: object): Promise<TestApp> => {
    const started = await library.startProcess(settings)
    processes.push(started)
    await started.app.start()
    return started
  }
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())
  afterEach(async () => {
    for (const started of processes.splice(0)) await started.close()
  })

  const start = (chainId: number, options: object = {}, app = library.app) =>
    startChainRun(app.ctx, {
      user: library.owner.user,
      allowed: OWN_TEXTS_ONLY,
      chainId,
      trigger: 'token',
      ...options,
    })
  const history = async (chainId: number) =>
    (await library.request({ url: `/api/chains/${chainId}/executions`, as: library.owner }))
      .body as RunDetails[]

  test('gives the last step’s text as it is written, and what the run came to once that is stored', async () => {
    const chain = await library.buildChain(['one {{input}}', 'two {{a}}'])
    library.fake.reply({ text: 'A' }, { text: ['Dear ', 'reader'], delayMs: 50 })
    const run = await start(chain.id, { input: [{ role: 'user', content: 'I' }] })
    const texts = await Promise.all([readAll(run.text), readAll(run.text)])
    expect(texts).toEqual(['Dear reader', 'Dear reader'])
    expect(await run.outcome).toEqual({
      status: 'completed',
      answer: {
        text: 'Dear reader',
        finishReason: 'stop',
        inputTokens: 22,
        outputTokens: 14,
        cachedTokens: 0,
        costNanos: 162_000,
      },
    })
    expect((await library.find(run.id)).output).toBe('Dear reader')
    expect(await readAll(run.text)).toBe('Dear reader')
  })

  test('says of a failed run why, and its text ends', async () => {
    const chain = await library.buildChain(['one'])
    library.fake.reply({ status: 401 })
    const run = await start(chain.id)
    expect(await readAll(run.text)).toBe('')
    expect(await run.outcome).toMatchObject({ status: 'failed', code: 'model_key' })
  })

  test('an answer that may have been read is not restarted: the run fails and can be resumed', async () => {
    const chain = await library.buildChain(['one'])
    library.fake.reply({ text: ['half ', 'of it'], fault: 'reset' })
    const run = await start(chain.id)
    await readAll(run.text)
    expect(await run.outcome).toMatchObject({ status: 'failed' })
    expect(library.fake.journal).toHaveLength(1)
    expect((await library.find(run.id)).canResume).toBe(true)
  })

  describe('attached to a caller that waits', () => {
    test('a run of one step is kept whole when it has ended, with the messages it came from', async () => {
      const chain = await library.buildChain([{ content: 'Say {{input_context}}', systemPrompt: 'Be kind.' }])
      const input = [
        { role: 'system' as const, content: 'S' },
        { role: 'user' as const, content: 'U' },
      ]
      const run = await start(chain.id, { input, attached: stays() })
      expect(await run.outcome).toMatchObject({ status: 'completed' })
      expect(await library.find(run.id)).toMatchObject({
        ...{ status: 'completed', trigger: 'token', completedSteps: 1, executedBy: 'Olga', errorCode: null },
        steps: [{ status: 'completed', inputContent: 'Say System: S\n\nUser: U', systemPrompt: 'Be kind.' }],
      })
      expect(await history(chain.id)).toMatchObject([{ id: run.id, status: 'completed', inputTokens: 11 }])
    })

    test('its failure is kept whole too', async () => {
      const chain = await library.buildChain(['one'])
      library.fake.reply({ status: 401 })
      const run = await start(chain.id, { attached: stays() })
      expect(await run.outcome).toMatchObject({ status: 'failed', code: 'model_key' })
      expect(await library.find(run.id)).toMatchObject({
        ...{ status: 'failed', errorCode: 'model_key', canResume: true },
        steps: [{ status: 'failed', errorCode: 'model_key', inputContent: 'one' }],
      })
    })

    test('runs that end together are kept together, each with its own', async () => {
      const chain = await library.buildChain(['echo {{input}}'])
      library.fake.replyByDefault(({ body }) => ({
        text: (body.messages as { content: string }[]).at(-1)?.content ?? '',
      }))
      const inputs = Array.from({ length: 70 }, (_, index) => `${index}`)
      const ended = await Promise.all(
        inputs.map(async (input) => {
          const run = await start(chain.id, { input, attached: stays() })
          await run.outcome
          return run.id
        }),
      )
      expect(new Set(ended).size).toBe(70)
      const outputs = await Promise.all(ended.map(async (id) => (await library.find(id)).output))
      expect(outputs).toEqual(inputs.map((input) => `echo ${input}`))
    })

    test('one that takes longer is seen while it goes on, and stopped from its page', async () => {
      const chain = await library.buildChain(['one'])
      library.fake.reply({ text: ['begun '], fault: 'silence' })
      const run = await start(chain.id, { attached: stays() })
      await vi.waitFor(async () => expect(await history(chain.id)).toMatchObject([{ status: 'running' }]))
      const stop = { method: 'POST', url: `/api/executions/${run.id}/cancel`, as: library.owner } as const
      expect((await library.request(stop)).status).toBe(200)
      expect(await run.outcome).toMatchObject({ status: 'cancelled' })
      expect(await library.find(run.id)).toMatchObject({
        status: 'cancelled',
        steps: [{ aiResponse: 'begun ' }],
      })
    })

    test('a caller that leaves ends it, and the text so far is kept', async () => {
      const chain = await library.buildChain(['one'])
      library.fake.reply({ text: ['begun '], fault: 'silence' })
      const caller = new AbortController()
      const run = await start(chain.id, { attached: caller.signal })
      for await (const text of run.text.read()) {
        expect(text).toBe('begun ')
        caller.abort()
      }
      expect(await run.outcome).toMatchObject({ status: 'cancelled' })
      expect(await library.find(run.id)).toMatchObject({
        status: 'cancelled',
        steps: [{ aiResponse: 'begun ' }],
      })
      await vi.waitFor(() => expect(library.fake.journal[0]?.state).toBe('closed-by-client'))
    })

    test('a stop of the process ends it; nobody takes it over', async () => {
      const chain = await library.buildChain(['one', 'two'])
      const other = await startProcess({ role: kind === 'embedded' ? 'all' : 'web' })
      library.fake.reply({ text: 'A' }, { text: ['begun '], fault: 'silence' })
      const run = await start(chain.id, { attached: stays() }, other.app)
      await vi.waitFor(() => expect(library.fake.journal).toHaveLength(2))
      await other.app.close()
      expect(await run.outcome).toMatchObject({ status: 'failed', code: 'server_stopped' })
      expect(await library.find(run.id)).toMatchObject({
        status: 'failed',
        errorCode: 'server_stopped',
        completedSteps: 1,
      })
    })

    test('one whose process died is ended by another, and goes on only when its person resumes it', async () => {
      const chain = await library.buildChain(['one', 'two'])
      library.fake.reply({ text: 'A' }, { text: ['begun '], fault: 'silence' })
      const run = await start(chain.id, { attached: stays() })
      await vi.waitFor(() => expect(library.fake.journal).toHaveLength(2))
      await library.db
        .update(runs)
        .set({ attempt: 7, leaseUntil: new Date(Date.now() - 1_000) })
        .where(eq(runs.id, run.id))
      await startProcess()
      expect(await library.find(run.id)).toMatchObject({ status: 'failed', errorCode: 'server_stopped' })
      const resume = { method: 'POST', url: `/api/executions/${run.id}/resume`, as: library.owner } as const
      expect((await library.request(resume)).status).toBe(200)
      expect(await library.ended(run.id)).toMatchObject({ status: 'completed', completedSteps: 2 })
    })
  })
})

test('a run that goes on in another process can be followed here, too', async () => {
  const library = await startChainLibrary('server')
  await library.app.start()
  const web = await library.startProcess({ role: 'web' })
  await web.app.start()
  const chain = await library.buildChain(['one', 'two {{a}}'])
  library.fake.reply({ text: 'A' }, { text: ['slowly ', 'written'], delayMs: 300 })
  const user = library.owner.user
  const run = await startChainRun(web.app.ctx, {
    user,
    allowed: OWN_TEXTS_ONLY,
    chainId: chain.id,
    trigger: 'token',
  })
  expect(await readAll(run.text)).toBe('slowly written')
  const answer = { text: 'slowly written', inputTokens: 22 }
  expect(await run.outcome).toMatchObject({ status: 'completed', answer })
  await web.close()
  await library.close()
})
