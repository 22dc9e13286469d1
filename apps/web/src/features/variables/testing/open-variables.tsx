import type { User, Variable } from '@catenary/contracts'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { Toaster } from '../../../components/toaster.tsx'
import { TooltipProvider } from '../../../components/ui/tooltip.tsx'
import { createQueryClient } from '../../../lib/query-client.ts'
import { VariablesPage } from '../variables-page.tsx'

const ada: User = { id: 1, username: 'ada', email: 'ada@example.org', role: 'user' }

interface SentRequest {
  key: string
  body: unknown
}

export interface OpenVariables {
  user?: User | null
  variables: Variable[]
  /** By method and path. */
  answers?: Record<string, () => Response | Promise<Response>>
  path?: string
}

/** Shows the page with what its calls answer; gives what it sends. */
export function openVariables({ user = ada, variables, answers = {}, path = '/variables' }: OpenVariables) {
  const sent: SentRequest[] = []
  const all: Record<string, () => Response | Promise<Response>> = {
    'GET /api/user': () => (user ? Response.json(user) : Response.json({ error: 'No' }, { status: 401 })),
    'GET /api/variables': () => Response.json(variables),
    'GET /api/variables/tags': () => Response.json([]),
    'GET /api/variables/usage': () => Response.json([]),
    ...answers,
  }
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const key = `${init?.method ?? 'GET'} ${path}`
    if (!key.startsWith('GET')) {
      sent.push({ key, body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined })
    }
    return all[key]?.() ?? Response.json({ error: `No answer for ${key}` }, { status: 500 })
  })
  const { hook, searchHook, history } = memoryLocation({ path, record: true })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TooltipProvider>
        <Router hook={hook} searchHook={searchHook}>
          <main>
            <VariablesPage onTryExample={() => undefined} />
          </main>
        </Router>
      </TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  )
  return { sent, history }
}
