import type { Prompt } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allChainsQuery, chainQuery } from '../../features/chains/chains.queries.ts'
import { releasesOf } from '../../features/chains/releases-of.ts'
import type { ConnectFormSlot } from '../../features/tokens/connect/use-connect-dialogs.tsx'
import { FolderTokenDialog } from '../../features/tokens/folder/folder-token-dialog.tsx'
import BestTokenEditorDialog from './best-token-editor-dialog.tsx'
import ChainTokenEditorDialog from './chain-token-editor-dialog.tsx'
import McpTokenEditorDialog from './mcp-token-editor-dialog.tsx'
import ReadTokenEditorDialog from './read-token-editor-dialog.tsx'

export interface AnyTokenEditorDialogProps extends ConnectFormSlot {
  userId: number
  wanted: Pick<Prompt, 'id' | 'title'> | null
}

export default function AnyTokenEditorDialog({ kind, token, wanted, ...rest }: AnyTokenEditorDialogProps) {
  const known = wanted ? [wanted] : []
  const promptIds = known.map(({ id }) => id)
  if (kind === 'best') {
    return <BestTokenEditorDialog {...rest} token={token?.tokenType === 'best' ? token : null} />
  }
  if (kind === 'chain') {
    return token?.tokenType === 'chain' ? (
      <KnownChainToken {...rest} token={token} chainId={token.chainId} />
    ) : (
      <NewChainToken {...rest} />
    )
  }
  if (kind === 'read') {
    const own = token?.tokenType === 'read' ? token : null
    return <ReadTokenEditorDialog {...rest} token={own} known={own?.prompts ?? known} promptIds={promptIds} />
  }
  if (kind === 'folder') {
    return <FolderTokenDialog {...rest} token={token?.tokenType === 'folder' ? token : null} />
  }
  const own = token?.tokenType === 'mcp' ? token : null
  return <McpTokenEditorDialog {...rest} token={own} known={own?.prompts ?? known} />
}

type FormProps = Pick<AnyTokenEditorDialogProps, 'userId' | 'onCreated' | 'onClose'>

function KnownChainToken(props: FormProps & Pick<ConnectFormSlot, 'token'> & { chainId: number }) {
  const { data: chain } = useQuery(chainQuery(props.chainId))
  return <ChainTokenEditorDialog {...props} releases={releasesOf(chain)} />
}

function NewChainToken(props: FormProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const { data: all } = useQuery(allChainsQuery)
  const chains = all?.filter(({ canEdit }) => canEdit)
  const chainId = chosen ?? chains?.[0]?.id ?? null
  const { data: chain } = useQuery({ ...chainQuery(chainId ?? 0), enabled: chainId !== null })
  return (
    <ChainTokenEditorDialog
      {...props}
      token={null}
      chainId={chainId}
      releases={releasesOf(chain)}
      choice={{ chains, onChoose: setChosen }}
    />
  )
}
