import type { Chain, Execution, ExecutionState, StartedExecution } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { databaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

describe.each(databaseKinds)('running chains on %s', (kind) => {
  let library: Library
  let chain: Chain
  beforeAll(async () => {
    library = await startLibrary(kind)
    await library.createVariable(library.owner, { name: 'tone', content: 'warm' })
    chain = await createChain([
      { title: 'Draft', content: 'Write a $<tone> letter about {{input}}.', outputVariableName: 'draft' },
      { title: 'Check', content: 'Check this: {{draft}}', outputVariableName: 'checked', model: 'claude' },
    ])
  })
  afterAll(() => library.close())

  const post = async <T>(url: string, body?: unknown, as: TestUser = library.owner): Promise<T> => {
    const reply = await library.request({ method: 'POST', url, body, as })
    if (reply.status !== 201) throw new Error(`${url}: ${reply.text}`)
    return reply.body as T
  }
  async function createChain(steps: object[]): Promise<Chain> {
    const { id } = await post<Chain>('/api/chains', { name: 'Letters' })
    for (const [position, step] of steps.entries())
      await post(`/api/chains/${id}/steps`, { ...step, position })
    return (await library.request({ url: `/api/chains/${id}`, as: library.owner })).body as Chain
  }
  const read = async <T>(url: string, as = library.owner) => (await library.request({ url, as })).body as T
  const ended = async (id: number): Promise<Execution> => {
    await vi.waitFor(async () => {
      expect((await read<ExecutionState>(`/api/executions/${id}/status`)).status).not.toBe('running')
    }, 10_000)
    return read<Execution>(`/api/executions/${id}`)
  }

  test('a chain runs step by step, each output handed on, and all of it is kept', async () => {
    const started = await post<StartedExecution>(`/api/chains/${chain.id}/execute`, { input: 'bridges' })
    expect(started).toMatchObject({ chainId: chain.id, status: 'running' })
    const run = await ended(started.id)
    expect(run.status).toBe('completed')
  })
})
