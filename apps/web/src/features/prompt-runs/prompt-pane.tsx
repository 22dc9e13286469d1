import { SYSTEM_PROMPT_MAX, USER_INPUT_MAX } from '@catenary/contracts'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Fold } from '../../components/forms/fold.tsx'
import { PromptEditor } from '../../components/prompt-editor/prompt-editor.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { cn } from '../../lib/utils.ts'
import { editorVariables } from '../variables/variable-kind.tsx'
import { unresolvedNames } from './run.ts'
import { formOfPrompt } from './run-form.ts'
import { ChosenTargets } from './targets/chosen-targets.tsx'
import type { ExecuteState } from './use-execute.ts'
import { AskedSettings } from './values/asked-settings.tsx'
import { SentPreview } from './values/sent-preview.tsx'
import { VariableFields } from './values/variable-fields.tsx'

export interface PromptPaneProps {
  state: ExecuteState
  saving: ReactNode
  /** Text and values stand side by side, and scroll each for itself. */
  isSplit: boolean
}

export function PromptPane({ state, saving, isSplit }: PromptPaneProps) {
  const [focused, setFocused] = useState<string | null>(null)
  const zone = 'grid min-w-0 content-start px-6 py-4 max-md:px-3.5'
  if (!isSplit) {
    return (
      <div>
        <PromptText state={state} focused={focused} saving={saving} className={cn(zone, 'pb-2')} />
        <PromptValues state={state} onFocusChange={setFocused} className={zone} />
      </div>
    )
  }
  return (
    <div className="grid h-full min-h-0 grid-cols-[46fr_54fr] divide-x divide-line">
      <PromptText
        state={state}
        focused={focused}
        saving={saving}
        className={cn(zone, 'overflow-y-auto [--prompt-editor-max:calc(100dvh-260px)]')}
      />
      <PromptValues state={state} onFocusChange={setFocused} className={cn(zone, 'overflow-y-auto')} />
    </div>
  )
}

interface ZoneProps {
  state: ExecuteState
  className: string
}

interface TextProps extends ZoneProps {
  focused: string | null
  saving: ReactNode
}

function PromptText({ state, focused, saving, className }: TextProps) {
  const { prompt, base, form, fields, variables, isEdited, change, createVariable } = state
  const known = useMemo(() => editorVariables(variables), [variables])
  return (
    <div className={cn(className, 'gap-1.5')}>
      <div className="flex min-h-5 flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <h2 className="font-medium tracking-normal text-text-2">Prompt</h2>
        <p className="text-text-3">
          {isEdited ? `edited since version ${base.version}` : 'Edits here aren’t saved'}
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
        label="Prompt"
        value={form.template}
        variables={known}
        onCreateVariable={createVariable}
        onChange={(template) => change({ template })}
        original={isEdited ? base.content : undefined}
        ringed={focused}
        className="-mx-3 min-h-20 border-transparent"
      />
      {saving}
      <SentPreview form={form} fields={fields} />
    </div>
  )
}

interface ValuesProps extends ZoneProps {
  onFocusChange: (name: string | null) => void
}

function PromptValues({ state, onFocusChange, className }: ValuesProps) {
  const { view, form, fields, isRunning, run, change } = state
  const values = useFocusOnTaken(state)
  return (
    <div className={cn(className, 'gap-3')}>
      <div ref={values} className="contents">
        <VariableFields
          fields={fields}
          without={isRunning ? unresolvedNames(run) : []}
          onChange={state.setValue}
          onFetch={state.fetchValue}
          onFocusChange={onFocusChange}
        />
        <FoldedText
          label="Additional context"
          value={form.userInput}
          onChange={(userInput) => change({ userInput })}
          maxLength={USER_INPUT_MAX}
          placeholder="Anything the model should know for this run"
          className="min-h-14"
        />
      </div>
      <FoldedText
        label="System prompt"
        fold="Advanced: system prompt"
        value={form.systemPrompt}
        onChange={(systemPrompt) => change({ systemPrompt })}
        maxLength={SYSTEM_PROMPT_MAX}
        placeholder="The model’s role, and the rules it must follow"
        className="min-h-20"
      />
      <ChosenTargets state={state} />
      <AskedSettings
        form={form}
        model={view.model}
        saved={{ form: formOfPrompt(state.prompt), onTake: change }}
      />
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

interface FoldedTextProps {
  label: string
  /** What the line says that it folds under. */
  fold?: string
  value: string
  onChange: (value: string) => void
  maxLength: number
  placeholder: string
  className: string
}

/** It opens as it comes to hold something, and stays open when that is deleted. */
function FoldedText({ label, fold = label, value, onChange, className, ...texts }: FoldedTextProps) {
  const isFilled = value !== ''
  const [isOpen, setIsOpen] = useState(isFilled)
  const [wasFilled, setWasFilled] = useState(isFilled)
  if (isFilled !== wasFilled) {
    setWasFilled(isFilled)
    if (isFilled) setIsOpen(true)
  }
  return (
    <Fold
      label={
        <span className="font-normal">
          {fold}
          {isFilled && !isOpen && <span className="text-text-3"> · set</span>}
        </span>
      }
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      className="gap-1.5"
    >
      <Textarea
        aria-label={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={cn('max-h-60', className)}
        {...texts}
      />
    </Fold>
  )
}
