import { useQuery } from '@tanstack/react-query'
import { allChainsQuery } from '../../features/chains/chains.queries.ts'
import { useFoundPrompts } from '../../features/prompts/use-found-prompts.ts'
import { McpTokenDialog, type McpTokenDialogProps } from '../../features/tokens/mcp/mcp-token-dialog.tsx'
import { useSuggestedName } from '../../lib/suggested-name.ts'

type Given = Omit<McpTokenDialogProps, 'name' | 'prompts' | 'onSearch' | 'chains'>

export default function McpTokenEditorDialog(props: Given) {
  const name = useSuggestedName()
  const { prompts, isKnown, setSearch } = useFoundPrompts()
  const { data: chains } = useQuery(allChainsQuery)
  return (
    <McpTokenDialog
      {...props}
      name={name}
      prompts={isKnown ? prompts : undefined}
      onSearch={setSearch}
      chains={chains}
    />
  )
}
