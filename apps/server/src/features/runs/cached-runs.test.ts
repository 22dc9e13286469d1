import type { ExecutePromptReply, Prompt, PromptRun, UsageReport } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary, startSharingChains } from '../../testing/chain-library.ts'
import { databaseKinds } from '../../testing/database.ts'
import { FAKE_WIRES } from '../../testing/fake-providers/start-models-on-fake.ts'

const RULES = `Answer by these rules: ${'be exact. '.repeat(600)}`
const [ANTHROPIC, RESPONSES] = FAKE_WIRES
const price = { inputPerMillionUsd: 10, outputPerMillionUsd: 50, cachedInputPerMillionUsd: 1 }
const cases = databaseKinds.flatMap((kind) => [ANTHROPIC, RESPONSES].map((wire) => ({ kind, wire })))

describe.each(cases)('runs that begin alike, on $kind over the $wire.name wire', ({ kind, wire }) => {
  let library: ChainLibrary
  let prompt: Prompt
  beforeAll(async () => {
    library = await startChainLibrary(kind, { wire, prices: { 'fake-model': price } })
    prompt = await library.createPrompt(library.owner, { content: `${RULES}$<customer> asks $<what>` })
  })
  afterAll(() => library.close())
  beforeEach(() => library.fake.reset())

  const run = async (fields: object = {}, as = library.owner) => {
    const variables = { customer: 'Ada', what: 'why' }
    const body = { promptId: prompt.id, model: wire.alias, variables, ...fields }
    const reply = await library.request({ method: 'POST', url: '/api/execute-prompt', body, as })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as ExecutePromptReply
  }
  const read = async <T>(url: string, as = library.owner) => (await library.request({ url, as })).body as T
  const bodies = () => library.fake.journal.map(({ body }) => body)
  const isMarked = (body: unknown) => JSON.stringify(body).includes('cache_control')

  test('A run says how much of its input was cached and what that saved.', async () => {
    const first = await run()
    const second = await run({ variables: { customer: 'Bo', what: 'when' } })
    expect(first.cachedTokens).toBe(0)
    expect(second.cachedTokens).toBeGreaterThan(1_024)
    expect(second.savedUsd).toBeCloseTo(((second.cachedTokens ?? 0) * 9) / 1_000_000, 9)
    const { cachedTokens, savedUsd, costUsd } = second
    expect(await read<PromptRun>(`/api/prompts/${prompt.id}/executions/${second.executionId}`)).toMatchObject(
      { cachedTokens, savedUsd, costUsd },
    )
    const [listed] = await read<PromptRun[]>(`/api/prompts/${prompt.id}/executions`)
    expect(listed).toMatchObject({ id: second.executionId, cachedTokens, savedUsd })
  })

  test('what is sent is the text as it was, and the key tells the version and no value', async () => {
    await library.createVariable(library.owner, { name: 'secret', content: 'hush-hush' })
    const made = await library.createPrompt(library.owner, { content: `${RULES}$<secret> and more` })
    const { executionId } = await run({ promptId: made.id, variables: {} })
    const { executedPromptContent } = await read<PromptRun>(
      `/api/prompts/${made.id}/executions/${executionId}`,
    )
    expect(executedPromptContent).toBe(`${RULES}hush-hush and more`)
    const [body = {}] = bodies()
    const [turn] = (body.messages ?? body.input) as { content: string | { text: string }[] }[]
    const blocks = typeof turn?.content === 'string' ? [{ text: turn.content }] : (turn?.content ?? [])
    expect(blocks.map(({ text }) => text).join('')).toBe(executedPromptContent)
    if (wire === ANTHROPIC) expect(blocks[0]).toMatchObject({ text: RULES, cache_control: {} })
    else expect(body.prompt_cache_key).toBe(`prompt-${made.id}-v1`)
  })

  test('an edited copy is fixed up to its own first variable; of a text that came rendered nothing is', async () => {
    await run({ template: `$<customer> asks. ${RULES}` })
    await run({ processedContent: `${RULES} Ada asks` })
    await run({ template: `New: ${RULES}$<what>` })
    expect(bodies().map(isMarked)).toEqual([false, false, wire === ANTHROPIC])
  })

  test('a chain sums what its steps read, and administrators see it with the metrics', async () => {
    const content = `${RULES}{{input}} $<mine>`
    const steps = [content, `${content} {{a}}`].map((text) => ({ content: text, model: wire.alias }))
    const { viewer, share, run: runChain } = await startSharingChains(library)
    await library.createVariable(viewer, { name: 'mine', content: 'hush-hush', isPublic: false })
    const chain = await share(steps, { runsVisibleTo: 'editors' })
    await runChain(chain, viewer, { input: 'one' })
    const id = await runChain(chain, viewer, { input: 'two' })
    const { cachedTokens, savedUsd, steps: ran } = await library.find(id, viewer)
    expect(ran.map((step) => (step.cachedTokens ?? 0) > 1_024)).toEqual([true, true])
    expect(cachedTokens).toBe(ran.reduce((sum, step) => sum + (step.cachedTokens ?? 0), 0))
    expect(savedUsd).toBeCloseTo(((cachedTokens ?? 0) * 9) / 1_000_000, 9)
    const [listed] = await read<object[]>(`/api/chains/${chain.id}/executions`, viewer)
    expect(listed).toMatchObject({ id, cachedTokens, savedUsd })
    const seen = await library.find(id, library.admin)
    expect(seen).toMatchObject({ sight: 'figures', output: null, cachedTokens, savedUsd })
    expect((await library.status(id, viewer)).steps[1]).toMatchObject({ cachedTokens: ran[1]?.cachedTokens })
  })

  test('a step of a prompt is keyed by that prompt’s version, one of its own text by nothing', async () => {
    const linked = { promptId: prompt.id, content: '', model: wire.alias }
    const chain = await library.buildChain([linked, { content: 'Own', model: wire.alias }])
    await library.ended(await library.execute(chain.id, {}))
    const keys = bodies().map(({ prompt_cache_key }) => prompt_cache_key)
    expect(keys).toEqual(wire === RESPONSES ? [`prompt-${prompt.id}-v1`, undefined] : [undefined, undefined])
  })

  test('Usage sums the tokens that were read from caches, and what that saved; writing that nothing read counts against it.', async () => {
    const person = await library.registerUser()
    const own = await library.createPrompt(person, { content: `${RULES}$<customer>` })
    const ran = [await run({ promptId: own.id }, person), await run({ promptId: own.id }, person)]
    const { days } = await read<UsageReport>('/api/usage', person)
    const sum = (of: (run: ExecutePromptReply) => number | null) =>
      ran.reduce((all, each) => all + (of(each) ?? 0), 0)
    const today = days.at(-1)
    expect(today?.cachedTokens).toBe(sum((one) => one.cachedTokens))
    expect(today?.cachedTokens).toBeGreaterThan(0)
    expect(today?.savedUsd).toBeCloseTo(
      sum((one) => one.savedUsd),
      9,
    )
    expect(today?.costUsd).toBeCloseTo(
      sum((one) => one.costUsd),
      9,
    )
  })
})
