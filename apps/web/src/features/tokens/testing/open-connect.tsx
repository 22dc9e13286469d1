import type { Chain, Prompt } from '@catenary/contracts'
import { ConnectPage } from '../connect/connect-page.tsx'
import { useConnectChoice } from '../connect/use-connect-choice.ts'
import { openTokens } from './open-tokens.tsx'

interface ConnectOptions {
  /** What the examples of a read token fetch. */
  prompt?: Prompt
  chain?: Chain
  viewer?: string
}

/** Shows the page with what its calls answer; gives what it writes. */
export function openConnect(answers: Parameters<typeof openTokens>[1], options: ConnectOptions = {}) {
  return openTokens(<Connect {...options} />, {
    'GET /api/fetches?limit=20': () => Response.json([]),
    'GET /api/prompts/21/aliases': () => Response.json([]),
    ...answers,
  })
}

function Connect({ prompt, chain, viewer = 'ada' }: ConnectOptions) {
  const choice = useConnectChoice()
  return (
    <ConnectPage
      choice={choice}
      prompt={choice.promptId === null ? null : (prompt ?? null)}
      chain={choice.chainId === null ? null : (chain ?? null)}
      viewer={viewer}
      outgoing={<p>What goes out</p>}
    />
  )
}
