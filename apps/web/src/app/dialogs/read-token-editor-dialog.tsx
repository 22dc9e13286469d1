import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { promptsByTitleQuery, promptsQuery } from '../../features/prompts/prompts.queries.ts'
import { ReadTokenDialog, type ReadTokenDialogProps } from '../../features/tokens/read/read-token-dialog.tsx'
import { useFoundList } from '../../lib/lists.ts'
import { useSuggestedName } from '../../lib/suggested-name.ts'
import { useRested } from '../../lib/use-rested.ts'

/** Rest after the last key before prompts are searched for. */
const REST_MS = 150

type Given = Omit<ReadTokenDialogProps, 'name' | 'prompts' | 'onSearch'>

/** The form of a read token with the prompts that it can read. */
export default function ReadTokenEditorDialog(props: Given) {
  const name = useSuggestedName()
  const [search, setSearch] = useState('')
  const rested = useRested(search, REST_MS)
  const { data: first } = useInfiniteQuery(promptsQuery())
  const prompts = useFoundList({ first, search: rested, found: promptsByTitleQuery(rested) })
  return <ReadTokenDialog {...props} name={name} prompts={first && prompts} onSearch={setSearch} />
}
