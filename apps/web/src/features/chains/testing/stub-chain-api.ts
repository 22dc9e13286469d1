import type { User } from '@catenary/contracts'
import { vi } from 'vitest'
import { makeVariable } from '../../variables/testing/make-variable.ts'

export interface SentRequest {
  key: string
  body: unknown
}

type Answer = () => Response | Promise<Response>

const ada: User = { id: 1, username: 'ada', email: 'ada@example.org', role: 'user' }

/** Answers the browser's requests by `METHOD path`; an array answers one after the other. */
export function stubChainApi(answers: Record<string, Answer | Answer[]>): SentRequest[] {
  const sent: SentRequest[] = []
  const all: Record<string, Answer | Answer[]> = {
    'GET /api/user': () => Response.json(ada),
    'GET /api/chains/12/executions?limit=50': () => Response.json([]),
    'GET /api/scheduled-chains': () => Response.json([]),
    'GET /api/variables': () => Response.json([makeVariable({ name: 'support' })]),
    ...answers,
  }
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const key = `${init?.method ?? 'GET'} ${path}`
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    sent.push({ key, body })
    const answer = all[key]
    const next = Array.isArray(answer) ? (answer.length > 1 ? answer.shift() : answer[0]) : answer
    return (await next?.()) ?? Response.json({ error: `No answer for ${key}` }, { status: 500 })
  })
  return sent
}

/** What was sent that changes something. */
export function writesOf(sent: readonly SentRequest[]): SentRequest[] {
  return sent.filter(({ key }) => !key.startsWith('GET') && key !== 'POST /api/private-names')
}
