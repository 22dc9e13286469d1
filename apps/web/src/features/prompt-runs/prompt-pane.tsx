import { SYSTEM_PROMPT_MAX, USER_INPUT_MAX } from '@catenary/contracts'
import { ChevronRightIcon } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { PromptEditor } from '../../components/prompt-editor/prompt-editor.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../../components/ui/collapsible.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { editorVariables } from '../variables/variable-kind.tsx'
import { formOfPrompt } from './run-form.ts'
import type { ExecuteState } from './use-execute.ts'
import { AskedSettings } from './values/asked-settings.tsx'
import { SentPreview } from './values/sent-preview.tsx'
import { VariableFields } from './values/variable-fields.tsx'

export interface PromptPaneProps {
  state: ExecuteState
  saving?: ReactNode
  targets?: ReactNode
}

export function PromptPane({ state, saving, targets }: PromptPaneProps) {
  const { prompt, base, view, form, fields, variables, isEdited, change, createVariable } = state
  const known = useMemo(() => editorVariables(variables), [variables])
  const values = useFocusOnTaken(state)
  return (
    <div className="@container grid content-start gap-5 px-6 py-4 max-md:px-3.5">
      <div className="grid gap-1.5">
        <div className="flex min-h-5 items-baseline justify-between gap-3 text-sm">
          <h2 className="font-medium tracking-normal text-text-2">Template</h2>
          <p className="text-text-3">
            {isEdited ? `edited since version ${base.version}` : 'a copy, not saved to the library'}
            {isEdited && (
              <>
                {' · '}
                <Button
                  variant="link"
                  className="inline font-normal"
                  onClick={() => change({ template: prompt.content })}
                >
                  Undo edits
                </Button>
              </>
            )}
          </p>
        </div>
        <PromptEditor
          label="Template"
          value={form.template}
          variables={known}
          onCreateVariable={createVariable}
          onChange={(template) => change({ template })}
          original={isEdited ? base.content : undefined}
          className="min-h-30"
        />
        {saving}
      </div>
      <div ref={values} className="contents">
        <VariableFields fields={fields} onChange={state.setValue} onFetch={state.fetchValue} />
        <Field label="Additional context" className="text-sm">
          <Textarea
            value={form.userInput}
            maxLength={USER_INPUT_MAX}
            placeholder="Anything the model should know for this run"
            onChange={(event) => change({ userInput: event.target.value })}
            className="max-h-60 min-h-14"
          />
        </Field>
      </div>
      {targets}
      <SystemPrompt value={form.systemPrompt} onChange={(systemPrompt) => change({ systemPrompt })} />
      <AskedSettings form={form} model={view.model} saved={{ form: formOfPrompt(prompt), onTake: change }} />
      <SentPreview form={form} fields={fields} />
    </div>
  )
}

/** Moves the focus to the first value when an earlier run's were taken over, once they are in view. */
function useFocusOnTaken({ timesTaken, view }: ExecuteState) {
  const values = useRef<HTMLDivElement>(null)
  const seen = useRef(timesTaken)
  const isInView = view.tab === 'prompt'
  useEffect(() => {
    if (seen.current === timesTaken || !isInView) return
    seen.current = timesTaken
    values.current?.querySelector<HTMLElement>('input, textarea, [role=combobox], [role=switch]')?.focus()
  }, [timesTaken, isInView])
  return values
}

function SystemPrompt({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Collapsible open={isOpen || value !== ''} onOpenChange={setIsOpen}>
      <CollapsibleTrigger asChild>
        <Button variant="ghost" size="sm" className="-ml-2 px-2">
          <ChevronRightIcon className={isOpen || value !== '' ? 'rotate-90' : ''} />
          Advanced: system prompt
        </Button>
      </CollapsibleTrigger>
      <CollapsibleContent className="pt-1.5">
        <Textarea
          aria-label="System prompt"
          value={value}
          maxLength={SYSTEM_PROMPT_MAX}
          placeholder="The model’s role, and the rules it must follow"
          onChange={(event) => onChange(event.target.value)}
          className="max-h-60 min-h-20"
        />
      </CollapsibleContent>
    </Collapsible>
  )
}
