import { useFoundPrompts } from '../../features/prompts/use-found-prompts.ts'
import { ReadTokenDialog, type ReadTokenDialogProps } from '../../features/tokens/read/read-token-dialog.tsx'
import { useSuggestedName } from '../../lib/suggested-name.ts'

type Given = Omit<ReadTokenDialogProps, 'name' | 'prompts' | 'onSearch'>

export default function ReadTokenEditorDialog(props: Given) {
  const name = useSuggestedName()
  const { prompts, isKnown, setSearch } = useFoundPrompts()
  return (
    <ReadTokenDialog {...props} name={name} prompts={isKnown ? prompts : undefined} onSearch={setSearch} />
  )
}
