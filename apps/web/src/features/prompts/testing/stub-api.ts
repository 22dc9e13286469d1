import type { User } from '@catenary/contracts'
import { vi } from 'vitest'

export interface SentRequest {
  key: string
  body: unknown
}

type Answer = () => Response | Promise<Response>

/** Answers the browser's requests by `METHOD path`; an array answers one after the other. */
export function stubApi(answers: Record<string, Answer | Answer[]>): SentRequest[] {
  const sent: SentRequest[] = []
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const key = `${init?.method ?? 'GET'} ${path}`
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    if (!key.startsWith('GET')) sent.push({ key, body })
    const answer = answers[key]
    const next = Array.isArray(answer) ? (answer.length > 1 ? answer.shift() : answer[0]) : answer
    return (await next?.()) ?? Response.json({ error: `No answer for ${key}` }, { status: 500 })
  })
  return sent
}

export const signedInUser: User = {
  id: 1,
  username: 'ada',
  email: 'ada@example.org',
  role: 'user',
}
