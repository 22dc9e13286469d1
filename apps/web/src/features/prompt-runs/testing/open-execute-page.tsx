import type { Prompt, PromptRun, Variable } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { TooltipProvider } from '../../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../../lib/query-client.ts'
import { makePrompt } from '../../../testing/make-prompt.ts'
import ExecutePage, { type ExecutePageProps } from '../execute-page.tsx'
import { TWO_PANES } from '../execute-panel.tsx'

const prompt = makePrompt({
  title: 'Welcome',
  content: 'Write a $<tone> welcome for $<customer>.',
  version: 3,
})
export const reply = {
  executionId: 12,
  result: 'Dear Ada, welcome.',
  model: 'claude',
  modelId: 'claude-test',
  provider: 'anthropic',
  finishReason: 'length',
  inputTokens: 10,
  outputTokens: 5,
  costUsd: 0.0027,
  cachedTokens: null,
  savedUsd: null,
  durationMs: 1800,
}
export const earlier: PromptRun = {
  id: 11,
  promptId: 7,
  promptVersion: 2,
  status: 'completed',
  model: 'gemini',
  modelId: 'gemini-test',
  provider: 'google',
  finishReason: 'length',
  executedAt: '2026-11-02T00:00:00.000Z',
  template: 'Greet $<customer>.',
  attachments: [],
  variableValues: { customer: 'Grace' },
  executedPromptContent: 'Greet Grace.',
  userInput: 'Briefly.',
  systemPrompt: 'You are terse.',
  aiResponse: 'Hi Grace.',
  error: null,
  ...{ sight: 'own', usesPrivateValues: false, sharing: 'none' },
  executedBy: 'ada',
  inputTokens: 300,
  outputTokens: 88,
  costUsd: null,
  cachedTokens: null,
  savedUsd: null,
  durationMs: 900,
}

/** Ada's own, unless it is said otherwise. */
export function makeTone(change: Partial<Variable> = {}): Variable {
  const text = { type: 'text', content: 'warm', allowedValues: [] }
  const variable = { id: 1, name: 'tone', ...text, owner: 'ada', ownerIsAdmin: false }
  return { ...variable, ...change } as Variable
}

const JSON_REPLY = { headers: { 'content-type': 'application/json' } }

function makeVersion(number: number) {
  return {
    ...{ id: number, number, title: 'Welcome', content: `Text of version ${number}`, note: '' },
    ...{ author: 'ada', createdAt: '2026-11-02T00:00:00.000Z' },
  }
}

/** Answers reads, and leaves the stream of a run open for the test to write. */
export function fakeServer() {
  const runs: { body: unknown; signal: AbortSignal | null | undefined }[] = []
  const deleted: string[] = []
  const contents = new Map<string, unknown>()
  const history = [earlier]
  const drive = { authenticated: false, configured: true, email: null }
  const streams: ReadableStreamDefaultController<Uint8Array>[] = []
  const ratings: { method: string | undefined; path: string; body: unknown }[] = []
  const fetch = async (path: string, init?: RequestInit): Promise<Response> => {
    if (/\/rating$/.test(path)) {
      const { method, body } = init ?? {}
      ratings.push({ method, path, body: typeof body === 'string' ? JSON.parse(body) : null })
      return method === 'DELETE' ? new Response(null, { status: 204 }) : new Response(body, JSON_REPLY)
    }
    if (/\/ratings$/.test(path)) return Response.json({ own: null, others: contents.get(path) ?? [] })
    if (init?.method === 'DELETE') {
      deleted.push(path)
      return new Response(null, { status: 204 })
    }
    if (path === '/api/user') return Response.json({ id: 1, username: 'ada', email: 'a@b.c', role: 'user' })
    if (path === '/api/prompts/7/executions?limit=50') return Response.json(history)
    if (path === '/api/prompts/7/executions?limit=50&rated=up')
      return Response.json(history.filter(({ rating }) => rating?.thumb === 'up'))
    if (path === '/api/auth/google/status') return Response.json(drive)
    const version = /^\/api\/prompts\/7\/versions\/(\d)$/.exec(path)?.[1]
    if (version) return Response.json(makeVersion(Number(version)))
    const one = history.find(({ id }) => path === `/api/prompts/7/executions/${id}`)
    if (one) return Response.json(one)
    const content = contents.get(/^\/api\/variables\/(\w+)\/content$/.exec(path)?.[1] ?? '')
    if (content) return Response.json(content)
    if (path !== '/api/execute-prompt') return Response.json({ error: 'Not found' }, { status: 404 })
    runs.push({ body: JSON.parse(String(init?.body)), signal: init?.signal })
    const stream = new ReadableStream<Uint8Array>({
      start(started) {
        streams.push(started)
        const data = JSON.stringify({ executionId: 12, price: null })
        started.enqueue(new TextEncoder().encode(`event: start\ndata: ${data}\n\n`))
        init?.signal?.addEventListener('abort', () => started.error(init.signal?.reason))
      },
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  }
  /** To the stream of the run that was begun last, or of the one in that place. */
  const say = (event: string, data: unknown, place = -1) =>
    act(async () => {
      streams
        .at(place)
        ?.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    })
  const hangUp = () => act(async () => streams.at(-1)?.close())
  return { fetch, runs, deleted, ratings, contents, drive, history, say, hangUp }
}

/** Both panes are there. */
export function widenScreen() {
  const matchMedia = (query: string) => ({
    ...{ matches: query === TWO_PANES, media: query },
    ...{ addEventListener: () => undefined, removeEventListener: () => undefined },
  })
  vi.stubGlobal('matchMedia', matchMedia)
}

interface PageOptions {
  variables?: Variable[]
  onSave?: ExecutePageProps['onSave']
  onSaveTest?: ExecutePageProps['onSaveTest']
  path?: string
}

const never = () => new Promise<never>(() => undefined)

/** The page on the prompt, as Ada sees it; `change` shows it as it is after someone has saved it. */
export function openExecutePage(
  shown: Partial<Prompt> = {},
  { variables = [makeTone()], onSave = never, onSaveTest, path = '/execute/7' }: PageOptions = {},
) {
  const { hook, searchHook, history } = memoryLocation({ path, record: true })
  const queryClient = createQueryClient()
  const page = (shown: Partial<Prompt>) => (
    <Router hook={hook} searchHook={searchHook}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <ExecutePage
            prompt={{ ...prompt, ...shown }}
            variables={variables}
            createVariable={() => undefined}
            onBack={() => undefined}
            onSave={onSave}
            {...(onSaveTest && { onSaveTest })}
            onEdit={() => undefined}
            onShowVersions={() => undefined}
            onUseInChain={() => undefined}
          />
        </TooltipProvider>
      </QueryClientProvider>
    </Router>
  )
  const { rerender } = render(page(shown))
  return { history, change: (next: Partial<Prompt>) => rerender(page({ ...shown, ...next })) }
}

export const executeButton = () =>
  screen.getByRole<HTMLButtonElement>('button', { name: /^(Execute|Executing)/ })
export const answer = () => screen.getByRole('tabpanel', { name: 'Response' })
