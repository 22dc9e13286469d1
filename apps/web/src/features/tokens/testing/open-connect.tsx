import type { Chain, Prompt } from '@catenary/contracts'
import { ConnectPage } from '../connect/connect-page.tsx'
import { useConnectChoice } from '../connect/use-connect-choice.ts'
import type { ConnectFormSlot } from '../connect/use-connect-dialogs.tsx'
import { FolderTokenDialog } from '../folder/folder-token-dialog.tsx'
import { McpTokenDialog } from '../mcp/mcp-token-dialog.tsx'
import { ReadTokenDialog } from '../read/read-token-dialog.tsx'
import { openTokens } from './open-tokens.tsx'

interface ConnectOptions {
  /** What the examples of a read token fetch. */
  prompt?: Prompt
  chain?: Chain
  viewer?: string
  /** What a form offers. */
  prompts?: readonly { id: number; title: string }[]
  chains?: readonly { id: number; name: string; description: string }[]
}

/** Shows the page with what its calls answer; gives what it writes. */
export function openConnect(answers: Parameters<typeof openTokens>[1], options: ConnectOptions = {}) {
  return openTokens(<Connect {...options} />, {
    'GET /api/fetches?limit=20': () => Response.json([]),
    'GET /api/prompts/21/aliases': () => Response.json([]),
    ...answers,
  })
}

function Connect({ prompt, chain, viewer = 'ada', ...offered }: ConnectOptions) {
  const choice = useConnectChoice()
  return (
    <ConnectPage
      choice={choice}
      prompt={choice.promptId === null ? null : (prompt ?? null)}
      chain={choice.chainId === null ? null : (chain ?? null)}
      viewer={viewer}
      renderForm={(slot) => <Form slot={slot} {...offered} />}
      outgoing={<p>What goes out</p>}
    />
  )
}

function Form({
  slot: { kind, token, ...slot },
  prompts = [],
  chains = [],
}: Pick<ConnectOptions, 'prompts' | 'chains'> & { slot: ConnectFormSlot }) {
  const given = { ...slot, prompts, onSearch: () => undefined, userId: 1 }
  if (kind === 'read') {
    const own = token?.tokenType === 'read' ? token : null
    return <ReadTokenDialog {...given} token={own} known={own?.prompts ?? []} />
  }
  if (kind === 'folder') {
    return <FolderTokenDialog {...slot} userId={1} token={token?.tokenType === 'folder' ? token : null} />
  }
  const own = token?.tokenType === 'mcp' ? token : null
  return <McpTokenDialog {...given} token={own} known={own?.prompts ?? []} chains={chains} />
}
