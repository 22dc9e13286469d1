import type { Chain, ChainStep } from '@catenary/contracts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { part } from '../../components/part.tsx'
import { StepDialog } from '../../features/chains/steps/step-dialog.tsx'
import { promptsByTitleQuery, promptsQuery, useReadContent } from '../../features/prompts/prompts.queries.ts'
import { editorVariables } from '../../features/shared/variables/variable-kind.tsx'
import { allVariablesQuery } from '../../features/shared/variables/variables.queries.ts'
import { useFoundList } from '../../lib/lists.ts'
import { useRested } from '../../lib/use-rested.ts'
import { PromptLinkField } from './prompt-link-field.tsx'

const VariableDialog = part(() => import('../../features/shared/variables/variable-dialog.tsx'))

/** Rest after the last key before prompts are searched for. */
const REST_MS = 150

export interface ChainStepDialogProps {
  chain: Chain
  step: ChainStep | null
  userId: number
  onClose: () => void
}

/** A step's form with the prompts and variables that it draws on. */
export default function ChainStepDialog(props: ChainStepDialogProps) {
  const [newName, setNewName] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const rested = useRested(search, REST_MS)
  const { data: first } = useInfiniteQuery(promptsQuery())
  const prompts = useFoundList({ first, search: rested, found: promptsByTitleQuery(rested) })
  const readContent = useReadContent()
  const { data: variables } = useQuery(allVariablesQuery)
  const known = useMemo(() => variables && editorVariables(variables), [variables])
  return (
    <>
      <StepDialog
        {...props}
        prompts={prompts}
        onSearchPrompts={setSearch}
        readContent={readContent}
        renderLink={(slot) => <PromptLinkField key={slot.promptId} {...slot} />}
        variables={known}
        onCreateVariable={setNewName}
      />
      {newName !== null && (
        <DialogSuspense>
          <VariableDialog
            key={newName}
            variable={null}
            name={newName}
            userId={props.userId}
            onClose={() => setNewName(null)}
          />
        </DialogSuspense>
      )}
    </>
  )
}
