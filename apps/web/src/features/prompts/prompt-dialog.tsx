import { Maximize2Icon } from 'lucide-react'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { DraftFormDialog } from '../../components/forms/draft-form-dialog.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { useSuggestedName } from '../../lib/suggested-name.ts'
import { toast } from '../../lib/toast.ts'
import { useNewVariable } from '../variables/use-new-variable.tsx'
import { BuilderDialog } from './builder/builder-dialog.tsx'
import { BuilderSwitch } from './builder/builder-switch.tsx'
import { useBuilder } from './builder/use-builder.ts'
import { PromptFields } from './prompt-fields.tsx'
import { type UsePromptFormOptions, usePromptForm } from './use-prompt-form.ts'
import { useFormVersions } from './versions/use-form-versions.tsx'

export type PromptDialogProps = Pick<UsePromptFormOptions, 'prompt' | 'categoryId' | 'userId' | 'onClose'>

export default function PromptDialog({ prompt, categoryId, userId, onClose: close }: PromptDialogProps) {
  const [, navigate] = useLocation()
  const title = useSuggestedName()
  const { createVariable, newVariable } = useNewVariable()
  const builder = useBuilder({ userId, promptId: prompt?.id ?? null })
  const onClose = () => {
    builder.discard()
    close()
  }
  const options = { prompt, title, categoryId, userId, onClose }
  const { form, dialog, handOverDraft, ...state } = usePromptForm(options)
  const versions = useFormVersions({ ...state, losesChanges: dialog.dirty })
  const grow = () => {
    handOverDraft()
    // Unsaved changes go along as a draft.
    navigate(pageOf({ prompt, categoryId }))
  }
  const acceptBuilt = (content: string) => {
    form.setValue('content', content, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    builder.setOpen(false)
    toast({ title: 'Prompt Accepted', description: 'The generated prompt is now the content.' })
  }
  return (
    <>
      <DraftFormDialog
        title={prompt ? 'Edit Prompt' : 'Create New Prompt'}
        headerActions={
          <>
            {versions.button ?? <BuilderSwitch isAdvanced={builder.isOpen} onChange={builder.setOpen} />}
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
          onCreateVariable={createVariable}
        />
      </DraftFormDialog>
      {builder.isOpen && (
        <BuilderDialog
          values={builder.values}
          onChange={builder.setValues}
          onAccept={acceptBuilt}
          onCancel={() => builder.setOpen(false)}
        />
      )}
      {versions.dialog}
      {newVariable}
    </>
  )
}

function pageOf({ prompt, categoryId }: Pick<PromptDialogProps, 'prompt' | 'categoryId'>): string {
  if (prompt) return `/edit/${prompt.id}`
  return categoryId === null ? '/edit/new' : `/edit/new?category=${categoryId}`
}

function GrowButton({ onClick }: { onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const keys = useAriaKeys('grow')
  useShortcut({ id: 'grow', within: button, onPress: onClick })
  return (
    <Button
      ref={button}
      variant="ghost"
      size="icon-sm"
      aria-label="Open as a page"
      aria-keyshortcuts={keys}
      onClick={onClick}
      className="-mt-0.5 pointer-coarse:-mt-2.5"
    >
      <Maximize2Icon />
    </Button>
  )
}
