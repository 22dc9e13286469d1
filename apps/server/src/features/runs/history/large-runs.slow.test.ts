import type { RunDetails } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Library, startLibrary } from '../../../testing/library.ts'

describe.each(routeDatabaseKinds)('a run that is too large for one reply on %s', (kind) => {
  let library: Library
  let chainId = 0
  beforeAll(async () => {
    library = await startLibrary(kind)
    chainId = (await library.createChain(library.owner)).id
  })
  afterAll(() => library.close())

  /** A failed run of so many steps, of which all but the last have ended with such a text. */
  const addRun = async ({ steps, length }: { steps: number; length: number }) => {
    const { rows } = await library.db.execute<{ id: number }>(sql`
      with run as (
        insert into executions (kind, user_id, chain_id, chain_name, status, step_count, plan)
        select 'chain', ${library.owner.user.id}, ${chainId}, 'Letter', 'failed', ${steps}, (
          select json_agg(json_build_object('id', 100 + n, 'position', n, 'title', 'Step ' || n, 'model', 'openai',
            'promptId', null, 'promptVersion', null, 'template', repeat('😀', ${length}),
            'systemPrompt', repeat('😀', ${length}), 'outputVariableName', 'o' || n, 'temperature', null,
            'maxTokens', null) order by n)
          from generate_series(0, ${steps}::integer - 1) n)
        returning id
      ), steps as (
        insert into execution_steps (execution_id, position, status, model, title, input_content, ai_response,
          system_prompt, output_variable_name, input_segments, resolved)
        select id, n, 'completed', 'openai', 'Step ' || n, repeat('😀', ${length}), 'answer ' || n || repeat('😀', ${length}),
          repeat('😀', ${length}), 'o' || n,
          '[{"start": 0, "end": 600, "kind": "output", "name": "o0"}]', '{}'
        from run, generate_series(0, ${steps}::integer - 2) n
      )
      select id from run`)
    return rows[0]?.id ?? 0
  }
  const read = (path: string, as = library.owner) => library.request({ url: `/api/executions/${path}`, as })

  test('comes with the beginnings of its texts, and each step whole as it is asked for', async () => {
    const id = await addRun({ steps: 200, length: 100_000 })
    const { status, text, body } = await read(String(id))
    expect(status).toBe(200)
    expect(Buffer.byteLength(text)).toBeLessThan(2_000_000)
    const { steps } = body as RunDetails
    expect(steps).toHaveLength(200)
    expect(steps[3]).toMatchObject({
      ...{ id: 103, position: 3, status: 'completed', contentClipped: true, inputSegments: [] },
      ...{ inputContent: '😀'.repeat(500), systemPrompt: '', outputVariableValue: null },
    })
    expect(steps[199]).toMatchObject({ id: 299, status: 'waiting', aiResponse: null })
    const step = (await read(`${id}/steps/3`)).body
    expect(step).toMatchObject({
      aiResponse: `answer 3${'😀'.repeat(100_000)}`,
      inputSegments: [{ end: 600 }],
    })
    expect(step).not.toHaveProperty('contentClipped')
  })

  test('is the exception: any other comes whole', async () => {
    const id = await addRun({ steps: 3, length: 600 })
    const { steps } = (await read(String(id))).body as RunDetails
    expect(steps[0]).toMatchObject({ inputContent: '😀'.repeat(600), inputSegments: [{ end: 600 }] })
    expect(steps[0]).not.toHaveProperty('contentClipped')
    expect((await read(`${id}/steps/0`)).body).toEqual(steps[0])
    expect((await read(`${id}/steps/2`)).body).toEqual(steps[2])
  })

  test('hides its steps from people who may not see it', async () => {
    const id = await addRun({ steps: 2, length: 10 })
    expect((await read(`${id}/steps/0`, library.admin)).status).toBe(200)
    expect((await read(`${id}/steps/0`, library.other)).status).toBe(404)
    for (const [position, status] of [
      ['2', 404],
      ['-1', 400],
      ['x', 400],
      ['99999', 400],
    ] as const)
      expect((await read(`${id}/steps/${position}`)).status).toBe(status)
    expect((await library.request({ url: `/api/executions/${id}/steps/0` })).status).toBe(401)
  })

  test('clears with its whole history, however long that is, and leaves what others have', async () => {
    const { id: promptId } = await library.createPrompt(library.owner, { isPublic: true })
    await library.db.execute(sql`
      insert into executions (kind, user_id, prompt_id, status)
      select 'prompt', user_id, ${promptId}, 'completed'
      from unnest(array[${library.owner.user.id}, ${library.other.user.id}]::integer[]) user_id, generate_series(1, 3000)`)
    const url = `/api/prompts/${promptId}/executions`
    expect((await library.request({ method: 'DELETE', url, as: library.owner })).status).toBe(204)
    const { rows } = await library.db.execute(
      sql`select user_id, count(*)::integer as count from executions where prompt_id = ${promptId} group by 1`,
    )
    expect(rows).toEqual([{ user_id: library.other.user.id, count: 3000 }])
    const deleted = await library.request({
      method: 'DELETE',
      url: `/api/prompts/${promptId}`,
      as: library.owner,
    })
    expect(deleted.status).toBe(204)
    expect(
      (await library.request({ method: 'DELETE', url: `/api/chains/${chainId}`, as: library.owner })).status,
    ).toBe(204)
    const left = sql`select count(*)::integer as count from executions where chain_id = ${chainId} or prompt_id = ${promptId}`
    expect((await library.db.execute(left)).rows).toEqual([{ count: 0 }])
  })
})
