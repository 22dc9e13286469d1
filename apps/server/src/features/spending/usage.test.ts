import type { UsageReport, UsageRuns, VersionMetrics } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { usageCalls } from '../../database/schema/index.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { databaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'

const DAY_MS = 86_400_000

describe.each(databaseKinds)('usage on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind)
  })
  afterAll(() => library.close())

  async function read<T>(path: string, as: TestUser): Promise<T> {
    const reply = await library.request({ url: `/api/usage${path}`, as })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as T
  }
  const report = (as: TestUser, query = '') => read<UsageReport>(`?${query}`, as)
  const run = async (as: TestUser, promptId: number, fields: object = {}) => {
    const body = { promptId, model: 'openai', variables: { tone: 'warm', customer: 'Ada' }, ...fields }
    const reply = await library.request({ method: 'POST', url: '/api/execute-prompt', body, as })
    return reply.body as { executionId: number }
  }
  const note = (person: TestUser, fields: object) =>
    library.db.insert(usageCalls).values({
      ...{ userId: person.user.id, model: 'fake-model', outcome: 'completed' as const },
      ...{ inputTokens: 10, outputTokens: 5, costNanos: 1_000_000_000, at: new Date() },
      ...fields,
    })
  const totals = ({ days }: UsageReport) => ({
    completed: days.reduce((sum, day) => sum + day.completed, 0),
    failed: days.reduce((sum, day) => sum + day.failed, 0),
    costUsd: days.reduce((sum, day) => sum + day.costUsd, 0),
    tokens: days.reduce((sum, day) => sum + day.inputTokens + day.outputTokens, 0),
  })

  test('nothing yet: each day is there, without runs or times', async () => {
    const { days, models, budget, before } = await report(await library.registerUser(), 'days=90')
    expect(days).toHaveLength(90)
    expect(days.every(({ completed, whole }) => completed === 0 && whole === null)).toBe(true)
    expect([models, budget, before.runs]).toEqual([{ count: 0, listed: [] }, null, 0])
  })

  test('Usage adds up what runs did and cost, in the reader’s time zone: runs a day by outcome, cost by model, tokens, p50 to p95, time to the first text, top prompts and chains.', async () => {
    const person = await library.registerUser()
    const prompt = await library.createPrompt(person)
    await run(person, prompt.id)
    const chain = await library.buildChain(['One', 'Two {{a}}'], { as: person })
    await library.ended(await library.execute(chain.id, undefined, person), person)
    const found = await report(person)
    expect(totals(found)).toEqual({
      completed: 2,
      failed: 0,
      costUsd: expect.closeTo(3 * 0.000081),
      tokens: 54,
    })
    expect(found.models.listed).toMatchObject([
      { key: 'fake-model', name: 'fake-model', runs: 3, uncounted: 0 },
    ])
    expect(found.prompts.listed).toMatchObject([{ key: String(prompt.id), name: prompt.title, runs: 1 }])
    expect(found.chains.listed).toMatchObject([{ key: String(chain.id), name: chain.name, runs: 1 }])
    expect(found.chains.listed[0]?.costUsd).toBeCloseTo(2 * 0.000081)
    expect(found.people).toEqual({ count: 0, listed: [] })
    expect(found.days.at(-1)?.whole).toEqual({ p50: expect.any(Number), p95: expect.any(Number) })
    expect(found.days.at(-1)?.firstText).not.toBeNull()
  })

  test('Failures are counted by reason, and what is deleted stays counted.', async () => {
    const person = await library.registerUser()
    const prompt = await library.createPrompt(person)
    library.fake.reply({ status: 401 })
    await run(person, prompt.id)
    library.fake.reset()
    await run(person, prompt.id)
    const before = await report(person)
    expect(totals(before)).toMatchObject({ completed: 1, failed: 1 })
    expect(before.reasons.listed).toMatchObject([{ key: 'model_key', runs: 1 }])
    const url = `/api/prompts/${prompt.id}/executions`
    expect((await library.request({ method: 'DELETE', url, as: person })).status).toBeLessThan(300)
    expect(totals(await report(person))).toEqual(totals(before))
    expect((await read<UsageRuns>('/runs', person)).runs).toEqual([])
  })

  test('Days begin in the person’s time zone.', async () => {
    const person = await library.registerUser()
    const midnight = new Date(new Date().toISOString().slice(0, 10))
    // Half past eight in the evening of UTC, which is the next day already in Kathmandu (+05:45).
    await note(person, { at: new Date(midnight.getTime() - 3.5 * 3_600_000) })
    await note(person, { at: new Date(midnight.getTime() - 8.5 * DAY_MS), costNanos: null })
    const dayOf = (found: UsageReport) => found.days.filter(({ completed }) => completed > 0)
    const date = (at: number) => new Date(at).toISOString().slice(0, 10)
    const utc = await report(person, 'timeZone=UTC')
    expect(dayOf(utc).map((day) => day.date)).toEqual([
      date(midnight.getTime() - 9 * DAY_MS),
      date(midnight.getTime() - DAY_MS),
    ])
    const kathmandu = await report(person, 'timeZone=Asia/Kathmandu')
    expect(dayOf(kathmandu).at(-1)?.date).toBe(date(midnight.getTime()))
    for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns']) {
      const found = await report(person, `days=30&timeZone=${zone}`)
      expect(found.models.listed, zone).toMatchObject([{ runs: 2, costUsd: 1, uncounted: 1 }])
    }
    const week = await report(person, 'days=7&timeZone=UTC')
    expect(week.models.listed).toMatchObject([{ runs: 1 }])
    expect(week.before).toMatchObject({ runs: 1, costUsd: 0, inputTokens: 10 })
  })

  test('Percentiles are right to a tenth.', async () => {
    const person = await library.registerUser()
    for (let ms = 100; ms <= 2_000; ms += 100) await note(person, { durationMs: ms, firstTextMs: ms / 10 })
    const today = (await report(person)).days.at(-1)
    expect((today?.whole?.p50 ?? 0) / 1_000).toBeCloseTo(1, 0)
    expect(Math.abs((today?.whole?.p95 ?? 0) - 1_900)).toBeLessThan(190)
    expect(Math.abs((today?.firstText?.p50 ?? 0) - 100)).toBeLessThan(10)
  })

  test('Administrators see the metrics of all runs, and names only of what they may see (D42).', async () => {
    const person = await library.registerUser()
    const hidden = await library.createPrompt(person, { title: 'Hidden plans' })
    await run(person, hidden.id)
    for (const path of ['', '/runs']) {
      const url = `/api/usage${path}?scope=everyone`
      expect((await library.request({ url })).status).toBe(401)
      expect((await library.request({ url, as: person })).status).toBe(403)
    }
    const found = await report(library.admin, 'scope=everyone')
    expect(totals(found).completed).toBeGreaterThanOrEqual(totals(await report(person)).completed)
    expect(found.people.listed).toContainEqual(
      expect.objectContaining({ key: String(person.user.id), name: person.user.username, runs: 1 }),
    )
    const { runs } = await read<UsageRuns>(`/runs?scope=everyone&userId=${person.user.id}`, library.admin)
    expect(runs).toMatchObject([{ promptId: hidden.id, name: null, executedBy: person.user.username }])
    expect(JSON.stringify([found, runs])).not.toContain('Hidden plans')
  })

  test('Each mark of a plot leads to its runs.', async () => {
    const person = await library.registerUser()
    const [one, two] = [
      await library.createPrompt(person),
      await library.createPrompt(person, { title: 'Two' }),
    ]
    await run(person, one.id)
    library.fake.reply({ status: 401 })
    await run(person, two.id)
    library.fake.reset()
    const runsOf = async (query: string) => (await read<UsageRuns>(`/runs?${query}`, person)).runs
    expect(await runsOf('')).toHaveLength(2)
    expect(await runsOf('outcome=failed')).toMatchObject([
      { name: 'Two', status: 'failed', error: 'model_key' },
    ])
    expect(await runsOf('reason=model_key')).toHaveLength(1)
    expect(await runsOf('model=fake-model')).toMatchObject([{ promptId: one.id, models: ['fake-model'] }])
    expect(await runsOf(`promptId=${two.id}`)).toHaveLength(1)
    expect(await runsOf(`date=${new Date().toISOString().slice(0, 10)}&timeZone=UTC`)).toHaveLength(2)
    for (const query of ['days=8', 'timeZone=Nowhere', 'date=2001-01-01', 'outcome=lost', 'extra=1']) {
      expect((await library.request({ url: `/api/usage/runs?${query}`, as: person })).status, query).toBe(400)
    }
  })

  test('A version’s metrics are those of its runs.', async () => {
    const person = await library.registerUser()
    const prompt = await library.createPrompt(person)
    await run(person, prompt.id)
    const body = { title: prompt.title, content: 'Shorter.', categoryId: prompt.categoryId }
    await library.request({ method: 'PUT', url: `/api/prompts/${prompt.id}`, body, as: person })
    await run(person, prompt.id)
    await run(person, prompt.id, { template: 'Edited' })
    const figures = await read<VersionMetrics[]>(`/versions?promptId=${prompt.id}`, person)
    expect(figures.toSorted((a, b) => a.version - b.version)).toMatchObject([
      { version: 1, runs: 1, costUsd: 0.000081, medianMs: expect.any(Number) },
      { version: 2, runs: 1 },
    ])
    expect(await read(`/versions?promptId=${prompt.id}`, library.other)).toEqual([])
  })

  test('what each version of a chain came to, all steps of a run together', async () => {
    const person = await library.registerUser()
    const chain = await library.buildChain(['One'], { as: person })
    await library.ended(await library.execute(chain.id, undefined, person), person)
    await library.createStep(person, chain.id, { content: 'Two.' })
    await library.ended(await library.execute(chain.id, undefined, person), person)
    const figures = await read<VersionMetrics[]>(`/versions?chainId=${chain.id}`, person)
    const [first, second] = figures.toSorted((a, b) => a.version - b.version)
    expect(first).toMatchObject({ runs: 1, costUsd: 0.000081, medianMs: expect.any(Number) })
    expect(second).toMatchObject({ version: (first?.version ?? 0) + 1, runs: 1, costUsd: 0.000162 })
    expect(await read(`/versions?chainId=${chain.id}`, library.other)).toEqual([])
    for (const query of ['', `promptId=1&chainId=${chain.id}`]) {
      const refused = await library.request({ url: `/api/usage/versions?${query}`, as: person })
      expect(refused.status, query).toBe(400)
    }
  })

  test('runs that ended are added to the sums even if nobody opens the page', async () => {
    const person = await library.registerUser()
    await note(person, {})
    await library.app.start()
    const isOf = eq(usageCalls.userId, person.user.id)
    await vi.waitFor(async () => expect(await library.db.select().from(usageCalls).where(isOf)).toEqual([]))
    expect(totals(await report(person))).toMatchObject({ completed: 1, costUsd: 1 })
  })
})
