import type { ExecutePromptReply, PromptRun, Variable } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { AppError } from '../../errors.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { connectDrive, startLibraryWithApi, valuesOf } from '../../testing/variables.ts'
import { consentExcept } from '../records/consent.ts'

const consent = consentExcept([])

describe.each(routeDatabaseKinds)("variables' values in runs on %s", (kind) => {
  let library: Awaited<ReturnType<typeof startLibraryWithApi>>
  /** Requests that wait for an answer, and the most that there were. */
  let waiting = 0
  let most = 0
  beforeAll(async () => {
    library = await startLibraryWithApi(kind, {
      listener: ({ url = '' }, response) => {
        waiting += 1
        most = Math.max(most, waiting)
        response.on('close', () => {
          waiting -= 1
        })
        const type = { 'content-type': 'application/json' }
        if (url.startsWith('/fails')) response.writeHead(500).end()
        else if (!url.startsWith('/never'))
          setTimeout(() => response.writeHead(200, type).end(`{"at":"${url}"}`), 20)
      },
    })
  })
  afterAll(() => library.close())

  const api = (name: string, path: string, fields: object = {}) =>
    library.createVariable(library.owner, {
      ...{ name, type: 'api', content: '', apiUrl: `${library.api}${path}` },
      ...fields,
    })
  const upload = async (content: string) => {
    const body = { fileName: 'notes.md', content }
    const reply = await library.request({ method: 'POST', url: '/api/upload', body, as: library.owner })
    return (reply.body as { filePath: string }).filePath
  }
  const run = async (
    content: string,
    { as = library.owner, ...body }: { as?: TestUser } & Record<string, unknown> = {},
  ) => {
    const { id: promptId } = await library.createPrompt(library.owner, { content, isPublic: true })
    const url = '/api/execute-prompt'
    const reply = await library.request({ method: 'POST', url, body: { promptId, ...body }, as })
    const history = await library.request({ url: `/api/prompts/${promptId}/executions`, as })
    const [kept] = history.body as PromptRun[]
    return { status: reply.status, reply: reply.body as ExecutePromptReply, kept }
  }
  const service = (around?: Parameters<typeof valuesOf>[1]) => valuesOf(library.ctx, around)
  const origin = (
    { type, id, revision }: Pick<Variable, 'type' | 'id' | 'revision'>,
    fields: object = {},
  ) => ({
    ...{ type, variableId: id, revision, source: null, isPrivate: true },
    ...{ cachedAt: null, error: null },
    at: expect.stringMatching(/Z$/),
    ...fields,
  })

  test('A run’s history says what was resolved, from where and when.', async () => {
    const { owner } = library
    const text = await library.createVariable(owner, { name: 'r_text', content: 'warm $<r_api>' })
    const key = await upload('# Notes\n')
    const file = await library.createVariable(owner, { name: 'r_file', type: 'file', content: key })
    const fetched = await api('r_api', '/x?key=secret')
    const { status, reply, kept } = await run('$<R_text>|$<r_file>|$<r_api>|$<r_nowhere>|$<who>', {
      variables: { who: 'Ada' },
    })
    expect(status).toBe(200)
    expect(kept?.executedPromptContent).toBe(
      'warm $<r_api>|# Notes\n|{\n  "at": "/x?key=secret"\n}|$<r_nowhere>|Ada',
    )
    expect(reply.resolved).toEqual({
      R_text: origin(text),
      r_file: origin(file, { source: key }),
      r_api: origin(fetched, { source: `${library.api}/x` }),
      who: origin(
        { type: 'text', id: 0, revision: 0 },
        { type: 'typed', variableId: null, revision: null, isPrivate: undefined },
      ),
      r_nowhere: origin(
        { type: 'text', id: 0, revision: 0 },
        {
          ...{ type: 'none', variableId: null, revision: null, isPrivate: undefined },
          error: 'There is no variable with this name',
        },
      ),
    })
    expect(kept?.resolved).toEqual(reply.resolved)
  })

  test('A run fetches values of all types side by side. One that can’t be had stays as written, and the run goes on.', async () => {
    const { owner } = library
    const failing = await api('f_api', '/fails')
    const empty = await library.createVariable(owner, { name: 'f_empty', type: 'file', content: '' })
    const drive = await library.createVariable(owner, {
      ...{ name: 'f_drive', type: 'googleDrive', content: '' },
      googleDriveFileId: 'abc',
      googleDriveFileName: 'Plan',
    })
    const { status, kept } = await run('$<f_api>|$<f_empty>|$<f_drive>')
    const reasons = [
      'The address answered with status 500',
      'No file path specified',
      kept?.resolved?.f_drive?.error ?? '',
    ]
    expect(reasons[2]).toMatch(/^Google Drive is not set up/)
    expect([status, kept?.status]).toEqual([200, 'completed'])
    expect(kept?.executedPromptContent).toBe('$<f_api>|$<f_empty>|$<f_drive>')
    expect(kept?.resolved).toEqual({
      f_api: origin(failing, { source: `${library.api}/fails`, error: reasons[0] }),
      f_empty: origin(empty, { source: '', error: reasons[1] }),
      f_drive: origin(drive, { source: 'Plan', error: reasons[2] }),
    })
  })

  test('a typed value spares the fetch, and processed content has no values of ours', async () => {
    await api('t_api', '/never')
    const typed = await run('$<t_api>', { variables: { t_api: 'by hand' } })
    expect(typed.kept).toMatchObject({
      executedPromptContent: 'by hand',
      resolved: { t_api: { type: 'typed' } },
    })
    const processed = await run('$<t_api>', { processedContent: 'done' })
    expect(processed.kept).toMatchObject({ executedPromptContent: 'done', resolved: {} })
  })

  test("another person's public variables are fetched for a run, private ones are not there", async () => {
    const { other } = library
    await api('p_open', '/open', { isPublic: true })
    await api('p_closed', '/closed')
    const { kept } = await run('$<p_open>|$<p_closed>', { as: other })
    expect(kept?.executedPromptContent).toBe('{\n  "at": "/open"\n}|$<p_closed>')
  })

  test('a kept value says when it had been fetched', async () => {
    const variable = await api('k_api', '/kept', { cacheSeconds: 3600 })
    const first = await run('$<k_api>')
    const second = await run('$<k_api>')
    expect(first.kept?.resolved).toEqual({ k_api: origin(variable, { source: `${library.api}/kept` }) })
    const cachedAt = second.kept?.resolved?.k_api?.cachedAt ?? ''
    expect(Date.parse(cachedAt)).toBeLessThanOrEqual(Date.parse(first.kept?.resolved?.k_api?.at ?? ''))
    expect(second.kept?.executedPromptContent).toBe(first.kept?.executedPromptContent)
  })

  test('values come side by side, but no more than eight, and each once', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `many_${n}`)
    for (const name of names) await api(name, `/${name}`)
    most = 0
    const before = library.hits()
    const resolved = await service().resolve({
      consent,
      names: [...names, ...names.map((name) => name.toUpperCase())],
      user: library.owner.user,
    })
    expect(resolved.get('MANY_19')?.value).toBe('{\n  "at": "/many_19"\n}')
    expect(resolved.size).toBe(40)
    expect(library.hits() - before).toBe(20)
    expect(most).toBeLessThanOrEqual(8)
    expect(most).toBeGreaterThan(1)
  })

  test('a person has sixteen fetches under way and no more, and another person none the fewer', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `slow_${n}`)
    for (const name of names) await api(name, '/never', { isPublic: true })
    await api('quick', '/quick', { isPublic: true })
    const variables = service()
    const { owner, other } = library
    const stop = new AbortController()
    most = 0
    const runs = Array.from({ length: 4 }, () =>
      variables.resolve({ names, consent, user: owner.user, signal: stop.signal }),
    )
    await vi.waitFor(() => expect(waiting).toBe(16))
    const quick = await variables.resolve({ names: ['quick'], consent, user: other.user })
    expect(quick.get('quick')?.value).toContain('/quick')
    expect(most).toBe(17)
    stop.abort()
    const errors = (await Promise.all(runs)).flatMap((run) =>
      [...run.values()].map(({ origin }) => origin.error),
    )
    expect(new Set(errors)).toEqual(new Set(['The fetch was stopped']))
    expect(errors).toHaveLength(32)
    const next = await variables.resolve({ names: ['quick'], consent, user: owner.user })
    expect(next.get('quick')?.value).toContain('/quick')
  })

  test('a run does not wait longer than its time for all values together, nor for a caller who left', async () => {
    const names = Array.from({ length: 9 }, (_, n) => `never_${n}`)
    for (const name of names) await api(name, '/never')
    const { user } = library.owner
    const late = await service({ deadlineMs: 50 }).resolve({ names, consent, user })
    expect(new Set([...late.values()].map(({ origin }) => origin.error))).toEqual(
      new Set(['The values of this run did not arrive within 0.05 seconds']),
    )
    const stopped = await service().resolve({ names, consent, user, signal: AbortSignal.abort() })
    expect(stopped.get('never_8')).toMatchObject({ value: null, origin: { error: 'The fetch was stopped' } })
  })

  test('A Google Drive variable is read from its owner’s Drive, and only the owner chooses the file.', async () => {
    const { owner, other } = library
    await library.createVariable(owner, {
      ...{ name: 'd_plan', type: 'googleDrive', content: '', isPublic: true },
      googleDriveFileId: 'file-1',
      googleDriveMimeType: 'text/plain',
    })
    await connectDrive(library.ctx, owner.user.id)
    const asked: object[] = []
    const { resolve, content } = service({
      readDriveFile: async ({ signal: _, ...file }) => {
        asked.push(file)
        return { text: 'The \ud800 plan' }
      },
    })
    const resolved = await resolve({ names: ['d_plan'], consent, user: other.user })
    expect(resolved.get('d_plan')?.value).toBe('The \ufffd plan')
    expect(asked).toEqual([{ ownerId: owner.user.id, fileId: 'file-1' }])
    const { signal } = new AbortController()
    expect(await content({ idOrName: 'd_plan', user: null, signal })).toEqual({
      content: 'Google Drive file: Loading...',
    })
    expect(asked).toHaveLength(1)
  })

  test.each([
    [new AppError('conflict', 'Google Drive is not connected.'), 'Google Drive is not connected.'],
    [new Error('token abc'), 'The value could not be read'],
  ])('of a failing Drive only what is meant for people is shown: %s', async (error, message) => {
    const readDriveFile = () => Promise.reject(error)
    const resolved = await service({ readDriveFile }).resolve({
      names: ['d_plan'],
      consent,
      user: library.owner.user,
    })
    expect(resolved.get('d_plan')?.origin.error).toBe(message)
  })

  test('a value that comes after the variable was changed or deleted is not kept', async () => {
    const changed = await api('c_changed', '/c', { cacheSeconds: 60 })
    const deleted = await api('c_deleted', '/c', { cacheSeconds: 60 })
    const fetchText = async () => {
      await library.db.execute(sql`update variables set revision = revision + 1 where id = ${changed.id}`)
      await library.db.execute(sql`delete from variables where id = ${deleted.id}`)
      return { text: 'late', contentType: 'text/plain', status: 200, url: '' }
    }
    const { resolve } = service({ outbound: { fetchText } })
    const resolved = await resolve({ names: ['c_changed', 'c_deleted'], consent, user: library.owner.user })
    expect([...resolved.values()].map(({ value }) => value)).toEqual(['late', 'late'])
    const kept = await library.db.execute(
      sql`select 1 from variable_fetches where variable_id in (${changed.id}, ${deleted.id})`,
    )
    expect(kept.rows).toEqual([])
  })
})
