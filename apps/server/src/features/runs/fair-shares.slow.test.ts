import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { FakeReply } from '../../testing/fake-providers/fake-reply.ts'

const HUNDRED = Array.from({ length: 100 }, (_, index) => `<a ${index}>`)

/** Answers of the model that come only when the test lets them. */
function holdAnswers() {
  const waiting: (() => void)[] = []
  let isOpen = false
  const held = () => (isOpen ? undefined : new Promise<void>((resolve) => void waiting.push(resolve)))
  return {
    reply: { text: 'ok', before: held } satisfies FakeReply,
    /** Lets one of those through that have waited longest. */
    letOne: () => waiting.shift()?.(),
    open: () => {
      isOpen = true
      for (const answer of waiting.splice(0)) answer()
    },
  }
}

describe.each(routeDatabaseKinds)('what people share on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind, {}, { chainRunsAtOnce: 2, modelCallsAtOnce: 2 })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const sentTo = (name: string) => library.sent().filter((text) => text.includes(name))

  test('a first run of a chain waits for one step of a person with a hundred waiting', async () => {
    const { reply, letOne, open } = holdAnswers()
    library.fake.replyByDefault(reply)
    const chain = await library.buildChain(['one {{input}}', 'two {{input}}', 'three {{input}}'], {
      sharedLevel: 'public',
    })
    const ids = []
    for (const input of HUNDRED) ids.push(await library.execute(chain.id, { input }))
    await vi.waitFor(() => expect(library.sent()).toHaveLength(2))
    ids.push(await library.execute(chain.id, { input: '<b>' }, library.other))
    expect(sentTo('<b>')).toHaveLength(0)
    letOne()
    await vi.waitFor(() => expect(library.sent()).toHaveLength(3))
    expect(sentTo('<b>')).toEqual(['one <b>'])
    open()
    for (const id of ids) expect((await library.ended(id, library.admin)).status).toBe('completed')
    // Whoever yielded went on where they were.
    expect(library.sent()).toHaveLength(303)
    expect(new Set(library.sent()).size).toBe(303)
  })

  test('a first run of a prompt waits for one answer of a person with a hundred waiting', async () => {
    const { reply, letOne, open } = holdAnswers()
    library.fake.replyByDefault(reply)
    const prompt = await library.createPrompt(library.owner, { isPublic: true })
    const run = (text: string, as = library.owner) =>
      library.request({
        method: 'POST',
        url: '/api/execute-prompt',
        body: { promptId: prompt.id, processedContent: text, model: 'openai' },
        as,
      })
    const replies = HUNDRED.map((text) => run(text))
    await vi.waitFor(() => expect(library.sent()).toHaveLength(2))
    const first = run('<b>', library.other)
    const history = { url: `/api/prompts/${prompt.id}/executions`, as: library.other }
    await vi.waitFor(async () => expect((await library.request(history)).body).toHaveLength(1))
    expect(sentTo('<b>')).toHaveLength(0)
    letOne()
    await vi.waitFor(() => expect(library.sent()).toHaveLength(3))
    expect(sentTo('<b>')).toHaveLength(1)
    open()
    for (const reply of [...replies, first]) expect((await reply).status).toBe(200)
  })
})

describe('two workers on a server', () => {
  let web: ChainLibrary
  beforeAll(async () => {
    web = await startChainLibrary('server', {}, { role: 'web', chainRunsAtOnce: 2, modelCallsAtOnce: 6 })
    await web.app.start()
  })
  afterAll(() => web.close())

  test('a first run waits for one step of a person with a hundred waiting', async () => {
    const { reply, letOne, open } = holdAnswers()
    web.fake.replyByDefault(reply)
    const chain = await web.buildChain(['one {{input}}', 'two {{input}}'], { sharedLevel: 'public' })
    const ids = await Promise.all(HUNDRED.map((input) => web.execute(chain.id, { input })))
    const workers = await Promise.all([1, 2].map(() => web.startProcess({ role: 'worker' })))
    for (const worker of workers) await worker.app.start()
    await vi.waitFor(() => expect(web.sent()).toHaveLength(4))
    ids.push(await web.execute(chain.id, { input: '<b>' }, web.other))
    letOne()
    await vi.waitFor(() => expect(web.sent()).toHaveLength(5))
    expect(web.sent().at(-1)).toBe('one <b>')
    open()
    for (const id of ids) expect((await web.ended(id, web.admin)).status).toBe('completed')
    expect(new Set(web.sent()).size).toBe(202)
    expect(web.sent()).toHaveLength(202)
    for (const worker of workers) await worker.close()
  })
})
