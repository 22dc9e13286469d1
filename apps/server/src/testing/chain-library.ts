import type {
  Chain,
  RunDetails,
  RunState,
  RunsVisibleTo,
  StartedRun,
  StopsWhenCut,
  StopsWithoutValue,
} from '@catenary/contracts'
import { expect, vi } from 'vitest'
import type { AppDeps } from '../app.ts'
import { FAKE_WIRES, startModelsOnFake } from './fake-providers/start-models-on-fake.ts'
import { startApp, type TestUser } from './harness.ts'
import { type Library, startLibrary } from './library.ts'
import { sendAsForm } from './send-as-form.ts'

const wire = FAKE_WIRES[2]

export type ChainLibrary = Awaited<ReturnType<typeof startChainLibrary>>

/** A library whose models are a fake provider, and short ways to build, run and await chains. */
export async function startChainLibrary(
  kind: Parameters<typeof startLibrary>[0],
  modelOptions: Partial<Parameters<typeof startModelsOnFake>[0]> = {},
  ownSettings: object = {},
  /** Such as a clock. */
  ownDeps: Pick<AppDeps, 'bus' | 'now' | 'mail' | 'outbound' | 'takeoverWaitMs'> &
    Pick<NonNullable<Parameters<typeof startApp>[0]>, 'database' | 'log'> = {},
) {
  const provider = await startModelsOnFake({
    wire,
    prices: { 'fake-model': { inputPerMillionUsd: 1, outputPerMillionUsd: 10 } },
    ...modelOptions,
  })
  const settings = { runsPerMinute: 100_000 }
  const library: Library = await startLibrary(kind, {
    models: provider.models,
    settings: { ...settings, ...ownSettings },
    ...ownDeps,
  })
  const read = async <T>(url: string, as: TestUser = library.owner): Promise<T> =>
    (await library.request({ url, as })).body as T

  const status = (id: number, as?: TestUser) => read<RunState>(`/api/executions/${id}/status`, as)
  const find = (id: number, as?: TestUser) => read<RunDetails>(`/api/executions/${id}`, as)
  const execute = async (chainId: number, body?: unknown, as: TestUser = library.owner): Promise<number> => {
    const url = `/api/chains/${chainId}/execute`
    const reply = await sendAsForm(library, { method: 'POST', url, body, as })
    expect(reply.status, reply.text).toBe(201)
    return (reply.body as StartedRun).id
  }

  return {
    ...library,
    fake: provider.fake,
    waits: provider.waits,
    status,
    find,
    execute,

    /** A chain of these steps; each has its number as output name (`a`, `b` …) unless it names one. */
    buildChain: async (
      contents: (string | object)[],
      { as = library.owner, ...fields }: BuildOptions = {},
    ) => {
      const { id } = await library.createChain(as, fields)
      for (const [position, content] of contents.entries()) {
        const outputVariableName = position < 26 ? String.fromCharCode(97 + position) : `out_${position}`
        const step = typeof content === 'string' ? { content } : content
        await library.createStep(as, id, { position, outputVariableName, ...step })
      }
      return read<Chain>(`/api/chains/${id}`, as)
    },

    /** The run once it has ended. */
    ended: async (id: number, as?: TestUser): Promise<RunDetails> => {
      await vi.waitFor(async () => expect((await status(id, as)).status).not.toBe('running'), {
        interval: 20,
      })
      return find(id, as)
    },

    /** What the models were sent, oldest first. */
    sent: (): string[] =>
      provider.fake.journal.map(({ body }) => (body.messages as { content: string }[]).at(-1)?.content ?? ''),

    /** Another process, on the same data unless other is given. */
    startProcess: (processSettings: object = {}, client = library.client) =>
      startApp({
        ...ownDeps,
        database: { client },
        models: provider.models,
        settings: { ...settings, ...ownSettings, ...processSettings },
      }),

    close: async () => {
      await library.close()
      await provider.close()
    },
  }
}

export type SharedChains = Awaited<ReturnType<typeof startSharingChains>>

/** Vera, who may see the owner's chains, and Edda, who may edit them. */
export async function startSharingChains(library: ChainLibrary) {
  const editor = await library.registerUser({ username: 'Edda' })
  const viewer = await library.registerUser({ username: 'Vera' })
  return {
    editor,
    viewer,

    /** A chain of these steps that is shared with both. */
    share: async (contents: (string | object)[], fields: BuildOptions = {}): Promise<Chain> => {
      const chain = await library.buildChain(contents, { sharedLevel: 'shared', ...fields })
      const body = [
        { username: 'Vera', role: 'viewer' },
        { username: 'Edda', role: 'editor' },
      ]
      await library.request({ method: 'PUT', url: `/api/chains/${chain.id}/shares`, body, as: library.owner })
      return chain
    },

    /** A run of it that has ended, the viewer's unless another is given. */
    run: async (chain: Chain, as: TestUser = viewer, body: object = {}): Promise<number> => {
      const id = await library.execute(chain.id, body, as)
      await library.ended(id, as)
      return id
    },
  }
}

interface BuildOptions {
  tagIds?: number[]
  description?: string
  exampleRequests?: readonly string[]
  as?: TestUser
  name?: string
  sharedLevel?: 'private' | 'shared' | 'public'
  stopsWithoutValue?: StopsWithoutValue | undefined
  stopsWhenCut?: StopsWhenCut | undefined
  runsVisibleTo?: RunsVisibleTo
}
