import { ArrowLeftIcon, Minimize2Icon } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { ConflictPanel } from '../../components/forms/conflict-panel.tsx'
import { DiscardDialog } from '../../components/forms/discard-dialog.tsx'
import { DraftNotice } from '../../components/forms/draft-notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../components/ui/tabs.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { useMediaQuery } from '../../lib/appearance/media-query.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { useLeaveGuard, withoutGuard } from '../../lib/forms/leave-guard.ts'
import { useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'
import { type Trial, trialOf } from '../model-settings/trial.ts'
import { PromptFields, type PromptFieldsProps } from './prompt-fields.tsx'
import { TOKENS_LABEL } from './prompt-form.ts'
import { type UsePromptFormOptions, usePromptForm } from './use-prompt-form.ts'
import { useFormVersions } from './versions/use-form-versions.tsx'

const TWO_PANES = '(min-width: 1024px)'

type EditorTab = 'write' | 'run'

export interface PromptEditorPageProps
  extends UsePromptFormOptions,
    Pick<PromptFieldsProps, 'onCreateVariable'> {
  tab: EditorTab
  onTabChange: (tab: EditorTab) => void
  renderRun: (trial: Trial) => ReactNode
  onShrink: () => void
}

export function PromptEditorPage({
  prompt,
  title,
  categoryId,
  userId,
  onClose,
  onSaved,
  tab,
  onTabChange,
  renderRun,
  onShrink,
  onCreateVariable,
}: PromptEditorPageProps) {
  const options = { prompt, title, categoryId, userId, onClose, onSaved }
  const { form, values, stored, dialog, handOverDraft, ...state } = usePromptForm(options)
  const { pending, dirty, onSubmit, draft, conflict } = dialog
  const [leaving, setLeaving] = useState<(() => void) | null>(null)
  const versions = useFormVersions({ ...state, stored, losesChanges: dirty })
  const isWide = useMediaQuery(TWO_PANES)
  const formElement = useRef<HTMLFormElement>(null)
  const saveKeys = useAriaKeys('save')
  useDocumentTitle(prompt ? `Edit ${prompt.title}` : 'Create New Prompt')

  useLeaveGuard({ isActive: dirty, onLeave: (leave) => setLeaving(() => leave) })
  const save = () => {
    if (pending) return
    onTabChange('write')
    void onSubmit()
  }
  const shrink = () => {
    handOverDraft()
    withoutGuard(onShrink)
  }
  useShortcut({ id: 'save', onPress: save })
  useShortcut({ id: 'grow', onPress: shrink })

  const fields = (
    <form
      ref={formElement}
      noValidate
      aria-label={prompt ? 'Edit Prompt' : 'Create New Prompt'}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      className="grid content-start gap-4 px-6 py-4 max-md:px-3.5"
    >
      {conflict && <ConflictPanel {...conflict} pending={pending} />}
      {draft.isRestored && !conflict && <DraftNotice onDiscard={draft.onDiscard} />}
      <PromptFields
        form={form}
        tagInput={state.tagInput}
        isLarge
        mayPublish={prompt?.canDelete ?? true}
        prompt={prompt}
        nextVersion={state.nextVersion}
        onCreateVariable={onCreateVariable}
      />
      <p role="status" className="min-h-4 text-xs text-text-3">
        {draft.isKept && 'Draft kept on this device'}
      </p>
    </form>
  )
  const run = renderRun(trialOf({ values, stored, tokensLabel: TOKENS_LABEL }))
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHeader
        title={prompt ? 'Edit Prompt' : 'Create New Prompt'}
        start={
          <Button
            variant="ghost"
            size="icon"
            aria-label="Back"
            onClick={() => (dirty ? setLeaving(() => onClose) : onClose())}
            className="-ml-1.5 max-md:ml-0"
          >
            <ArrowLeftIcon />
          </Button>
        }
        action={
          <>
            {isWide && versions.button}
            {isWide && <ShrinkButton onClick={shrink} />}
            <Button pending={pending} onClick={save} aria-keyshortcuts={saveKeys}>
              {pending ? 'Saving...' : prompt ? 'Save Changes' : 'Create Prompt'}
              {!pending && <ShortcutKeys id="save" className="max-md:hidden" />}
            </Button>
          </>
        }
      />
      <EditorPanes isWide={isWide} tab={tab} onTabChange={onTabChange} fields={fields} run={run} />
      <DiscardDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        onDiscard={() => {
          state.dropDraft()
          if (leaving) withoutGuard(leaving)
        }}
      />
      {versions.dialog}
    </div>
  )
}

function ShrinkButton({ onClick }: { onClick: () => void }) {
  const keys = useAriaKeys('grow')
  return (
    <Hint
      text={
        <>
          Back to the small dialog <ShortcutKeys id="grow" />
        </>
      }
    >
      <Button
        variant="ghost"
        size="icon"
        aria-label="Small dialog"
        aria-keyshortcuts={keys}
        onClick={onClick}
      >
        <Minimize2Icon />
      </Button>
    </Hint>
  )
}

interface EditorPanesProps {
  isWide: boolean
  tab: EditorTab
  onTabChange: (tab: EditorTab) => void
  fields: ReactNode
  run: ReactNode
}

function EditorPanes({ isWide, tab, onTabChange, fields, run }: EditorPanesProps) {
  if (isWide) {
    return (
      <div className="grid min-h-0 flex-1 grid-cols-[52fr_48fr]">
        <div className="min-h-0 min-w-0 overflow-y-auto border-r border-line bg-surface">{fields}</div>
        <div className="flex min-h-0 min-w-0 flex-col bg-bg">{run}</div>
      </div>
    )
  }
  return (
    <Tabs
      value={tab}
      onValueChange={(tab) => onTabChange(tab as EditorTab)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <TabsList aria-label="Parts of this page" className="mx-6 mt-2.5 mb-1 flex max-md:mx-3.5">
        <TabsTrigger value="write">Write</TabsTrigger>
        <TabsTrigger value="run">Run</TabsTrigger>
      </TabsList>
      <TabsContent
        value="write"
        forceMount
        hidden={tab !== 'write'}
        className="min-h-0 flex-1 overflow-y-auto outline-none"
      >
        {fields}
      </TabsContent>
      <TabsContent
        value="run"
        forceMount
        hidden={tab !== 'run'}
        className="flex min-h-0 flex-1 flex-col outline-none [&[hidden]]:hidden"
      >
        {run}
      </TabsContent>
    </Tabs>
  )
}
