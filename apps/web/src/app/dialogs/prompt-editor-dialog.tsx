import type { Prompt, User } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { PromptDialog } from '../../features/prompts/prompt-dialog.tsx'
import { categoriesQuery } from '../../features/shared/categories/categories.queries.ts'
import { editorVariables } from '../../features/shared/variables/variable-kind.tsx'
import VariableDialog from '../../features/variables/variable-dialog.tsx'
import { allVariablesQuery } from '../../features/variables/variables.queries.ts'
import { useSuggestedName } from '../../lib/suggested-name.ts'

export interface PromptEditorDialogProps {
  prompt: Prompt | null
  categoryId: number | null
  user: User
  onClose: () => void
}

/** The prompt's form with the categories, tags and variables that it draws on. */
export default function PromptEditorDialog({ prompt, categoryId, user, onClose }: PromptEditorDialogProps) {
  const [, navigate] = useLocation()
  const title = useSuggestedName()
  const [newName, setNewName] = useState<string | null>(null)
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: variables } = useQuery(allVariablesQuery)
  const known = useMemo(() => editorVariables(variables ?? []), [variables])
  return (
    <>
      <PromptDialog
        prompt={prompt}
        title={title}
        categoryId={categoryId}
        userId={user.id}
        categories={categories}
        variables={known}
        onCreateVariable={setNewName}
        onManageVariables={() => navigate('/variables')}
        onGrow={() => navigate(pageOf({ prompt, categoryId }))}
        onClose={onClose}
      />
      {newName !== null && (
        <VariableDialog
          key={newName}
          variable={null}
          name={newName}
          userId={user.id}
          onClose={() => setNewName(null)}
        />
      )}
    </>
  )
}

function pageOf({ prompt, categoryId }: Pick<PromptEditorDialogProps, 'prompt' | 'categoryId'>): string {
  if (prompt) return `/edit/${prompt.id}`
  return categoryId === null ? '/edit/new' : `/edit/new?category=${categoryId}`
}
