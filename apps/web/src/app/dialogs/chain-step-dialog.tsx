import type { Chain, ChainStep } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo, useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { editorVariables } from '../../components/variable-kind.tsx'
import { StepDialog } from '../../features/chains/steps/step-dialog.tsx'
import { promptsQuery } from '../../features/prompts/prompts.queries.ts'
import { variablesQuery } from '../../features/variables/variables.queries.ts'

const VariableEditorDialog = lazy(() => import('./variable-editor-dialog.tsx'))

export interface ChainStepDialogProps {
  chain: Chain
  step: ChainStep | null
  userId: number
  onClose: () => void
}

/** A step's form with the prompts and variables that it draws on. */
export default function ChainStepDialog(props: ChainStepDialogProps) {
  const [newName, setNewName] = useState<string | null>(null)
  const { data: prompts = [] } = useQuery(promptsQuery({ search: '', categoryId: null, tagIds: [] }))
  const { data: variables } = useQuery(variablesQuery())
  const known = useMemo(() => variables && editorVariables(variables), [variables])
  return (
    <>
      <StepDialog {...props} prompts={prompts} variables={known} onCreateVariable={setNewName} />
      {newName !== null && (
        <DialogSuspense>
          <VariableEditorDialog
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
