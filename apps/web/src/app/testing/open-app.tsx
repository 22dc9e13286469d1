import { endpointOf, type Instance, type PromptRun, replyOf, type User } from '@catenary/contracts'
import { cleanup, render, screen } from '@testing-library/react'
import { vi } from 'vitest'
import { makeVariable } from '../../features/variables/testing/make-variable.ts'
import { makePrompt } from '../../testing/make-prompt.ts'
import { App } from '../app.tsx'

/** What comes back in the server's place: a reply, a cut connection, or nothing at all. */
export type Fault =
  | { status: number; statusText?: string; json?: unknown; text?: string; type?: string }
  | 'cut'
  | 'silence'

export interface OpenApp {
  path?: string
  isGuest?: boolean
  /** Method and path, such as `DELETE /api/prompts/1`, and what goes wrong there. */
  failing?: { call: string; fault: Fault }
  /** Paths whose calls get no answer. */
  unanswered?: RegExp
  /** Replies in place of the library's own, by path, or by method and path. */
  replies?: Record<string, unknown>
  /** Nothing stands beside a page's main column. */
  isNarrow?: boolean
  /** The button that shows that it is there. */
  until?: string
}

export const PROMPT = 'Welcome letter'

const ada: User = { id: 1, username: 'ada', email: 'ada@example.org', role: 'admin' }
const prompt = makePrompt({ id: 1, title: PROMPT, content: 'Write a $<tone> welcome for $<customer>.' })
const run: PromptRun = {
  id: 11,
  promptId: 1,
  promptVersion: 1,
  status: 'completed',
  model: 'claude',
  modelId: 'sandbox',
  provider: 'sandbox',
  executedAt: '2026-11-02T00:00:00.000Z',
  template: prompt.content,
  attachments: [],
  variableValues: { customer: 'Grace' },
  executedPromptContent: 'Write a warm welcome for Grace.',
  userInput: '',
  systemPrompt: '',
  aiResponse: 'Dear Grace.',
  error: null,
  ...{ sight: 'own', usesPrivateValues: false, sharing: 'none' },
  executedBy: 'ada',
  inputTokens: 3,
  outputTokens: 3,
  costUsd: null,
  cachedTokens: null,
  savedUsd: null,
  durationMs: 900,
  finishReason: 'stop',
}

export const instance: Instance = {
  version: '0',
  commit: null,
  build: '',
  registration: 'open',
  sandbox: true,
  models: [],
  mail: true,
  readOnly: null,
}

/** A small library of Ada's. What it has no list of is empty. */
const library: Record<string, unknown> = {
  '/api/instance': instance,
  '/api/user': ada,
  '/api/usage/budget': { budget: null },
  '/api/account': { timeZone: null, theme: null, defaultModel: null },
  '/api/asks/count': { count: 0 },
  '/api/prompts': [prompt],
  '/api/prompts/1': prompt,
  '/api/prompts/1/executions': [run],
  '/api/categories': [{ id: 2, name: 'Writing', count: 1 }],
  '/api/tags/search': {},
  '/api/variables': [makeVariable({ id: 1, name: 'tone', content: 'warm' })],
  '/api/admin/debug-mode': { debugMode: false },
  '/api/admin/tool-steps': { savedBy: 'everyone' },
  '/api/tool-steps': { maySave: true },
  '/api/admin/notices': { quiet: null, awaitsStart: false, backup: null },
  'PUT /api/prompts/1': prompt,
}

/** Shows the whole app at a path with the given replies; returns how often the failing call was made. */
export async function openApp({
  path = '/',
  isGuest = false,
  failing,
  unanswered,
  replies = {},
  isNarrow = false,
  until = isGuest ? 'Register' : 'Logout',
}: OpenApp = {}): Promise<() => number> {
  cleanup()
  if (failing !== undefined && failing.call !== 'none') requireEndpoint(failing.call)
  localStorage.clear()
  window.history.replaceState(null, '', path)
  // jsdom has no layout: what scrolls is given a height, or nothing would be in view; the screen is wide.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(2000)
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: !isNarrow && query.includes('min-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  let calls = 0
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const method = init?.method ?? 'GET'
    const [where = ''] = url.split('?')
    if (failing?.call === `${method} ${where}`) {
      calls += 1
      return faultyReply({ fault: failing.fault, signal: init?.signal })
    }
    if (where === '/api/user' && isGuest) return Response.json({ error: 'Not signed in' }, { status: 401 })
    const endpoint = requireEndpoint(`${method} ${where}`)
    if (unanswered?.test(where)) return faultyReply({ fault: 'silence', signal: init?.signal })
    const all = { ...library, ...replies }
    const reply = all[`${method} ${where}`] ?? (method === 'GET' ? all[where] : undefined)
    const known = reply ?? (endpoint.list && [])
    if (known === undefined) return Response.json({ error: 'Not found' }, { status: 404 })
    return Response.json(replyOf(endpoint)?.parse(known))
  })
  render(<App />)
  // A dialog hides what is around it.
  await screen.findByRole('button', { name: until, hidden: true })
  return () => calls
}

function requireEndpoint(call: string) {
  const endpoint = endpointOf(call)
  if (endpoint === undefined) throw new Error(`No table of endpoints has ${call}`)
  return endpoint
}

for (const call of Object.keys(library)) requireEndpoint(call.startsWith('/') ? `GET ${call}` : call)

function faultyReply({
  fault,
  signal,
}: {
  fault: Fault
  signal: AbortSignal | null | undefined
}): Response | Promise<Response> {
  if (fault === 'cut') throw new TypeError('Failed to fetch')
  if (fault === 'silence') {
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  const { status, statusText = '', json, text = '', type = 'text/plain' } = fault
  return json === undefined
    ? new Response(text, { status, statusText, headers: { 'content-type': type } })
    : Response.json(json, { status })
}
