import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { Toaster } from '../../../components/toaster.tsx'
import { TooltipProvider } from '../../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../../lib/query-client.ts'

type Answer = () => Response | Promise<Response>

const FORM_ANSWERS: Record<string, Answer> = {
  'GET /api/user': () => Response.json({ id: 1, username: 'ada', email: 'ada@example.org', role: 'user' }),
  'GET /api/chains': () => Response.json([]),
  'GET /api/own-tokens': () => Response.json([]),
  'GET /api/prompts': () => Response.json([]),
  'GET /api/chain-offers': () => Response.json([]),
  'GET /api/prompt-offers': () => Response.json([]),
  'POST /api/private-names': () => Response.json({ fills: [], own: [] }),
}

/** Shows what has tokens, with what its calls answer by `METHOD path`, one after the other; gives what it writes. */
export function openTokens(children: ReactNode, answers: Record<string, Answer | Answer[]>) {
  const written: { key: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const key = `${init?.method ?? 'GET'} ${path}`
    if (!key.startsWith('GET') && key !== 'POST /api/private-names') {
      written.push({ key, body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined })
    }
    const [plain = key] = key.split('?')
    const answer = answers[key] ?? answers[plain] ?? FORM_ANSWERS[plain]
    const next = Array.isArray(answer) ? (answer.length > 1 ? answer.shift() : answer[0]) : answer
    return (await next?.()) ?? Response.json({ error: `No answer for ${key}` }, { status: 500 })
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>{children}</TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  )
  return written
}

/** What is on the clipboard from now on; a refusing one takes nothing. */
export function stubClipboard({ refuses = false } = {}) {
  const taken: string[] = []
  const take = async (text: string) => {
    if (refuses) throw new DOMException('No', 'NotAllowedError')
    taken.push(text)
  }
  class Item {
    readonly text: Promise<Blob>
    constructor(blobs: Record<string, Promise<Blob>>) {
      this.text = blobs['text/plain'] ?? Promise.reject(new Error('No text.'))
    }
  }
  vi.stubGlobal('ClipboardItem', Item)
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: {
      writeText: take,
      write: async ([item]: Item[]) => take((await (await item?.text)?.text()) ?? ''),
    },
  })
  return taken
}
