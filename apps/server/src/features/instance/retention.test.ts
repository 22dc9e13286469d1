import type { RetentionState, RunDetails } from '@catenary/contracts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compact } from '../../database/open/compact.ts'
import { fileBytes, files, runs } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { mediaOf } from '../../testing/media.ts'
import { makePng } from '../../testing/pictures.ts'
import { deleteUnused } from '../files/files.ts'

const PATH = '/api/admin/retention'
const FOREVER = { runDays: null, textDays: null, keyHours: 24, activityDays: null }
const ATTACHMENTS = JSON.stringify([
  {
    // Of no file that a test stores.
    fileId: 900_000,
    name: 'secret',
    fileName: 'secret.png',
    mediaType: 'image/png',
    bytes: 9,
    width: 1,
    height: 1,
  },
])

describe.each(routeDatabaseKinds)('what is kept on %s', (kind) => {
  let library: Library
  const ids = { prompt: 0, chain: 0 }
  beforeAll(async () => {
    library = await startLibrary(kind)
    ids.prompt = (await library.createPrompt(library.owner)).id
    ids.chain = (await library.createChain(library.owner)).id
    await library.app.start()
  })
  afterAll(() => library.close())

  const read = async () => (await library.request({ url: PATH, as: library.admin })).body as RetentionState
  const save = (body: unknown, as = library.admin) => library.request({ method: 'PUT', url: PATH, body, as })
  const run = async (id: number) => library.request({ url: `/api/executions/${id}`, as: library.owner })
  /** Runs of a chain and a prompt that many days ago. */
  const addRuns = async ({ days, status = 'failed' }: { days: number; status?: string }) => {
    const { rows } = await library.db.execute<{ id: number }>(sql`
      with made as (
        insert into executions (kind, user_id, prompt_id, chain_id, chain_name, status, user_input, variable_values,
          output, error, plan, step_count, executed_at, finished_at)
        select kind::execution_kind, ${library.owner.user.id}, case when kind = 'prompt' then ${ids.prompt}::integer end,
          case when kind = 'chain' then ${ids.chain}::integer end, 'Letter', ${status}::execution_status, 'secret input',
          '{"name": "secret value"}', 'secret output', 'Why it failed',
          case when kind = 'chain' then json_build_array(
            json_build_object('id', 7, 'position', 0, 'title', 'First', 'model', 'openai', 'promptId', null,
              'promptVersion', null, 'template', 'secret template', 'systemPrompt', 'secret system',
              'outputVariableName', 'a', 'temperature', null, 'maxTokens', null),
            json_build_object('id', 8, 'position', 1, 'title', 'Second', 'model', 'openai', 'promptId', null,
              'promptVersion', null, 'template', 'secret template', 'systemPrompt', 'secret system',
              'outputVariableName', 'b', 'temperature', null, 'maxTokens', null)) end,
          2, now() - make_interval(days => ${days}::integer), now()
        from unnest(array['chain', 'prompt']) kind returning id
      ), steps as (
        insert into execution_steps (execution_id, position, status, model, title, input_content, ai_response,
          system_prompt, template, resolved, input_tokens, output_tokens, messages, settings, structured, attachments)
        select id, 0, 'completed', 'openai', 'First', 'secret input', 'secret answer', 'secret system',
          'secret template', '{}', 3, 4, '[{"role": "user", "content": "secret turn"}]',
          '{"maxTokens": 5, "stop": ["secret stop"]}',
          '{"isValid": false, "isRepaired": false, "errors": [{"path": "", "message": "secret"}], "repairs": []}',
          ${ATTACHMENTS}::jsonb from made
      ), items as (
        insert into execution_items (execution_id, position, index, attempt, status, item, is_json, resolved,
          input_content, ai_response, system_prompt, messages, skip_reason, output_tokens)
        select id, 0, 0, 0, 'completed', 'secret item', true, '{"secret": {}}', 'secret input', 'secret answer',
          'secret system', '[{"role": "user", "content": "secret turn"}]', 'secret reason', 4 from made
      )
      select id from made order by id`)
    return rows.map(({ id }) => id)
  }

  test('is set by admins alone, within bounds, and is forever at first', async () => {
    for (const as of [undefined, library.owner]) {
      const status = as === undefined ? 401 : 403
      expect((await library.request({ url: PATH, as })).status).toBe(status)
      expect((await library.request({ method: 'PUT', url: PATH, body: FOREVER, as })).status).toBe(status)
    }
    expect((await read()).settings).toEqual({ ...FOREVER, activityDays: 400 })
    for (const wrong of [{ runDays: 0 }, { textDays: 1.5 }, { keyHours: 23 }, { keyHours: 721 }, { more: 1 }])
      expect((await save({ ...FOREVER, ...wrong })).status).toBe(400)
    const wanted = { runDays: 400, textDays: 30, keyHours: 48, activityDays: 90 }
    expect(await save(wanted)).toMatchObject({ status: 200, body: { settings: wanted } })
    expect((await read()).settings).toEqual(wanted)
    await save(FOREVER)
  })

  test('The activity is kept for days of its own, and a call that does not name them leaves them as they are.', async () => {
    const { activityDays: _, ...before } = FOREVER
    expect((await save({ ...before, activityDays: 30 })).status).toBe(200)
    expect((await save(before)).status).toBe(200)
    expect((await read()).settings).toEqual({ ...before, activityDays: 30 })
    expect((await save({ ...before, activityDays: 0 })).status).toBe(400)
    await save(FOREVER)
  })

  test('is reported with its size', async () => {
    await addRuns({ days: 0 })
    await library.db.execute(sql`analyze executions`)
    const { sizes } = await read()
    expect(sizes.runs.rows).toBeGreaterThan(0)
    for (const part of [sizes.runs, sizes.texts, sizes.keys]) expect(part.bytes).toBeGreaterThan(0)
    expect(sizes.database.bytes).toBeGreaterThan(sizes.runs.bytes + sizes.texts.bytes)
  })

  test('loses its texts after their days, and all of it after its own', async () => {
    const [gone = 0, gonePrompt = 0] = await addRuns({ days: 401 })
    const [clear = 0, clearPrompt = 0] = await addRuns({ days: 31 })
    const [underWay = 0] = await addRuns({ days: 500, status: 'running' })
    const [young = 0] = await addRuns({ days: 29 })
    await save({ ...FOREVER, runDays: 400, textDays: 30 })
    await vi.waitFor(async () => expect((await read()).last).toMatchObject({ runs: 2, texts: 2 }))
    for (const id of [gone, gonePrompt]) expect((await run(id)).status).toBe(404)
    const { text, body } = await run(clear)
    expect(text).not.toContain('secret')
    expect(body).toMatchObject({
      ...{
        textsDeleted: true,
        canResume: false,
        input: '',
        output: null,
        error: 'Why it failed',
        inputTokens: 3,
      },
      steps: [
        { id: 7, title: 'First', status: 'completed', outputTokens: 4, aiResponse: null, inputContent: null },
        { id: 8, title: 'Second', status: 'waiting' },
      ],
    })
    const { rows } = await library.db.execute(sql`
      select messages, structured, attachments, settings from execution_steps
      where execution_id in (${clear}, ${clearPrompt})`)
    const left = { messages: null, structured: null, attachments: null, settings: { maxTokens: 5 } }
    expect(rows).toEqual([left, left])
    const items = await library.db.execute(sql`
      select item, resolved, input_content, ai_response, system_prompt, messages, skip_reason, output_tokens
      from execution_items where execution_id = ${clear}`)
    const noText = { input_content: null, ai_response: null, system_prompt: null, messages: null }
    expect(items.rows).toEqual([{ ...noText, item: '', resolved: {}, skip_reason: '', output_tokens: 4 }])
    const history = await library.request({ url: `/api/prompts/${ids.prompt}/executions`, as: library.owner })
    expect((history.body as { id: number }[]).find(({ id }) => id === clearPrompt)).toMatchObject({
      textsDeleted: true,
      executedPromptContent: '',
    })
    const url = `/api/executions/${clear}/resume`
    expect(await library.request({ method: 'POST', url, body: {}, as: library.owner })).toMatchObject({
      status: 409,
      body: { error: 'The texts of this run are no longer kept. Execute the chain again.' },
    })
    for (const id of [underWay, young]) {
      const kept = (await run(id)).body as RunDetails
      expect([kept.textsDeleted, kept.input]).toEqual([undefined, 'secret input'])
    }
    await save(FOREVER)
  })

  test('A run’s images are kept as long as its texts. Their bytes go once neither a variable nor a run names them, after a day at the earliest.', async () => {
    const { owner, db } = library
    const media = mediaOf(library)
    const { fileId, filePath } = await media.store(makePng())
    await library.createVariable(owner, { name: 'place', type: 'image', content: '' })
    const { id: promptId } = await library.createPrompt(owner, { content: 'See $<place>' })
    const body = { promptId, variableValues: { place: filePath } }
    const ran = await library.request({ method: 'POST', url: '/api/execute-prompt', body, as: owner })
    const { executionId } = ran.body as { executionId: number }
    const shown = async () =>
      (await media.download(`/api/executions/${executionId}/files/${fileId}`, owner)).status
    const keptBytes = async () => {
      await deleteUnused(library.ctx)
      return (await db.select().from(fileBytes).where(eq(fileBytes.fileId, fileId))).length
    }
    const age = () => db.update(files).set({ createdAt: sql`now() - interval '2 days'` })
    await age()
    expect([await shown(), await keptBytes()]).toEqual([200, 1])
    await db.update(runs).set({ executedAt: sql`now() - interval '31 days'` }).where(eq(runs.id, executionId))
    await save({ ...FOREVER, textDays: 30 })
    await vi.waitFor(async () => expect(await shown()).toBe(404))
    await age()
    expect(await keptBytes()).toBe(0)
    await save(FOREVER)
  })

  test('of keys is what is set, for the claim and for the cleanup alike', async () => {
    const send = () =>
      library.request({
        ...{ method: 'POST', url: '/api/tags', as: library.owner, body: { name: 'keyed' } },
        headers: { 'idempotency-key': 'kept' },
      })
    expect((await send()).status).toBe(201)
    await library.db.execute(sql`update idempotency_keys set created_at = now() - interval '30 hours'`)
    await save({ ...FOREVER, keyHours: 48 })
    expect((await send()).status).toBe(201)
    await save(FOREVER)
    expect((await send()).status).toBe(409)
  })

  test('returns the space of deleted data once the database is compacted', async () => {
    await library.db.execute(sql`
      insert into executions (kind, user_id, chain_id, user_input)
      select 'chain', ${library.owner.user.id}, ${ids.chain}, string_agg(md5(random()::text), '')
      from generate_series(1, 60000) n group by n % 200`)
    await library.db.execute(sql`delete from executions`)
    const { before, after } = await compact(library.client)
    expect(after).toBeLessThan(before - 1_000_000)
    expect((await read()).sizes.runs.rows).toBe(0)
  })
})
