import { useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { DraftFormDialog } from '../../components/forms/draft-form-dialog.tsx'
import { part } from '../../components/part.tsx'
import { toast } from '../../lib/toast.ts'
import { BuilderDialog } from './builder/builder-dialog.tsx'
import { BuilderSwitch } from './builder/builder-switch.tsx'
import { useBuilder } from './builder/use-builder.ts'
import { GrowButton } from './grow-button.tsx'
import { PromptFields, type PromptFieldsProps } from './prompt-fields.tsx'
import { type UsePromptFormOptions, usePromptForm } from './use-prompt-form.ts'
import { VersionsButton } from './versions/versions-button.tsx'

const VersionsDialog = part(() => import('./versions/versions-dialog.tsx'))

export interface PromptDialogProps
  extends UsePromptFormOptions,
    Omit<PromptFieldsProps, 'form' | 'tagInput' | 'isLarge' | 'mayPublish' | 'prompt' | 'nextVersion'> {
  /** Opens the full page for the same form; unsaved changes go along as a draft. */
  onGrow: () => void
}

/** Create New Prompt, or Edit Prompt. */
export function PromptDialog({
  prompt,
  title,
  categoryId,
  categories,
  userId,
  onGrow,
  ...props
}: PromptDialogProps) {
  const builder = useBuilder({ userId, promptId: prompt?.id ?? null })
  const onClose = () => {
    builder.discard()
    props.onClose()
  }
  const options = { prompt, title, categoryId, categories, userId, onClose }
  const { form, stored, dialog, handOverDraft, ...state } = usePromptForm(options)
  const [showsVersions, setShowsVersions] = useState(false)
  const grow = () => {
    handOverDraft()
    onGrow()
  }
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
          <>
            {stored ? (
              <VersionsButton count={stored.version} onClick={() => setShowsVersions(true)} />
            ) : (
              <BuilderSwitch isAdvanced={builder.isOpen} onChange={builder.setOpen} />
            )}
            <GrowButton onClick={grow} />
          </>
        }
        submitLabel={prompt ? 'Save Changes' : 'Create Prompt'}
        pendingLabel="Saving..."
        {...dialog}
        dirty={dialog.dirty || builder.isFilledIn}
        draft={{ ...dialog.draft, isKept: dialog.draft.isKept || builder.isKept }}
      >
        <PromptFields
          form={form}
          tagInput={state.tagInput}
          mayPublish={prompt?.canDelete ?? true}
          prompt={prompt}
          nextVersion={state.nextVersion}
          {...props}
        />
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
        <DialogSuspense>
          <VersionsDialog
            prompt={stored}
            restore={{
              revision: state.revision ?? stored.revision,
              losesChanges: dialog.dirty,
              onReplaced(next) {
                state.startFrom(next)
                setShowsVersions(false)
              },
            }}
            onClose={() => setShowsVersions(false)}
          />
        </DialogSuspense>
      )}
    </>
  )
}
