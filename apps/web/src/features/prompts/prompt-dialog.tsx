import type { Category, Prompt } from '@catenary/contracts'
import { lazy, Suspense, useState } from 'react'
import { DraftFormDialog } from '../../components/draft-form-dialog.tsx'
import { toast } from '../../lib/toast.ts'
import { BuilderDialog } from './builder-dialog.tsx'
import { BuilderSwitch } from './builder-switch.tsx'
import { differencesOf, PromptFields, type PromptFieldsProps } from './prompt-fields.tsx'
import { useBuilder } from './use-builder.ts'
import { usePromptForm } from './use-prompt-form.ts'
import { VersionsButton } from './versions-button.tsx'

const VersionsDialog = lazy(() => import('./versions-dialog.tsx'))

export interface PromptDialogProps extends Omit<PromptFieldsProps, 'form' | 'tagInput'> {
  /** The prompt to edit; null creates one. */
  prompt: Prompt | null
  /** A new prompt's title to begin with. */
  title: string
  /** A new prompt's category, such as the one that the list is filtered by. */
  categoryId: number | null
  userId: number
  categories: readonly Category[]
  onClose: () => void
}

/** Create New Prompt, or Edit Prompt. */
export function PromptDialog({ prompt, title, categoryId, userId, categories, ...props }: PromptDialogProps) {
  const builder = useBuilder({ userId, promptId: prompt?.id ?? null })
  const onClose = () => {
    builder.discard()
    props.onClose()
  }
  const { form, values, conflict, stored, ...state } = usePromptForm({
    prompt,
    title,
    categoryId,
    userId,
    onClose,
  })
  const [showsVersions, setShowsVersions] = useState(false)
  const { isDirty, isSubmitting } = form.formState
  const hasChanges = isDirty || builder.isFilledIn
  const acceptBuilt = (content: string) => {
    form.setValue('content', content, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    builder.setOpen(false)
    toast({ title: 'Prompt Accepted', description: 'The generated prompt is the content now.' })
  }
  return (
    <>
      <DraftFormDialog
        title={prompt ? 'Edit Prompt' : 'Create New Prompt'}
        headerActions={
          stored ? (
            <VersionsButton count={stored.version} onClick={() => setShowsVersions(true)} />
          ) : (
            <BuilderSwitch isAdvanced={builder.isOpen} onChange={builder.setOpen} />
          )
        }
        submitLabel={prompt ? 'Save Changes' : 'Create Prompt'}
        pendingLabel="Saving..."
        pending={isSubmitting}
        dirty={hasChanges}
        onSubmit={state.submit}
        draft={{ ...state.draft, isKept: state.draft.isKept || builder.isKept }}
        conflict={
          conflict && {
            noun: 'prompt',
            differences: differencesOf({ mine: values, theirs: conflict, categories }),
            onTakeTheirs: () => state.startFrom(conflict),
            onKeepMine: () => void state.keepMine(conflict),
          }
        }
        onClose={state.close}
      >
        <PromptFields form={form} tagInput={state.tagInput} {...props} />
      </DraftFormDialog>
      {builder.isOpen && (
        <BuilderDialog
          values={builder.values}
          variables={props.variables}
          onChange={builder.setValues}
          onAccept={acceptBuilt}
          onCancel={() => builder.setOpen(false)}
        />
      )}
      {stored && showsVersions && (
        <Suspense>
          <VersionsDialog
            promptId={stored.id}
            restore={{
              revision: state.revision ?? stored.revision,
              losesChanges: isDirty,
              onReplaced(next) {
                state.startFrom(next)
                setShowsVersions(false)
              },
            }}
            onClose={() => setShowsVersions(false)}
          />
        </Suspense>
      )}
    </>
  )
}
