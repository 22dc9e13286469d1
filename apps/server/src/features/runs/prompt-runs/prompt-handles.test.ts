import type { PromptRun } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { OWN_TEXTS_ONLY } from '../../records/consent.ts'
import { startPromptRun } from './start-prompt-run.ts'

const startPrompt = (library: ChainLibrary, promptId: number, options: object = {}) =>
  startPromptRun(library.app.ctx, {
    allowed: OWN_TEXTS_ONLY,
    user: library.owner.user,
    request: { promptId, model: 'openai' },
    ...options,
  })

describe.each(routeDatabaseKinds)('the handle of a prompt’s run, on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind)
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const history = async (promptId: number) => {
    const reply = await library.request({ url: `/api/prompts/${promptId}/executions`, as: library.owner })
    return reply.body as PromptRun[]
  }

  test('turns follow on the prompt’s text, and what they say as system joins the system prompt', async () => {
    const { id } = await library.createPrompt(library.owner, { content: 'Be brief.' })
    const turns = [
      { role: 'system' as const, content: 'Answer in verse.' },
      { role: 'user' as const, content: 'Who are you?' },
      { role: 'assistant' as const, content: 'A bridge.' },
      { role: 'user' as const, content: 'Since when?' },
    ]
    const run = await startPrompt(library, id, { turns })
    expect(await run.outcome).toMatchObject({ status: 'completed', answer: { finishReason: 'stop' } })
    expect(library.fake.journal[0]?.body.messages).toEqual([
      { role: 'system', content: 'Answer in verse.' },
      { role: 'user', content: 'Be brief.' },
      { role: 'user', content: 'Who are you?' },
      { role: 'assistant', content: 'A bridge.' },
      { role: 'user', content: 'Since when?' },
    ])
    const userInput = 'User: Who are you?\n\nAssistant: A bridge.\n\nUser: Since when?'
    expect(await history(id)).toMatchObject([{ id: run.id, userInput, systemPrompt: 'Answer in verse.' }])
  })

  test('runs that begin and end together are each recorded with their own', async () => {
    const { id } = await library.createPrompt(library.owner, { content: 'Say $<word>' })
    const words = Array.from({ length: 40 }, (_, index) => `word ${index}`)
    library.fake.replyByDefault(({ body }) => ({
      text: (body.messages as { content: string }[]).at(-1)?.content ?? '',
    }))
    const ids = await Promise.all(
      words.map(async (word) => {
        const request = { promptId: id, model: 'openai', variables: { word } }
        const run = await startPrompt(library, id, { request })
        expect(await run.outcome).toMatchObject({ answer: { text: `Say ${word}` } })
        return run.id
      }),
    )
    const found = await Promise.all(ids.map((run) => library.find(run)))
    expect(found.map(({ output }) => output)).toEqual(words.map((word) => `Say ${word}`))
    expect(found.every(({ status }) => status === 'completed')).toBe(true)
  })
})

describe('a database that takes its time', () => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary('server')
  })
  afterAll(() => library.close())

  test('lets the first text through before the run is recorded, and its end only afterwards', async () => {
    const { id } = await library.createPrompt(library.owner, { content: 'Hello' })
    const client = await library.client.pool.connect()
    await client.query('begin; lock table executions in share row exclusive mode')
    library.fake.reply({ text: ['first ', 'last'] })
    const run = await startPrompt(library, id)
    let isOver = false
    void run.outcome.then(() => {
      isOver = true
    })
    const texts: string[] = []
    for await (const text of run.text.read()) {
      texts.push(text)
      if (texts.join('') === 'first last') break
    }
    expect(isOver).toBe(false)
    await client.query('rollback')
    client.release()
    expect(await run.outcome).toMatchObject({ status: 'completed' })
    expect(await library.find(run.id)).toMatchObject({ status: 'completed', output: 'first last' })
  })

  test('a run that can’t be recorded stops its model and says that it failed', async () => {
    const { id } = await library.createPrompt(library.owner, { content: 'Hello' })
    library.fake.reset()
    library.fake.reply({ text: ['begun '], fault: 'silence' })
    await library.client.pool.query('alter table execution_steps rename to execution_steps_gone')
    const run = await startPrompt(library, id)
    expect(await run.outcome).toMatchObject({ status: 'failed', code: 'internal' })
    await library.client.pool.query('alter table execution_steps_gone rename to execution_steps')
    await expect.poll(() => library.fake.journal[0]?.state).toBe('closed-by-client')
  })
})
